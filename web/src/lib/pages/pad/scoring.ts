/**
 * Points, totals, the end of a match and its settlement. Every number and every choice is from `rules.json`, which
 * `tools/scoring_rules.py` writes from the rules; tests/scoring_vectors.json has matches that the engine scored.
 */
import data from './rules.json';

/** Points lost, won and counted by the rules; the names are those of `rules/options.py`. */
export interface Rules {
  source: string;
  players: number[];
  sides: number;
  second_pack_from: number;
  jokers: number;
  joker_kind: string;
  ace: string;
  same_suit_in_sets: boolean;
  unnamed_jokers: boolean;
  top_must_meld: boolean;
  top_rule_is_house: boolean;
  keep_upcard: boolean;
  claim: boolean;
  go_out: string;
  stock_out: string;
  restock: boolean;
  restock_limit: number;
  no_progress_rounds: number;
  upcard_free_when_stock_empty: boolean;
  blind_claims: boolean;
  low_cards: string;
  ace_low: number;
  joker_points: number;
  doubles: string;
  going_out_bonus: number;
  hands: string;
  match: string;
  target: number;
  deals: number;
  max_deals: number;
  match_end: string;
  ties: string;
  match_bonus: number;
  settlement: string;
  draw_for_deal: string;
  dealer_keeps_score: boolean;
  choices: string[];
  needs: Record<string, string[]>;
  clashes: string[][];
}

export interface Game {
  profile: string;
  /** House rules and variations by id. */
  choices: string[];
  /** Changed lengths of the match. */
  options: { target?: number; deals?: number; max_deals?: number };
}

/** The points of a deal, by player (or by side): as totals, or as cards laid and held. */
export interface Entry {
  out: number | null;
  /** The points of the deal by account. */
  points?: number[];
  /** The points of the cards that each player laid, and of those left in each hand. */
  laid?: number[];
  held?: number[];
}

export interface End {
  reason: 'target' | 'deals' | 'max_deals';
  /** The account that won; null: drawn. */
  winner: number | null;
  bonus: number;
  final: number[];
  margins: number[];
  /** Payments between accounts: who pays, who receives, how many points. */
  payments: [number, number, number][];
}

export interface Row {
  points: number[];
  totals: number[];
}

const GAMES = data.profiles as unknown as Record<string, Rules>;
const CHOICES: Record<string, Partial<Rules>> = data.choices as Record<string, object>;
const LOW: Record<string, number[]> = data.low;

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'] as const;
export const JOKER = 'JK';

export const games = Object.keys(GAMES);

/** Return the rules of a game with what is chosen beside its own. */
export function rulesOf({ profile, choices, options }: Game): Rules {
  const own = GAMES[profile];
  if (!own) throw new Error(`no game is called ${profile}`);
  return Object.assign({}, own, ...choices.map((id) => CHOICES[id]), options);
}

/** Return why a choice cannot be added to others: the one that it does not fit, or those of which it needs one. */
export function unfit(
  profile: string,
  chosen: string[],
  id: string,
): { clash?: string; needs?: string[] } | null {
  const { clashes, needs } = GAMES[profile]!;
  const other = clashes.find(
    (pair) => pair.includes(id) && pair.some((one) => one !== id && chosen.includes(one)),
  );
  if (other) return { clash: other.find((one) => one !== id)! };
  const wanted = needs[id];
  return wanted && !wanted.some((one) => chosen.includes(one)) ? { needs: wanted } : null;
}

/** Return the points of a card in a hand or a set. */
export function cardPoints(rules: Rules, rank: string): number {
  if (rank === JOKER) return rules.joker_points;
  const at = RANKS.indexOf(rank as (typeof RANKS)[number]);
  if (at < 0) throw new Error(`no card has the rank ${rank}`);
  const [low, high] = [LOW[rules.low_cards]!, data.high];
  return at === 0 ? high.at(-1)! : at <= low.length ? low[at - 1]! : high[at - low.length - 1]!;
}

export const handPoints = (rules: Rules, ranks: readonly string[]): number =>
  ranks.reduce((sum, rank) => sum + cardPoints(rules, rank), 0);

/** Return how many packs this many players use. */
export const packsOf = (rules: Rules, players: number): 1 | 2 =>
  rules.second_pack_from > 0 && players >= rules.second_pack_from ? 2 : 1;

/** Return the points of all cards in play, with every ace high. */
export function packPoints(rules: Rules, players: number): number {
  const pack = 4 * handPoints(rules, RANKS) + rules.jokers * rules.joker_points;
  return pack * packsOf(rules, players);
}

export const accountOf = (rules: Rules, seat: number): number => (rules.sides ? seat % rules.sides : seat);

/** Return points by account from points by seat. */
function byAccount(rules: Rules, points: number[]): number[] {
  if (!rules.sides) return points;
  return Array.from({ length: rules.sides }, (_, side) =>
    points.reduce((sum, each, seat) => sum + (seat % rules.sides === side ? each : 0), 0),
  );
}

