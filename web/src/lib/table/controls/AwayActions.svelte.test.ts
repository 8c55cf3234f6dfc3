import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { atTable, bot, OWN, plate, type TableSetup } from '../../../testing/table';

const away = (more: object = {}): TableSetup => ({
  you: { ...OWN, may: [], discards: {} },
  shared: {
    actor: 1,
    turn: 1,
    seats: [
      plate('Nora'),
      plate('Ada', { here: false, nudge_in_ms: 0, replace_in_ms: 0, ...more }),
      bot('Carl'),
    ],
  },
});

test('while somebody is away without a clock, the table waits; one can nudge, or vote for a bot', async () => {
  const server = await atTable(away());
  expect(screen.getByText('Ada is away. The table waits: no clock.')).toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: /^Nudge/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Bot for Ada this turn only' }));
  await userEvent.click(screen.getByRole('button', { name: 'Bot for Ada until back' }));
  await expect.poll(() => server.requests('nudge')).toMatchObject([{ seat: 1 }]);
  await expect
    .poll(() => server.requests('vote'))
    .toMatchObject([
      { on: 'stand_in', yes: true },
      { on: 'replace', yes: true },
    ]);
});

test.each([
  ['the host gives a vacant seat to a bot without a vote', 0, 'seat_bot', { seat: 1, level: 'greedy' }],
  ['another player asks the others', 2, 'vote', { on: 'replace', yes: true }],
] as const)('%s', async (_, host, type, sent) => {
  const { shared, ...more } = away({ vacant_in_ms: 0 });
  const server = await atTable({ ...more, shared: { ...shared, host }, options: { level: 'greedy' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Bot for Ada until back' }));
  await expect.poll(() => server.requests(type)).toMatchObject([sent]);
});

test('what is not possible yet is not sent, says when it is, and opens when that time is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['performance', 'setInterval', 'clearInterval'] });
  try {
    const server = await atTable(away({ nudge_in_ms: 120_000, replace_in_ms: 60_000 }));
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const nudge = await screen.findByRole('button', { name: /^Nudge/ });
    expect(nudge).toHaveTextContent('possible in 2 minutes');
    await user.click(nudge);
    await user.click(screen.getByRole('button', { name: /^Bot for Ada/ }));
    expect([...server.requests('nudge'), ...server.requests('vote')]).toEqual([]);
    await vi.advanceTimersByTimeAsync(121_000);
    expect(nudge).toHaveTextContent('tell Ada');
    await user.click(nudge);
    await expect.poll(() => server.requests('nudge')).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('while bots alone play, their speed is chosen in the place of the actions', async () => {
  const you = { ...OWN, may: [], discards: {} };
  const server = await atTable({ you, shared: { actor: 1, turn: 1, speed: 'normal' } });
  const speeds = await screen.findByRole('radiogroup', { name: 'Speed of the bots' });
  expect(within(speeds).getByRole('radio', { name: 'Normal' })).toBeChecked();
  await userEvent.click(within(speeds).getByRole('radio', { name: 'Fast' }));
  await expect.poll(() => server.requests('set_speed')).toMatchObject([{ speed: 'fast' }]);
  await userEvent.click(screen.getByRole('button', { name: 'To my turn' }));
  await expect.poll(() => server.requests('to_my_turn')).toHaveLength(1);
});

test('the turns that a bot played are listed on return, and one asks to be waited for', async () => {
  const events = [{ number: 17, kind: 'discard', seat: 0, card: '9H' }];
  const server = await atTable({ you: { ...OWN, bot_turns: [{ deal: 1, events }] } });
  const list = await screen.findByRole('region', { name: 'A bot played 1 turn for you' });
  expect(within(list).getByRole('listitem')).toHaveTextContent(/discarded/);
  await userEvent.click(within(list).getByRole('button', { name: 'Wait for me next time' }));
  await expect.poll(() => server.requests('wait_for_me')).toHaveLength(1);
  await expect.poll(() => screen.queryByRole('region', { name: /A bot played/ })).toBeNull();
});
