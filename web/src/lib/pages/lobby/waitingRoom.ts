/** The seats of a table before the match as one visitor sees them. */

import { m } from '$lib/paraglide/messages';

import type { TableConnection } from '../../net/connection.svelte';
import type { TableStore } from '../../net/tableStore.svelte';
import type { SeatPlate } from '../../net/protocol';
import { num } from '../../text';

/** Return the name of a seat, independent of who sits there. */
export const seatName = (seat: number): string => m.pages_wait_seat({ n: num(seat + 1) });

export class WaitingRoomModel {
  readonly connection: TableConnection;
  readonly table: TableStore;

  constructor(connection: TableConnection, table: TableStore) {
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
