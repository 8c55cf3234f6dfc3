import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { FromWorker, ToWorker } from './deviceMessages';

/** A worker whose messages the test chooses. */
class Fake {
  static all: Fake[] = [];
  got: ToWorker[] = [];
  ended = false;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;

  constructor() {
    Fake.all.push(this);
  }

  postMessage(message: ToWorker): void {
    this.got.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  say(message: FromWorker): void {
    this.onmessage?.({ data: message });
  }

  /** The id of the last message. */
  get id(): number {
    return (this.got.at(-1) as { id: number }).id;
  }

  answer(id = this.id): void {
    this.say({
      kind: 'answer',
      id,
      status: 200,
      body: new Uint8Array(),
      media: 'text/plain',
      disposition: '',
    });
  }
}

let device: typeof import('./device');
let place: (typeof import('./place.svelte'))['place'];
const last = (): Fake => Fake.all.at(-1)!;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal('Worker', Fake);
  vi.stubGlobal('indexedDB', {});
  vi.spyOn(console, 'warn').mockReturnValue();
  Fake.all = [];
  device = await import('./device');
  ({ place } = await import('./place.svelte'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Send a request and return it with its outcome so far: a status, or the code of its failure. */
function asked(): { outcome: string } {
  const found = { outcome: 'none' };
  device.request('GET', '/api/me').then(
    ({ status }) => (found.outcome = String(status)),
    ({ code }: { code: string }) => (found.outcome = code),
  );
  return found;
}

async function ready(): Promise<void> {
  last().say({ kind: 'ready', damaged: 0 });
  await vi.advanceTimersByTimeAsync(0);
}

describe('a request to the worker', () => {
  it('is answered', async () => {
    const one = asked();
    await ready();
    last().answer();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(one.outcome).toBe('200');
    expect(last().ended).toBe(false);
  });

  it('that fails there fails alone', async () => {
    const one = asked();
    await ready();
    last().say({ kind: 'failed', id: last().id, message: 'no' });
    const two = asked();
    await vi.advanceTimersByTimeAsync(0);
    last().answer();
    await vi.advanceTimersByTimeAsync(0);
    expect([one.outcome, two.outcome, Fake.all.length]).toEqual(['device.request', '200', 1]);
  });

  it('that gets no answer fails although the table sends messages, and the next request starts a new worker', async () => {
    const one = asked();
    await ready();
    for (let s = 0; s < 59; s += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      last().say({ kind: 'message', id: 500, text: '{}' });
    }
    expect(one.outcome).toBe('none');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(one.outcome).toBe('device.silent');
    expect(last().ended).toBe(true);

    const two = asked();
    expect(last().got).toEqual([{ kind: 'start', takeOver: true, name: '' }]);
    await ready();
    last().answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(two.outcome).toBe('200');
  });

  it('of which nothing is heard for 20 s fails', async () => {
    const one = asked();
    await ready();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([one.outcome, last().ended]).toEqual(['device.silent', true]);
  });
});

describe('a start', () => {
  it('of which nothing is heard ends with a state that the page shows, and can be tried again', async () => {
    const one = asked();
    await vi.advanceTimersByTimeAsync(100_000);
    last().say({ kind: 'step', step: 1 });
    await vi.advanceTimersByTimeAsync(119_000);
    expect(place.device).toEqual({ state: 'starting', step: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(place.device).toEqual({ state: 'stopped', code: 'device.failed' });
    expect([one.outcome, last().ended]).toEqual(['device.failed', true]);

    const again = device.restart();
    await ready();
    await again;
    expect(place.device).toEqual({ state: 'ready' });
  });

  it('closes a connection that waits for it', async () => {
    const socket = device.connect('local-a');
    const closed = vi.fn();
    socket.onclose = closed;
    last().onerror?.({ message: 'not loaded' });
    await vi.advanceTimersByTimeAsync(0);
    expect(closed).toHaveBeenCalledOnce();
    expect(place.device).toEqual({ state: 'stopped', code: 'device.failed' });
  });
});
