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
const { locks } = navigator;
const last = (): Fake => Fake.all.at(-1)!;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal('Worker', Fake);
  vi.stubGlobal('indexedDB', {});
  vi.stubGlobal('navigator', {});
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

const tick = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(0));

async function ready(): Promise<void> {
  await tick();
  last().say({ kind: 'ready', damaged: 0 });
  await tick();
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
    await tick();
    last().answer();
    await tick();
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
    await tick();
    expect(last().got).toEqual([{ kind: 'start', name: '' }]);
    await ready();
    last().answer();
    await tick();
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
    await tick();
    last().onerror?.({ message: 'not loaded' });
    await tick();
    expect(closed).toHaveBeenCalledOnce();
    expect(place.device).toEqual({ state: 'stopped', code: 'device.failed' });
  });
});

describe('two tabs', () => {
  /** Another tab: modules of its own, and the same locks. */
  async function tab() {
    vi.resetModules();
    return { ...(await import('./device')), ...(await import('./place.svelte')) };
  }
  beforeEach(() => void vi.stubGlobal('navigator', { locks }));

  it('have one worker, which the other one can take over', async () => {
    const [one, two] = [await tab(), await tab()];
    const first = one.request('GET', '/api/me');
    await vi.waitFor(() => expect(Fake.all).toHaveLength(1));
    const second = expect(two.request('GET', '/api/me')).rejects.toMatchObject({ code: 'device.elsewhere' });
    await vi.advanceTimersByTimeAsync(3_000);
    await second;
    expect(two.place.device).toEqual({ state: 'stopped', code: 'device.elsewhere' });
    expect(Fake.all).toHaveLength(1);

    two.restart().catch(() => undefined);
    await expect(first).rejects.toMatchObject({ code: 'device.elsewhere' });
    expect(Fake.all[0]!.ended).toBe(true);
    await vi.waitFor(() => expect(Fake.all).toHaveLength(2));
    expect(two.place.device).toEqual({ state: 'starting', step: 0 });
    two.off();
  });

  it('have one worker after another: a tab that stops gives the tables up, also while it waits for them', async () => {
    const [one, two, three] = [await tab(), await tab(), await tab()];
    void one.request('GET', '/api/me').catch(() => undefined);
    await vi.waitFor(() => expect(Fake.all).toHaveLength(1));
    void two.request('GET', '/api/me').catch(() => undefined);
    two.off();
    one.off();
    void three.request('GET', '/api/me').catch(() => undefined);
    await vi.waitFor(() => expect(Fake.all).toHaveLength(2));
    expect(two.place.device).toEqual({ state: 'off' });
    expect(three.place.device).toEqual({ state: 'starting', step: 0 });
    three.off();
  });
});
