/** The sounds of a table. */
import { untrack } from 'svelte';

import type { Change, TableStore } from '$lib/net/tableStore.svelte';
import { settings } from '$lib/app/settings.svelte';
import { play as sound } from '$lib/app/sound';
import { left } from '$lib/felt/board/ticker.svelte';
import { decides } from './playController.svelte';
import { soundOf } from '$lib/text/eventText';

const TICKING_S = 5;
const BUZZ_MS = 30;

/**
 * Play the sounds of moving cards, of the player's turn, and of a "Rummy!" to call. A phone buzzes at the turn even if
 * sounds are off.
 */
export function sounds(change: Change): void {
  if (change.whole) return;
  const play = settings.sound ? sound : () => undefined;
  for (const event of change.events) {
    const name = soundOf(event);
    if (name) play(name, event.cards?.length);
  }
  const { before, youBefore, after, youAfter } = change;
  const calls = (may: readonly string[]): boolean => may.includes('call');
  if (calls(youAfter.may) && !calls(youBefore.may)) play('rummy');
  else if (decides(after, youAfter, settings) && !decides(before, youBefore, settings)) {
    play('turn');
    // Before the first press a browser refuses to vibrate, and logs a warning.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ_MS);
  }
}

/** Tick in the last seconds of the player's clock, while the component that calls this lives. */
export function ticking(table: TableStore): void {
  let ticked = 0;
  function tickOnce(second: number): void {
    if (ticked !== second) sound('tick');
    ticked = second;
  }
  $effect(() => {
    const { clock } = table.shared;
    if (!clock?.running || clock.seat !== table.you.seat || !settings.sound) return;
    const second = Math.ceil(left(clock.turn_ms + clock.bank_ms, table.clockAt) / 1000);
    if (second > 0 && second <= TICKING_S) untrack(() => tickOnce(second));
  });
}
