/**
 * The largest cards that fit a felt. Melds lie in a room of places, the pile below or beside them; both take the
 * largest width of a ladder at which they fit. All lengths are in pixels at usual text size.
 */

/** The widths that cards of melds and pile may have. */
export const LADDER = [
  120, 112, 104, 96, 90, 84, 78, 72, 68, 64, 60, 56, 52, 48, 44, 40, 36, 32, 28, 26, 24,
] as const;

/** The numbers of places that a room may have: a deal begins with few, and its room only grows. */
const ROOMS = [2, 4, 6, 9, 12, 16, 20, 24, 30];
/** Rooms beyond the largest grow by this number of places. */
const MORE_PLACES = 6;

/** The lengths of a pile that its cards are spaced for: they keep their place while a few more cards are discarded. */
const PILES = [2, 4, 7, 10, 13, 16, 19, 22, 26, 30, 36, 42, 50, 60];

/** A card's height in card widths. */
export const HIGH = 1.4;
/** The share of its height that a pile card shows above the row below. */
const ROW_DROP = 0.76;
export const HEADING = 22;
/** The space between the pile and its heading, and (`UNDER_PILE`) the space below the pile for players' marks. */
const UNDER_HEADING = 6;
const UNDER_PILE = 22;
/** The additional space above two rows, for the marks over the upper one. */
export const OVER_ROWS = 4;
/** The space between the stock and the pile. */
export const BESIDE_STOCK = 18;
/** The share of a sideways phone's felt that a pile beside the melds takes, and the gap between them. */
const SIDE_SHARE = 0.38;
const SIDE_GAP = 16;
/** How much wider than melds the cards of a pile below them, and of one beside them, may be. */
const WIDER = { below: 1.25, beside: 1.6 };
/** The most columns of melds. */
const MOST_COLUMNS = 8;
/**
 * The number of columns of a room, by its number of places. It does not depend on the lengths of pile and hand, so that
 * no meld moves as long as the room is the same. On a sideways phone it changes when the pile moves from beside the melds
 * to below them. Larger rooms have as many columns as fit best.
 */
const COLUMNS: Record<'stage' | 'phone' | 'beside' | 'below', Partial<Record<number, number>>> = {
  stage: { 2: 2 },
  phone: { 2: 2, 4: 2, 6: 3, 9: 3, 12: 4, 16: 4 },
  beside: { 2: 2, 4: 2, 6: 3, 9: 3, 12: 4, 16: 4 },
  below: { 2: 2, 4: 4, 6: 6, 9: 5, 12: 6 },
};

/** What has to fit, and where. */
export type Task = {
  width: number;
  height: number;
  kind: 'stage' | 'phone' | 'land';
  /** Whether the window is lower than most phones. */
  low: boolean;
  melds: number;
  /** The cards of the pile, with the gaps of cards that were taken. */
  pile: number;
  /** The width of a card in the hand, which no card of the felt exceeds by much. */
  hand: number;
  /** Whether columns are divided between two sides. */
  sides: boolean;
  /** Whether a place is kept free. */
  spare: boolean;
};

export type PileFit = {
  card: number;
  /** The distance between two cards of a row. */
  step: number;
  rows: number;
  /** The height with its heading and the marks below. */
  height: number;
  beside: boolean;
};

export type Fit = {
  card: number;
  columns: number;
  rows: number;
  place: { width: number; height: number };
  pile: PileFit;
  /** The width that melds have. */
  width: number;
};

type Measures = {
  caption: number;
  gap: { x: number; y: number };
  apart: number;
  place: number;
  wide: number;
};

/** Return the measures that depend on the kind of window only. */
export function measures({ kind, low }: Pick<Task, 'kind' | 'low'>): Measures {
  return kind === 'stage'
    ? { caption: 22, gap: { x: 18, y: 8 }, apart: 14, place: 2.45, wide: 0.86 }
    : { caption: low ? 18 : 20, gap: { x: 10, y: low ? 2 : 4 }, apart: 8, place: 2.25, wide: 0.8 };
}

/** Return the number of places for the melds. */
export function roomFor({ melds, spare }: Pick<Task, 'melds' | 'spare'>): number {
  const needed = spare && melds > 1 && melds < 20 ? melds + 1 : melds;
  return ROOMS.find((room) => room >= needed) ?? Math.ceil(needed / MORE_PLACES) * MORE_PLACES;
}

/** Return the numbers of places of all rooms of a deal, from the first room to the room for these melds. */
export function roomsTo(task: Pick<Task, 'melds' | 'spare'>): number[] {
  const last = roomFor(task);
  const rooms = ROOMS.filter((room) => room < last);
  for (let room = ROOMS.at(-1)! + MORE_PLACES; room < last; room += MORE_PLACES) rooms.push(room);
  return [...rooms, last];
}

/** Return the number of cards that a pile is laid out for. */
export const pileRoom = (cards: number): number =>
  PILES.find((most) => most >= cards) ?? Math.ceil(cards / 10) * 10;

const rung = (most: number): number[] => LADDER.filter((width) => width <= most);

/** Return the height of this many rows of pile cards, with heading and marks. */
const pileHigh = (card: number, rows: number): number =>
  HEADING +
  UNDER_HEADING +
  (rows > 1 ? OVER_ROWS : 0) +
  card * HIGH * (1 + (rows - 1) * ROW_DROP) +
  UNDER_PILE;

