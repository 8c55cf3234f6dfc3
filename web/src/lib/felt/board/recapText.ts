/** What a seat did since the viewer's last turn, in words short enough to need no ellipsis. */
import { m } from '$lib/paraglide/messages';

import type { IconName } from '$lib/icons/shapes';
import type { PlacedCard } from '$lib/net/protocol';
import { number, standsFor } from '$lib/text/eventText';
import type { Laid, SeatRecap } from './recap';

export type ShownCard = { card: string; as: string | null };
/**
 * A piece of a line: text, cards drawn as one chip, a player's mark, a sign in place of a word, or pieces between which
 * no line breaks.
 */
export type Piece = string | { cards: ShownCard[] } | { seat: number } | { sign: IconName } | Piece[];

/** Takes of more cards than this are shown as their number and first card. */
const MOST_SHOWN = 3;

/** Split a message at the placeholders of these pieces. */
function filled(message: (put: (pieces: Piece[]) => string) => string): Piece[] {
  const held: Piece[][] = [];
  const text = message((pieces) => String.fromCharCode(0xe000 + held.push(pieces) - 1));
  return text
    .split(/([\ue000-\uf8ff])/)
    .flatMap((part): Piece[] => held[part.charCodeAt(0) - 0xe000] ?? (part.trim() ? [part.trim()] : []));
}

const shown = (placed: PlacedCard): ShownCard => ({ card: placed.card, as: standsFor(placed) });
const single = (card: string): Piece => ({ cards: [{ card, as: null }] });

/** Return the pieces of how the turn began: cards drawn or taken, or a pass. */
export function tookPieces({ drew, passed, took }: SeatRecap): Piece[] {
  const found: Piece[] = [];
  if (passed) found.push(m.words_turn_passed());
  if (drew) found.push(m.words_turn_drew());
  for (const cards of took)
    found.push(
      ...filled((put) =>
        cards.length > MOST_SHOWN
          ? m.table_took_from({ count: number(cards.length), card: put([single(cards[0]!)]) })
          : m.words_turn_took({ cards: put(cards.map(single)) }),
      ),
    );
  return found;
}

const chips = (cards: readonly PlacedCard[]): Piece[] =>
  cards.length >= 3 && cards.every(({ card }) => card !== 'JK')
    ? [{ cards: cards.map(shown) }]
    : cards.map((placed) => ({ cards: [shown(placed)] }));

/** Stands between plays of one kind, whose chips would look like one play. */
const BETWEEN = '·';

/** Return the pieces of several plays, with a sign between them. */
export const apart = (plays: readonly Piece[][]): Piece[] =>
  plays.filter((pieces) => pieces.length).flatMap((pieces, at) => (at ? [BETWEEN, ...pieces] : pieces));

const laidPieces = ({ cards, on }: Laid): Piece[] =>
  on === null
    ? chips(cards)
    : [filled((put) => m.table_laid_on({ card: put(chips(cards)), who: put([{ seat: on }]) }))];

/** Return the pieces of what was laid; empty in a turn that is not over and in which nothing has been laid. */
export function laidLine({ laid, discarded }: SeatRecap): Piece[] {
  if (laid.length) return filled((put) => m.table_laid({ cards: put(apart(laid.map(laidPieces))) }));
  return discarded.length ? [m.table_laid_nothing()] : [];
}

/** Return the pieces of what was discarded. */
export const discardedPieces = ({ discarded }: SeatRecap): Piece[] =>
  discarded.map((card) => filled((put) => m.words_turn_discarded({ card: put([single(card)]) })));

/** Return the pieces of which cards of a hand are known. */
export const knownPieces = (known: readonly string[]): Piece[] =>
  known.length ? filled((put) => m.table_say_holds({ cards: put(known.map(single)) })) : [];

/** Return whether these cards of one chip are a set, which shows one rank and all suits. */
export const isSet = (cards: readonly ShownCard[]): boolean =>
  new Set(cards.map(({ card }) => card.slice(0, -1))).size === 1;

const discardSigns = ({ discarded }: SeatRecap): Piece[] =>
  discarded.map((card) => [{ sign: 'discard' }, single(card)]);

/** Return two lines for a seat beside the melds: how the turn began with the discard, then what was laid. */
export const rowLines = (recap: SeatRecap): Piece[][] => [
  [...tookPieces(recap), ...discardSigns(recap)],
  laidLine(recap),
];

/** Return one line of a long turn, with signs in place of most words; lay-offs on one player's melds are together. */
export function briefLine(recap: SeatRecap): Piece[] {
  const owners = [...new Set(recap.laid.map(({ on }) => on))].sort(
    (one, other) => (one ?? -1) - (other ?? -1),
  );
  const laid = owners.flatMap((on): Piece[] => {
    const groups = recap.laid.filter((one) => one.on === on).map(({ cards }) => chips(cards));
    groups[0]?.unshift({ sign: on === null ? 'meld' : 'plus' });
    if (on !== null) groups.at(-1)?.push({ seat: on });
    return groups.flatMap((group, at) => (at ? [BETWEEN, group] : [group]));
  });
  return [...tookPieces(recap), ...laid, ...discardSigns(recap)];
}

/** Return how many lines of this width these lines take; pieces do not break. */
export const linesIn = (lines: readonly Piece[][], room: number): number =>
  lines.reduce((sum, pieces) => sum + wrapped(pieces, room), 0);

function wrapped(pieces: readonly Piece[], room: number): number {
  let [rows, used] = [1, 0];
  for (const piece of pieces) {
    const width = wide(piece);
    if (used && used + width > room) [rows, used] = [rows + 1, 0];
    used += width;
  }
  return rows;
}

/** Return about how wide a piece is on a line of a seat, in pixels, with the gap after it. */
function wide(piece: Piece): number {
  if (typeof piece === 'string') return piece.length * 6.4 + 4;
  if (Array.isArray(piece)) return piece.reduce((sum, part) => sum + wide(part), 0);
  if (!('cards' in piece)) return 20;
  return (piece.cards.length > 1 ? 60 : 32) + 4;
}
