/** The server's side of a table for tests of components: what it sends, receives and answers. */
import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { vi } from 'vitest';

import { BLANK, SPECTATOR } from '$lib/net/blank';
import {
  USUAL_TABLE,
  type Answer,
  type ChatLine,
  type ClientMessage,
  type TableEvent,
  type MeldPlate,
  type TableInfo,
  type You,
  type PlacedCard,
  type Reason,
  type SeatPlate,
  type Snapshot,
  type TriedFrom,
  type Update,
} from '$lib/net/protocol';
import TablePage from '$lib/table/TablePage.svelte';

/** What a table begins with; what is left out is as in `SHARED`, `OPTIONS` and `OWN`. */
export type TableSetup = {
  shared?: Partial<Snapshot>;
  options?: Partial<TableInfo>;
  you?: You;
  missed?: TableEvent[];
  chat?: ChatLine[];
};

export const OPTIONS: TableInfo = { ...USUAL_TABLE, players: 3, private: true, deals: 2 };

/** A seat's plate: a person who is there, unless it says otherwise. */
export function plate(name: string, more: Partial<SeatPlate> = {}): SeatPlate {
  return {
    kind: 'person',
    name,
    level: null,
    here: true,
    bot_in_ms: null,
    ready: false,
    replace_in_ms: null,
    vacant_in_ms: null,
    ask_in_ms: null,
    asked_for: 0,
    gone: false,
    nudge_in_ms: null,
    waited_for: false,
    robot: false,
    ...more,
  };
}

/** What a table says of its deal if that is a deal of the day. */
export const triedDay = (day: string, practice = false): TriedFrom => ({
  table: '',
  deal: 1,
  frame: 0,
  turn: 1,
  seat: 0,
  redealt: false,
  points: [],
  lesson: null,
  day,
  practice,
});

/** A seat that a bot of the server plays. */
export const bot = (name: string): SeatPlate => plate(name, { kind: 'bot', level: 'greedy' });

/** A card as it lies in a meld. */
export function placed(card: string, seat: number, points = 10, place: string | null = null): PlacedCard {
  return { card, place, seat, points };
}

/** A meld on the table, all its cards laid by its owner. */
export function meld(number: number, kind: 'run' | 'set', owner: number, cards: string): MeldPlate {
  const laid = cards.split(' ').map((card) => placed(card, owner));
  return { number, kind, owner, cards: laid, at_once: false };
}

export const SHARED: Snapshot = {
  ...BLANK,
  status: 'playing',
  asked: 18,
  waiting_for: 'play',
  actor: 0,
  seats: [plate('Nora'), bot('Emmy'), bot('Carl')],
  host: 0,
  deal: 1,
  dealer: 1,
  totals: [0, 0, 0],
  accounts: [0, 0, 0],
  phase: 'play',
  turn: 0,
  hand_sizes: [8, 7, 1],
  known: [[], [], []],
  pile: ['JS', '4C'],
  stock: 28,
  melds: [meld(0, 'run', 2, '9D 10D JD'), meld(1, 'set', 2, 'QS QH QC')],
  laid: [0, 0, 59],
};

const HAND = '2S 3H 7H 2D QD KD 5C 6C'.split(' ');

export const OWN: You = {
  ...SPECTATOR,
  seat: 0,
  hand: HAND,
  drawn: '2D',
  may: ['lay', 'discard'],
  discards: Object.fromEntries(HAND.map((card) => [card, `discard ${card}`])),
};

/** A table whose viewer is to draw: card `7S` alone could be taken from the pile. */
export const TO_DRAW: TableSetup = {
  shared: { phase: 'draw', pile: ['QC', '7S'], melds: [meld(0, 'run', 2, '4S 5S 6S')] },
  you: {
    ...OWN,
    hand: '6H JH KH 3D 10D 2C 9C'.split(' '),
    drawn: null,
    may: ['draw', 'take'],
    plays: { draw: 'draw' },
    takes: { '1': 'take 1' },
    discards: {},
  },
};

type Asked = Extract<ClientMessage, { type: 'ask' }>;
type Advice = Partial<Pick<Answer, 'options' | 'groups' | 'reason' | 'refused' | 'hint'>>;

