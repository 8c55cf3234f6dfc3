import { afterEach, expect, it, vi } from 'vitest';

const NOW = Date.UTC(2026, 10, 27, 12);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['twenty hours ahead', 20 * 3_600_000],
  ['a day behind', -86_400_000],
  ['right', 0],
])('the time is the one of the server where the own clock is %s', async (_, off) => {
  vi.useFakeTimers({ now: NOW + off, toFake: ['Date'] });
  const headers = { date: new Date(NOW).toUTCString() };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('[]', { headers })));
  vi.resetModules();
  const [api, time] = await Promise.all([import('./api'), import('./serverTime')]);
  await api.profiles();
  expect(time.serverNow()).toBe(NOW);
  vi.setSystemTime(NOW + off + 5_000);
  expect(time.serverNow()).toBe(NOW + 5_000);
});
