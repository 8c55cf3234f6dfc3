import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { router } from '../../app/router.svelte';
import { settings } from '../../app/settings.svelte';
import { answering, Refusal, type Request } from '../../../testing/http';
import NewTable from './NewTable.svelte';

const choose = (group: string, name: string | RegExp): Promise<void> =>
  userEvent.click(within(screen.getByRole('group', { name: group })).getByRole('radio', { name }));

async function open(
  replies: Record<string, unknown> = { 'POST /api/tables': { id: 'new' } },
): Promise<Request[]> {
  const asked = answering(replies);
  render(NewTable, { friends: true });
  await screen.findByRole('button', { name: 'Make the table' });
  return asked;
}

async function made(asked: Request[]): Promise<unknown> {
  await userEvent.click(screen.getByRole('button', { name: 'Make the table' }));
  await expect.poll(() => asked.some(({ method }) => method === 'POST')).toBe(true);
  return asked.find(({ method }) => method === 'POST')!.body;
}

test('what is not changed is as usual', async () => {
  const asked = await open();
  expect(await made(asked)).toEqual({
    profile: '500-rum',
    house_rules: [],
    players: 4,
    target: null,
    private: true,
    turn_s: null,
    bank_s: null,
    claim_s: null,
    level: 'greedy',
    seats_drawn: false,
    leaver_s: 60,
  });
  await expect.poll(() => router.route).toEqual({ page: 'table', id: 'new' });
});

test('every option is asked for as it was chosen', async () => {
  const asked = await open();
  await choose('Players', '3');
  await choose('Who may come', /^Anybody/);
  expect(screen.queryByRole('group', { name: 'Bank for the match' })).toBeNull();
  await choose('Clock', /^30/);
  await choose('Bank for the match', /^5 /);
  await choose('Bots in empty seats', /^Casual/);
  await userEvent.click(screen.getByText('House rules, target and more'));
  for (const value of ['H5', 'H6'])
    await userEvent.click(
      screen.getAllByRole('checkbox').find((each) => (each as HTMLInputElement).value === value)!,
    );
  await choose('Time to call “Rummy!”', /^12/);
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Points to win' }), '350');
  await choose('Seats', 'Drawn by lot');
  await choose('A bot plays for someone who leaves after', /^2 /);
  expect(await made(asked)).toEqual({
    profile: '500-rum',
    house_rules: ['H5', 'H6'],
    players: 3,
    target: 350,
    private: false,
    turn_s: 30,
    bank_s: 300,
    claim_s: 12,
    level: 'casual',
    seats_drawn: true,
    leaver_s: 120,
  });
  await expect.poll(() => settings.last).toEqual({ profile: '500-rum', players: 3, level: 'casual' });
});

test('a game of four alone asks for no number of players, nor for points where it goes by deals', async () => {
  settings.last = { profile: 'persian-rummy', players: 3, level: null };
  const asked = await open();
  expect(screen.queryByRole('group', { name: 'Players' })).toBeNull();
  expect(screen.queryByRole('spinbutton')).toBeNull();
  expect(screen.getByText('The match is 2 deals.')).toBeInTheDocument();
  expect(await made(asked)).toMatchObject({ profile: 'persian-rummy', players: 4, target: null });
});

test('options that do not go together are refused in words', async () => {
  const asked = await open({
    'POST /api/tables': new Refusal(422, { code: 'option.players', parts: { players: [2, 3] } }),
  });
  await made(asked);
  expect((await screen.findByRole('alert')).textContent!.length).toBeGreaterThan(20);
  expect(router.route).toEqual({ page: 'lobby' });
});
