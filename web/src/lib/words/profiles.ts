/** The games' names, what each is in a sentence, and the house rules' names. */

import { m } from '$lib/paraglide/messages';

const TITLES: Record<string, () => string> = {
  '500-rum': m.words_profile_500_rum_title,
  '500-rummy': m.words_profile_500_rummy_title,
  'rummy-500': m.words_profile_rummy_500_title,
  'partnership-500-rum': m.words_profile_partnership_500_rum_title,
  'partnership-500-rummy': m.words_profile_partnership_500_rummy_title,
  'persian-rummy': m.words_profile_persian_rummy_title,
  'persian-rummy-fosdick': m.words_profile_persian_rummy_fosdick_title,
  'persian-rummy-gamerules': m.words_profile_persian_rummy_gamerules_title,
  'michigan-rum': m.words_profile_michigan_rum_title,
};

const SUMMARIES: Record<string, () => string> = {
  '500-rum': m.words_profile_500_rum_summary,
  '500-rummy': m.words_profile_500_rummy_summary,
  'rummy-500': m.words_profile_rummy_500_summary,
  'partnership-500-rum': m.words_profile_partnership_500_rum_summary,
  'partnership-500-rummy': m.words_profile_partnership_500_rummy_summary,
  'persian-rummy': m.words_profile_persian_rummy_summary,
  'persian-rummy-fosdick': m.words_profile_persian_rummy_fosdick_summary,
  'persian-rummy-gamerules': m.words_profile_persian_rummy_gamerules_summary,
  'michigan-rum': m.words_profile_michigan_rum_summary,
};

const HOUSE_RULES: Record<string, () => string> = {
  H1: m.words_house_h1,
  H2: m.words_house_h2,
  H3: m.words_house_h3,
  H4: m.words_house_h4,
  H5: m.words_house_h5,
  H6: m.words_house_h6,
};

/** A game's name; `fallback` for one the page does not know. */
export const profileTitle = (name: string, fallback = name): string => TITLES[name]?.() ?? fallback;

/** A game in a sentence. */
export const profileSummary = (name: string, fallback = ''): string => SUMMARIES[name]?.() ?? fallback;

/** A house rule's name, by its id `H1` to `H6`. */
export const houseTitle = (id: string, fallback = id): string => HOUSE_RULES[id]?.() ?? fallback;
