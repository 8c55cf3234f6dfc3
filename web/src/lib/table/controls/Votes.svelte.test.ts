import { screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import { atTable, bot, plate } from '../../../testing/table';

const seats = [plate('Nora'), plate('Bo'), bot('Carl')];

test.each([
  ['pause', 'Pause wanted by Bo'],
  ['abandon', 'End for all wanted by Bo'],
])('what another asks for is agreed to: %s', async (on, words) => {
  const server = await atTable({ shared: { seats, votes: { [on]: [1] } } });
  expect(await screen.findByText(words)).toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: 'Agree' }));
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on, yes: true }]);
});

test('what is put away leaves the turn in its place, and a new vote is shown again', async () => {
  const server = await atTable({ shared: { seats, votes: { pause: [1] } } });
  const slot = document.querySelector('.status-slot')!;
  expect(slot).not.toHaveTextContent('Your turn');
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Pause wanted by Bo')).toBeNull();
  expect(slot).toHaveTextContent('Your turn');
  expect(server.requests('vote')).toEqual([]);
  await server.update({ shared: { votes: { pause: [1], abandon: [1] } } });
  expect(await screen.findByText('Pause wanted by Bo')).toBeInTheDocument();
  expect(await screen.findByText('End for all wanted by Bo')).toBeInTheDocument();
});

test('from a pause there is always a way back', async () => {
  const server = await atTable({ shared: { seats, status: 'paused', waiting_for: 'play' } });
  expect(await screen.findByText('The game is paused.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }));
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'resume', yes: true }]);
  await server.update({ shared: { votes: { resume: [1] } } });
  expect(await screen.findByText(/^Ready to continue: Bo\./)).toBeInTheDocument();
});

test('a spectator is not asked', async () => {
  await atTable({ shared: { seats, votes: { pause: [1] } }, you: SPECTATOR });
  expect(screen.queryByRole('button', { name: 'Agree' })).toBeNull();
});
