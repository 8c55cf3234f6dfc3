/** Which guest has played today's deal on this device: the page warns a second guest of a second attempt. */
import type { DayToday } from '$lib/net/protocol';

const KEY = 'rum500.day';

interface Mark {
  day: string;
  table: string;
}

/** Note the table of this device's attempt. Without storage nothing is noted. */
export function noteAttempt({ day, table, status }: Pick<DayToday, 'day' | 'table' | 'status'>): void {
  if (table === null || status === 'practised') return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ day, table } satisfies Mark));
  } catch {
    // A private window may have no storage.
  }
}

/** Return whether another guest has begun today's deal on this device. */
export function playedByAnother({ day, status }: Pick<DayToday, 'day' | 'status'>): boolean {
  if (status !== 'new') return false;
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? 'null') as Mark | null)?.day === day;
  } catch {
    return false;
  }
}
