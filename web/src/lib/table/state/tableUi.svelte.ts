/** Which parts of a table are shown, derived from the state of the table and from what the player has opened. */
import { go } from '$lib/app/router.svelte';
import { settings } from '$lib/app/settings.svelte';
import type { TableLink } from '$lib/net/connection.svelte';
import { takeName } from '$lib/net/guest';
import { isLocal } from '$lib/net/transport';
import type { Change, TableStore } from '$lib/net/tableStore.svelte';
import type { SeatRequest, TableEvent } from '$lib/net/protocol';
import { play as sound } from '$lib/app/sound';
import { Moments } from './moments.svelte';
import type { PlayController } from './playController.svelte';
import { left } from '$lib/felt/board/ticker.svelte';
import { lastPlay } from '$lib/text/eventText';
import { awaitedSeat } from '$lib/text/seatNames';

/** The last play stays visible for this time before the score sheet covers the table. */
const SHEET_AFTER_MS = 1_400;

export type PanelName = 'menu' | 'keys' | 'rules' | 'log' | 'bots';

export class TableUi {
  readonly connection: TableLink;
  readonly table: TableStore;
  readonly controller: PlayController;

  /** The panel that is open beside the table. */
  panel = $state<PanelName | null>(null);
  /** Whether plays are being typed. */
  typing = $state(false);
  /** Whether the panel of hints is open; it closes with the next decision. */
  hinting = $state(false);
  /** Whether reactions and chat are open. */
  talking = $state(false);
  /** Whether a spectator looks for the seat that was theirs, instead of watching. */
  identifying = $state(false);
  /** The height of a lesson above the command line, in pixels. */
  lesson = $state(0);
  /** The votes that the player has hidden from the status slot; they are in the menu. */
  #putAway = $state('');
  readonly moments = new Moments();
  /** Whether the result of a match that the viewer has just won lies over the felt. */
  won = $state(false);
  /** Whether the viewer goes to the next match as soon as all agree; one that returns later finds the link. */
  #goesAlong = false;
  #sheetOpen = $state(false);
  #endOpen = $state(false);

  constructor(connection: TableLink, table: TableStore, controller: PlayController) {
    this.connection = connection;
    this.table = table;
    this.controller = controller;
    // A spectator at a private table may be the person who is away.
    const { shared, you } = table;
    const stranger = you.seat === null && you.lost_seat === null;
    this.identifying = stranger && shared.seats.some(({ ask_in_ms: ask }) => ask !== null);
  }

  get seated(): boolean {
    return this.table.you.seat !== null;
  }

  /** The request for a seat that this spectator has made, open or ended; null if there is none. */
  get ownRequest(): SeatRequest | null {
    const request = this.table.you.seat_request;
    return request?.mine ? request : null;
  }

  /** Whether the page on which a spectator asks for a seat is shown instead of the table. */
  get lostSeat(): boolean {
    const { status } = this.table.shared;
    return this.identifying && !this.seated && (status === 'playing' || status === 'paused');
  }

  /** Whether the viewer may call "Rummy!" or let it go. */
  get claiming(): boolean {
    const { offered, phase } = this.controller;
    return offered.has('call') || (phase === 'claim' && offered.has('let_go'));
  }

  /** The setting that shows chat here: friends talk at private tables, open ones are quiet until it is turned on. */
  get chatSetting(): 'privateChat' | 'openChat' {
    return this.table.options.private ? 'privateChat' : 'openChat';
  }

  /** The number of lines that wait to be read. */
  get unread(): number {
    return settings[this.chatSetting] && !this.talking ? this.table.unread : 0;
  }

  /** Whether somebody else may read what is written here. */
  get company(): boolean {
    const { seats, watching } = this.table.shared;
    return watching > 0 || seats.some(({ kind }, seat) => kind === 'person' && seat !== this.table.you.seat);
  }

  /** Whether two people or more play here on a server, so that they may keep a standing of their matches. */
  get hasRound(): boolean {
    const { options, shared } = this.table;
    const people = shared.seats.filter(({ kind }) => kind === 'person').length;
    return this.seated && people > 1 && !options.tried && !isLocal(this.connection.id);
  }

  /** Whether bots alone play, at a speed that this player chooses. */
  get paced(): boolean {
    const { speed, status, waiting_for: waitingFor } = this.table.shared;
    return speed !== null && status === 'playing' && waitingFor === 'play' && !this.controller.deciding;
  }

