/** Laid-off cards in front of the players who laid them, each tied to its meld by a letter (R-LAY-3). */
import type { MeldPlate, PlacedCard, TableEvent } from '$lib/net/protocol';
import { runIn } from '$lib/felt/layout/places';

/** Cards that one player laid off side by side on one meld. */
export type LaidOff = {
  key: string;
  letter: string;
  meld: MeldPlate;
  seat: number;
  cards: PlacedCard[];
  /** The index in the meld of the first of these cards. */
  first: number;
};

/** The place of a player with all cards that the player laid off. */
export type Front = { seat: number; points: number; laidOff: LaidOff[] };

/** Return the letter of a meld, which never changes: a, b, …, z, aa. */
const letterOf = (meld: number): string =>
  String.fromCharCode(97 + (meld % 26)).repeat(1 + Math.floor(meld / 26));

/** Return the cards that others than its owner laid on a meld. */
export function laidOffOn(meld: MeldPlate): LaidOff[] {
  const found: LaidOff[] = [];
  meld.cards.forEach((placed, index) => {
    const last = found.at(-1);
    if (placed.seat === meld.owner) return;
    if (last && last.seat === placed.seat && last.first + last.cards.length === index)
      last.cards.push(placed);
    else
      found.push({
        key: `${meld.number}:${index}`,
        letter: letterOf(meld.number),
        meld,
        seat: placed.seat,
        cards: [placed],
        first: index,
      });
  });
  return found;
}

/** Return a place for each player who has laid off. */
export function frontsOf(melds: readonly MeldPlate[]): Front[] {
  const fronts = new Map<number, Front>();
  for (const laid of melds.flatMap(laidOffOn)) {
    const front = fronts.get(laid.seat) ?? { seat: laid.seat, points: 0, laidOff: [] };
    front.laidOff.push(laid);
    front.points += laid.cards.reduce((sum, { points }) => sum + points, 0);
    fronts.set(laid.seat, front);
  }
  return [...fronts.values()];
}

/** A meld, or the lay-offs in front of a player: what takes a place of the felt. */
export type Lying = { meld: MeldPlate; front?: never } | { front: Front; meld?: never };

/**
 * Return melds and fronts in the order in which they got their places. A front comes after the melds that were on the
 * table when its player first laid off, so that it stays where it is.
 */
export function lyingInOrder(
  melds: readonly MeldPlate[],
  fronts: readonly Front[],
  events: readonly TableEvent[],
): Lying[] {
  const takenBack = new Set(events.map(({ taken_back }) => taken_back));
  const after = new Map<number, number>();
  let before = melds.length;
  for (const event of [...events].reverse()) {
    if (event.kind === 'deal') break;
    if (takenBack.has(event.number) || event.seat == null) continue;
    if (event.kind === 'lay' && event.owner !== event.seat) after.set(event.seat, before);
    if (event.kind === 'meld') before -= 1;
  }
  const placeOf = (lying: Lying): number =>
    lying.meld ? lying.meld.number : (after.get(lying.front.seat) ?? melds.length) - 0.5;
  const all: Lying[] = [...melds.map((meld) => ({ meld })), ...fronts.map((front) => ({ front }))];
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

// --- how cards lie in a place ----------------------------------------------------------------------------

/** A card shows its index as long as this part of its width is in sight. */
const INDEX = 0.36;
const STEP = 0.62;
const GAP = 3;
/** Notes begin beyond the outline of new cards. */
const NOTES_GAP = 7;

export type OwnCard = { placed: PlacedCard; index: number; left: number; edge: boolean };
export type Stub = {
  laidOff: LaidOff;
  left: number;
  width: number;
  /** Whether the stub has room for the player's mark alone. */
  brief: boolean;
  /** The part of the card's height that the stub takes: number `at`, from above, of `of` equal parts. */
  part: { at: number; of: number };
};

type Widths = { card: number; place: number; chip: (cards: number) => number; mark: number };

/**
 * Return how a meld lies, of which some cards may be `marked`. If its laid-off cards lie in front of players, a stub is
 * where each would be.
 */
export function withStubs(
  meld: MeldPlate,
  inFront: boolean,
  { card, place, chip, mark }: Widths,
  marked: readonly boolean[] = [],
): { cards: OwnCard[]; stubs: Stub[]; width: number } {
  const laidOff = inFront ? laidOffOn(meld) : [];
  const own = meld.cards
    .map((placed, index) => ({ placed, index }))
    .filter(({ placed }) => !inFront || placed.seat === meld.owner);
  const lie = (widths: readonly number[]) =>
    runIn(
      own.length,
      card,
      place - widths.reduce((sum, width) => sum + width + GAP, 0),
      own.map(({ index }) => marked[index] ?? false),
    );
  let widths = laidOff.map(({ cards }) => chip(cards.length));
  let run = lie(widths);
  const narrow = (): boolean => own.length > 1 && run.lefts[1]! < card * INDEX;
  const brief = narrow();
  if (brief) run = lie((widths = widths.map(() => mark)));
  // Several marks beside each other would hide the cards: they lie one above the other.
  const stacked = brief && laidOff.length > 1 && narrow();
  if (stacked) run = lie([mark]);
  const stubs: Stub[] = [];
  const part = { at: 0, of: 1 };
  let shift = 0;
  const cards = own.map(({ placed, index }, at) => {
    laidOff.forEach((one, number) => {
      if (meld.kind !== 'run' || stacked || one.first > index || stubs.length > number) return;
      stubs.push({ laidOff: one, left: run.lefts[at]! + shift, width: widths[number]!, brief, part });
      shift += widths[number]! + GAP;
    });
    return { placed, index, left: run.lefts[at]! + shift, edge: run.edges[at]! };
  });
  if (stacked) {
    laidOff.forEach((one, at) =>
      stubs.push({
        laidOff: one,
        left: run.width + GAP,
        width: mark,
        brief,
        part: { at, of: laidOff.length },
      }),
    );
    shift = mark + GAP;
  }
  for (const one of laidOff.slice(stubs.length)) {
    const width = widths[stubs.length]!;
    stubs.push({ laidOff: one, left: run.width + shift + GAP, width, brief, part });
    shift += width + GAP;
  }
  return { cards, stubs, width: run.width + shift };
}

/**
 * Return where `count` cards lie in front of a player, beside which notes are `note` wide: in one row while their
 * indexes are visible, else smaller and in two. `notes` is where the notes begin; null if they have no room.
 */
export function inFront(
  count: number,
  { card, place, note }: { card: number; place: number; note: number },
): { cells: { left: number; top: number }[]; card: number; notes: number | null } {
  const step = (width: number, room: number, inRow: number): number =>
    inRow < 2 ? width * STEP : Math.min(width * STEP, (room - width) / (inRow - 1));
  const row = (by: number, inRow: number, top = 0) =>
    Array.from({ length: inRow }, (_, index) => ({ left: index * by, top }));
  const beside = step(card, place - note - NOTES_GAP, count);
  if (beside >= card * INDEX && card <= place - note - NOTES_GAP)
    return {
      cells: row(beside, count),
      card,
      notes: card + (count - 1) * beside + NOTES_GAP,
    };
  const alone = step(card, place, count);
  if (alone >= card * INDEX) return { cells: row(alone, count), card, notes: null };
  const small = (card * 2) / 3;
  const inRow = Math.ceil(count / 2);
  const by = step(small, place, inRow);
  const cells = [...row(by, inRow), ...row(by, count - inRow, small * 0.7)];
  return { cells, card: small, notes: null };
}
