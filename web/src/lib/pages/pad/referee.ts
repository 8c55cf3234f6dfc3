/** The referee: answers to questions at a table of real cards, and the rules that decide the usual quarrels. */
import data from './rules.json';
import {
  asMeld,
  layFault,
  meldFault,
  nearest,
  onMeld,
  plain,
  usable,
  type Game,
  type Laid,
  type Refusal,
} from './meldRules';
import { games, JOKER, rulesOf, type Rules } from './scoring';

/** A question. Hand and melds are left out where the player does not show them. */
export type Question =
  | { ask: 'lay'; cards: string[] }
  | { ask: 'lay_off'; cards: string[]; meld: Laid[] }
  | { ask: 'take'; pile: string[]; count: number; empty: boolean; hand?: string[]; melds?: Laid[][] }
  | { ask: 'go_out'; by: 'meld' | 'discard'; floats: boolean; card?: string; melds?: Laid[][] }
  | { ask: 'rummy'; pile: string[]; count: number; own: boolean; melds?: Laid[][] };

export interface Answer {
  verdict: 'yes' | 'no' | 'if';
  /** The id of the rule. */
  rule: string;
  /** The ids of the rule's sentences, the one that answers first. */
  sentences: string[];
  /** Why not. */
  why?: Refusal;
  /** The card that must be used. */
  card?: string;
}

// --- the sentences of the rules ------------------------------------------------------------------------------------

interface Sentence {
  id: string;
  rule: string;
  also?: string[];
  of?: string;
  cites?: Record<string, string[]>;
  when?: Record<string, unknown>;
  unless?: Record<string, unknown>;
}
const SENTENCES = data.sentences as unknown as Sentence[];

/** Return the sentences that hold in a game. */
function inForce({ rules, packs }: Game): Sentence[] {
  const facts: Record<string, unknown> = { ...rules, two_packs: packs > 1 ? 'always' : 'never' };
  const holds = (wanted: Record<string, unknown> = {}): boolean[] =>
    Object.entries(wanted).map(([name, value]) =>
      Array.isArray(value) ? value.includes(facts[name]) : value === facts[name],
    );
  return SENTENCES.filter(({ when, unless }) => holds(when).every(Boolean) && !holds(unless).some(Boolean));
}

/** Return the ids of the rules that a sentence cites in games of a source, as `describe` of the engine does. */
function cited({ rule, also = [], of, cites }: Sentence, source: string): string[] {
  return cites?.[source] ?? [...(of && !of.includes(source) ? ['D31'] : []), rule, ...also];
}

/** Return the ids of the sentences that hold in a game, with the rules that each cites. */
export const sentencesOf = (game: Game): [string, string[]][] =>
  inForce(game).map((one) => [one.id, cited(one, game.rules.source)]);

/** Return those of these sentences that hold in a game. */
const holding = (game: Game, ids: readonly string[]): string[] => {
  const found = new Set(inForce(game).map(({ id }) => id));
  return ids.filter((id) => found.has(id));
};

/** Return the sentence that has a rule, if one has. */
function sentenceOf(game: Game, rule: string): string[] {
  const all = inForce(game);
  const found =
    all.find((one) => cited(one, game.rules.source)[0] === rule) ??
    all.find((one) => one.rule === rule) ??
    all.find((one) => one.also?.includes(rule));
  return found ? [found.id] : [];
}

/** The values in a sentence. */
export const paramsOf = (rules: Rules): Record<string, unknown> => ({
  restock_limit: rules.restock_limit,
  no_progress_rounds: rules.no_progress_rounds,
});

// --- answers -------------------------------------------------------------------------------------------------------

const no = (game: Game, why: Refusal): Answer => ({
  verdict: 'no',
  rule: why.rule,
  sentences: sentenceOf(game, why.rule),
  why,
});

/** Return an answer by sentences of which the first that holds has the rule. */
function by(game: Game, verdict: Answer['verdict'], ids: string[], card?: string): Answer {
  const sentences = holding(game, ids);
  const first = SENTENCES.find(({ id }) => id === sentences[0])!;
  return { verdict, rule: cited(first, game.rules.source)[0]!, sentences, ...(card ? { card } : {}) };
}

const SETS = ['melds.set', 'melds.set_suits', 'melds.set_twice'];
const RUNS = ['melds.run', 'melds.run_high'];
const JOKERS = ['melds.three_jokers', 'melds.four_jokers'];
const TOP = ['turn.top_melds', 'turn.top_melds_house'];
const EMPTY = ['end.stock', 'end.stock_upcard_free', 'end.pass'];
const OUT = ['end.either', 'end.meld', 'end.floats'];

