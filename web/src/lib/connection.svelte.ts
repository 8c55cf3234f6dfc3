/**
 * A table as this browser knows it: one WebSocket that comes back by itself, and what it has told so far.
 *
 * The server says what has changed; this merges it. Whatever was asked and not yet answered is said again after
 * a new connection, under the same id, so that nothing is lost and nothing is done twice.
 */
import { ApiError, me, table } from './api';
import type {
  ChatLine,
  ClientMessage,
  EmoteShown,
  TableEvent,
  CardGroup,
  SuggestedPlay,
  TableInfo,
  You,
  Reason,
  Snapshot,
} from './protocol';
import { keepSeed, ownSeed } from './seeds';

type Emote = EmoteShown['emote'];

/** A message without the id that the connection gives it. */
export type Request = ClientMessage extends infer M
  ? M extends { id: string }
    ? Omit<M, 'id'>
    : never
  : never;

/** What the server last told of the table; before the first `sync` all fields may be absent. */
export type Table = Snapshot;

/** The answer to a request that is no question. */
export type Reply = { ok: true } | { ok: false; reason: Reason; column?: number | null };

/** The answer to a question: plays, groups of the hand, why there are none, and why others are not open. */
export type Advice = {
  options: SuggestedPlay[];
  groups: CardGroup[];
  reason: Reason | null;
  refused: Record<string, Reason>;
};

/** One update: what happened, and the table before it and after it. */
export type Change = {
  events: TableEvent[];
  before: Snapshot;
  after: Snapshot;
  youBefore: You;
  youAfter: You;
  /** The whole table was sent anew: nothing is to be shown as moving. */
  whole: boolean;
};

export type Status = 'connecting' | 'live' | 'lost' | 'closed';

type Waiting = { message: ClientMessage; settle: (answer: Settled) => void };
type Settled = { reply: Reply; advice: Advice | null };
type Incoming = { type: string; [field: string]: unknown };

const PROTOCOL = 'rum500.v1';
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;
/** After so long without a word the server is asked whether it is there; of a page not looked at, seldom. */
const QUIET_MS = 10_000;
const QUIET_HIDDEN_MS = 30_000;
/** So long an answer may take, and so long a connection from its opening to the whole table. */
const ANSWER_MS = 5_000;
const OPEN_MS = 10_000;
/** So long one request may go without its own answer while other things are heard. */
const OVERDUE_MS = 8_000;
const KEPT_EVENTS = 400;

const LOST: Reason = { code: 'connection.lost' } as Reason;

export class TableConnection {
  readonly id: string;

