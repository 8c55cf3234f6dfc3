/** The rules in sentences. Only pages that are loaded late import this, and await `loadRules` first. */

import { loadLate } from '$lib/locale';
import { m } from '$lib/paraglide/messages';
import { num } from '$lib/words/cards';

/** A rule in force, as `GET /api/rules/…` tells it: which sentence, what it holds, and the same in English. */
export interface Rule {
  id: string;
  params: Record<string, unknown>;
  text: string;
}

/** Loads the sentences of the present language. */
export const loadRules = loadLate;

/** Twelve and below in words where the language does so. */
const word = (value: number): string => m.words_rule_number({ n: String(value), digits: num(value) });

/** Rising numbers, told shortly: `2 to 8`, `2, 4 or 6`. */
function numbers(values: number[]): string {
  const told = values.map(num);
  const last = told.pop() ?? '';
  if (!told.length) return last;
  if (told.length > 1 && values.at(-1)! - values[0]! === values.length - 1)
    return m.words_rule_range({ low: told[0]!, high: last });
  const most = told.reduce((first, second) => m.words_rule_comma({ first, second }));
  return m.words_rule_or({ most, last });
}

/** Inputs of a sentence: each number as digits, as a word, and bare for the plural; codes as they are. */
function inputs(params: Record<string, unknown>): Inputs {
  const told: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number')
      Object.assign(told, { [name]: num(value), [`${name}_count`]: value, [`${name}_word`]: word(value) });
    else told[name] = Array.isArray(value) ? numbers(value as number[]) : String(value);
  }
  return told as unknown as Inputs;
}

/** A rule as a sentence; in English where the page does not know it. */
export function ruleSentence(rule: Rule): string {
  const say = RULES[rule.id];
  return say ? say(inputs(rule.params)) : rule.text;
}

/** The heading that a rule stands under: what comes before the point of its id names it. */
export function headingTitle(id: string): string {
  return HEADINGS[id.split('.')[0] ?? '']?.() ?? '';
}

const HEADINGS: Record<string, () => string> = {
  players: m.words_rule_heading_players,
  deal: m.words_rule_heading_deal,
  turn: m.words_rule_heading_turn,
  melds: m.words_rule_heading_melds,
  end: m.words_rule_heading_end,
  points: m.words_rule_heading_points,
  match: m.words_rule_heading_match,
};

/** Whatever any of the sentences asks for. */
type Inputs = Parameters<typeof m.words_rule_players_alone>[0] &
  Parameters<typeof m.words_rule_players_second_pack>[0] &
  Parameters<typeof m.words_rule_players_rank_jokers>[0] &
  Parameters<typeof m.words_rule_deal_hand_two>[0] &
  Parameters<typeof m.words_rule_end_restock_limit>[0] &
  Parameters<typeof m.words_rule_end_no_progress>[0] &
  Parameters<typeof m.words_rule_points_low_ace>[0] &
  Parameters<typeof m.words_rule_points_joker>[0] &
  Parameters<typeof m.words_rule_points_bonus>[0] &
  Parameters<typeof m.words_rule_match_target>[0] &
  Parameters<typeof m.words_rule_match_deals>[0] &
  Parameters<typeof m.words_rule_match_max_deals>[0] &
  Parameters<typeof m.words_rule_match_bonus>[0];