/** Return how a row of the pile steps at this width of cards, or null if it does not fit. */
function stepOf(task: Task, card: number, rows: number, width: number): number | null {
  const inRow = Math.ceil(pileRoom(task.pile) / rows);
  if (inRow < 2) return card;
  const { wide } = measures(task);
  const [least, touch] = task.kind === 'stage' ? [0.5, 26] : [0.46, 24];
  const step = Math.min(card * wide, (width - card - BESIDE_STOCK - card) / (inRow - 1));
  return step < Math.min(card * wide - 0.1, Math.max(card * least, touch)) ? null : step;
}

/** Return the largest cards with which a room of places and the pile fit, or null if none do. */
export const fit = (task: Task, room = roomFor(task)): Fit | null =>
  largest(task, room, true) ?? largest(task, room, false);

/** Return the largest fit, with the usual columns of such a room (`held`) or with any. */
function largest(task: Task, room: number, held: boolean): Fit | null {
  const { kind, hand } = task;
  const most = kind === 'phone' ? hand * 1.3 : hand - 2;
  for (const card of rung(most))
    for (const beside of kind === 'land' ? [true, false] : [false])
      for (const rows of kind === 'land' && !beside ? [1] : [1, 2]) {
        const shape = kind === 'land' ? (beside ? 'beside' : 'below') : kind;
        const columns = held ? COLUMNS[shape][room] : undefined;
        const found = fitAt(task, room, { card, beside, rows, columns });
        if (found) return { ...found, pile: wider(task, found, most) };
      }
  return null;
}

function fitAt(
  task: Task,
  room: number,
  {
    card,
    beside,
    rows: pileRows,
    columns: held,
  }: { card: number; beside: boolean; rows: number; columns: number | undefined },
): Fit | null {
  const { caption, gap, apart, place: least } = measures(task);
  const step = stepOf(task, card, pileRows, beside ? task.width * SIDE_SHARE : task.width);
  const pile = pileHigh(card, pileRows);
  if (step === null || pile > task.height) return null;
  const width = beside ? task.width * (1 - SIDE_SHARE) - SIDE_GAP : task.width;
  const height = beside ? task.height : task.height - pile - apart;
  for (let columns = task.sides ? 2 : 1; columns <= MOST_COLUMNS; columns += task.sides ? 2 : 1) {
    if (held !== undefined && columns !== held) continue;
    const rows = Math.ceil(room / columns);
    const place = {
      width: (width - (columns - 1) * gap.x) / columns,
      height: (height - (rows - 1) * gap.y) / rows,
    };
    if (place.width < least * card || place.height < HIGH * card + caption + 1) continue;
    return { card, columns, rows, place, width, pile: { card, step, rows: pileRows, height: pile, beside } };
  }
  return null;
}

/** Return the pile with cards as much wider than the melds' as the height allows. */
function wider(task: Task, { card, rows, pile }: Fit, most: number): PileFit {
  const { caption, gap, apart } = measures(task);
  const melds = rows * (card * HIGH + caption + 1) + (rows - 1) * gap.y;
  const height = pile.beside ? task.height : task.height - apart - melds;
  for (const width of rung(Math.min(most, card * (pile.beside ? WIDER.beside : WIDER.below)))) {
    if (width <= card) break;
    const step = stepOf(task, width, pile.rows, pile.beside ? task.width * SIDE_SHARE : task.width);
    const high = pileHigh(width, pile.rows);
    if (step !== null && high <= height) return { ...pile, card: width, step, height: high };
  }
  return pile;
}

/** Return cards so small that they fit where nothing of the ladder does: melds and pile scroll in their areas. */
export function squeezed(task: Task): Fit {
  const { caption, gap, apart, place: least } = measures(task);
  const card = task.kind === 'stage' ? 36 : 28;
  const beside = task.kind === 'land';
  const across = beside ? task.width * SIDE_SHARE : task.width;
  const width = beside ? task.width * (1 - SIDE_SHARE) - SIDE_GAP : task.width;
  const step = Math.max(task.kind === 'stage' ? 26 : 24, card * 0.5);
  const inRow = Math.max(2, Math.floor((across - BESIDE_STOCK - 2 * card) / step) + 1);
  const high = caption + card * HIGH + 1;
  const wanted = Math.max(1, Math.ceil(task.pile / inRow));
  let shown = Math.min(wanted, 2);
  if (beside) while (shown < wanted && pileHigh(card, shown + 1) <= task.height) shown += 1;
  let columns = Math.max(1, Math.floor((width + gap.x) / (card * least + gap.x)));
  if (task.sides) columns = Math.max(2, columns - (columns % 2));
  while (!beside && shown > 1 && task.height - pileHigh(card, shown) - apart < high) shown -= 1;
  return {
    card,
    columns,
    rows: Math.ceil(task.melds / columns),
    place: { width: (width - (columns - 1) * gap.x) / columns, height: high },
    width,
    pile: { card, step, rows: wanted, height: pileHigh(card, shown), beside },
  };
}

/** A card's place in the pile, from the upper left of the first one. */
export type Cell = { x: number; y: number; row: number; last: boolean };

/** Return where the cards of a pile lie, in rows of equal length (± 1), the newest at the end of the last. */
export function pileCells(
  count: number,
  { card, step, rows }: Pick<PileFit, 'card' | 'step' | 'rows'>,
): Cell[] {
  const cells: Cell[] = [];
  const lines = Math.min(rows, Math.max(1, Math.ceil(count / 2)));
  for (let row = 0; row < lines; row += 1) {
    const from = Math.floor((row * count) / lines);
    const to = Math.floor(((row + 1) * count) / lines);
    for (let index = from; index < to; index += 1)
      cells.push({
        x: (index - from) * step,
        y: row * card * HIGH * ROW_DROP,
        row,
        last: index === to - 1,
      });
  }
  return cells;
}