export function answer(game: Game, question: Question): Answer {
  switch (question.ask) {
    case 'lay':
      return lay(game, question.cards);
    case 'lay_off':
      return layOff(game, question.cards, question.meld);
    case 'take':
      return take(game, question);
    case 'go_out':
      return goOut(game, question);
    case 'rummy':
      return rummy(game, question);
  }
}

/** Return what these cards can be as a meld: each joker with the card that it may represent. */
export const legalMelds = (game: Game, cards: readonly string[]): Laid[][] =>
  asMeld(game, cards).filter((one) => !meldFault(game, one));

function lay(game: Game, cards: string[]): Answer {
  const readings = asMeld(game, cards);
  const found = readings.find((one) => !meldFault(game, one));
  if (found) {
    const one = new Set(found.map(({ card }) => card.slice(0, -1))).size === 1;
    if (found.every(({ card }) => card === JOKER)) return by(game, 'yes', JOKERS);
    const set = one || found.some(({ place }) => place === null) || sameRank(found);
    return by(game, 'yes', [...(set ? SETS : RUNS), 'melds.joker']);
  }
  if (!readings.length && isOpen(game, cards) && cards.some((card) => card !== JOKER))
    return no(game, { code: 'notation.no_reading', rule: 'R-MELD-5', parts: { cards } });
  return no(game, meldFault(game, readings[0] ?? plain(cards))!);
}

const sameRank = (cards: readonly Laid[]): boolean =>
  new Set(cards.map(({ place }) => (place! & 15) % 13)).size === 1;
const isOpen = ({ rules }: Game, cards: readonly string[]): boolean =>
  rules.joker_kind === 'wild' && cards.includes(JOKER);

function layOff(game: Game, cards: string[], meld: Laid[]): Answer {
  const readings = onMeld(game, cards, meld);
  if (readings.some((one) => !layFault(game, one, meld)))
    return by(game, 'yes', ['melds.lay_off', 'melds.laid_counts']);
  if (!readings.length && isOpen(game, cards))
    return no(game, { code: 'notation.no_place', rule: 'R-MELD-5', parts: { meld: 1, cards } });
  return no(game, layFault(game, readings[0] ?? plain(cards), meld)!);
}

function take(game: Game, question: Extract<Question, { ask: 'take' }>): Answer {
  const { pile, count, empty, hand, melds } = question;
  const { rules } = game;
  const card = pile.at(-count);
  if (!card) return no(game, { code: 'take.no_pile', rule: 'R-DRAW-2' });
  const bound = empty && !rules.upcard_free_when_stock_empty;
  const single = count === 1;
  if (single && !rules.top_must_meld && !bound) {
    const stranded = (rules.keep_upcard || rules.go_out === 'discard') && !hand?.length;
    if (stranded && hand && !(melds ?? []).some((meld) => canLay(game, card, meld)))
      return no(game, { code: 'take.stranding', rule: rules.go_out === 'discard' ? 'H2' : 'D18', card });
    return by(game, 'yes', ['turn.top_free', 'turn.top_kept']);
  }
  const ids = single ? (rules.top_must_meld ? TOP : EMPTY) : ['turn.lowest'];
  const taken = pile.slice(-count);
  if (usable(game, card, [...(hand ?? []), ...taken], melds ?? [])) return by(game, 'yes', ids, card);
  if (!hand) return by(game, 'if', ids, card);
  const top = rules.top_rule_is_house ? 'H1' : 'R-DRAW-4';
  const rule = single ? (rules.top_must_meld ? top : 'D5') : 'R-DRAW-3';
  const parts = nearest(game, card, [...hand, ...taken]);
  return { ...no(game, { code: 'take.useless', rule, card, parts }), sentences: holding(game, ids) };
}

/** Whether this card alone can be laid on a meld. */
const canLay = (game: Game, card: string, meld: Laid[]): boolean =>
  onMeld(game, [card], meld).some((one) => !layFault(game, one, meld));

function goOut(game: Game, question: Extract<Question, { ask: 'go_out' }>): Answer {
  const rule = game.rules.go_out;
  if (question.by === 'meld') return by(game, rule === 'discard' ? 'no' : 'yes', OUT);
  if (rule === 'meld') return by(game, 'no', ['end.stays_in', ...OUT]);
  if (rule !== 'discard' || !question.floats) return by(game, 'yes', OUT);
  const { card, melds } = question;
  if (!card) return by(game, 'if', ['end.floater']);
  if ((melds ?? []).some((meld) => canLay(game, card, meld)))
    return no(game, { code: 'discard.floater', rule: 'D26', card });
  return by(game, melds ? 'yes' : 'if', ['end.floater']);
}

