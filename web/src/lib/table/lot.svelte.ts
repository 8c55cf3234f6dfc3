/** Who does not want to draw and cut by hand has it done at once, by chance. */
import { untrack } from 'svelte';

import type { TableConnection } from '../connection.svelte';
import { settings } from '../settings.svelte';
import type { Place } from './place.svelte';

/** Draws and cuts unasked, while the component that calls this lives. */
export function drawLots(connection: TableConnection, place: Place): void {
  let picked = -1;
  $effect(() => {
    const { waiting_for: waitingFor, actor, asked, positions, status } = connection.shared;
    const mine = actor === connection.you.seat && connection.status === 'live' && status === 'playing';
    if (settings.cutMyself || !mine || !positions?.length || asked === picked) return;
    // The answer to the last one may still be on its way: this runs again then.
    if (place.busy) return;
    if (waitingFor !== 'draw' && waitingFor !== 'cut') return;
    picked = asked ?? -1;
    const position = waitingFor === 'cut' ? between(positions) : positions[chance(positions.length)]!;
    void untrack(() => place.pick(position));
  });
}

function between(ends: number[]): number {
  const least = Math.min(...ends);
  return least + chance(Math.max(...ends) - least + 1);
}

const chance = (below: number): number => crypto.getRandomValues(new Uint32Array(1))[0]! % below;
