/**
 * Whether cards are a meld, can be laid off, or can be used at once, and why not. The options come from the rules; the
 * codes of refusals are the engine's, whose sentences the page has. tests/referee_vectors.json has the engine's answers.
 */
import type { Reason, ReasonParts } from '$lib/net/protocol';
import { JOKER, RANKS, type Rules } from './scoring';

export const SUITS = ['S', 'H', 'D', 'C'] as const;

/** A card as it lies or is to lie in a meld. */
export interface Laid {
  card: string;
  /** 16 × suit + position; the ace has the positions 0 and 13. Null for a joker that represents no card. */
  place: number | null;
}

/** The rules of a game, and the number of packs in play. */
export interface Game {
  rules: Rules;
  packs: number;
}

/** Why a play is refused, as the server says it. */
export type Refusal = Omit<Reason, 'message'> & { rule: string };

const HIGH = 13;
const suitOf = (place: number): number => place >> 4;
const positionOf = (place: number): number => place & 15;
const rankOf = (place: number): number => positionOf(place) % HIGH;

/** Return the place of a natural card, with an ace low; null for a joker. */
export function placeOf(card: string): number | null {
  if (card === JOKER) return null;
  return (
    16 * SUITS.indexOf(card.slice(-1) as 'S') + RANKS.indexOf(card.slice(0, -1) as (typeof RANKS)[number])
  );
}
export const cardAt = (place: number): string => RANKS[rankOf(place)]! + SUITS[suitOf(place)]!;
export const plain = (cards: readonly string[]): Laid[] =>
  cards.map((card) => ({ card, place: placeOf(card) }));
/** Return a card as refusals name it: `8C`, `JK=6S`. */
export const wordOf = ({ card, place }: Laid): string =>
  card === JOKER && place !== null ? `${JOKER}=${cardAt(place)}` : card;

const isJoker = ({ card }: Laid): boolean => card === JOKER;
const named = (cards: readonly Laid[]): number[] =>
  cards.flatMap(({ place }) => (place === null ? [] : [place]));
const range = (first: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at);
const refuse = (code: string, rule: string, card?: string | null, parts?: ReasonParts): Refusal => ({
  code,
  rule,
  ...(card ? { card } : {}),
  ...(parts ? { parts } : {}),
});

/** How often a set may contain a suit. */
const perSuit = ({ rules, packs }: Game): number => (rules.same_suit_in_sets && packs > 1 ? 2 : 1);
const isWild = ({ rules }: Game): boolean => rules.joker_kind === 'wild';

// --- what the jokers of cards can represent -----------------------------------------------------------------------

/** Return every meaning of these cards as one new meld; they need not be legal. */
export function asMeld(game: Game, cards: readonly string[]): Laid[][] {
  const words = plain(cards);
  const jokers = words.filter(isJoker).length;
  if (game.rules.joker_kind === 'rank' && jokers === words.length) return words.length ? [words] : [];
  if (game.rules.unnamed_jokers && words.length === 3 && jokers === 2) return [words];
  if (jokers === words.length || words.length < 3 || words.length > HIGH) return [];
  if (jokers && !isWild(game)) return [];
  const runs = oneSuit(words)
    ? range(bottom(game, jokers), HIGH + 2 - words.length).map((low) =>
        filled(words, range(low, low + words.length)),
      )
    : [];
  const sets = words.length <= 4 && oneRank(words) ? filledSets(game, words, []) : [];
  return highAces([...runs.filter((one) => one !== null), ...sets]);
}

