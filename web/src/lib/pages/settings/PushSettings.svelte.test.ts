import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';

import { noteLeft, renewPush } from '$lib/app/push';
import { Refusal } from '../../../testing/http';
import { KEY, PushBrowser } from '../../../testing/push';
import { atTable } from '../../../testing/table';
import PushSettings from './PushSettings.svelte';

const ADD = '/api/notices/browsers';
const WANTED = /^Notify me when a table waits for me/;

let browser: PushBrowser | undefined;
afterEach(() => browser?.end());

const box = (): Promise<HTMLInputElement> => screen.findByRole('checkbox', { name: WANTED });

test('the browser asks only when the visitor turns notifications on, and the server gets the address', async () => {
  browser = new PushBrowser();
  render(PushSettings);
  expect(await box()).not.toBeChecked();
  expect(screen.queryByRole('checkbox', { name: /^Quiet hours/ })).toBeNull();
  expect(browser.permission).toBe('default');
  await userEvent.click(await box());
  expect(await screen.findByRole('checkbox', { name: /^Quiet hours/ })).not.toBeChecked();
  expect(await box()).toBeChecked();
  expect(browser.sent(ADD)).toEqual([
    {
      endpoint: 'https://push.example/1',
      p256dh: 'public',
      auth: 'secret',
      language: 'en',
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      quiet_from: null,
      quiet_to: null,
    },
  ]);
});

test('quiet hours are stored and sent', async () => {
  browser = new PushBrowser().subscribed();
  const { unmount } = render(PushSettings);
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Quiet hours/ }));
  await expect.poll(() => browser!.sent(ADD).at(-1)).toMatchObject({ quiet_from: 1320, quiet_to: 420 });
  const until = screen.getByLabelText('To') as HTMLInputElement;
  expect(until).toHaveValue('07:00');
  until.value = '08:30';
  until.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.poll(() => browser!.sent(ADD).at(-1)).toMatchObject({ quiet_from: 1320, quiet_to: 510 });
  unmount();
  render(PushSettings);
  expect(await screen.findByLabelText('To')).toHaveValue('08:30');
  await userEvent.click(await screen.findByRole('checkbox', { name: /^Quiet hours/ }));
  await expect.poll(() => browser!.sent(ADD).at(-1)).toMatchObject({ quiet_from: null, quiet_to: null });
});

test('messages end with the switch', async () => {
  browser = new PushBrowser().subscribed();
  render(PushSettings);
  await userEvent.click(await box());
  await expect.poll(() => browser!.sent(`${ADD}/remove`)).toEqual([{ endpoint: 'https://push.example/1' }]);
  expect(await box()).not.toBeChecked();
  expect(browser.subscription).toBeNull();
});

test('a visitor that blocked notifications sees where to allow them', async () => {
  browser = new PushBrowser();
  browser.answer = 'denied';
  render(PushSettings);
  await userEvent.click(await box());
  expect(await screen.findByText(/^This browser blocks messages/)).toBeInTheDocument();
  expect(await box()).toBeDisabled();
  expect(browser.sent(ADD)).toEqual([]);
});

test('a refusal of the server is shown as a failure', async () => {
  browser = new PushBrowser({ [`POST ${ADD}`]: new Refusal(422, { code: 'push.endpoint', message: '' }) });
  render(PushSettings);
  await userEvent.click(await box());
  expect(await screen.findByText(/^That did not work/)).toBeInTheDocument();
});

test.each([
  ['the host has turned them off', () => new PushBrowser({ 'GET /api/notices': { key: null } })],
  ['the browser has none', () => undefined],
])('nothing is offered where %s', async (_, given) => {
  browser = given();
  render(PushSettings);
  expect(await screen.findByText(/^No messages can be shown here/)).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('the subscription is sent once a day, and at once if the server has another key', async () => {
  browser = new PushBrowser().subscribed();
  await renewPush();
  await renewPush();
  expect(browser.sent(ADD)).toHaveLength(1);
  browser.subscribed('BAAA');
  await renewPush();
  expect(browser.sent(ADD)).toHaveLength(2);
  const key = new Uint8Array(browser.subscription!.options.applicationServerKey);
  expect(btoa(String.fromCharCode(...key))).toBe(KEY.replace('_', '/').replace('-', '+') + '==');
});

test('the menu asks in one line, after the first table left waiting', async () => {
  browser = new PushBrowser();
  await atTable();
  const menu = async (): Promise<HTMLElement> => {
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
    const panel = await screen.findByRole('dialog', { name: 'Menu' });
    await within(panel).findByRole('heading', { name: 'For me' });
    return panel;
  };
  let panel = await menu();
  expect(within(panel).queryByText(WANTED)).toBeNull();
  await userEvent.click(within(panel).getByRole('button', { name: 'Close' }));
  noteLeft();
  panel = await menu();
  await userEvent.click(await within(panel).findByRole('switch', { name: WANTED }));
  await expect.poll(() => browser!.sent(ADD)).toHaveLength(1);
});
