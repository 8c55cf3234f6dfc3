/** The seats of a table as one visitor finds them, and whether that visitor is its host. */

import { m } from '$lib/paraglide/messages';

import type { TableConnection } from '../connection.svelte';
import type { SeatPlate } from '../protocol';
import { num } from '../words';

/** What a seat is called, whoever has it. */
export const seatName = (seat: number): string => m.pages_wait_seat({ n: num(seat + 1) });

export class Room {
  readonly connection: TableConnection;

  constructor(connection: TableConnection) {
    this.connection = connection;
  }

  get plates(): SeatPlate[] {
    return this.connection.shared.seats ?? [];
  }

  /** The visitor's own seat; null: none. */
  get mine(): number | null {
    return this.connection.you.seat ?? null;
  }

  /** The host's seat; null: the host has none. */
  get host(): number | null {
    return this.connection.shared.host ?? null;
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
