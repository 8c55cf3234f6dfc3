import { cleanup } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { hasLeft } from '$lib/app/push';
import { settings } from '$lib/app/settings.svelte';
import { answering, ME, myTable, summary } from '../../../testing/http';
import { atTable, bot, OWN, plate, TO_DRAW, type TableSetup } from '../../../testing/table';

const badges: number[] = [];
const buzzes: number[] = [];
let icon: HTMLLinkElement;

beforeEach(() => {
  badges.length = buzzes.length = 0;
  document.title = 'Table · rum500';
  Object.assign(navigator, {
    setAppBadge: (count: number) => Promise.resolve(void badges.push(count)),
    vibrate: (ms: number) => buzzes.push(ms),
    userActivation: { hasBeenActive: true },
  });
  icon = document.head.appendChild(document.createElement('link'));
  icon.rel = 'icon';
});

afterEach(() => {
  cleanup();
  icon.remove();
  Reflect.deleteProperty(navigator, 'setAppBadge');
  Reflect.deleteProperty(navigator, 'vibrate');
  Reflect.deleteProperty(navigator, 'userActivation');
  Reflect.deleteProperty(document, 'visibilityState');
});

const WAITING: TableSetup = {
  shared: { seats: [plate('Nora'), plate('Bo'), bot('Carl')], actor: 1, turn: 1 },
  you: { ...OWN, may: [], discards: {} },
};
const MINE = { shared: { actor: 0, turn: 0, phase: 'draw' }, you: TO_DRAW.you! } as const;

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    value: hidden ? 'hidden' : 'visible',
    configurable: true,
  });
  document.dispatchEvent(new Event('visibilitychange'));
}

const signs = (): unknown => [document.title, icon.getAttribute('href')];
const TURN = ['Your turn · rum500', '/icon-turn.svg'];
const NO_TURN = ['Table · rum500', '/icon.svg'];

test('title and icon say whose turn it is, and no longer when the table is left', async () => {
  const server = await atTable(WAITING);
  await expect.poll(signs).toEqual(NO_TURN);
  await server.update(MINE);
  await expect.poll(signs).toEqual(TURN);
  await server.update({ shared: { actor: 1, turn: 1 }, you: { may: [], plays: {}, takes: {} } });
  await expect.poll(signs).toEqual(NO_TURN);
  await server.update(MINE);
  await expect.poll(signs).toEqual(TURN);
  cleanup();
  await expect.poll(() => icon.getAttribute('href')).toBe('/icon.svg');
});

test('the badge counts this table and the others that wait', async () => {
  const paused = myTable('paused', { my_turn: false });
  answering({
    'GET /api/me': ME,
    'GET /api/tables/mine': [myTable('a'), myTable('t', { table: summary('t') }), paused],
  });
  const server = await atTable(WAITING);
  await expect.poll(() => badges.at(-1)).toBe(1);
  await server.update(MINE);
  await expect.poll(() => badges.at(-1)).toBe(2);
});

test('one buzz at the turn’s beginning, with sounds off too', async () => {
  const server = await atTable(WAITING);
  expect(settings.sound).toBe(false);
  await server.update(MINE);
  await server.update({ shared: { phase: 'play' }, you: OWN });
  expect(buzzes).toEqual([30]);
});

test('the page reports to the server whether it shows the table', async () => {
  const server = await atTable(WAITING);
  expect(server.requests('look')).toEqual([]);
  hide(true);
  hide(false);
  expect(server.requests('look').map(({ shown }) => shown)).toEqual([false, true]);
  hide(true);
  await server.cut();
  await vi.waitFor(() => expect(server.requests('join')).toHaveLength(2), 10_000);
  await expect
    .poll(() => server.requests('look').map(({ shown }) => shown))
    .toEqual([false, true, false, false]);
});

test('the menu offers messages after a table was left waiting for others too', async () => {
  const server = await atTable(WAITING);
  await expect.poll(signs).toEqual(NO_TURN);
  hide(true);
  expect(hasLeft()).toBe(false);
  hide(false);
  await server.update(MINE);
  await expect.poll(signs).toEqual(TURN);
  hide(true);
  expect(hasLeft()).toBe(true);
});

test('a table with bots alone can wait unnoticed', async () => {
  await atTable(TO_DRAW);
  await expect.poll(signs).toEqual(TURN);
  hide(true);
  await userEvent.click(document.body);
  expect(hasLeft()).toBe(false);
});
