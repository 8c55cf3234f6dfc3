/** The places of melds: each gets one when it is laid, and keeps it. */

/** A place by its column and row, counted from the inline start and from above. */
export type Place = { column: number; row: number };

export type Grid = {
  /** The number of columns now. */
  columns: number;
  /** The rows with which the deal began; melds for which they have no place lie in rows below. */
  rows: number;
  /** The columns with which the deal began, if more have been added since. */
  firstColumns?: number;
  /** Whether melds fill the places in reading order, without regard to their owners. */
  inOrder: boolean;
  /** Which half of the columns is a player's, if partners play together: 0 or 1, by seat. */
  halves?: readonly number[] | undefined;
};

/** A row counts for this many columns, because places are wider than they are high. */
const ROW = 1.55;

/** Where a seat is: the viewer's own below, the others left, across and right, or along the upper edge. */
function anchor(seat: number, others: number, columns: number, rows: number): [number, number] {
  const middle: [number, number] = [(columns - 1) / 2, (rows - 1) / 2];
  if (seat === 0) return [middle[0], rows + 0.4];
  if (others > 3) return [((seat - 0.5) / others) * columns - 0.5, -1.4];
  const spots = { 1: ['across'], 2: ['left', 'right'], 3: ['left', 'across', 'right'] }[others] ?? [];
  const spot = spots[seat - 1] ?? 'across';
  if (spot === 'left') return [-1.6, middle[1]];
  return spot === 'right' ? [columns + 0.6, middle[1]] : [middle[0], -1.4];
}

/**
 * Return the places of melds by their owners, in the order in which they were laid. Owners are numbered as the viewer
 * sees them: 0 is the viewer (or the first seat, for a spectator), then clockwise.
 */
export function placesOf(owners: readonly number[], others: number, grid: Grid): Place[] {
  if (grid.inOrder)
    return owners.map((_, index) => ({
      column: index % grid.columns,
      row: Math.floor(index / grid.columns),
    }));
  const { columns, firstColumns = columns, rows, halves } = grid;
  let places = fill([], owners, others, firstColumns, rows, halves);
  if (firstColumns < columns) {
    // New columns are added to each half, or on both sides; what lies stays in its row.
    const added = (columns - firstColumns) / 2;
    places = places.map(({ column, row }) => {
      const beyond = column >= firstColumns / 2 ? 2 * added : 0;
      return { column: column + (halves ? beyond : added), row };
    });
    places = fill(places, owners, others, columns, rows, halves);
  }
  const below = owners.slice(places.length).map((_, index) => ({
    column: index % columns,
    row: rows + Math.floor(index / columns),
  }));
  return [...places, ...below];
}

/** Give places to those owners that have none, as far as there are free ones. */
function fill(
  laid: readonly Place[],
  owners: readonly number[],
  others: number,
  columns: number,
  rows: number,
  halves: readonly number[] | undefined,
): Place[] {
  const free: Place[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      if (!laid.some((place) => place.column === column && place.row === row)) free.push({ column, row });
  const places = [...laid];
  for (const owner of owners.slice(laid.length)) {
    const far = halves
      ? inHalf(halves[owner] ?? 0, columns)
      : nearTo(anchor(owner, others, columns, rows), columns);
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

/** A card shows at most this part of its width, and folds below that one. */
const STEP = 0.62;
const FOLD = 0.34;
const EDGE = 3;

/** Return how `count` cards that are `card` wide lie in a place of this width. */
export function runIn(count: number, card: number, place: number): Run {
  const step = count < 2 ? 0 : Math.min(card * STEP, (place - card) / (count - 1));
  const edges = Array.from({ length: count }, () => false);
  if (count < 5 || step >= card * FOLD) {
    const lefts = Array.from({ length: count }, (_, index) => index * step);
    return { lefts, edges, width: card + Math.max(0, count - 1) * step };
  }
  // The lowest card and the two highest keep their index; of those between an edge is visible.
  const between = count - 3;
  const shown = Math.min(card * STEP, (place - card - between * EDGE) / 2);
  const lefts = edges.map((_, index) => {
    if (index === 0) return 0;
    if (index <= between) return shown + (index - 1) * EDGE;
    return shown + between * EDGE + (index - between - 1) * shown;
  });
  return {
    lefts,
    edges: edges.map((_, index) => index > 0 && index <= between),
    width: lefts.at(-1)! + card,
  };
}
