/** What to expect from the levels of bots; only pages that are loaded with their words import this. */
import { m } from '$lib/paraglide/messages';

const LINES: Readonly<Record<string, () => string>> = {
  random: m.pages_level_random_line,
  greedy: m.pages_level_greedy_line,
  casual: m.pages_level_casual_line,
  club: m.pages_level_club_line,
  strong: m.pages_level_strong_line,
  expert: m.pages_level_expert_line,
};

/** The levels that the registry of bots declares as holding back. */
const HOLD_BACK: readonly string[] = ['club', 'strong', 'expert'];

/** Return what to expect from a bot level. */
export function levelLine(level: string): string {
  const line = (LINES[level] ?? m.pages_level_other_line)();
  return HOLD_BACK.includes(level) ? `${line} ${m.pages_level_holds_back()}` : line;
}
