import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { router } from '../../app/router.svelte';
import { settings } from '../../app/settings.svelte';
import { answering, Refusal, summary } from '../../../testing/http';
import { read } from '../../../testing/table';
import Lobby from './Lobby.svelte';

const open = (): HTMLElement => screen.getByRole('region', { name: /^Open tables/ });

function tables(count: number): object {
  return {
    'GET /api/tables/mine': [],
    'GET /api/tables': Array.from({ length: count }, (_, at) => summary(`t${at}`)),
  };
}

describe('open tables', () => {
  test('the first six are there unasked, the others after one press', async () => {
    answering(tables(8) as never);
    render(Lobby);
    await userEvent.click(await screen.findByRole('button', { name: 'Show all 8' }));
    const links = within(open())
      .getAllByRole('listitem')
      .map((each) => within(each).getByRole('link'));
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `/t/t${at}`),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
    expect(within(open()).getAllByRole('listitem')).toHaveLength(6);
  });

  test('few are all shown', async () => {
    answering(tables(6) as never);
    render(Lobby);
    await expect.poll(() => within(open()).queryAllByRole('listitem').length).toBe(6);
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
  });

  test('that there is none is said', async () => {
    answering(tables(0) as never);
    render(Lobby);
    expect(await screen.findByText(/^Nobody is waiting right now\./)).toBeInTheDocument();
  });

  test('a row says game, people, seats and what one can do there', async () => {
    answering({
      'GET /api/tables': [
        summary('a', { people: ['Cy', 'Dee'], clocked: true }),
        summary('b', { seats_free: 0, people: [] }),
      ],
      'GET /api/tables/mine': [summary('c', { mine: true, status: 'paused' })],
    });
    render(Lobby);
    await screen.findByRole('heading', { name: 'Your tables' });
    const rows = screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.startsWith('/t/'));
    expect(rows.map((row) => read(row).replace(/[\u2066-\u2069]/g, ''))).toEqual([
      '500 Rum Return Cy · Paused',
      '500 Rum Sit down Cy and Dee · 1 free seat · With a clock',
      '500 Rum Watch nobody yet · 0 free seats',
    ]);
  });
});

test('an unreachable server is reported, and asked again', async () => {
  answering({ 'GET /api/tables': new Refusal(503, { code: 'http.503' }), 'GET /api/tables/mine': [] });
  render(Lobby);
  expect(await screen.findByText('Back in a moment.')).toBeInTheDocument();
  answering(tables(1) as never);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => within(open()).queryAllByRole('listitem').length).toBe(1);
  expect(screen.queryByText('Back in a moment.')).toBeNull();
});

describe('the first card', () => {
  test('begins the game played last by one press', async () => {
    settings.last = { profile: 'rummy-500', players: 3, level: 'club' };
    const asked = answering({ ...tables(0), 'POST /api/tables': { id: 'new' } } as never);
    render(Lobby);
    await userEvent.click(await screen.findByRole('button', { name: 'Play Rummy 500' }));
    await expect.poll(() => router.route).toEqual({ page: 'table', id: 'new' });
    const made = asked.find(({ method }) => method === 'POST')!;
    expect(made.body).toEqual({
      profile: 'rummy-500',
      players: 3,
      level: 'club',
      private: true,
      start: true,
    });
  });

  test('another game is two presses away, and then the one that is offered', async () => {
    answering(tables(0) as never);
    render(Lobby);
    await userEvent.click(await screen.findByRole('button', { name: 'Another game' }));
    const choice = await screen.findByRole('list', { name: 'Choose a game' });
    await userEvent.click(within(choice).getByRole('button', { name: /^Persian Rummy/ }));
    expect(screen.queryByRole('list', { name: 'Choose a game' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Play Persian Rummy' })).toHaveFocus();
    expect(settings.last).toMatchObject({ profile: 'persian-rummy', players: null });
  });
});

test('the name is changed, or it is said why not', async () => {
  const asked = answering({
    ...tables(0),
    'PUT /api/me': ({ body }: { body: { name: string } }) =>
      body.name === 'Zoë'
        ? { id: 'nora', name: 'Zoë', levels: [], level_usual: '' }
        : new Refusal(422, { code: 'name.bad' }),
  } as never);
  render(Lobby);
  await userEvent.click(await screen.findByRole('button', { name: 'Change name' }));
  const name = screen.getByRole('textbox', { name: 'Your name' });
  await userEvent.clear(name);
  await userEvent.type(name, ' {Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(/^That name cannot be used/);
  await userEvent.clear(name);
  await userEvent.type(name, 'Zoë{Enter}');
  expect(await screen.findByRole('status', { name: '' })).toBeInTheDocument();
  await expect.poll(() => screen.queryByRole('textbox', { name: 'Your name' })).toBeNull();
  expect(asked.filter(({ method }) => method === 'PUT')).toHaveLength(2);
  expect(screen.getByText(/^You play as .*Zoë/)).toBeInTheDocument();
});
