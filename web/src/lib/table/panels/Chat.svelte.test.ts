import { cleanup, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

import { settings } from '$lib/app/settings.svelte';
import { SPECTATOR } from '$lib/net/blank';
import { atTable, bot, plate, type TableSetup } from '../../../testing/table';

const FRIENDS: TableSetup = { shared: { seats: [plate('Nora'), plate('Bo'), bot('Carl')] } };
const LINE = { type: 'chat', number: 3, seat: 1, name: 'Bo', text: 'psst <b>over here</b>' } as const;

beforeEach(() => Object.assign(settings, { privateChat: true, openChat: false }));

async function open(name = 'Reactions and chat'): Promise<HTMLElement> {
  await userEvent.click(screen.getAllByRole('button', { name })[0]!);
  return screen.findByRole('dialog', { name: 'Reactions and chat' });
}

test('at a private table a new line is counted at the icon, shown as text, and read once it is in view', async () => {
  const server = await atTable({ ...FRIENDS, chat: [{ ...LINE, number: 2, text: 'Hello there' }] });
  await server.send(LINE);
  const panel = await open('1 new message in the chat');
  expect(within(panel).getByRole('log', { name: 'Chat' })).toHaveTextContent(
    /Bo Hello there B?Bo psst <b>over here<\/b>/,
  );
  await userEvent.click(within(panel).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
  await server.send({ ...LINE, number: 4, seat: 0, name: 'Nora' });
  expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
});

test('lines that came while the page was closed are unread on return', async () => {
  await atTable({ ...FRIENDS, chat: [LINE] });
  expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
  cleanup();
  const later = [LINE, { ...LINE, number: 9 }, { ...LINE, number: 12 }];
  await atTable({ ...FRIENDS, chat: later });
  expect(screen.getByRole('button', { name: '2 new messages in the chat' })).toBeInTheDocument();
});

test('at an open table chat is off until it is turned on, and the panel says so', async () => {
  const server = await atTable({ ...FRIENDS, options: { private: false } });
  await server.send(LINE);
  expect(screen.queryByRole('button', { name: /new message/ })).toBeNull();
  const panel = await open();
  expect(panel).toHaveTextContent('Chat is off at open tables until you turn it on.');
  expect(panel).not.toHaveTextContent('psst');
  await userEvent.click(within(panel).getByRole('button', { name: 'Show chat' }));
  expect(within(panel).getByRole('log', { name: 'Chat' })).toHaveTextContent('psst');
  expect([settings.privateChat, settings.openChat]).toEqual([true, true]);
});

test('what is written goes to the table; what was not sent stays to be sent again', async () => {
  const server = await atTable(FRIENDS);
  const panel = await open();
  expect(panel).toHaveTextContent('Nobody has written yet.');
  const line = within(panel).getByRole('textbox', { name: 'Write to the table' });
  await userEvent.type(line, '  Good luck  {Enter}');
  await expect.poll(() => server.requests('chat').map(({ text }) => text)).toEqual(['Good luck']);
  expect(line).toHaveValue('');
  await server.send({ type: 'chat', number: 4, seat: 0, name: 'Nora', text: 'Good luck' });
  expect(within(panel).getByRole('log')).toHaveTextContent('Good luck Sent ✓');
  server.refuse = () => ({ reason: { code: 'chat.slow' } });
  await userEvent.type(line, 'and again{Enter}');
  expect(await within(panel).findByRole('alert')).toHaveTextContent('That was not sent. Wait a moment.');
  expect(line).toHaveValue('and again');
});

test('a reaction is sent by one press and shown at its seat for a while', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const server = await atTable();
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.click(screen.getAllByRole('button', { name: 'Reactions and chat' })[0]!);
    await user.click(await screen.findByRole('button', { name: 'Well played!' }));
    await expect
      .poll(() => server.requests('reaction').map(({ reaction }) => reaction))
      .toEqual(['well-played']);
    expect(await screen.findByText('Sent: Well played!')).toBeInTheDocument();
    await server.send({ type: 'reaction', seat: 1, reaction: 'thanks' });
    const emmy = screen.getByRole('region', { name: /^Emmy/ });
    expect(emmy).toHaveTextContent('Thanks!');
    await vi.advanceTimersByTimeAsync(3_100);
    expect(emmy).not.toHaveTextContent('Thanks!');
  } finally {
    vi.useRealTimers();
  }
});

test('a spectator can chat but has no reactions', async () => {
  await atTable({ ...FRIENDS, you: SPECTATOR });
  const panel = await open();
  expect(within(panel).queryByRole('group', { name: 'Reactions' })).toBeNull();
  expect(within(panel).getByRole('textbox', { name: 'Write to the table' })).toBeInTheDocument();
});
