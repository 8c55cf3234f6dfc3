import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import { atTable, plate } from '../../../testing/table';

async function open(): Promise<HTMLElement> {
  await userEvent.click(screen.getAllByRole('button', { name: 'Reactions and chat' })[0]!);
  const panel = await screen.findByRole('dialog', { name: 'Reactions and chat' });
  await within(panel).findByText('Chat is muted.');
  return panel;
}

test('chat is silent until it is wanted, and is shown as text', async () => {
  const server = await atTable({ chat: [{ type: 'chat', seat: 1, name: 'Bo', text: 'Hello there' }] });
  await server.send({ type: 'chat', seat: 1, name: 'Bo', text: 'psst <b>over here</b>' });
  const panel = await open();
  expect(panel).not.toHaveTextContent('psst');
  await userEvent.click(within(panel).getByRole('button', { name: 'Show chat' }));
  const lines = within(panel).getByRole('log', { name: 'Chat' });
  expect(lines).toHaveTextContent(/Bo Hello there\s*Bo psst <b>over here<\/b>/);
  await userEvent.click(within(panel).getByRole('button', { name: 'Mute chat' }));
  expect(within(panel).queryByRole('log')).toBeNull();
});

test('what is written goes to the table; what was not sent stays to be sent again', async () => {
  const server = await atTable();
  const panel = await open();
  await userEvent.click(within(panel).getByRole('button', { name: 'Show chat' }));
  expect(panel).toHaveTextContent('Nobody has written yet.');
  const line = within(panel).getByRole('textbox', { name: 'Write to the table' });
  await userEvent.type(line, '  Good luck  {Enter}');
  await expect.poll(() => server.requests('chat').map(({ text }) => text)).toEqual(['Good luck']);
  expect(line).toHaveValue('');
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
    expect(screen.queryByRole('dialog')).toBeNull();
    await server.send({ type: 'reaction', seat: 1, reaction: 'thanks' });
    const emmy = screen.getByRole('region', { name: /^Emmy/ });
    expect(emmy).toHaveTextContent('Thanks!');
    await vi.advanceTimersByTimeAsync(4_100);
    expect(emmy).not.toHaveTextContent('Thanks!');
  } finally {
    vi.useRealTimers();
  }
});

test('a spectator can chat but has no reactions', async () => {
  await atTable({ you: SPECTATOR, shared: { seats: [plate('Ada'), plate('Ben'), plate('Cy')] } });
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reactions and chat' }));
  const panel = await screen.findByRole('dialog', { name: 'Reactions and chat' });
  expect(within(panel).queryByRole('group', { name: 'Reactions' })).toBeNull();
  expect(within(panel).getByRole('button', { name: 'Show chat' })).toBeInTheDocument();
});
