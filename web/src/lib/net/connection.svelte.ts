/**
 * A connection to one table that reconnects by itself.
 *
 * The server sends what has changed; the `TableStore` merges it. A request without an answer is sent again over the
 * next connection with the same id, so that nothing is lost and nothing is done twice.
 */
import { ApiError, forgetMe, me, table } from './api';
import type {
  CardGroup,
  ClientMessage,
  HintInfo,
  Reason,
  Refused,
  ServerMessage,
  SuggestedPlay,
  Sync,
  Update,
} from './protocol';
import { keepSeed, ownSeed } from './seeds';
import { TableStore, type Change } from './tableStore.svelte';
import { connect, isLocal, type Socket } from './transport';

/** A message without the id that the connection gives it. */
export type Request = ClientMessage extends infer M
  ? M extends { id: string }
    ? Omit<M, 'id'>
    : never
  : never;

/** The answer to a request other than `ask`. */
export type Reply = { ok: true } | { ok: false; reason: Reason; column?: number | null };

/** The answer to `ask`: plays, groups of the hand, why there are no plays, why other plays are not open, a hint. */
export type Advice = {
  options: SuggestedPlay[];
  groups: CardGroup[];
  reason: Reason | null;
  refused: Record<string, Reason>;
  hint: HintInfo | null;
};

/** The state of the connection; `closed` is final and has a reason. */
export type Link =
  | { state: 'connecting' | 'live' | 'lost' }
  | { state: 'closed'; reason: 'elsewhere' | 'private' | 'unknown' };

type Waiting = { message: ClientMessage; settle: (answer: Settled) => void };
type Settled = { reply: Reply; advice: Advice | null };

const FIRST_WAIT_MS = 400;
/** The longest wait between the first tries: another server may take the table over within some seconds. */
const SOON_WAIT_MS = 1_000;
const SOON_TRIES = 8;
const LONGEST_WAIT_MS = 8_000;
/** After this time without a message, send a ping; less often while the page is hidden. */
const QUIET_MS = 10_000;
const QUIET_HIDDEN_MS = 30_000;
/** The longest time for any message after a request, and for the first `sync` after opening a connection. */
const ANSWER_MS = 5_000;
const OPEN_MS = 10_000;
/** The same for a table on this device, where the local server may have to start first. */
const START_MS = 180_000;
/** How long one request may go unanswered while other messages arrive. Advice may take as long. */
const OVERDUE_MS = 8_000;
/** A timer that is this late means that the page was frozen: messages that have arrived are read first. */
const LATE_MS = 500;

const GONE: Settled = { reply: { ok: false, reason: { code: 'connection.lost' } }, advice: null };

/** The connection as a player's side of a table needs it; practice of a position has one without a server. */
export type TableLink = Pick<
  TableConnection,
  'id' | 'link' | 'table' | 'send' | 'ask' | 'onchange' | 'onbefore' | 'retry'
>;