/** Every sentence of the server's `sentences.toml`; `tests/test_words.py` holds them against it. */
const RULES: Record<string, (inputs: Inputs) => string> = {
  'players.alone': m.words_rule_players_alone,
  'players.sides': m.words_rule_players_sides,
  'players.one_pack': m.words_rule_players_one_pack,
  'players.second_pack': m.words_rule_players_second_pack,
  'players.two_packs': m.words_rule_players_two_packs,
  'players.no_jokers': m.words_rule_players_no_jokers,
  'players.one_wild_joker': m.words_rule_players_one_wild_joker,
  'players.two_wild_jokers': m.words_rule_players_two_wild_jokers,
  'players.rank_jokers': m.words_rule_players_rank_jokers,
  'deal.low': m.words_rule_deal_low,
  'deal.low_jokers': m.words_rule_deal_low_jokers,
  'deal.partners_before': m.words_rule_deal_partners_before,
  'deal.partners': m.words_rule_deal_partners,
  'deal.partners_jokers': m.words_rule_deal_partners_jokers,
  'deal.scorer': m.words_rule_deal_scorer,
  'deal.cut': m.words_rule_deal_cut,
  'deal.hand': m.words_rule_deal_hand,
  'deal.hand_two': m.words_rule_deal_hand_two,
  'deal.upcard': m.words_rule_deal_upcard,
  'deal.passes': m.words_rule_deal_passes,
  'turn.course': m.words_rule_turn_course,
  'turn.first': m.words_rule_turn_first,
  'turn.draw': m.words_rule_turn_draw,
  'turn.lowest': m.words_rule_turn_lowest,
  'turn.top_melds': m.words_rule_turn_top_melds,
  'turn.top_melds_house': m.words_rule_turn_top_melds_house,
  'turn.top_free': m.words_rule_turn_top_free,
  'turn.top_kept': m.words_rule_turn_top_kept,
  'turn.claim': m.words_rule_turn_claim,
  'melds.set': m.words_rule_melds_set,
  'melds.set_suits': m.words_rule_melds_set_suits,
  'melds.set_twice': m.words_rule_melds_set_twice,
  'melds.run': m.words_rule_melds_run,
  'melds.run_high': m.words_rule_melds_run_high,
  'melds.joker': m.words_rule_melds_joker,
  'melds.natural': m.words_rule_melds_natural,
  'melds.three_jokers': m.words_rule_melds_three_jokers,
  'melds.four_jokers': m.words_rule_melds_four_jokers,
  'melds.unnamed': m.words_rule_melds_unnamed,
  'melds.lay_off': m.words_rule_melds_lay_off,
  'melds.laid_counts': m.words_rule_melds_laid_counts,
  'melds.stay': m.words_rule_melds_stay,
  'end.either': m.words_rule_end_either,
  'end.meld': m.words_rule_end_meld,
  'end.stays_in': m.words_rule_end_stays_in,
  'end.floats': m.words_rule_end_floats,
  'end.floater': m.words_rule_end_floater,
  'end.at_once': m.words_rule_end_at_once,
  'end.restock': m.words_rule_end_restock,
  'end.restock_limit': m.words_rule_end_restock_limit,
  'end.stock': m.words_rule_end_stock,
  'end.stock_upcard_free': m.words_rule_end_stock_upcard_free,
  'end.pass': m.words_rule_end_pass,
  'end.no_progress': m.words_rule_end_no_progress,
  'points.pips': m.words_rule_points_pips,
  'points.five': m.words_rule_points_five,
  'points.low_ace': m.words_rule_points_low_ace,
  'points.joker': m.words_rule_points_joker,
  'points.wild_joker': m.words_rule_points_wild_joker,
  'points.double_sets': m.words_rule_points_double_sets,
  'points.double_melds': m.words_rule_points_double_melds,
  'points.at_end': m.words_rule_points_at_end,
  'points.as_laid': m.words_rule_points_as_laid,
  'points.held': m.words_rule_points_held,
  'points.held_sides': m.words_rule_points_held_sides,
  'points.to_winner': m.words_rule_points_to_winner,
  'points.to_winning_side': m.words_rule_points_to_winning_side,
  'points.nobody_out': m.words_rule_points_nobody_out,
  'points.bonus': m.words_rule_points_bonus,
  'points.no_bonus': m.words_rule_points_no_bonus,
  'match.target': m.words_rule_match_target,
  'match.highest': m.words_rule_match_highest,
  'match.at_once': m.words_rule_match_at_once,
  'match.deals': m.words_rule_match_deals,
  'match.max_deals': m.words_rule_match_max_deals,
  'match.deciding': m.words_rule_match_deciding,
  'match.drawn': m.words_rule_match_drawn,
  'match.drawn_no_bonus': m.words_rule_match_drawn_no_bonus,
  'match.bonus': m.words_rule_match_bonus,
  'match.pays': m.words_rule_match_pays,
  'match.sides_pay': m.words_rule_match_sides_pay,
  'match.totals': m.words_rule_match_totals,
  'match.none': m.words_rule_match_none,
};