/** Return every meaning of these cards as laid on a meld. */
export function onMeld(game: Game, cards: readonly string[], meld: readonly Laid[]): Laid[][] {
  const words = plain(cards);
  const jokers = words.filter(isJoker).length;
  if (isRun(meld)) {
    if (jokers && !isWild(game)) return [];
    const places = named(meld);
    const [low, high] = [positionOf(Math.min(...places)), positionOf(Math.max(...places))];
    if (named(words).some((place) => suitOf(place) !== suitOf(places[0]!))) return [];
    const found = range(0, words.length + 1).map((above) => {
      const [first, last] = [low - (words.length - above), high + above];
      if (first < bottom(game, jokers) || last > HIGH || (first === 0 && last === HIGH)) return null;
      return filled(words, [...range(first, low), ...range(high + 1, last + 1)], suitOf(places[0]!));
    });
    return highAces(found.filter((one) => one !== null));
  }
  if (words.length !== 1 || meld.length !== 3) return [];
  if (meld.every(isJoker)) return jokers ? [words] : [];
  if (jokers && (!isWild(game) || meld.some(({ place }) => place === null))) return [];
  const rank = rankOf(named(meld)[0]!);
  if (named(words).some((place) => rankOf(place) !== rank)) return [];
  return filledSets(game, words, named(meld));
}

/** The lowest position that a joker may make part of a run. */
const bottom = ({ rules }: Game, jokers: number): number => (jokers && rules.ace === 'high' ? 1 : 0);
const oneSuit = (words: readonly Laid[]): boolean => new Set(named(words).map(suitOf)).size === 1;
const oneRank = (words: readonly Laid[]): boolean => new Set(named(words).map(rankOf)).size === 1;

export const isRun = (meld: readonly Laid[]): boolean => !oneRank(meld) && !meld.every(isJoker);

/** Return cards as a run at exactly these positions, jokers in the gaps; null if that is not possible. */
function filled(words: readonly Laid[], positions: number[], suit?: number): Laid[] | null {
  const left = [...positions];
  const lane = 16 * (suit ?? suitOf(named(words)[0]!));
  const laid: Laid[] = [];
  for (const { card, place } of words) {
    if (place === null) continue;
    const own = rankOf(place) === 0 ? [HIGH, 0] : [positionOf(place)];
    const at = own.find((position) => left.includes(position));
    if (at === undefined) return null;
    left.splice(left.indexOf(at), 1);
    laid.push({ card, place: lane + at });
  }
  laid.push(...left.map((position) => ({ card: JOKER, place: lane + position })));
  return laid.sort((one, other) => one.place! - other.place!);
}

/** Return cards as part of a set, with every choice of suits for the jokers; `present` lie in it already. */
function filledSets(game: Game, words: readonly Laid[], present: number[]): Laid[][] {
  const rank = rankOf(present[0] ?? named(words)[0]!);
  const stated = words.filter((one) => !isJoker(one));
  const most = perSuit(game);
  let rows: Laid[][] = [[...stated]];
  for (let left = words.length - stated.length; left; left--)
    rows = rows.flatMap((row) =>
      range(0, 4).flatMap((suit) => {
        const last = row.at(-1)!;
        // The suits of jokers rise, so that no choice comes twice.
        if (last && isJoker(last) && suitOf(last.place!) > suit) return [];
        return [[...row, { card: JOKER, place: 16 * suit + rank }]];
      }),
    );
  return rows.filter((row) => {
    const places = [...present, ...named(row)].map((place) => suitOf(place));
    const jokers = row.length > stated.length || present.length > 0;
    return !jokers || places.every((suit) => places.filter((one) => one === suit).length <= most);
  });
}

/** Leave out a meaning that differs from another only by a low ace in place of a high one. */
function highAces(readings: Laid[][]): Laid[][] {
  const found = new Map<string, Laid[]>();
  for (const reading of readings) {
    const name = reading.map(wordOf).sort().join(' ');
    if (!found.has(name) || named(reading).some((place) => positionOf(place) === HIGH))
      found.set(name, reading);
  }
  return [...found.values()];
}

// --- new melds -----------------------------------------------------------------------------------------------------

