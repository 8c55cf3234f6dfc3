/** The places of melds: each gets one when it is laid, and keeps it until the room of places grows. */

import type { Room } from './feltLayout';

/** A place by its column and row, counted from the inline start and from above. */
export type Place = { column: number; row: number };

export type Grid = {
  /** The rooms that the deal had until now, the present one last. */
  rooms: readonly Room[];
  /** Whether melds fill the places in reading order, without regard to their owners. */
  inOrder: boolean;
  /** Which half of the columns is a player's, if partners play together: 0 or 1, by seat. */
  halves?: readonly number[] | undefined;
};

/** A row counts for this many columns, because places are wider than they are high. */
const ROW = 1.55;

/** Where a seat is: the viewer's own below, the others along the upper edge. */
function anchor(seat: number, others: number, { columns, rows }: Room): [number, number] {
  const middle = (columns - 1) / 2;
  if (seat === 0) return [middle, rows - 0.4];
  return [others > 1 ? ((seat - 1) / (others - 1)) * (columns - 1) : middle, -1.2];
}

const inReadingOrder = (index: number, { columns }: Room): Place => ({
  column: index % columns,
  row: Math.floor(index / columns),
});

/**
 * Return the places of melds by their owners, in the order in which they were laid. Owners are numbered as the viewer
 * sees them: 0 is the viewer (or the first seat, for a spectator), then clockwise.
 */
export function placesOf(owners: readonly number[], others: number, grid: Grid): Place[] {
  const now = grid.rooms.at(-1)!;
  if (grid.inOrder) return owners.map((_, index) => inReadingOrder(index, now));
  let places: Place[] = [];
  let before: Room | null = null;
  for (const room of grid.rooms) {
    if (before) places = grown(places, before, room, grid.halves !== undefined);
    places = fill(places, owners, others, room, grid.halves);
    before = room;
  }
  const below = owners.slice(places.length).map((_, index) => ({
    column: index % now.columns,
    row: now.rows + Math.floor(index / now.columns),
  }));
  return [...places, ...below];
}

/** Return the places in a larger room: in their rows if it has as many, else in the same order as one reads. */
function grown(places: readonly Place[], from: Room, to: Room, halves: boolean): Place[] {
  const added = to.columns - from.columns;
  if (added >= 0 && to.rows >= from.rows)
    return places.map(({ column, row }) => {
      const moved = halves ? (column >= from.columns / 2 ? added : 0) : Math.floor(added / 2);
      return { column: column + moved, row };
    });
  const read = [...places].sort((a, b) => a.row - b.row || a.column - b.column);
  return places.map((place) => inReadingOrder(read.indexOf(place), to));
}

/** Give places to those owners that have none, as far as there are free ones. */
function fill(
  laid: readonly Place[],
  owners: readonly number[],
  others: number,
  room: Room,
  halves: readonly number[] | undefined,
): Place[] {
  const { columns, rows } = room;
  const free: Place[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      if (!laid.some((place) => place.column === column && place.row === row)) free.push({ column, row });
  const places = [...laid];
  for (const owner of owners.slice(laid.length, room.places)) {
    const far = halves ? inHalf(halves[owner] ?? 0, columns) : nearTo(anchor(owner, others, room), columns);
    const best = free.reduce<Place | null>(
      (found, place) => (found === null || far(place) < far(found) - 1e-9 ? place : found),
      null,
    );
    if (best === null) break;
    free.splice(free.indexOf(best), 1);
    places.push(best);
  }
  return places;
}

type Distance = (place: Place) => number;

/** Return how far a place is from a seat; of equal ones the one at the inline start is nearer. */
function nearTo([x, y]: [number, number], columns: number): Distance {
  return ({ column, row }) => Math.hypot(column - x, (row - y) * ROW) + (column * 1e-4) / columns;
}

/** Return the order of places for one side: its own half as one reads, then the others' from the border on. */
function inHalf(half: number, columns: number): Distance {
  const middle = columns / 2;
  return ({ column, row }) => {
    const own = column < middle === (half === 0);
    if (own) return row * columns + column;
    const away = half === 0 ? column - middle : middle - 1 - column;
    return 1e4 + away * 100 + row;
  };
}

/** How the cards of a meld lie in its place: from where on each is drawn, and which of them show only an edge. */
export type Run = { lefts: number[]; edges: boolean[]; width: number };

/** A card shows at most this part of its width; a long run that would show less than the other folds. */
const STEP = 0.62;
const FOLD = 0.36;
const EDGE = 3;

/**
 * Return how `count` cards that are `card` wide lie in a place of this width. Of a run that folds the first and the last
 * two cards keep their index, and so do these `marked` ones if there is room; of the others an edge is visible.
 */
export function runIn(count: number, card: number, place: number, marked: readonly boolean[] = []): Run {
  const step = count < 2 ? 0 : Math.min(card * STEP, (place - card) / (count - 1));
  const edges = Array.from({ length: count }, () => false);
  if (count < 5 || step >= card * FOLD) {
    const lefts = Array.from({ length: count }, (_, index) => index * step);
    return { lefts, edges, width: card + Math.max(0, count - 1) * step };
  }
  const folded = edges.map((_, index) => index > 0 && index < count - 2 && !marked[index]);
  const between = folded.filter(Boolean).length;
  const shown = Math.min(card * STEP, (place - card - between * EDGE) / (count - 1 - between));
  if (shown < card * FOLD && marked.some(Boolean)) return runIn(count, card, place);
  let left = 0;
  const lefts = folded.map((edge) => {
    const here = left;
    left += edge ? EDGE : shown;
    return here;
  });
  return { lefts, edges: folded, width: lefts.at(-1)! + card };
}
