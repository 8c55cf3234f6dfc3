import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError, me, table } from './api';
import { BLANK, SPECTATOR } from './blank';
import { TableConnection, waitBefore } from './connection.svelte';
import { ownSeed } from './seeds';
import type { Me, TableSummary } from './protocol';

// Test files share their modules: one that ran before may have loaded these with the real `api`.
vi.hoisted(() => vi.resetModules());
vi.mock('./api', async (actual) => ({
  ...(await actual<typeof import('./api')>()),
  me: vi.fn(),
  table: vi.fn(),
}));

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

  deliver(message: object): void {
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
  shared: { ...BLANK, status: 'playing', asked: number, pile: ['2S'], stock: 30 },
  you: { ...SPECTATOR, seat: 0, hand: ['8C'], may: ['draw'] },
  chat: [],
  ...more,
});

const shuffling = (commitment = 'c0ffee'): object => ({
  waiting_for: 'shuffle',
  fairness: { shuffle: 3, commitment, given: [], seed: null, context: 't/3' },
});

function joined(number = 5): TableConnection {
  const connection = new TableConnection('t');
  connection.start();
  last().open();
  last().deliver(sync(last().sent[0]!.id, number));
  return connection;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(me)
    .mockReset()
    .mockResolvedValue({} as Me);
  vi.mocked(table)
    .mockReset()
    .mockResolvedValue({} as TableSummary);
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
    expect(connection.link.state).toBe('live');
    expect(connection.table!.you.hand).toEqual(['8C']);
  });

  it('merges what has changed, and settles the request that brought it about', async () => {
    const connection = joined();
    const reply = connection.send({ type: 'play', asked: 5, play: '1' });
    const { id } = last().sent.at(-1)!;
    const events = [{ number: 6, kind: 'draw', seat: 0 }];
    last().deliver({
      type: 'update',
      number: 6,
      re: id,
      events,
      shared: { stock: 29 },
      you: { hand: ['8C', '9C'] },
    });
    expect(await reply).toEqual({ ok: true });
    expect(connection.table!.shared).toMatchObject({ stock: 29, pile: ['2S'] });
    expect(connection.table!.you).toMatchObject({ seat: 0, hand: ['8C', '9C'] });
    expect(connection.table!.events).toEqual(events);
  });

  it('says why a request was refused', async () => {
    const connection = joined();
    const reply = connection.send({ type: 'say', asked: 5, text: 'frob' });
    last().deliver({ type: 'refused', re: last().sent.at(-1)!.id, reason: { code: 'notation' }, column: 1 });
    expect(await reply).toEqual({ ok: false, reason: { code: 'notation' }, column: 1 });
  });

  it('comes back by itself, asks for what it missed, and says what was not answered under the same id', async () => {
    const connection = joined(5);
    const reply = connection.send({ type: 'play', asked: 5, play: '1' });
    const question = connection.ask('turn');
    const play = last().sent.find(({ type }) => type === 'play')!;
    last().drop();
    expect(connection.link.state).toBe('lost');
    expect(await question).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(Socket.all).toHaveLength(2);
    last().open();
    expect(last().sent[0]).toMatchObject({ type: 'join', last: 5 });
    const missed = [{ number: 6, kind: 'draw', seat: 1 }];
    last().deliver(sync(last().sent[0]!.id, 6, { missed }));
    expect(connection.link.state).toBe('live');
    expect(connection.table!.missed).toBe(1);
    expect(last().sent.filter(({ type }) => type === 'play')).toEqual([play]);
    last().deliver({ type: 'update', number: 7, re: play.id });
    expect(await reply).toEqual({ ok: true });
  });

  it('takes a connection that no longer answers for lost', () => {
    const connection = joined();
    vi.advanceTimersByTime(10_001);
    expect(last().sent.at(-1)).toMatchObject({ type: 'ping' });
    vi.advanceTimersByTime(5_001);
    expect(connection.link.state).toBe('lost');
  });

  it('takes a connection for lost that does not answer what was said', () => {
    const connection = joined();
    void connection.send({ type: 'next' });
    vi.advanceTimersByTime(5_001);
    expect(connection.link.state).toBe('lost');
  });

  it('reads what has arrived while the page was frozen, before it takes the connection for lost', () => {
    const connection = joined();
    void connection.send({ type: 'next' });
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 30_000);
    vi.advanceTimersByTime(5_001);
    expect(connection.link.state).toBe('live');
    last().deliver({ type: 'update', number: 6, re: last().sent.at(-1)!.id });
    clock.mockRestore();
    vi.advanceTimersByTime(5_001);
    expect(connection.link.state).toBe('live');
  });

  it('waits longer for advice', () => {
    const connection = joined();
    void connection.ask('turn');
    vi.advanceTimersByTime(7_000);
    expect(connection.link.state).toBe('live');
    vi.advanceTimersByTime(1_001);
    expect(connection.link.state).toBe('lost');
  });

  it('sends a request again that has no answer of its own, even if other messages arrive', async () => {
    const connection = joined();
    const reply = connection.send({ type: 'pick', asked: 5, position: 7 });
    const first = last().sent.at(-1)!;
    for (let at = 0; at < 4; at += 1) {
      await vi.advanceTimersByTimeAsync(1_900);
      last().deliver({ type: 'update', number: 6 + at, shared: { stock: 29 } });
    }
    expect(connection.link.state).toBe('live');
    await vi.advanceTimersByTimeAsync(500);
    expect(connection.link.state).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    last().deliver(sync(last().sent[0]!.id, 9));
    expect(last().sent.at(-1)).toEqual(first);
    last().deliver({ type: 'update', number: 10, re: first.id });
    expect(await reply).toEqual({ ok: true });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(Socket.all).toHaveLength(2);
  });

  it.each([
    ['is not opened', () => undefined],
    ['is opened, but not answered', () => last().open()],
  ])('tries again where a connection %s', async (_, begin) => {
    const connection = new TableConnection('t');
    connection.start();
    begin();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(Socket.all).toHaveLength(2);
    last().open();
    last().deliver(sync(last().sent[0]!.id, 5));
    expect(connection.link.state).toBe('live');
  });

  it('tries each second while another server may take the table over, and then less often', () => {
    const waits = Array.from({ length: 14 }, (_, index) => waitBefore(index + 1));
    expect(waits.slice(0, 8)).toEqual([400, 800, 1000, 1000, 1000, 1000, 1000, 1000]);
    expect(waits.slice(8)).toEqual([2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('asks who it is if it is refused, because that sets the cookie, and then tries again', async () => {
    const connection = new TableConnection('t');
    connection.start();
    expect(me).not.toHaveBeenCalled();
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(me).toHaveBeenCalledOnce();
    expect(Socket.all).toHaveLength(2);
    connection.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all).toHaveLength(2);
  });

  it('ends where there is no such table', async () => {
    vi.mocked(table).mockRejectedValue(new ApiError('table.unknown', '', 404));
    const connection = new TableConnection('t');
    connection.start();
    last().drop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connection.link).toEqual({ state: 'closed', reason: 'unknown' });
    expect(Socket.all).toHaveLength(1);
  });

  it('joins again where its join was refused', async () => {
    const connection = joined();
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    last().deliver({ type: 'refused', re: last().sent[0]!.id, reason: { code: 'limit.joins' } });
    expect(connection.link.state).toBe('lost');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(Socket.all).toHaveLength(3);
  });

  it('keeps up with the table when a listener fails', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const connection = joined();
    const fail = (): never => {
      throw new Error('a flight');
    };
    connection.onbefore(fail);
    connection.onchange(fail);
    last().deliver({ type: 'update', number: 6, shared: shuffling() });
    expect(connection.table!.number).toBe(6);
    expect(reported).toHaveBeenCalledTimes(2);
    expect(last().sent.at(-1)).toMatchObject({ type: 'seed', shuffle: 3 });
  });

  it('gives its part of a shuffle once, and remembers it', () => {
    joined();
    const update = { type: 'update', number: 6, shared: shuffling() };
    last().deliver(update);
    last().deliver(update);
    const seeds = last().sent.filter(({ type }) => type === 'seed');
    expect(seeds).toHaveLength(1);
    expect(seeds[0]!.value).toMatch(/^[0-9a-f]{64}$/);
    expect(seeds[0]!.cut).toBeGreaterThanOrEqual(150);
    expect(ownSeed('t', 3)).toEqual({ commitment: 'c0ffee', value: seeds[0]!.value });
  });

  it('gives the same part again where it may have been lost, and another to another commitment', () => {
    const seeds = (): unknown[] =>
      last()
        .sent.filter(({ type }) => type === 'seed')
        .map(({ value }) => value);
    joined();
    last().deliver({ type: 'update', number: 6, shared: shuffling() });
    const [value] = seeds();
    joined(); // The page was reloaded.
    last().deliver({ type: 'update', number: 6, shared: shuffling() });
    expect(seeds()).toEqual([value]);
    expect(ownSeed('t', 3)?.value).toBe(value);
    last().deliver({ type: 'update', number: 6, shared: shuffling('decaf') });
    expect(seeds()).toHaveLength(2);
    expect(seeds()[1]).not.toBe(value);
  });

  it('stays closed where the table was opened elsewhere', async () => {
    const connection = joined();
    last().deliver({ type: 'bye', reason: 'elsewhere' });
    vi.advanceTimersByTime(60_000);
    expect(connection.link.state).toBe('closed');
    expect(Socket.all).toHaveLength(1);
    expect(await connection.send({ type: 'next' })).toMatchObject({ ok: false });
  });

  it('stays closed where the table is that of another guest’s deal of the day', () => {
    const connection = new TableConnection('t');
    connection.start();
    last().open();
    const { id } = last().sent.at(-1) as { id: string };
    last().deliver({ type: 'refused', re: id, reason: { code: 'day.private' } });
    last().drop(1008);
    vi.advanceTimersByTime(60_000);
    expect(connection.link).toEqual({ state: 'closed', reason: 'private' });
    expect(Socket.all).toHaveLength(1);
  });

  it('asks who it is where it is refused again, as after a sign-out from another device', () => {
    joined();
    last().deliver({ type: 'bye', reason: 'signed_out' });
    last().drop(1008);
    vi.advanceTimersByTime(1_000);
    expect(Socket.all).toHaveLength(2); // another tab may have the new cookie
    expect(me).not.toHaveBeenCalled();
    last().drop(1006);
    vi.advanceTimersByTime(2_000);
    expect(me).toHaveBeenCalledOnce();
  });
});