/** Return why these cards are no new meld; null if they are one. */
export function meldFault(game: Game, cards: readonly Laid[]): Refusal | null {
  const words = cards.map(wordOf);
  const jokers = cards.filter(isJoker).length;
  if (!cards.length) return refuse('meld.nothing', 'R-MELD-1');
  if (jokers && game.rules.joker_kind === 'none') return refuse('joker.none', 'R-MELD-4', JOKER);
  if (jokers && game.rules.joker_kind === 'rank') {
    if (jokers < cards.length) return refuse('joker.own_rank', 'R-MELD-4', JOKER);
    if (jokers < 3) return refuse('meld.too_few', 'R-MELD-4', JOKER, { cards: words, kind: 'jokers' });
    return jokers > 4 ? refuse('set.too_many', 'R-MELD-4', JOKER, { cards: words }) : null;
  }
  if (jokers === cards.length) return refuse('meld.no_natural', 'D9', JOKER);
  const places = named(cards);
  if (cards.length === 1) {
    const parts = { ranks: RANKS[rankOf(places[0]!)], suit: SUITS[suitOf(places[0]!)] };
    return refuse('meld.alone', 'R-MELD-1', cards[0]!.card, parts);
  }
  if (cards.length < 3) {
    const kind = oneRank(cards) ? 'set' : oneSuit(cards) ? 'run' : 'meld';
    return refuse('meld.too_few', kind === 'run' ? 'R-MELD-2' : 'R-MELD-1', null, { cards: words, kind });
  }
  if (oneRank(cards)) return setFault(game, cards);
  return oneSuit(cards) ? runFault(game, cards) : mixed(cards, places);
}

function setFault(game: Game, cards: readonly Laid[]): Refusal | null {
  if (cards.length > 4) return refuse('set.too_many', 'R-MELD-1', null, { cards: cards.map(wordOf) });
  const unnamed = cards.filter(({ place }) => place === null).length;
  const pair = cards.length === 3 && cards.filter(isJoker).length === 2;
  if (!game.rules.unnamed_jokers || !(unnamed || pair)) {
    if (unnamed) return refuse('joker.unnamed', 'R-MELD-5', JOKER);
  } else if (pair && unnamed < 2) return refuse('joker.named', 'H3', JOKER);
  else if (!pair) return refuse('joker.unnamed', 'H3', JOKER);
  return suitFault(game, named(cards));
}

function suitFault(game: Game, places: number[]): Refusal | null {
  const cards = places.map((place) => cardAt(place));
  const again = cards.find((card) => cards.filter((one) => one === card).length > perSuit(game));
  if (!again) return null;
  const rule = perSuit(game) > 1 ? 'D20' : game.packs > 1 ? 'D2' : 'R-MELD-1';
  return refuse('set.suit', rule, again);
}

function runFault(game: Game, cards: readonly Laid[]): Refusal | null {
  const places = named(cards);
  if (places.length < cards.length) return refuse('joker.unnamed', 'R-MELD-5', JOKER);
  const again = places.find((place, at) => places.indexOf(place) < at);
  if (again !== undefined) return refuse('run.repeated', 'D4', cardAt(again));
  const ordered = [...cards].sort((one, other) => one.place! - other.place!);
  return orderFault(
    game,
    suitOf(places[0]!),
    ordered.map(({ place }) => positionOf(place!)),
    ordered.map(wordOf),
  );
}

/** Return why these positions, ascending and different, are no run; null if they are one. */
function orderFault({ rules }: Game, suit: number, positions: number[], words: string[]): Refusal | null {
  const ace = cardAt(16 * suit);
  const high = refuse('run.ace_high', 'R-MELD-2', ace);
  if (positions[0] === 0 && positions.at(-1) === HIGH) return refuse('run.ace_twice', 'D4', ace);
  if (!missing(positions).length) return positions[0] === 0 && rules.ace === 'high' ? high : null;
  const ranks = new Set(positions.map((position) => position % HIGH));
  if ([12, 0, 1].every((rank) => ranks.has(rank)))
    return refuse('run.corner', 'R-MELD-2', ace, { cards: roundCorner(suit, ranks) });
  const moved = aceMoved(positions);
  const best = missing(moved).length < missing(positions).length ? moved : positions;
  if (best[0] === 0 && rules.ace === 'high') return high;
  const lacking = missing(best).map((position) => cardAt(16 * suit + position));
  if (!lacking.length) return refuse('run.ace_end', 'D4', ace, { kind: best[0] === 0 ? 'low' : 'high' });
  return refuse('run.gap', 'R-MELD-2', null, { cards: words, missing: lacking });
}

