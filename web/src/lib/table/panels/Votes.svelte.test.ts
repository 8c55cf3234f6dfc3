import { screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { SPECTATOR } from '../../net/blank';
import { atTable, bot, plate } from '../../../testing/table';

const seats = [plate('Nora'), plate('Bo'), bot('Carl')];

test.each([
  ['pause', 'Pause wanted by Bo'],
  ['abandon', 'End for all wanted by Bo'],
])('what another asks for is agreed to: %s', async (on, words) => {
  const server = await atTable({ shared: { seats, votes: { [on]: [1] } } });
  expect(screen.getByText(words)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Agree' }));
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on, yes: true }]);
});

test('what one has asked for is withdrawn, and is gone with the vote', async () => {
  const server = await atTable({ shared: { seats, votes: { pause: [0] } } });
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'pause', yes: false }]);
  await server.update({ shared: { votes: {} } });
  expect(screen.queryByText(/wanted by/)).toBeNull();
});

test('from a pause there is always a way back', async () => {
  const server = await atTable({ shared: { seats, status: 'paused', waiting_for: 'play' } });
  expect(screen.getByText('The game is paused.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'resume', yes: true }]);
  await server.update({ shared: { votes: { resume: [1] } } });
  expect(screen.getByText(/^Ready to go on: Bo\./)).toBeInTheDocument();
});

test('who watches is not asked', async () => {
  await atTable({ shared: { seats, votes: { pause: [1] } }, you: SPECTATOR });
  expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
});