function rummy(game: Game, { pile, count, own, melds }: Extract<Question, { ask: 'rummy' }>): Answer {
  if (!game.rules.claim) return no(game, { code: 'claim.not_played', rule: 'H6' });
  if (own) return by(game, 'no', ['turn.claim', 'turn.claim_later']);
  const card = pile.at(-count);
  if (!card) return no(game, { code: 'take.no_pile', rule: 'R-DRAW-2' });
  const taken = pile.slice(-count);
  if (usable(game, card, taken, melds ?? []))
    return by(game, 'yes', ['turn.claim', 'turn.claim_passes'], card);
  if (!melds) return by(game, 'if', ['turn.claim'], card);
  return no(game, { code: 'call.useless', rule: 'R-CLAIM-1', card, parts: nearest(game, card, taken) });
}

// --- what would be right, and which games differ -------------------------------------------------------------------

const SHOWN = 2;

/** Return the melds that share the most cards with these, which are none. */
export function likeMelds(game: Game, cards: readonly string[]): string[][] {
  const size = Math.max(3, cards.length);
  const wanted = new Set(cards.filter((card) => card !== JOKER));
  const lanes = ['S', 'H', 'D', 'C'];
  const row = (suit: string): string[] =>
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'].map((rank) => rank + suit);
  const runs = lanes.flatMap((suit) =>
    row(suit).flatMap((_, low, all) => (low + size <= 14 ? [all.slice(low, low + size)] : [])),
  );
  const sets =
    size > 4
      ? []
      : row('S')
          .slice(0, 13)
          .flatMap((card) => {
            const four = lanes.map((suit) => card.slice(0, -1) + suit);
            return size === 4 ? [four] : four.map((left) => four.filter((one) => one !== left));
          });
  const shared = (meld: string[]): number => meld.filter((card) => wanted.has(card)).length;
  const legal = [...runs, ...sets].filter((meld) => shared(meld) > 1 && legalMelds(game, meld).length);
  const best = Math.max(0, ...legal.map(shared));
  return legal.filter((meld) => shared(meld) === best).slice(0, SHOWN);
}

const plainGame = (profile: string, packs: number): Game => {
  const rules = rulesOf({ profile, choices: [], options: {} });
  return { rules, packs: rules.second_pack_from ? packs : 1 };
};

/** Return the games, played without house rules, in which the answer is another one. */
export function gamesThatDiffer(game: Game, question: Question, given: Answer): string[] {
  return games.filter(
    (profile) => answer(plainGame(profile, game.packs), question).verdict !== given.verdict,
  );
}

// --- the usual quarrels --------------------------------------------------------------------------------------------

export type Quarrel =
  'corner' | 'top' | 'joker' | 'lay_off' | 'four' | 'no_discard' | 'float' | 'rummy' | 'stock';

/** The sentences that decide each quarrel, where they hold, and the house rule without which nothing can. */
export const QUARRELS: Record<Quarrel, { ids: readonly string[]; house?: string }> = {
  corner: { ids: RUNS },
  top: { ids: [...TOP, 'turn.top_free', 'turn.top_kept'] },
  joker: { ids: ['melds.joker_stays', 'melds.stay'] },
  lay_off: { ids: ['melds.laid_counts'] },
  four: { ids: ['points.double_sets', 'points.double_melds'] },
  no_discard: { ids: [...OUT, 'end.stays_in'] },
  float: { ids: ['end.floats', 'end.floater', 'end.floater_several'], house: 'H2' },
  rummy: { ids: ['turn.claim', 'turn.claim_later', 'turn.no_claim'] },
  stock: { ids: ['end.restock', 'end.restock_limit', ...EMPTY] },
};

/** Return the sentences that decide a quarrel in a game, with the rules that they cite. */
export function decides(game: Game, quarrel: Quarrel): [string, string[]][] {
  const { ids } = QUARRELS[quarrel];
  return sentencesOf(game)
    .filter(([id]) => ids.includes(id))
    .sort(([one], [other]) => ids.indexOf(one) - ids.indexOf(other));
}

/** Return the games, played without house rules, in which other sentences decide a quarrel. */
export function quarrelsElsewhere(game: Game, quarrel: Quarrel): string[] {
  const ids = (of: Game): string =>
    decides(of, quarrel)
      .map(([id]) => id)
      .join();
  return games.filter((profile) => ids(plainGame(profile, game.packs)) !== ids(game));
}