/** Takes the part of the server at the other end of the page's WebSocket. */
export class FakeServer {
  /** All messages of the page, the oldest first. */
  readonly received: ClientMessage[] = [];
  /** The advice for `ask`, at once or later; a test replaces it. */
  advise: (asked: Asked) => Advice | Promise<Advice> = () => ({});
  /** Return why a request is refused, or null to grant it. */
  refuse: (message: ClientMessage) => { reason: Reason; column?: number } | null = () => null;

  /** Additional fields of the next `sync`, after a lost connection. */
  next: { missed?: TableEvent[]; gap?: boolean } = {};

  readonly #setup: TableSetup;
  #socket: Socket | null = null;
  #number = 18;

  constructor(setup: TableSetup = {}) {
    this.#setup = setup;
    const server = this;
    vi.stubGlobal(
      'WebSocket',
      class extends Socket {
        constructor(readonly url: string) {
          super((text) => server.#receive(JSON.parse(text) as ClientMessage));
          server.#socket = this;
        }
      },
    );
  }

  /** Return the requests of this type, the oldest first. */
  requests<T extends ClientMessage['type']>(type: T): Extract<ClientMessage, { type: T }>[] {
    return this.received.filter((message) => message.type === type) as Extract<ClientMessage, { type: T }>[];
  }

  /** Send the page an update. */
  async update(update: Omit<Partial<Update>, 'type' | 'number'>): Promise<void> {
    this.#number += 1;
    await this.send({ type: 'update', number: this.#number, ...update });
  }

  /** Send the page any message. */
  async send(message: object): Promise<void> {
    this.#socket!.onmessage?.({ data: JSON.stringify(message) });
    await tick();
  }

  /** Close the connection, as when the network fails. */
  async cut(): Promise<void> {
    this.#socket!.readyState = 3;
    this.#socket!.onclose?.({ code: 1006 });
    await tick();
  }

  #receive(message: ClientMessage): void {
    this.received.push(message);
    const refused = this.refuse(message);
    if (message.type === 'join') this.#join(message.id);
    else if (message.type === 'ask') void this.#answer(message.id, this.advise(message));
    else if (message.type === 'ping') void this.send({ type: 'pong', re: message.id });
    else if (refused) void this.send({ type: 'refused', re: message.id, ...refused });
    else void this.send({ type: 'update', number: this.#number, re: message.id });
  }

  async #answer(re: string, advice: Advice | Promise<Advice>): Promise<void> {
    const known = advice instanceof Promise ? await advice : advice;
    await this.send({ type: 'answer', re, ...known });
  }

  #join(id: string): void {
    const { shared, options, you, missed = [], chat = [] } = this.#setup;
    void this.send({
      type: 'sync',
      re: id,
      table: 't',
      number: this.#number,
      gap: false,
      missed,
      options: { ...OPTIONS, ...options },
      shared: { ...SHARED, ...shared },
      you: you ?? OWN,
      chat,
      ...this.next,
    });
  }
}

class Socket {
  static readonly OPEN = 1;
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly send: (text: string) => void) {
    queueMicrotask(() => {
      this.readyState = Socket.OPEN;
      this.onopen?.();
    });
  }

  close(): void {
    this.readyState = 3;
  }
}

/** Open the page of a table with this server, and wait until it shows the table. */
export async function atTable(setup: TableSetup = {}, advise?: FakeServer['advise']): Promise<FakeServer> {
  const server = new FakeServer(setup);
  if (advise) server.advise = advise;
  const { getByTestId } = render(TablePage, { id: 't' });
  await vi.waitFor(() => {
    const { live, advice, number } = getByTestId('table').dataset;
    if (live !== 'live' || advice !== number) throw new Error('the table is not there yet');
  });
  return server;
}

/** Return the text of an element without marks of direction, with drawn cards by their names. */
export function read(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const card of copy.querySelectorAll('[role=img][aria-label]'))
    card.replaceWith(card.getAttribute('aria-label')!);
  return copy
    .textContent!.replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
