/** The seats of a table before the match as one visitor sees them. */

import { m } from '$lib/paraglide/messages';

import type { TableLink } from '$lib/net/connection.svelte';
import type { TableStore } from '$lib/net/tableStore.svelte';
import type { SeatPlate, TableInfo } from '$lib/net/protocol';
import { num } from '$lib/text/sentences';
import { duration } from '$lib/text/labels';

/** Return the name of a seat, without its player. */
export const seatName = (seat: number): string => m.pages_wait_seat({ n: num(seat + 1) });

export class WaitingRoomModel {
  readonly connection: TableLink;
  readonly table: TableStore;

  constructor(connection: TableLink, table: TableStore) {
    this.connection = connection;
    this.table = table;
  }

  get plates(): SeatPlate[] {
    return this.table.shared.seats;
  }

  /** The visitor's own seat, or null. */
  get mine(): number | null {
    return this.table.you.seat;
  }

  /** The host's seat; null if the host has none. */
  get host(): number | null {
    return this.table.shared.host;
  }

  /** Whether the visitor is the host. */
  get hosting(): boolean {
    return this.mine !== null && this.mine === this.host;
  }

  /** Return the name of the player at this seat. */
  nameOf(seat: number): string {
    return this.plates[seat]?.name || seatName(seat);
  }
}

/** Return how many play at a table, how long, and how fast. */
export function tableFacts(options: TableInfo): string[] {
  const length =
    options.match === 'deals'
      ? m.pages_about_deals({ count: options.deals, shown: num(options.deals) })
      : m.pages_about_target({ n: num(options.target) });
  const most =
    options.match === 'target' && options.max_deals
      ? [m.pages_about_most_deals({ count: options.max_deals, shown: num(options.max_deals) })]
      : [];
  const turn = options.turn_s === null ? null : duration(options.turn_s);
  const clock = turn
    ? options.bank_s
      ? m.pages_about_clock({ turn, bank: duration(options.bank_s) })
      : m.pages_about_clock_nobank({ turn })
    : m.pages_new_clock_none();
  return [
    m.pages_players({ count: options.players, shown: num(options.players) }),
    length,
    ...most,
    clock,
    ...(options.seats_drawn ? [m.pages_new_seats_drawn()] : []),
  ];
}