const missing = (positions: number[]): number[] =>
  range(positions[0]!, positions.at(-1)!).filter((position) => !positions.includes(position));

/** Return the cards of a sequence round the corner in its order, such as K A 2. */
function roundCorner(suit: number, ranks: Set<number>): string[] {
  const start = Math.max(...[...ranks].filter((rank) => !ranks.has((rank + HIGH - 1) % HIGH)));
  return range(0, HIGH)
    .map((step) => (start + step) % HIGH)
    .filter((rank) => ranks.has(rank))
    .map((rank) => cardAt(16 * suit + rank));
}

function aceMoved(positions: number[]): number[] {
  if (positions[0] === 0) return [...positions.slice(1), HIGH];
  return positions.at(-1) === HIGH ? [0, ...positions.slice(0, -1)] : positions;
}

/** Refuse cards of several ranks and suits; name the odd card if all the others agree. */
function mixed(cards: readonly Laid[], places: number[]): Refusal {
  const naturals = cards.filter(({ place }) => place !== null);
  const odd = (of: (place: number) => number): [Laid, number] | null => {
    const values = places.map(of);
    const most = values.find((one) => values.filter((each) => each === one).length === places.length - 1);
    if (most === undefined || places.length < 3) return null;
    return [naturals[values.findIndex((one) => one !== most)]!, most];
  };
  const words = cards.map(wordOf);
  const rank = odd(rankOf);
  if (rank)
    return refuse('set.rank', 'R-MELD-1', rank[0].card, { cards: [wordOf(rank[0])], rank: RANKS[rank[1]] });
  const suit = odd(suitOf);
  if (suit)
    return refuse('run.suit', 'R-MELD-2', suit[0].card, { cards: [wordOf(suit[0])], suit: SUITS[suit[1]] });
  const ranks = places.map(rankOf);
  const rows = [ranks, ranks.map((each) => each || HIGH)].map((row) => [...row].sort((a, b) => a - b));
  return rows.some((row) => row.every((each, at) => each === row[0]! + at))
    ? refuse('run.suits', 'R-MELD-2', null, { cards: words })
    : refuse('meld.mixed', 'R-MELD-1', null, { cards: words });
}

// --- lay-offs ------------------------------------------------------------------------------------------------------

/** Return why these cards cannot be laid on meld `number`; null if they can. */
export function layFault(
  game: Game,
  cards: readonly Laid[],
  meld: readonly Laid[],
  number = 1,
): Refusal | null {
  if (!cards.length) return refuse('lay.nothing', 'R-LAY-1');
  if (cards.some(isJoker) && game.rules.joker_kind === 'none') return refuse('joker.none', 'R-MELD-4', JOKER);
  if (isRun(meld) || perSuit(game) === 1) {
    const standing = named(meld.filter(isJoker));
    const replaced = cards.find((one) => !isJoker(one) && standing.includes(one.place!));
    if (replaced) return refuse('lay.joker_stays', 'D10', replaced.card, { meld: number });
  }
  return isRun(meld) ? onRun(game, cards, meld, number) : onSet(game, cards, meld, number);
}

