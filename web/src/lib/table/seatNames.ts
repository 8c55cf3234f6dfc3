/** Who sits where, as one viewer sees it. */
import { m } from '$lib/paraglide/messages';

import type { TableInfo, You, Snapshot } from '../net/protocol';

/** The parts of the table that names and sides follow from. */
export type TableData = { shared: Snapshot; options: TableInfo; you: You };

/** The name on a seat's plate. */
export function plateName(shared: Snapshot, seat: number): string {
  return shared.seats[seat]?.name || m.table_seat({ number: seat + 1 });
}

/** The name to call a seat by: "You" for one's own. */
export function nameOf(data: TableData, seat: number): string {
  return seat === data.you.seat ? m.table_you() : plateName(data.shared, seat);
}

export function namesOf(shared: Snapshot): string[] {
  return shared.seats.map((_, seat) => plateName(shared, seat));
}

/** Which account a seat's points go to: partners share one. */
export function accountOf(options: TableInfo, seat: number): number {
  return options.sides > 0 ? seat % options.sides : seat;
}

/** How many sit here now: who resigns from a larger table leaves no seat, whatever the table was made for. */
export function seatCount(shared: Snapshot): number {
  return shared.seats.length;
}

export function seatsOf({ shared, options }: TableData, account: number): number[] {
  const seats = Array.from({ length: seatCount(shared) }, (_, seat) => seat);
  return seats.filter((seat) => accountOf(options, seat) === account);
}

/** Whether a seat is on the viewer's own side; a spectator looks from seat 0. */
export function isOurs(data: TableData, seat: number): boolean {
  return accountOf(data.options, seat) === accountOf(data.options, data.you.seat ?? 0);
}

/** Accounts in the order shown: one's own first. */
export function accountsInOrder(data: TableData): number[] {
  const { shared, options, you } = data;
  const count = options.sides > 0 ? options.sides : seatCount(shared);
  const first = accountOf(options, you.seat ?? 0);
  return Array.from({ length: count }, (_, index) => (first + index) % count);
}

/** What an account is called: We and They for who plays with a partner, else the names. */
export function accountName(data: TableData, account: number): string {
  const { options, you } = data;
  if (options.sides > 0 && you.seat !== null) {
    return account === accountOf(options, you.seat) ? m.table_we() : m.table_they();
  }
  return seatsOf(data, account)
    .map((seat) => nameOf(data, seat))
    .join(' & ');
}

/** The other seats, clockwise from the viewer's left; a spectator sees all of them. */
export function others(data: TableData): number[] {
  const { shared, you } = data;
  const count = seatCount(shared);
  if (you.seat === null) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: count - 1 }, (_, index) => (you.seat! + 1 + index) % count);
}

/** The people who play, where all of them are away: nothing goes on at their table. */
export function allAway(shared: Snapshot): number[] {
  const seats = shared.seats;
  const people = seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  return people.some((seat) => seats[seat]!.here) ? [] : people;
}

export function pointsOnTable(data: TableData, account: number): number {
  return seatsOf(data, account).reduce((sum, seat) => sum + (data.shared.laid[seat] ?? 0), 0);
}
