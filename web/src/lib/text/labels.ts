/** Names of bot levels, and other short labels that several pages use. */

import { m } from '$lib/paraglide/messages';

import { num } from './sentences';
import { DAY_S, STEPS } from '$lib/net/protocol';
import { inUnit } from './days';
import { named } from './named';

/** Return the number of a bot level on the staircase; null for a level with a name. */
export function stepOf(level: string): number | null {
  const found = /^level(\d+)$/.exec(level);
  return found ? Number(found[1]) : null;
}

/** Return the name of a bot level. */
export function levelTitle(level: string): string {
  const step = stepOf(level);
  if (step !== null) return m.pages_step({ n: num(step) });
  return named('pages_level_', level)?.({}) ?? level;
}

/** How strong the levels with names look, from 0 to 1. */
const STRENGTHS: Readonly<Record<string, number>> = {
  random: 0,
  greedy: 0.25,
  casual: 0.4,
  club: 0.65,
  strong: 0.85,
  expert: 1,
};

/** Return how strong a bot level looks, from 0 to 1. */
export function strengthOf(level: string): number {
  const step = stepOf(level);
  return step === null ? (STRENGTHS[level] ?? 0.5) : (step - 1) / (STEPS - 1);
}

/** "4 players", "2 to 8 players". */
export function playersLine(players: readonly number[]): string {
  const [from, to] = [players[0] ?? 0, players[players.length - 1] ?? 0];
  if (from === to) return m.pages_players({ count: from, shown: num(from) });
  return m.pages_players_range({ from: num(from), to: num(to) });
}

/** Return a duration in seconds, minutes or days. */
export function duration(seconds: number): string {
  if (seconds >= DAY_S && seconds % DAY_S === 0) return inUnit(seconds / DAY_S, 'day');
  if (seconds >= 60 && seconds % 60 === 0) return m.pages_minutes({ n: num(seconds / 60) });
  return m.pages_seconds({ n: num(seconds) });
}

/** Return a name isolated from the writing direction of the sentence around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
