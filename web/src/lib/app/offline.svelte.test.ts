/** A part of the page that cannot be fetched: the page is loaded again if the part is needed. */
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { answering, type Request } from '../../testing/http';
import { enableOffline, fetchAhead } from './offline';

/** Import a part that cannot be fetched, as the built page does: announce the error, then reject. */
async function missingPart(gone: Promise<void>, error = new Error('a part is missing')): Promise<never> {
  await gone;
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
  throw error;
}

beforeAll(enableOffline);

let asked: Request[] = [];
const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
beforeEach(() => {
  asked = answering({ 'GET /healthz': {} });
  sessionStorage.clear();
  reload.mockClear();
});

/** Wait until the page has handled the errors so far: it handles each in a timer, and timers run in order. */
const reacted = (): Promise<unknown> => new Promise((done) => setTimeout(done));
const probes = (): number => asked.filter(({ path }) => path === '/healthz').length;

test('nothing happens while nothing needs the part', async () => {
  fetchAhead(() => missingPart(Promise.resolve()));
  await reacted();
  expect(probes()).toBe(0);
  expect(reload).not.toHaveBeenCalled();
});

test('the page is loaded again for a needed part', async () => {
  await expect(missingPart(Promise.resolve())).rejects.toThrow('a part is missing');
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  expect(probes()).toBe(1);
});

test.each([true, false])(
  'it is loaded again for a needed part that is also being fetched ahead, with the same error: %s',
  async (same) => {
    let fail = (): void => undefined;
    const gone = new Promise<void>((done) => (fail = done));
    const error = new Error('a part is missing');
    fetchAhead(() => missingPart(gone, same ? error : undefined));
    const needed = missingPart(gone, error);
    fail();
    await expect(needed).rejects.toBe(error);
    await expect.poll(() => reload.mock.calls.length).toBe(1);
  },
);

test('it is loaded again for a needed part while another part is still being fetched ahead', async () => {
  fetchAhead(() => new Promise(() => undefined));
  await expect(missingPart(Promise.resolve())).rejects.toThrow('a part is missing');
  await expect.poll(() => reload.mock.calls.length).toBe(1);
});