function onSet(game: Game, cards: readonly Laid[], meld: readonly Laid[], number: number): Refusal | null {
  if (meld.length > 3) return refuse('lay.full', 'R-MELD-1', null, { meld: number });
  const onePlace = (): Refusal | null =>
    cards.length > 1
      ? refuse('lay.one_place', 'R-MELD-1', null, { meld: number, cards: cards.map(wordOf) })
      : null;
  if (meld.every(isJoker)) {
    const other = cards.find((one) => !isJoker(one));
    if (!other) return onePlace();
    return refuse('lay.not_a_joker', 'R-MELD-4', other.card, { meld: number, cards: [other.card] });
  }
  const below = named(meld);
  const rank = rankOf(placeOf(meld.find((one) => !isJoker(one))!.card)!);
  for (const laid of cards) {
    if (isJoker(laid) && game.rules.joker_kind === 'rank') return refuse('joker.own_rank', 'R-MELD-4', JOKER);
    if (isJoker(laid) && below.length < meld.length) return refuse('lay.joker', 'H3', JOKER);
    if (laid.place === null) return refuse('joker.unnamed', 'R-MELD-5', JOKER);
    if (rankOf(laid.place) !== rank) {
      const suits = below.map(suitOf);
      const open = range(0, 4).filter((suit) => suits.filter((one) => one === suit).length < perSuit(game));
      return noFit(
        [laid],
        number,
        open.map((suit) => cardAt(16 * suit + rank)),
      );
    }
    const twice = suitFault(game, [...below, laid.place]);
    if (twice) return twice;
  }
  return onePlace();
}

function noFit(cards: Laid[], meld: number, takes: string[]): Refusal {
  const parts = { meld, cards: cards.map(wordOf) };
  if (!takes.length) return refuse('lay.complete', 'R-LAY-1', cards[0]?.card, parts);
  return refuse('lay.no_fit', 'R-LAY-1', cards[0]?.card, { ...parts, takes });
}

function onRun(game: Game, cards: readonly Laid[], meld: readonly Laid[], number: number): Refusal | null {
  const lying = named(meld).sort((one, other) => one - other);
  const suit = suitOf(lying[0]!);
  const takes = [...ends(game, lying)].map((position) => cardAt(16 * suit + position));
  const added: number[] = [];
  for (const laid of cards) {
    const { place } = laid;
    if (place === null)
      return game.rules.joker_kind === 'rank'
        ? refuse('joker.own_rank', 'R-MELD-4', JOKER)
        : refuse('joker.unnamed', 'R-MELD-5', JOKER);
    if (suitOf(place) !== suit) return noFit([laid], number, takes);
    if (lying.includes(place))
      return refuse('lay.lies', 'D4', laid.card, { place: cardAt(place), meld: number });
    if (added.includes(place)) return refuse('run.repeated', 'D4', cardAt(place));
    added.push(place);
  }
  const positions = [...lying, ...added].map(positionOf).sort((one, other) => one - other);
  const words = positions.map((position) => cardAt(16 * suit + position));
  const fault = orderFault(game, suit, positions, words);
  if (fault?.code !== 'run.gap') return fault;
  let low = positionOf(lying[0]!);
  let high = low;
  while (positions.includes(low - 1)) low--;
  while (positions.includes(high + 1)) high++;
  const loose = cards.filter(({ place }) => positionOf(place!) < low || positionOf(place!) > high);
  return noFit(loose, number, takes);
}

/** Return the positions at which a card extends a run. */
function ends({ rules }: Game, lying: number[]): number[] {
  const [low, high] = [positionOf(lying[0]!), positionOf(lying.at(-1)!)];
  const below = low > (rules.ace === 'high' ? 1 : 0) && (low > 1 || high < HIGH) ? [low - 1] : [];
  return [...below, ...(high < HIGH && (low > 0 || high < HIGH - 1) ? [high + 1] : [])];
}

// --- a card that must be used at once ------------------------------------------------------------------------------

