/** What this browser knows about a table. It is created by the first `sync`, so it is always complete. */
import { keepRead, lastRead } from './readLines';
import type { ChatLine, ReactionShown, Snapshot, Sync, TableEvent, TableInfo, Update, You } from './protocol';

/** One update: its events, and the table before and after it. */
export type Change = {
  events: TableEvent[];
  before: Snapshot;
  after: Snapshot;
  youBefore: You;
  youAfter: You;
  /** Whether the whole table was sent again, so that no card is to be shown as moving. */
  whole: boolean;
};

const KEPT_EVENTS = 400;
const KEPT_LINES = 200;
const REACTION_MS = 3_000;

export class TableStore {
  /** The number of the last entry of the table's log that this browser has been sent. */
  number = $state(0);
  options: TableInfo;
  shared: Snapshot;
  you: You;
  events: TableEvent[];
  chat: ChatLine[];
  #table: string;
  /** The number of the last line of chat that was in view. */
  #read = $state(0);
  /** The number of newer lines that others wrote. */
  readonly unread = $derived.by(() => this.chat.filter((line) => this.#isNew(line)).length);
  /** How many plays were made while the connection was lost; null once the player has dismissed the notice. */
  missed = $state<number | null>(null);
  /** When, by `performance.now()`, the clock, the claim window and the seats were sent. */
  clockAt = $state(performance.now());
  claimAt = $state(this.clockAt);
  seatsAt = $state(this.clockAt);
  /** By seat, the reaction it shows at the moment. */
  reactions = $state<Record<number, ReactionShown['reaction']>>({});

  constructor(sync: Sync) {
    this.number = sync.number;
    this.options = $state.raw(sync.options);
    this.shared = $state.raw(sync.shared);
    this.you = $state.raw(sync.you);
    this.events = $state.raw(sync.missed.slice(-KEPT_EVENTS));
    this.chat = $state.raw(sync.chat);
    this.#table = sync.table;
    const known = lastRead(sync.table);
    if (known === null) this.readChat();
    else this.#read = known;
  }

  /** Replace everything by a new `sync`, after the connection was lost. */
  replace({ options, chat, gap, missed, number, shared, you }: Sync): Change {
    this.options = options;
    this.chat = chat;
    if (!gap) this.events = [];
    this.missed = missed.filter((event) => event.seat != null).length;
    return { ...this.apply({ type: 'update', number, events: missed, shared, you }), whole: true };
  }

  /** Merge an update. */
  apply({ number, events = [], shared, you }: Update): Change {
    const { shared: before, you: youBefore } = this;
    this.number = Math.max(this.number, number);
    this.shared = { ...before, ...shared };
    this.you = { ...youBefore, ...you };
    if (events.length) this.events = [...this.events, ...events].slice(-KEPT_EVENTS);
    const now = performance.now();
    if (shared?.clock !== undefined) this.clockAt = now;
    if (shared?.seats) this.seatsAt = now;
    if (shared?.claim !== undefined) this.claimAt = now;
    return { events, before, after: this.shared, youBefore, youAfter: this.you, whole: false };
  }

  /** Take what was sent to everybody at the table: a line of chat is kept, a reaction is shown for a while. */
  receive(message: ChatLine | ReactionShown): void {
    if (message.type === 'chat') {
      this.chat = [...this.chat, message].slice(-KEPT_LINES);
      return;
    }
    const { seat, reaction } = message;
    this.reactions[seat] = reaction;
    setTimeout(() => {
      if (this.reactions[seat] === reaction) delete this.reactions[seat];
    }, REACTION_MS);
  }

  /** Note that all lines of chat have been in view. */
  readChat(): void {
    this.#read = this.#lastLine;
    keepRead(this.#table, this.#read);
  }

  get #lastLine(): number {
    return this.chat.at(-1)?.number ?? 0;
  }

  #isNew = ({ number, seat }: ChatLine): boolean =>
    number > this.#read && (seat === null || seat !== this.you.seat);

  /** Show the clock as stopped, because nothing is known of it while the connection is lost. */
  stopClock(): void {
    const { clock } = this.shared;
    if (!clock?.running) return;
    const gone = performance.now() - this.clockAt;
    const turn = Math.max(0, clock.turn_ms - gone);
    const bank = Math.max(0, clock.bank_ms - Math.max(0, gone - clock.turn_ms));
    this.shared = { ...this.shared, clock: { ...clock, turn_ms: turn, bank_ms: bank, running: false } };
  }
}
