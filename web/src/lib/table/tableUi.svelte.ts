/** What of a table is to be seen: worked out of what the connection says and of what the player has opened. */
import { settings } from '../app/settings.svelte';
import type { TableConnection } from '../net/connection.svelte';
import type { Change, TableStore } from '../net/tableStore.svelte';
import type { TableEvent } from '../net/protocol';
import { play as sound } from '../app/sound';
import type { PlayController } from './playController.svelte';
import { lastPlay } from './eventText';

/** The last play is seen before the sheet covers the table. */
const SHEET_AFTER_MS = 1_400;

export type PanelName = 'menu' | 'keys' | 'talk' | 'rules' | 'log' | 'bots';

export class TableUi {
  readonly connection: TableConnection;
  readonly table: TableStore;
  readonly controller: PlayController;

  /** The panel that is open beside the table. */
  panel = $state<PanelName | null>(null);
  /** Whether plays are being typed. */
  typing = $state(false);
  /** Whether the table between heading and tray scrolls: not all of it is in sight. */
  scrolls = $state(false);
  #sheetOpen = $state(false);
  #endOpen = $state(false);

  constructor(connection: TableConnection, table: TableStore, controller: PlayController) {
    this.connection = connection;
    this.table = table;
    this.controller = controller;
  }

  get seated(): boolean {
    return this.table.you.seat !== null;
  }

  /** Whether "Rummy!" is the viewer's to call or to let go. */
  get claiming(): boolean {
    const { mine, may, phase } = this.controller;
    return mine && (may.has('call') || (phase === 'claim' && may.has('let_go')));
  }

  /** Whether the pack lies spread: to draw for the deal, to be cut or shuffled. */
  get drawing(): boolean {
    const { waiting_for: waitingFor, status } = this.table.shared;
    return ['draw', 'cut', 'shuffle'].includes(waitingFor) && status === 'playing';
  }

  get hasHand(): boolean {
    const { status, hand_sizes: sizes } = this.table.shared;
    return this.seated && status !== 'open' && sizes.some(Boolean) && !this.drawing;
  }

  /** The last play of the deal in progress. */
  readonly last: TableEvent | null = $derived.by(() => lastPlay(this.table.events));

  get over(): boolean {
    return this.table.shared.status === 'over' || this.table.shared.status === 'abandoned';
  }

  /** The deal has been counted: its points are in the totals, and nothing more is played. */
  get settled(): boolean {
    return this.over || this.table.shared.waiting_for === 'next' || this.table.shared.waiting_for === 'over';
  }

  /** The score sheet covers the table. */
  get sheet(): boolean {
    const counted =
      this.table.shared.sheet !== null && (this.table.shared.waiting_for === 'next' || this.over);
    return this.#sheetOpen && counted && !(this.over && this.#endOpen);
  }

  /** The match's end covers the table. */
  get end(): boolean {
    return this.over && (this.#endOpen || this.table.shared.sheet === null);
  }

  /** The table itself is to be seen, neither sheet nor end. */
  get uncovered(): boolean {
    return !this.sheet && !this.end;
  }

  open(panel: PanelName): void {
    this.panel = panel;
  }

  openSheet(): void {
    this.#sheetOpen = true;
  }

  closeSheet(): void {
    this.#sheetOpen = false;
  }

  openEnd(): void {
    this.#endOpen = true;
  }

  /** The table has changed: the sheet comes when the deal has been counted. */
  follow(change: Change): void {
    const next = change.after.waiting_for;
    const counted = next === 'next' || next === 'over';
    if (change.whole || next === 'shuffle' || next === 'play') this.#endOpen = false;
    if (change.whole) this.openSheet();
    else if (counted && next !== change.before.waiting_for) {
      this.closeSheet();
      setTimeout(() => {
        this.openSheet();
        if (settings.sound) sound('sheet');
      }, SHEET_AFTER_MS);
    }
  }
}
