/** Who does not want to draw and cut by hand has it done at once, by chance. */
import { untrack } from 'svelte';

import { settings } from '../app/settings.svelte';
import type { PlayController } from './playController.svelte';

/** Draws and cuts unasked, while the component that calls this lives. */
export function autoDraw(controller: PlayController): void {
  let picked = -1;
  $effect(() => {
    const { connection, table } = controller;
    const { waiting_for: waitingFor, actor, asked, positions, status } = table.shared;
    const mine = actor === table.you.seat && connection.link.state === 'live' && status === 'playing';
    if (settings.cutMyself || !mine || !positions.length || asked === picked) return;
    // The answer to the last one may still be on its way: this runs again then.
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