  /** The seat of an absent person for whom this player waits; null if there is none. */
  get awaited(): number | null {
    return this.seated ? awaitedSeat(this.table) : null;
  }

  /** Return what is left, in ms, of a time that the server sent for a seat; null if it sent none. */
  leftAt(seat: number, time: 'replace_in_ms' | 'nudge_in_ms' | 'vacant_in_ms' | 'ask_in_ms'): number | null {
    const ms = this.table.shared.seats[seat]?.[time] ?? null;
    return ms === null ? null : left(ms, this.table.seatsAt);
  }

  /** Whether this player is the host and may give this seat to a bot without a vote. */
  gives(seat: number): boolean {
    const { shared, you } = this.table;
    return you.seat !== null && shared.host === you.seat && this.leftAt(seat, 'vacant_in_ms') === 0;
  }

  /** Give a seat to a bot until its player is back, or vote for that, or withdraw this vote. */
  async botUntilBack(seat: number): Promise<boolean> {
    const { options, shared, you } = this.table;
    const voted = (shared.votes.replace ?? []).includes(you.seat ?? -1);
    const reply = this.gives(seat)
      ? this.connection.send({ type: 'seat_bot', seat, level: options.level })
      : this.connection.send({ type: 'vote', on: 'replace', yes: !voted });
    return (await reply).ok;
  }

  get paused(): boolean {
    return this.table.shared.status === 'paused';
  }

  #votes = $derived.by(() => JSON.stringify(this.table.shared.votes));

  /** Whether the status slot shows what others ask for, or the way out of a pause. */
  get voting(): boolean {
    return this.seated && (this.paused || (this.#votes !== '{}' && this.#votes !== this.#putAway));
  }

  /** Hide the present votes from the status slot until there is a new vote. */
  putVotesAway(): void {
    this.#putAway = this.#votes;
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

  /** Whether the deal has been counted: its points are in the totals, and nothing more is played. */
  get settled(): boolean {
    return this.over || this.table.shared.waiting_for === 'next' || this.table.shared.waiting_for === 'over';
  }

  /** Whether the score sheet covers the table. */
  get sheet(): boolean {
    const counted =
      this.table.shared.sheet !== null && (this.table.shared.waiting_for === 'next' || this.over);
    return this.#sheetOpen && counted && !(this.over && this.#endOpen);
  }

  /** Whether the end of the match covers the table. */
  get end(): boolean {
    return this.over && (this.#endOpen || this.table.shared.sheet === null);
  }

  /** Whether the table itself is visible, covered by neither sheet nor end. */
  get uncovered(): boolean {
    return !this.sheet && !this.end;
  }

  /** Whether this player may ask for hints here: alone with bots, at a table that allows them. */
  get mayHint(): boolean {
    const { options, shared, you } = this.table;
    const others = shared.seats.some(({ kind }, seat) => kind === 'person' && seat !== you.seat);
    return this.seated && options.hints !== 'none' && !others && !this.settled;
  }

  open(panel: PanelName): void {
    this.panel = panel;
  }

  openSheet(): void {
    this.won = false;
    this.#sheetOpen = true;
  }

  closeSheet(): void {
    this.#sheetOpen = false;
  }

  openEnd(): void {
    this.#endOpen = true;
  }

  rematch(): void {
    this.#goesAlong = true;
    void this.connection.send({ type: 'vote', on: 'rematch', yes: true });
  }

  /** Follow a change of the table: show the sheet when the deal has been counted. */
  follow(change: Change): void {
    const { rematch } = change.after;
    if (this.seated) this.identifying = false;
    const { seat_request: request } = change.youBefore;
    const name = change.before.seats[request?.seat ?? -1]?.name;
    if (request?.mine && name && change.youAfter.seat === request.seat) takeName(name).catch(() => undefined);
    if (rematch && this.#goesAlong) go(`/t/${rematch}`);
    const momentMs = this.moments.follow(change, this.table.events);
    if (change.after.asked !== change.before.asked) this.hinting = false;
    const next = change.after.waiting_for;
    const counted = next === 'next' || next === 'over';
    if (change.whole || next === 'shuffle' || next === 'play') this.#endOpen = this.won = false;
    if (change.whole) this.openSheet();
    else if (counted && next !== change.before.waiting_for) {
      this.closeSheet();
      setTimeout(
        () => {
          if (settings.sound) sound('sheet');
          this.won = this.moments.won(change, this.table);
          if (!this.won) this.openSheet();
        },
        Math.max(SHEET_AFTER_MS, momentMs),
      );
    }
  }
}
