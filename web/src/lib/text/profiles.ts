/** The games' names, what each is in a sentence, and the house rules' names. */

import { named } from '$lib/text/named';

/** A game's name; `fallback` for one the page does not know. */
export const profileTitle = (name: string, fallback = name): string =>
  named('game_profile_', `${name}_title`)?.({}) ?? fallback;

/** A game in a sentence. */
export const profileSummary = (name: string, fallback = ''): string =>
  named('game_profile_', `${name}_summary`)?.({}) ?? fallback;

/** A house rule's name, by its id `H1` to `H6`. */
export const houseTitle = (id: string, fallback = id): string => named('game_house_', id)?.({}) ?? fallback;
