import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ownSeed, TableConnection } from './connection.svelte';

type Sent = { type: string; id: string; [field: string]: unknown };

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const last = (): Socket => Socket.all.at(-1)!;
const sync = (re: string, number: number, more: object = {}): object => ({
  type: 'sync',
  re,
  table: 't',
  number,
  gap: true,
  missed: [],
  options: { players: 2 },
  shared: { status: 'playing', asked: number, pile: ['2S'], stock: 30 },
  you: { seat: 0, hand: ['8C'], may: ['draw'] },
  chat: [],
  ...more,
});

function joined(number = 5): TableConnection {
  const connection = new TableConnection('t');
  connection.start();
  last().open();
  last().say(sync(last().sent[0]!.id, number));
  return connection;
}

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  const kept = new Map<string, string>();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('document', {
    addEventListener: () => 0,
    removeEventListener: () => 0,
    visibilityState: 'visible',
  });
  vi.stubGlobal('addEventListener', () => 0);
  vi.stubGlobal('removeEventListener', () => 0);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a connection to a table', () => {
  it('joins by the protocol, from the beginning', () => {
    const connection = joined();
    expect(last().url).toBe('ws://here/ws/t');
    expect(last().protocol).toBe('rum500.v1');
    expect(last().sent[0]).toMatchObject({ type: 'join', last: 0 });
    expect(connection.status).toBe('live');
    expect(connection.you.hand).toEqual(['8C']);
  });

  it('merges what has changed, and settles the request that brought it about', async () => {
    const connection = joined();
    const reply = connection.send({ type: 'play', asked: 5, play: '1' });
    const { id } = last().sent.at(-1)!;
    const events = [{ number: 6, kind: 'draw', seat: 0 }];
    last().say({
      type: 'update',
      number: 6,
      re: id,
      events,
      shared: { stock: 29 },
      you: { hand: ['8C', '9C'] },
    });
    expect(await reply).toEqual({ ok: true });
    expect(connection.shared).toMatchObject({ stock: 29, pile: ['2S'] });
    expect(connection.you).toMatchObject({ seat: 0, hand: ['8C', '9C'] });
    expect(connection.events).toEqual(events);
  });

  it('says why a request was refused', async () => {
    const connection = joined();
    const reply = connection.send({ type: 'say', asked: 5, text: 'frob' });
    last().say({ type: 'refused', re: last().sent.at(-1)!.id, reason: { code: 'notation' }, column: 1 });
    expect(await reply).toEqual({ ok: false, reason: { code: 'notation' }, column: 1 });
  });

  it('comes back by itself, asks for what it missed, and says what was not answered under the same id', async () => {
    const connection = joined(5);
    const reply = connection.send({ type: 'play', asked: 5, play: '1' });
    const question = connection.ask('turn');
    const play = last().sent.find(({ type }) => type === 'play')!;
    last().drop();
    expect(connection.status).toBe('lost');
    expect(await question).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(Socket.all).toHaveLength(2);
    last().open();
    expect(last().sent[0]).toMatchObject({ type: 'join', last: 5 });
    const missed = [{ number: 6, kind: 'draw', seat: 1 }];
    last().say(sync(last().sent[0]!.id, 6, { missed }));
    expect(connection.status).toBe('live');
    expect(connection.missed).toBe(1);
    expect(last().sent.filter(({ type }) => type === 'play')).toEqual([play]);
    last().say({ type: 'update', number: 7, re: play.id });
    expect(await reply).toEqual({ ok: true });
  });

  it('takes a connection that no longer answers for lost', () => {
    const connection = joined();
    vi.advanceTimersByTime(20_001);
    expect(last().sent.at(-1)).toMatchObject({ type: 'ping' });
    vi.advanceTimersByTime(8_001);
    expect(connection.status).toBe('lost');
  });

  it('gives its part of a shuffle once, and remembers it', () => {
    joined();
    const fairness = { shuffle: 3, commitment: 'c0ffee', given: [], seed: null, context: 't/3' };
    const update = { type: 'update', number: 6, shared: { waiting_for: 'shuffle', fairness } };
    last().say(update);
    last().say(update);
    const seeds = last().sent.filter(({ type }) => type === 'seed');
    expect(seeds).toHaveLength(1);
    expect(seeds[0]!.value).toMatch(/^[0-9a-f]{64}$/);
    expect(seeds[0]!.cut).toBeGreaterThanOrEqual(150);
    expect(ownSeed('t', 3)).toEqual({ commitment: 'c0ffee', value: seeds[0]!.value });
  });

  it('stays closed where the table was opened elsewhere', async () => {
    const connection = joined();
    last().say({ type: 'bye', reason: 'elsewhere' });
    vi.advanceTimersByTime(60_000);
    expect(connection.status).toBe('closed');
    expect(Socket.all).toHaveLength(1);
    expect(await connection.send({ type: 'next' })).toMatchObject({ ok: false });
  });
});
