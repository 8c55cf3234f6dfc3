/** What has happened at a table since the viewer's last turn: a list of plays, and the signs that follow from it. */
import type { PlacedCard, Snapshot, TableEvent } from '$lib/net/protocol';

/** A meld or a lay-off. */
export type Laid = {
  cards: PlacedCard[];
  /** The number of the meld. */
  meld: number;
  /** The kind of the meld: `run`, `set` or `jokers`. */
  kind: string;
  /** For a lay-off the seat that owns the meld; null for a new meld. */
  on: number | null;
};

/** What one seat did. */
export type SeatRecap = {
  drew: boolean;
  passed: boolean;
  /** The cards of each take from the pile, the oldest first. */
  took: string[][];
  laid: Laid[];
  discarded: string[];
};

/** Cards that were taken from the pile, before its card at index `at`; `from` is the oldest of them. */
export type Gap = { at: number; count: number; from: string; seat: number };

export type Recap = {
  /** The plays in order. */
  events: TableEvent[];
  /** By seat, what it did; null for a seat that has not played. */
  seats: (SeatRecap | null)[];
  /** By the number of a meld, the cards that were laid; null if the whole meld is new. */
  fresh: Map<number, PlacedCard[] | null>;
  /** By card of the pile, the seat that discarded it; null for an older card. */
  discardedBy: (number | null)[];
  gaps: Gap[];
};

const BEGINS_AGAIN = new Set(['shuffle', 'deal', 'resign']);
const ENDS_TURN = new Set(['discard', 'end', 'float', 'pass']);
const PLAYS = new Set(['draw', 'take', 'call', 'meld', 'lay', 'discard', 'pass', 'end', 'float', 'restock']);

/**
 * Return what has happened since the end of the viewer's last turn. A viewer without a seat (null) looks from the seat
 * whose turn it is.
 */
export function recapOf(events: readonly TableEvent[], shared: Snapshot, you: number | null): Recap {
  const since = playsSince(events, you ?? shared.turn);
  return {
    events: since,
    seats: shared.seats.map((_, seat) => seatRecap(since.filter((event) => event.seat === seat))),
    fresh: freshCards(since),
    ...pileSigns(since, shared.pile.length, you),
  };
}

/** Return whether a seat has done anything that a recap can show. */
export const hasPlayed = (recap: SeatRecap | null | undefined): recap is SeatRecap =>
  recap != null &&
  (recap.drew ||
    recap.passed ||
    recap.took.length > 0 ||
    recap.laid.length > 0 ||
    recap.discarded.length > 0);

function playsSince(events: readonly TableEvent[], seat: number | null): TableEvent[] {
  const takenBack = new Set(events.map((event) => event.taken_back).filter((number) => number != null));
  const valid = events.filter(({ number }) => !takenBack.has(number));
  const start = valid.findLastIndex(
    (event) => BEGINS_AGAIN.has(event.kind) || (event.seat === seat && ENDS_TURN.has(event.kind)),
  );
  return valid.slice(start + 1).filter(({ kind }) => PLAYS.has(kind));
}

function seatRecap(events: readonly TableEvent[]): SeatRecap | null {
  if (!events.length) return null;
  const of = (...kinds: string[]): TableEvent[] => events.filter(({ kind }) => kinds.includes(kind));
  return {
    drew: of('draw').length > 0,
    passed: of('pass').length > 0,
    took: of('take', 'call').map(({ cards }) => cards ?? []),
    laid: of('meld', 'lay').map(({ kind, laid, meld, meld_kind, owner }) => ({
      cards: laid ?? [],
      meld: meld ?? -1,
      kind: meld_kind ?? 'run',
      on: kind === 'lay' ? (owner ?? null) : null,
    })),
    discarded: of('discard').map(({ card }) => card ?? ''),
  };
}

function freshCards(events: readonly TableEvent[]): Recap['fresh'] {
  const fresh: Recap['fresh'] = new Map();
  for (const { kind, meld, laid } of events) {
    if (meld == null) continue;
    if (kind === 'meld') fresh.set(meld, null);
    else if (kind === 'lay' && fresh.get(meld) !== null)
      fresh.set(meld, [...(fresh.get(meld) ?? []), ...(laid ?? [])]);
  }
  return fresh;
}

/** Return how many cards an event adds to the pile; negative if it removes some. */
function growth({ kind, cards }: TableEvent): number {
  if (kind === 'discard') return 1;
  return ['take', 'call', 'restock'].includes(kind) ? -(cards?.length ?? 0) : 0;
}

function pileSigns(
  events: readonly TableEvent[],
  pile: number,
  you: number | null,
): Pick<Recap, 'discardedBy' | 'gaps'> {
  const before = pile - events.reduce((sum, event) => sum + growth(event), 0);
  let by: (number | null)[] = Array.from({ length: Math.max(0, before) }, () => null);
  let gaps: Gap[] = [];
  for (const event of events) {
    const { kind, seat = null } = event;
    const count = -growth(event);
    if (kind === 'discard') by.push(seat);
    else if (kind === 'restock') {
      // All but the newest card become the stock.
      by = by.slice(count);
      gaps = gaps.map((gap) => ({ ...gap, at: Math.max(0, gap.at - count) }));
    } else if (count > 0) {
      const at = Math.max(0, by.length - count);
      by = by.slice(0, at);
      // An earlier gap among the cards that were taken lies where they lay.
      gaps = gaps.map((gap) => ({ ...gap, at: Math.min(gap.at, at) }));
      if (seat !== null && seat !== you) gaps.push({ at, count, from: event.cards![0]!, seat });
    }
  }
  // In a pile that is shorter than the events make it, all signs still have a place.
  return { discardedBy: by, gaps: gaps.map((gap) => ({ ...gap, at: Math.min(gap.at, pile) })) };
}

/** Return which cards of a meld are among these that were laid, of twins those that lie last. */
export function markedIn(meld: readonly PlacedCard[], laid: readonly PlacedCard[]): boolean[] {
  const left = [...laid];
  const marked = meld.map(() => false);
  for (let index = meld.length - 1; index >= 0; index -= 1) {
    const { card, place, seat } = meld[index]!;
    const at = left.findIndex((one) => one.card === card && one.place === place && one.seat === seat);
    if (at < 0) continue;
    left.splice(at, 1);
    marked[index] = true;
  }
  return marked;
}