  status = $state<Status>('connecting');
  /** Why the server closed for good: `elsewhere`, `unknown`. */
  closed = $state<string | null>(null);
  number = $state(0);
  options = $state.raw<TableInfo | null>(null);
  shared = $state.raw<Snapshot>({} as Snapshot);
  you = $state.raw<You>({} as You);
  events = $state.raw<TableEvent[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  /** How many plays were made while the connection was lost; null when that has been read. */
  missed = $state<number | null>(null);
  /** How often the connection has been tried in vain since it was last live. */
  tries = $state(0);
  /** When, by `performance.now()`, the clock, the claim window and the seats were told. */
  clockAt = $state(0);
  claimAt = $state(0);
  seatsAt = $state(0);
  /** By seat, the emote it shows at the moment. */
  emotes = $state<Record<number, Emote>>({});

  /** Whether a new shuffle wants this browser's cut said unasked; set by the page. */
  cutMyself: () => boolean = () => false;

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #serial = 0;
  #prefix = token(6);
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<(change: Change) => void | (() => void)>();
  #before = new Set<() => void>();
  #seeded = '';
  #joined = '';
  #wasLive = false;
  #over = false;

  constructor(id: string) {
    this.id = id;
  }

  /** Connect, and stay so until `stop`. */
  start(): void {
    this.#over = false;
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#open();
  }

  /** Leave the table's connection for good. */
  stop(): void {
    this.#over = true;
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    this.#socket?.close(1000);
    this.#socket = null;
    for (const { settle } of this.#waiting.values())
      settle({ reply: { ok: false, reason: LOST }, advice: null });
    this.#waiting.clear();
  }

  /** Be told of every update, after it has been merged; returns how to stop that. */
  onchange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Be called just before an update is merged, while the page still shows what was. */
  onbefore(listener: () => void): () => void {
    this.#before.add(listener);
    return () => this.#before.delete(listener);
  }

  /** Say something and learn whether it was done. Never rejects. */
  async send(request: Request): Promise<Reply> {
    return (await this.#say(request)).reply;
  }

  /** Ask for advice; null where none could be had. */
  async ask(
    about: 'turn' | 'cards' | 'take',
    more: { cards?: string[]; count?: number } = {},
  ): Promise<Advice | null> {
    if (this.status !== 'live') return null;
    return (await this.#say({ type: 'ask', about, cards: [], count: 0, ...more } as Request)).advice;
  }

  /** Try again now rather than later. */
  retry(): void {
    if (this.status !== 'lost') return;
    void this.#again();
  }

  #hurry = (): void => {
    if (document.visibilityState === 'hidden') return;
    if (this.status === 'lost') this.retry();
    else if (this.status === 'live') this.#listen(0);
  };

  #say(request: Request): Promise<Settled> {
    const id = `${this.#prefix}-${(this.#serial += 1)}`;
    const message = { ...request, id } as ClientMessage;
    return new Promise((settle) => {
      if (this.#over || this.status === 'closed') {
        settle({ reply: { ok: false, reason: LOST }, advice: null });
        return;
      }
      this.#waiting.set(id, { message, settle });
      if (this.status !== 'live') return;
      this.#request(message);
      this.#expect(ANSWER_MS);
    });
  }

  /** Make a request. Whatever else is heard: without an answer of its own it is made anew, on a new connection. */
  #request(message: ClientMessage): void {
    const { id, type } = message;
    const socket = this.#socket;
    this.#write(message);
    if (type === 'ask') return; // Long thought may go into it, and nothing hangs on it.
    setTimeout(() => {
      if (this.#socket === socket && this.status === 'live' && this.#waiting.has(id)) this.#drop();
    }, OVERDUE_MS);
  }

  #write(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Open a new connection. Why a browser was not let in, its WebSocket does not tell: who never was asks who they
   * are, for that brings the cookie, and whether there is such a table.
   */
  async #again(): Promise<void> {
    clearTimeout(this.#retry);
    const unknown = !this.#wasLive && (await isUnknown(this.id));
    if (this.#socket || this.#over || this.status === 'closed') return;
    if (unknown) this.#end('unknown');
    else this.#open();
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/ws/${encodeURIComponent(this.id)}`, PROTOCOL);
    this.#socket = socket;
    this.#expect(OPEN_MS);
    socket.onopen = () => {
      this.#joined = `${this.#prefix}-${(this.#serial += 1)}`;
      socket.send(JSON.stringify({ type: 'join', id: this.#joined, last: this.number }));
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#listen(document.visibilityState === 'hidden' ? QUIET_HIDDEN_MS : QUIET_MS);
      this.#hear(JSON.parse(data as string) as Incoming);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  /** Expect to hear something: after a quiet while ask, and without an answer take the connection for lost. */
  #listen(quiet: number): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#write({ type: 'ping', id: `${this.#prefix}-p` } as ClientMessage);
      this.#expect(ANSWER_MS);
    }, quiet);
  }

  /** A clock that cannot be heard is shown standing still. */
  #stopClock(): void {
    const { clock } = this.shared;
    if (!clock?.running) return;
    const gone = performance.now() - this.clockAt;
    const turn = Math.max(0, clock.turn_ms - gone);
    const bank = Math.max(0, clock.bank_ms - Math.max(0, gone - clock.turn_ms));
    this.shared = { ...this.shared, clock: { ...clock, turn_ms: turn, bank_ms: bank, running: false } };
  }

  /** Something was said that is answered: no word at all for so long, and the connection is taken for lost. */
  #expect(patience: number): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#drop(), patience);
  }

  #drop(): void {
    this.#socket?.close(4000);
    this.#lose();
  }

  #lose(): void {
    this.#socket = null;
    clearTimeout(this.#watch);
    if (this.#over || this.status === 'closed') return;
    if (this.status === 'live') this.#wasLive = true;
    this.#stopClock();
    this.status = this.#wasLive || this.tries > 0 ? 'lost' : 'connecting';
    this.tries += 1;
    for (const [id, { message, settle }] of this.#waiting) {
      if (message.type !== 'ask') continue;
      this.#waiting.delete(id);
      settle({ reply: { ok: false, reason: LOST }, advice: null });
    }
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.tries - 1, 6));
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#again(), wait * (0.7 + 0.6 * Math.random()));
    if (this.tries > 1) this.status = 'lost';
  }

  #end(reason: string): void {
    this.closed = reason;
    this.status = 'closed';
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    for (const { settle } of this.#waiting.values())
      settle({ reply: { ok: false, reason: LOST }, advice: null });
    this.#waiting.clear();
    this.#socket?.close(1000);
    this.#socket = null;
  }

  #hear(said: Incoming): void {
    switch (said.type) {
      case 'sync':
        this.#sync(said);
        break;
      case 'update':
        this.#update(said);
        break;
      case 'refused':
        this.#refused(said);
        break;
      case 'answer':
        this.#settle(said.re as string, {
          reply: { ok: true },
          advice: {
            options: (said.options as SuggestedPlay[]) ?? [],
            groups: (said.groups as CardGroup[]) ?? [],
            reason: (said.reason as Reason | null) ?? null,
            refused: (said.refused as Record<string, Reason>) ?? {},
          },
        });
        break;
      case 'pong':
        this.#settle(said.re as string, { reply: { ok: true }, advice: null });
        break;
      case 'chat':
        this.chat = [...this.chat, said as unknown as ChatLine].slice(-200);
        break;
      case 'emote':
        this.#feel(said.seat as number, said.emote as Emote);
        break;
      case 'bye':
        this.#bye(said.reason as string);
    }
  }

  #sync(said: Incoming): void {
    const again = this.#wasLive;
    const missed = (said.missed as TableEvent[]) ?? [];
    const unanswered = [...this.#waiting.values()];
    this.status = 'live';
    this.tries = 0;
    this.#wasLive = true;
    this.options = said.options as TableInfo;
    this.chat = (said.chat as ChatLine[]) ?? [];
    this.events =
      again && said.gap ? [...this.events, ...missed].slice(-KEPT_EVENTS) : missed.slice(-KEPT_EVENTS);
    if (again) this.missed = missed.filter((event) => event.seat != null).length;
    this.#merge(said, missed, true);
    for (const { message } of unanswered) this.#request(message);
    this.#seed();
  }

  #update(said: Incoming): void {
    const events = (said.events as TableEvent[]) ?? [];
    if ((said.number as number) > this.number || said.shared || said.you || events.length) {
      this.#merge(said, events, false);
    }
    if (said.re) this.#settle(said.re as string, { reply: { ok: true }, advice: null });
    this.#seed();
  }

  #merge(said: Incoming, events: TableEvent[], whole: boolean): void {
    tell(this.#before);
    const before = this.shared;
    const youBefore = this.you;
    const change = (said.shared ?? {}) as Partial<Snapshot>;
    this.number = Math.max(this.number, said.number as number);
    this.shared = whole ? (change as Snapshot) : { ...before, ...change };
    this.you = whole ? (said.you as You) : { ...youBefore, ...((said.you as Partial<You>) ?? {}) };
    if (change.clock !== undefined) this.clockAt = performance.now();
    if (change.seats !== undefined) this.seatsAt = performance.now();
    if (change.claim !== undefined) this.claimAt = performance.now();
    if (!whole && events.length) this.events = [...this.events, ...events].slice(-KEPT_EVENTS);
    const told: Change = { events, before, after: this.shared, youBefore, youAfter: this.you, whole };
    tell(this.#listeners, told);
  }

  #refused(said: Incoming): void {
    const reason = said.reason as Reason;
    if (said.re === this.#joined) {
      this.#drop();
      return;
    }
    this.#settle(said.re as string, {
      reply: { ok: false, reason, column: (said.column as number | null) ?? null },
      advice: { options: [], groups: [], reason, refused: {} },
    });
  }

  #settle(id: string, answer: Settled): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.settle(answer);
  }

  #feel(seat: number, emote: Emote): void {
    this.emotes[seat] = emote;
    setTimeout(() => {
      if (this.emotes[seat] === emote) delete this.emotes[seat];
    }, 4_000);
  }

  #bye(reason: string): void {
    if (reason === 'elsewhere') this.#end(reason);
    // `restart` and `slow`: the socket closes, and the next one asks for what was missed.
  }

  /**
   * This browser's part in a shuffle, given unasked: random bytes of its own, kept for checking the shuffle. What
   * was given before and perhaps lost is given again, so that what is kept is what the server has, if it has any.
   */
  #seed(): void {
    const { fairness, waiting_for: waitingFor } = this.shared;
    const seat = this.you.seat;
    if (!fairness || seat == null || waitingFor !== 'shuffle' || this.#seeded === fairness.commitment) return;
    if (fairness.given.includes(seat)) return;
    this.#seeded = fairness.commitment;
    const before = ownSeed(this.id, fairness.shuffle);
    const value = before?.commitment === fairness.commitment ? before.value : token(32);
    const cut = this.cutMyself() ? null : 150 + (crypto.getRandomValues(new Uint16Array(1))[0]! % 701);
    keepSeed(this.id, fairness.shuffle, { commitment: fairness.commitment, value });
    void this.send({ type: 'seed', shuffle: fairness.shuffle, value, cut } as Request);
  }
}

async function isUnknown(id: string): Promise<boolean> {
  return me()
    .then(() => table(id))
    .then(
      () => false,
      (reason: unknown) => reason instanceof ApiError && reason.code === 'table.unknown',
    );
}

/** A flight or a sound that fails must not keep the table from going on. */
function tell<T extends unknown[]>(listeners: Iterable<(...told: T) => unknown>, ...told: T): void {
  for (const listener of listeners) {
    try {
      listener(...told);
    } catch (error) {
      reportError(error);
    }
  }
}

function token(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
