/** Who sits where, as one viewer sees it. */
import { m } from '$lib/paraglide/messages';

import type { SeatPlate, Snapshot, TableInfo, You } from '$lib/net/protocol';
import { ofDays } from './days';

/** The data of a table from which names and sides are derived. */
export type TableData = { shared: Snapshot; options: TableInfo; you: You };

/** Return the name on a seat's plate. */
export function plateName(shared: Snapshot, seat: number): string {
  return shared.seats[seat]?.name || m.table_seat({ number: seat + 1 });
}

/** Return the name of a seat: "You" for the viewer's own. */
export function nameOf(data: TableData, seat: number): string {
  return seat === data.you.seat ? m.words_you() : plateName(data.shared, seat);
}

export function namesOf(shared: Snapshot): string[] {
  return shared.seats.map((_, seat) => plateName(shared, seat));
}

/** Return the account that gets a seat's points; partners share one. */
export function accountOf(options: TableInfo, seat: number): number {
  return options.sides > 0 ? seat % options.sides : seat;
}

/** Return the present number of seats. When a player resigns from a table of more than two, the seat is removed. */
export function seatCount(shared: Snapshot): number {
  return shared.seats.length;
}

export function seatsOf({ shared, options }: TableData, account: number): number[] {
  const seats = Array.from({ length: seatCount(shared) }, (_, seat) => seat);
  return seats.filter((seat) => accountOf(options, seat) === account);
}

/** Return whether a seat is on the viewer's own side; a spectator looks from seat 0. */
export function isOurs(data: TableData, seat: number): boolean {
  return accountOf(data.options, seat) === accountOf(data.options, data.you.seat ?? 0);
}

/** Return the accounts in display order: the viewer's own first. */
export function accountsInOrder(data: TableData): number[] {
  const { shared, options, you } = data;
  const count = options.sides > 0 ? options.sides : seatCount(shared);
  const first = accountOf(options, you.seat ?? 0);
  return Array.from({ length: count }, (_, index) => (first + index) % count);
}

/** Return the name of an account: "We" and "They" for a viewer with a partner, else the names of its seats. */
export function accountName(data: TableData, account: number): string {
  const { options, you } = data;
  if (options.sides > 0 && you.seat !== null) {
    return account === accountOf(options, you.seat) ? m.words_we() : m.words_they();
  }
  return seatsOf(data, account)
    .map((seat) => nameOf(data, seat))
    .join(' & ');
}

/** Return the other seats, clockwise from the viewer's left; for a spectator all seats. */
export function others(data: TableData): number[] {
  const { shared, you } = data;
  const count = seatCount(shared);
  if (you.seat === null) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: count - 1 }, (_, index) => (you.seat! + 1 + index) % count);
}

/** Return whether a person is away. By a clock of days nobody is: they come when they like. */
export const isAway = ({ kind, here }: SeatPlate, { turn_s }: TableInfo): boolean =>
  kind === 'person' && !here && !ofDays(turn_s);

/** Return the seat to play whose person is away, and for whom no bot plays; null if there is none. */
export function awaitedSeat({ shared, options }: TableData): number | null {
  const { actor, seats, status } = shared;
  const plate = actor === null ? undefined : seats[actor];
  const waits = status === 'playing' && plate && isAway(plate, options) && plate.bot_in_ms !== 0;
  return waits ? actor : null;
}

/** Return the seats of people if all of them are away, which stops the table; else an empty list. */
export function allAway({ shared: { seats }, options }: TableData): number[] {
  const people = seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  return people.every((seat) => isAway(seats[seat]!, options)) ? people : [];
}

export function pointsOnTable(data: TableData, account: number): number {
  return seatsOf(data, account).reduce((sum, seat) => sum + (data.shared.laid[seat] ?? 0), 0);
}