/** Return the points of each player in a deal of cards laid and held; `before` are the totals by account. */
export function dealPoints(rules: Rules, { out, laid = [], held = [] }: Entry, before: number[]): number[] {
  const reached = reachedTarget(rules, laid, before) !== null;
  return laid.map((points, seat) => {
    const left = held[seat] ?? 0;
    if (reached) return points;
    const deducted = rules.hands === 'winner' ? 0 : left;
    const went = out === seat;
    const others = held.filter((_, other) => accountOf(rules, other) !== accountOf(rules, seat));
    const collected = rules.hands === 'winner' && went ? others.reduce((sum, each) => sum + each, 0) : 0;
    return points - deducted + collected + (went ? rules.going_out_bonus : 0);
  });
}

/** Return the account that ended the match in mid-deal by reaching the target; null if none did. */
function reachedTarget(rules: Rules, laid: number[], before: number[]): number | null {
  if (rules.match_end !== 'at_once') return null;
  const found = byAccount(rules, laid).findIndex((points, at) => (before[at] ?? 0) + points >= rules.target);
  return found < 0 ? null : found;
}

/** Score a match: its rows, and its end. Deals after the end do not count. */
export function score(
  rules: Rules,
  players: number,
  deals: readonly Entry[],
): { rows: Row[]; end: End | null; deciding: boolean } {
  let totals = Array<number>(rules.sides || players).fill(0);
  let deciding = false;
  const rows: Row[] = [];
  for (const deal of deals) {
    const reached = deal.laid ? reachedTarget(rules, deal.laid, totals) : null;
    const points = deal.points ?? byAccount(rules, dealPoints(rules, deal, totals));
    totals = totals.map((total, at) => total + (points[at] ?? 0));
    rows.push({ points, totals });
    const end =
      reached !== null
        ? settled(rules, 'target', totals, reached)
        : ending(rules, totals, rows.length, deciding);
    if (end) return { rows, end, deciding };
    deciding ||= due(rules, totals, rows.length);
  }
  return { rows, end: null, deciding };
}

const due = (rules: Rules, totals: number[], played: number): boolean =>
  rules.match === 'deals' ? played >= rules.deals : Math.max(...totals) >= rules.target;

/** Return the account with the highest total; null if several share it. */
export function leader(totals: number[]): number | null {
  const best = Math.max(...totals);
  const first = totals.indexOf(best);
  return totals.indexOf(best, first + 1) < 0 ? first : null;
}

function ending(rules: Rules, totals: number[], played: number, deciding: boolean): End | null {
  const best = leader(totals);
  if ((deciding || due(rules, totals, played)) && (best !== null || rules.ties === 'drawn'))
    return settled(rules, rules.match as 'target' | 'deals', totals, best);
  return rules.max_deals && played >= rules.max_deals ? settled(rules, 'max_deals', totals, best) : null;
}

function settled(rules: Rules, reason: End['reason'], totals: number[], winner: number | null): End {
  const bonus = winner === null || reason === 'max_deals' ? 0 : rules.match_bonus;
  const final = totals.map((total, at) => total + (at === winner ? bonus : 0));
  const best = winner === null ? Math.max(...final) : final[winner]!;
  const margins = final.map((total) => best - total);
  const payments =
    winner === null || rules.settlement !== 'difference'
      ? []
      : margins.flatMap((owed, at): End['payments'] => (at === winner ? [] : [[at, winner, owed]]));
  return { reason, winner, bonus, final, margins, payments };
}

/** What a count of all cards says: how many points are missing or too many, and what explains them. */
export interface Check {
  pack: number;
  /** Points counted too few (positive) or too many (negative). */
  short: number;
  /** The number of low aces that would explain the difference. */
  lowAces?: number;
  /** Whether a set of four that counts double would explain the difference. */
  doubled?: boolean;
}

/**
 * Check the points that were counted in a deal; null if nothing is wrong. With `rest`, the points of stock and pile, the
 * count is exact; without it no sum may be above that of the pack.
 */
export function check(rules: Rules, players: number, counted: number, rest: number | null): Check | null {
  const pack = packPoints(rules, players);
  const short = pack - counted - (rest ?? 0);
  if (rest === null ? short >= 0 || (rules.doubles !== 'none' && short >= -pack) : short === 0) return null;
  const low = cardPoints(rules, 'A') - rules.ace_low;
  const aces = (pack / packPoints({ ...rules, second_pack_from: 0 }, players)) * 4;
  if (rules.ace_low && short > 0 && short % low === 0 && short / low <= aces)
    return { pack, short, lowAces: short / low };
  const fours = [...RANKS, JOKER].map((rank) => 4 * cardPoints(rules, rank));
  return { pack, short, ...(rules.doubles !== 'none' && fours.includes(-short) ? { doubled: true } : {}) };
}
