/** The order in which a hand is displayed. Which cards belong together is decided by the server. */
import type { CardGroup } from '$lib/net/protocol';

export type Sort = 'melds' | 'rank' | 'suit' | 'hand';

/** A card of the hand. `key` stays the same when the hand changes, and distinguishes two equal cards. */
export type Held = { key: string; card: string };

/** Cards that lie together: a group from the server, or the whole hand. */
export type Row = { cards: Held[]; group: CardGroup | null };

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const SUITS = ['S', 'H', 'C', 'D'];

export const suitOf = (card: string): string => (card === 'JK' ? '' : card.slice(-1));
export const rankOf = (card: string): string => (card === 'JK' ? 'JK' : card.slice(0, -1));

const rankNumber = (card: string): number => (card === 'JK' ? 99 : RANKS.indexOf(rankOf(card)));
const suitNumber = (card: string): number => (card === 'JK' ? 99 : SUITS.indexOf(suitOf(card)));

/** Return the cards of a hand with keys: the first 8♣ is `8C#0`, the second one `8C#1`. */
export function held(cards: readonly string[]): Held[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const twin = seen.get(card) ?? 0;
    seen.set(card, twin + 1);
    return { key: `${card}#${twin}`, card };
  });
}

/** Return the hand in this order. `mine` is the player's own order, as keys; new cards come last. */
export function arranged(
  hand: readonly string[],
  sort: Sort,
  groups: readonly CardGroup[],
  mine: readonly string[],
): Row[] {
  const cards = held(hand);
  if (sort === 'melds' && groups.length > 0) return grouped(cards, groups);
  if (sort === 'hand' || sort === 'melds') return [{ cards: byHand(cards, mine), group: null }];
  const by = sort === 'rank' ? [rankNumber, suitNumber] : [suitNumber, rankNumber];
  const sorted = [...cards].sort(
    (a, b) => by[0]!(a.card) - by[0]!(b.card) || by[1]!(a.card) - by[1]!(b.card),
  );
  return [{ cards: sorted, group: null }];
}

function byHand(cards: readonly Held[], mine: readonly string[]): Held[] {
  const place = new Map(mine.map((key, index) => [key, index]));
  return [...cards].sort((a, b) => (place.get(a.key) ?? 1e3) - (place.get(b.key) ?? 1e3));
}

function grouped(cards: readonly Held[], groups: readonly CardGroup[]): Row[] {
  const left = [...cards];
  const rows: Row[] = [];
  for (const group of groups) {
    const taken = pickOut(left, group.cards);
    if (taken.length > 0) rows.push({ cards: taken, group });
  }
  if (left.length > 0) rows.push({ cards: left, group: null });
  return rows;
}

/** Remove cards from `from`, equal cards one by one. Cards that are not there are ignored. */
function pickOut(from: Held[], cards: readonly string[]): Held[] {
  const taken: Held[] = [];
  for (const card of cards) {
    const index = from.findIndex((other) => other.card === card);
    if (index >= 0) taken.push(...from.splice(index, 1));
  }
  return taken;
}

/** Return the keys in `order` that have these cards, equal cards one by one, those in `preferred` first. */
export function keysOf(
  order: readonly Held[],
  cards: readonly string[],
  preferred: ReadonlySet<string> = new Set(),
): string[] {
  const from = [...order].sort((a, b) => Number(preferred.has(b.key)) - Number(preferred.has(a.key)));
  return pickOut(from, cards).map(({ key }) => key);
}

/** Return whether all of these cards are in the hand, counting equal cards. */
export function holds(hand: readonly string[], cards: readonly string[]): boolean {
  return keysOf(held(hand), cards).length === cards.length;
}
