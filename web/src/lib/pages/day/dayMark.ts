/**
 * What this device stores about deals of the day: which guest has played today's, because the page warns a second guest of
 * a second attempt, and the commitments to the cards, because the page compares them with the secrets published later.
 */
import type { DayToday } from '$lib/net/protocol';
import { storedPairs, storePairs } from '$lib/net/storedPairs';

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

const COMMITMENTS = 'rum500.day.commitments';
/** The number of days whose commitments are stored: those of the calendar, and tomorrow. */
const KEPT_DAYS = 31;
const DAY_MS = 86_400_000;

const commitments = (): [string, string][] => storedPairs(COMMITMENTS);

/**
 * Note the commitments to today's and tomorrow's cards, unless other ones are noted already. Without storage a secret is
 * compared with the commitment that the server sends, alone.
 */
export function noteCommitments(today: Pick<DayToday, 'day' | 'commitment' | 'next_commitment'>): void {
  const tomorrow = new Date(Date.parse(today.day) + DAY_MS).toISOString().slice(0, 10);
  const noted = new Map(commitments());
  for (const [day, value] of [
    [today.day, today.commitment],
    [tomorrow, today.next_commitment],
  ] as const)
    if (!noted.has(day)) noted.set(day, value);
  storePairs(COMMITMENTS, [...noted].sort(), KEPT_DAYS);
}

/** Return the commitment to a day's cards that this device noted; null if it noted none. */
export const notedCommitment = (day: string): string | null => new Map(commitments()).get(day) ?? null;
