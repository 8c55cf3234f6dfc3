/** Names of bot levels, and other short labels that several pages use. */

import { m } from '$lib/paraglide/messages';

import { num } from '../text';

type Words = () => string;

// Functions, because messages exist only once the language has been loaded.
const LEVELS: Readonly<Record<string, readonly [Words, Words]>> = {
  random: [() => m.pages_level_random(), () => m.pages_level_random_line()],
  greedy: [() => m.pages_level_greedy(), () => m.pages_level_greedy_line()],
  casual: [() => m.pages_level_casual(), () => m.pages_level_casual_line()],
  club: [() => m.pages_level_club(), () => m.pages_level_club_line()],
  strong: [() => m.pages_level_strong(), () => m.pages_level_strong_line()],
  expert: [() => m.pages_level_expert(), () => m.pages_level_expert_line()],
};

/** Return the name of a bot level. */
export const levelTitle = (level: string): string => LEVELS[level]?.[0]() ?? level;

/** Return what to expect from a bot level. */
export const levelLine = (level: string): string => LEVELS[level]?.[1]() ?? m.pages_level_other_line();

/** "4 players", "2 to 8 players". */
export function playersLine(players: readonly number[]): string {
  const [from, to] = [players[0] ?? 0, players[players.length - 1] ?? 0];
  if (from === to) return m.pages_players({ count: from, shown: num(from) });
  return m.pages_players_range({ from: num(from), to: num(to) });
}

/** Return a duration in seconds or minutes. */
export function duration(seconds: number): string {
  if (seconds >= 60 && seconds % 60 === 0) return m.pages_minutes({ n: num(seconds / 60) });
  return m.pages_seconds({ n: num(seconds) });
}

/** Return a name isolated from the writing direction of the sentence around it. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
