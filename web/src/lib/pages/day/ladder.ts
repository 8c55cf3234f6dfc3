/** The bots and the guest on one scale of points, for a guest who is alone. */
import type { DayBot } from '$lib/net/protocol';
import { ticksOf } from './dots';

export interface Rung {
  /** The bot; null for the guest. */
  bot: DayBot | null;
  /** Where the points, and the bounds of the middle half, lie on the scale, in percent. */
  at: number;
  low: number;
  high: number;
}

/** The free space at each end of the scale, as a part of it. */
const EDGE = 0.05;

/** The greatest number of ticks. */
const TICKS = 4;

/**
 * Return the bots and the guest, those with the most points first, and the ticks of the scale: (points, where they lie in
 * percent).
 */
export function ladderOf(
  bots: readonly DayBot[],
  points: number,
): { rungs: Rung[]; ticks: [points: number, at: number][] } {
  const values = [points, ...bots.flatMap(({ mean, low, high }) => [mean, low, high])];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = EDGE * Math.max(1, most - least);
  const at = (value: number): number => ((value - least + margin) / (most - least + 2 * margin)) * 100;
  const ticks = ticksOf(least, most, TICKS).map((tick): [number, number] => [tick, at(tick)]);
  const rungs = bots.map((bot) => ({ bot, at: at(bot.mean), low: at(bot.low), high: at(bot.high) }));
  const own = { bot: null, at: at(points), low: at(points), high: at(points) };
  return { rungs: [own, ...rungs].sort((a, b) => b.at - a.at), ticks };
}

/** Return the levels whose means are next above and next below the guest's points. */
export function rungsBeside(
  bots: readonly DayBot[],
  points: number,
): { above: string | null; below: string | null } {
  const sorted = [...bots].sort((a, b) => a.mean - b.mean);
  return {
    above: sorted.find(({ mean }) => mean > points)?.level ?? null,
    below: sorted.findLast(({ mean }) => mean <= points)?.level ?? null,
  };
}
