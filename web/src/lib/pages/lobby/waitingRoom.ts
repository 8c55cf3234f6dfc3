/** The seats of a table as one visitor finds them, and whether that visitor is its host. */

import { m } from '$lib/paraglide/messages';

import type { TableConnection } from '../../net/connection.svelte';
import type { TableStore } from '../../net/tableStore.svelte';
import type { SeatPlate } from '../../net/protocol';
import { num } from '../../text';

/** What a seat is called, whoever has it. */
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

  /** The visitor's own seat; null: none. */
  get mine(): number | null {
    return this.table.you.seat;
  }

  /** The host's seat; null: the host has none. */
  get host(): number | null {
    return this.table.shared.host;
  }

  /** Whether the visitor is the host. */
  get hosting(): boolean {
    return this.mine !== null && this.mine === this.host;
  }

  /** What whoever sits there is called. */
  nameOf(seat: number): string {
    return this.plates[seat]?.name || seatName(seat);
  }
}