/** Return whether a card of these can be used at once: in a new meld of them, or laid off with some of them. */
export function usable(
  game: Game,
  card: string,
  cards: readonly string[],
  melds: readonly Laid[][],
): boolean {
  const jokers = cards.filter((one) => one === JOKER).length;
  const naturals = cards.flatMap((one) => placeOf(one) ?? []);
  const place = placeOf(card);
  if (place === null && !isWild(game))
    return jokers >= 3 || melds.some((meld) => meld.every(isJoker) && meld.length === 3);
  const wild = isWild(game) ? jokers : 0;
  const held = (suit: number, position: number): boolean => naturals.includes(16 * suit + (position % HIGH));
  const lowest = game.rules.ace === 'high' ? 1 : 0;

  /** Whether a new meld can contain this natural card, with at most so many jokers. */
  const melded = (at: number, most: number): boolean => {
    const [suit, rank] = [suitOf(at), rankOf(at)];
    const same = range(0, 4).map((one) => naturals.filter((each) => each === 16 * one + rank).length);
    if (same.reduce((sum, count) => sum + Math.min(count, perSuit(game)), 0) + most >= 3) return true;
    return (rank ? [rank] : [0, HIGH]).some((position) =>
      range(Math.max(lowest, position - 2), Math.min(position, HIGH - 2) + 1).some(
        (low) => range(low, low + 3).filter((each) => !held(suit, each)).length <= most,
      ),
    );
  };
  if (place === null) {
    // The joker itself is one of the three cards; two jokers go with any card.
    const meld = naturals.some((at) => wild >= 2 || melded(at, 1));
    return meld || melds.some((one) => takesJoker(game, one));
  }
  if (melded(place, wild)) return true;
  return melds.some((meld) => {
    if (!isRun(meld)) return !layFault(game, plain([card]), meld);
    const lying = named(meld);
    const [low, high] = [positionOf(Math.min(...lying)), positionOf(Math.max(...lying))];
    const suit = suitOf(lying[0]!);
    if (suit !== suitOf(place)) return false;
    return (rankOf(place) ? [rankOf(place)] : [0, HIGH]).some((position) => {
      if (position < lowest || (position >= low && position <= high)) return false;
      if ((position === 0 && high === HIGH) || (position === HIGH && low === 0)) return false;
      const way = position < low ? range(position, low) : range(high + 1, position + 1);
      return way.filter((each) => !held(suit, each)).length <= wild;
    });
  });
}

function takesJoker(game: Game, meld: readonly Laid[]): boolean {
  if (isRun(meld))
    return (
      ends(
        game,
        named(meld).sort((one, other) => one - other),
      ).length > 0
    );
  return meld.length === 3 && !meld.some(({ place }) => place === null);
}

/** Return the most that these cards have of a set and of a run with this one, for the sentence of a refusal. */
export function nearest(game: Game, card: string, cards: readonly string[]): ReasonParts {
  const place = placeOf(card);
  if (place === null)
    return { set: cards.filter((one) => one === JOKER), kind: isWild(game) ? 'wild' : 'rank' };
  const places = cards.flatMap((one) => placeOf(one) ?? []).sort((one, other) => one - other);
  const mates = places.filter((one) => rankOf(one) === rankOf(place));
  const set = (perSuit(game) > 1 ? mates : [...new Set(mates)]).map(cardAt);
  const lane = places.filter((one) => suitOf(one) === suitOf(place)).map(positionOf);
  const open = new Set([...lane, ...(lane.includes(0) ? [HIGH] : [])]);
  if (game.rules.ace === 'high') open.delete(0);
  const rows = (rankOf(place) ? [rankOf(place)] : [0, HIGH])
    .filter((start) => open.has(start))
    .map((start) => {
      let [low, high] = [start, start];
      while (open.has(low - 1)) low--;
      while (open.has(high + 1)) high++;
      return range(low, high + 1);
    });
  const longest = rows.reduce((best, row) => (row.length > best.length ? row : best), rows[0] ?? []);
  const run = longest.map((position) => cardAt(16 * suitOf(place) + position));
  return { set, run, kind: set.length === 1 && run.length === 1 ? 'alone' : 'card' };
}