/** Return the milliseconds to wait before this try to connect again, counted from 1. */
export function waitBefore(tries: number): number {
  if (tries <= SOON_TRIES) return Math.min(SOON_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  return Math.min(LONGEST_WAIT_MS, SOON_WAIT_MS * 2 ** (tries - SOON_TRIES));
}

export class TableConnection {
  readonly id: string;

  link = $state.raw<Link>({ state: 'connecting' });
  /** The table as the server sent it; null until the first `sync`. */
  table = $state.raw<TableStore | null>(null);

  /** Whether the player wants to cut by hand. If not, a cut is sent with the seed. Set by the page. */
  cutMyself: () => boolean = () => false;

  #socket: Socket | null = null;
  #waiting = new Map<string, Waiting>();
  #serial = 0;
  #prefix = token(6);
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #listeners = new Set<(change: Change) => void | (() => void)>();
  #before = new Set<() => void>();
  #seeded = '';
  #joined = '';
  /** How many attempts have failed since the connection was last live. */
  #tries = 0;
  #over = false;

  constructor(id: string) {
    this.id = id;
  }

  /** Connect, and stay connected until `stop`. */
  start(): void {
    this.#over = false;
    addEventListener('online', this.#hurry);
    addEventListener('offline', this.#hurry);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#open();
  }

  /** Close the connection for good. */
  stop(): void {
    this.#over = true;
    removeEventListener('online', this.#hurry);
    removeEventListener('offline', this.#hurry);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#leave();
  }

  /** Close the socket. Pending requests resolve as not done. */
  #leave(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    for (const { settle } of this.#waiting.values()) settle(GONE);
    this.#waiting.clear();
    this.#socket?.close(1000);
    this.#socket = null;
  }

  /** Call `listener` after each update has been merged. Return a function that removes it. */
  onchange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call `listener` before each update is merged, while the page still shows the old state; see `onchange`. */
  onbefore(listener: () => void): () => void {
    this.#before.add(listener);
    return () => this.#before.delete(listener);
  }

  /** Send a request and return whether it was done. Never rejects. */
  async send(request: Request): Promise<Reply> {
    return (await this.#request(request)).reply;
  }

  /** Ask for advice. Return null if there is none because the connection is not live or was lost. */
  async ask(
    about: 'turn' | 'cards' | 'take' | 'hint',
    more: { cards?: string[]; count?: number; depth?: HintInfo['depth'] } = {},
  ): Promise<Advice | null> {
    if (this.link.state !== 'live') return null;
    return (await this.#request({ type: 'ask', about, cards: [], count: 0, ...more })).advice;
  }

  /** Try again now rather than later. */
  retry(): void {
    if (this.link.state !== 'lost') return;
    void this.#again();
  }

  #hurry = (): void => {
    const shown = document.visibilityState !== 'hidden';
    this.#look(shown);
    if (!shown) return;
    if (this.link.state === 'lost') this.retry();
    else if (this.link.state === 'live') this.#listen(0);
  };

  /** Say whether the page shows the table: a message about it goes only to those who do not see it. */
  #look(shown: boolean): void {
    if (this.link.state === 'live') this.#write({ type: 'look', id: `${this.#prefix}-l`, shown });
  }

  #request(request: Request): Promise<Settled> {
    const id = `${this.#prefix}-${(this.#serial += 1)}`;
    const message: ClientMessage = { ...request, id };
    return new Promise((settle) => {
      if (this.#over || this.link.state === 'closed') {
        settle(GONE);
        return;
      }
      this.#waiting.set(id, { message, settle });
      if (this.link.state !== 'live') return;
      this.#transmit(message);
      this.#expect(message.type === 'ask' ? OVERDUE_MS : ANSWER_MS);
    });
  }

  /** Send a request. If its own answer does not arrive in time, reconnect, which sends it again. */
  #transmit(message: ClientMessage): void {
    const { id, type } = message;
    const socket = this.#socket;
    this.#write(message);
    if (type === 'ask') return; // A lost answer to `ask` only means no advice.
    setTimeout(() => {
      if (this.#socket === socket && this.link.state === 'live' && this.#waiting.has(id)) this.#drop();
    }, OVERDUE_MS);
  }

  #write(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /**
   * Reconnect. A WebSocket does not report why it was refused, so a browser that was never connected first asks over
   * HTTP who it is, which sets the cookie, and whether the table exists. One that is refused again and again asks who
   * it is too: the guest may have signed out of it.
   */
  async #again(): Promise<void> {
    clearTimeout(this.#retry);
    if (this.#tries > 1) {
      forgetMe();
      void me().catch(() => undefined);
    }
    const unknown = !this.table && (await isUnknown(this.id));
    if (this.#socket || this.#over || this.link.state === 'closed') return;
    if (unknown) this.#end('unknown');
    else this.#open();
  }

  #open(): void {
    const socket = connect(this.id);
    this.#socket = socket;
    this.#expect(isLocal(this.id) ? START_MS : OPEN_MS);
    socket.onopen = () => {
      this.#joined = `${this.#prefix}-${(this.#serial += 1)}`;
      socket.send(JSON.stringify({ type: 'join', id: this.#joined, last: this.table?.number ?? 0 }));
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#listen(document.visibilityState === 'hidden' ? QUIET_HIDDEN_MS : QUIET_MS);
      this.#receive(JSON.parse(String(data)));
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  /** Wait for a message. After `quiet` ms without one send a ping; without an answer the connection is lost. */
  #listen(quiet: number): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#write({ type: 'ping', id: `${this.#prefix}-p` });
      this.#expect(ANSWER_MS);
    }, quiet);
  }

  /** Wait for any message. After `patience` ms without one the connection is lost. */
  #expect(patience: number): void {
    clearTimeout(this.#watch);
    const due = performance.now() + patience;
    this.#watch = setTimeout(() => {
      if (performance.now() - due > LATE_MS) this.#expect(LATE_MS);
      else this.#drop();
    }, patience);
  }

  #drop(): void {
    this.#socket?.close(4000);
    this.#lose();
  }

  #lose(): void {
    this.#socket = null;
    clearTimeout(this.#watch);
    if (this.#over || this.link.state === 'closed') return;
    this.table?.stopClock();
    this.link = { state: this.table || this.#tries > 0 ? 'lost' : 'connecting' };
    this.#tries += 1;
    for (const [id, { message, settle }] of this.#waiting) {
      if (message.type !== 'ask') continue;
      this.#waiting.delete(id);
      settle(GONE);
    }
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#again(), waitBefore(this.#tries) * (0.7 + 0.6 * Math.random()));
  }

  #end(reason: 'elsewhere' | 'private' | 'unknown'): void {
    this.link = { state: 'closed', reason };
    this.#leave();
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case 'sync':
        this.#sync(message);
        break;
      case 'update':
        this.#update(message);
        break;
      case 'refused':
        this.#refused(message);
        break;
      case 'answer': {
        const { re, options = [], groups = [], reason = null, refused = {}, hint = null } = message;
        this.#settle(re, { reply: { ok: true }, advice: { options, groups, reason, refused, hint } });
        break;
      }
      case 'pong':
        this.#settle(message.re, { reply: { ok: true }, advice: null });
        break;
      case 'bye':
        // For any other reason the socket closes, and the next connection fetches what was missed.
        if (message.reason === 'elsewhere') this.#end('elsewhere');
        break;
      default:
        this.table?.receive(message);
    }
  }

  #sync(sync: Sync): void {
    const unanswered = [...this.#waiting.values()];
    this.link = { state: 'live' };
    this.#tries = 0;
    const store = this.table;
    notify(this.#before);
    if (store) notify(this.#listeners, store.replace(sync));
    else this.table = new TableStore(sync);
    if (document.visibilityState === 'hidden') this.#look(false);
    for (const { message } of unanswered) this.#transmit(message);
    this.#seed();
  }

  #update(update: Update): void {
    const store = this.table;
    if (!store) return;
    if (update.number > store.number || update.shared || update.you || update.events?.length) {
      notify(this.#before);
      notify(this.#listeners, store.apply(update));
    }
    if (update.re) this.#settle(update.re, { reply: { ok: true }, advice: null });
    this.#seed();
  }

  #refused({ re, reason, column = null }: Refused): void {
    // The table of somebody's deal of the day stays closed to others.
    if (re === this.#joined && reason.code === 'day.private') this.#end('private');
    else if (re === this.#joined) this.#drop();
    else if (re !== null)
      this.#settle(re, {
        reply: { ok: false, reason, column },
        advice: { options: [], groups: [], reason, refused: {}, hint: null },
      });
  }

  #settle(id: string, answer: Settled): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.settle(answer);
  }

  /**
   * Send this browser's part in a shuffle: random bytes, stored to check the shuffle later. A seed that was sent
   * before is sent again unchanged, so that the stored seed is the one that the server has, if it has any.
   */
  #seed(): void {
    if (!this.table) return;
    const { fairness, waiting_for: waitingFor } = this.table.shared;
    const { seat } = this.table.you;
    if (!fairness || seat === null || waitingFor !== 'shuffle' || this.#seeded === fairness.commitment)
      return;
    if (fairness.given.includes(seat)) return;
    this.#seeded = fairness.commitment;
    const before = ownSeed(this.id, fairness.shuffle);
    const value = before?.commitment === fairness.commitment ? before.value : token(32);
    const cut = this.cutMyself() ? null : 150 + (crypto.getRandomValues(new Uint16Array(1))[0]! % 701);
    keepSeed(this.id, fairness.shuffle, { commitment: fairness.commitment, value });
    void this.send({ type: 'seed', shuffle: fairness.shuffle, value, cut });
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

/** Call all listeners. An error in one, such as an animation or a sound, must not stop the table. */
function notify<T extends unknown[]>(listeners: Iterable<(...change: T) => unknown>, ...change: T): void {
  for (const listener of listeners) {
    try {
      listener(...change);
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
