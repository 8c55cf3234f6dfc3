/** Drawing and cutting at random for players that turned drawing by hand off. */
import { untrack } from 'svelte';

import { settings } from '$lib/app/settings.svelte';
import type { PlayController } from './playController.svelte';

/** Draw and cut for the player while the calling component exists. */
export function autoDraw(controller: PlayController): void {
  let picked = -1;
  $effect(() => {
    const { connection, table } = controller;
    const { waiting_for: waitingFor, actor, asked, positions, status } = table.shared;
    const mine = actor === table.you.seat && connection.link.state === 'live' && status === 'playing';
    if (settings.cutMyself || !mine || !positions.length || asked === picked) return;
    // The last answer may still be on its way; this effect runs again when it arrives.
    if (controller.busy) return;
    if (waitingFor !== 'draw' && waitingFor !== 'cut') return;
    picked = asked;
    const position = waitingFor === 'cut' ? between(positions) : positions[chance(positions.length)]!;
    void untrack(() => controller.pick(position));
  });
}

function between(ends: number[]): number {
  const least = Math.min(...ends);
  return least + chance(Math.max(...ends) - least + 1);
}

const chance = (below: number): number => crypto.getRandomValues(new Uint32Array(1))[0]! % below;
