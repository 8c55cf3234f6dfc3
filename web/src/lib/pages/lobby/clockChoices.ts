/** The clocks that the form for a new table offers, in seconds. */
import { m } from '$lib/paraglide/messages';

import { DAY_S, USUAL_BANK_S } from '$lib/net/protocol';
import { ofDays } from '$lib/text/days';
import { duration } from '$lib/text/labels';

const DAYS = [1, 2, 3, 7].map((days) => days * DAY_S);
/** The times for a turn: null is no clock; clocks of days are a separate group. */
export const TURNS: readonly (readonly (number | null)[])[] = [[null, 15, 30, 60, 120], DAYS];
export const BANKS = [[0, 60, USUAL_BANK_S, 300, 600]];

/** Return whether a bank can be chosen: by a clock of days it is as long as a turn. */
export const asksBank = (turn: number | null): boolean => turn !== null && !ofDays(turn);

/** Return what the chosen clock means. */
export function clockLine(turn: number | null): string {
  if (turn === null) return m.pages_new_clock_none_line();
  return ofDays(turn) ? m.pages_new_clock_days_line({ bank: duration(turn) }) : m.pages_new_clock_line();
}
