/** The names of games and house rules, and a sentence about each game. */

import { named } from './named';

/** A game's name; `fallback` for one the page does not know. */
export const profileTitle = (name: string, fallback = name): string =>
  named('game_profile_', `${name}_title`)?.({}) ?? fallback;

/** A game in a sentence. */
export const profileSummary = (name: string, fallback = ''): string =>
  named('game_profile_', `${name}_summary`)?.({}) ?? fallback;

/** A game in a sentence; with variations, what they change, since the game's own sentence may not hold. */
export function gameSummary(name: string, chosen: readonly string[], fallback = ''): string {
  const changed = chosen.flatMap((id) => named('game_variation_', id)?.({}) ?? []);
  return changed.length ? `${changed.join('. ')}.` : profileSummary(name, fallback);
}

/** A house rule or variation in a sentence, by its id: `H1`, `pips`. */
export const choiceTitle = (id: string, fallback = id): string =>
  (named('game_house_', id) ?? named('game_variation_', id))?.({}) ?? fallback;

/** House rules and variations in a few words each. */
export const changeWords = (rules: { house_rules: string[]; variations: string[] }): string[] =>
  [...rules.variations, ...rules.house_rules].map((id) => named('pages_change_', id)?.({}) ?? id);

/** The game, then what is chosen beside its own rules. */
export const gameWords = (
  rules: Parameters<typeof changeWords>[0] & { profile: string; title: string },
): string[] => [profileTitle(rules.profile, rules.title), ...changeWords(rules)];
