import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import type { SeatPlate } from '$lib/net/protocol';
import TablePage from '$lib/table/TablePage.svelte';
import { answering } from '../../../testing/http';
import { bot, FakeServer, OWN, plate, read, type TableSetup } from '../../../testing/table';

const EMPTY: SeatPlate = plate('', { kind: 'empty', here: false });
const RULES = ['turn.draw', 'deal.cut', 'melds.set', 'match.target'].map((id) => ({
  heading: '',
  id,
  params: {},
  rules: [],
  text: id,
}));

/** The page of a table whose match has not begun. */
function open(more: TableSetup = {}): FakeServer {
  answering({ 'GET /api/rules/500-rum': RULES });
  const server = new FakeServer({
    ...more,
    shared: { status: 'open', host: 0, seats: [plate('Ada'), EMPTY, bot('Emmy'), EMPTY], ...more.shared },
    options: { players: 4, ...more.options },
    you: more.you ?? SPECTATOR,
  });
  render(TablePage, { id: 't' });
  return server;
}

const invited = (): Promise<HTMLElement> => screen.findByRole('heading', { name: /invite/ });
const seats = (): string[] =>
  within(screen.getByRole('list', { name: 'Seats' }))
    .getAllByRole('listitem')
    .map(read);

describe('a guest with the link', () => {
  test('sees the host, the game and the players', async () => {
    open({ options: { house_rules: ['H6'], variations: ['jokers-2'], turn_s: 30, bank_s: 0 } });
    const heading = await invited();
    expect(read(heading)).toBe('Ada invites you to 500 Rum');
    await screen.findByText(/as .*Nora/);
    const invitation = heading.closest('section')!;
    expect(invitation).toHaveTextContent('Two wild jokers in each pack, 15 points each.');
    expect(invitation).toHaveTextContent(
      /4 players · to 500 points · 30 s a turn · two wild jokers · “Rummy!” Nothing to install, no account\./,
    );
    expect(seats()).toEqual(['A Ada is here', 'N You as Nora', 'E Emmy Bot, Steady', 'Empty']);
  });

  test('sees nothing about servers, addresses, codes or seating bots', async () => {
    open();
    const words = read((await invited()).closest('main')!);
    expect(words).not.toMatch(/server|link|address|code|https?:|token|seat a bot|a bot of your own/i);
    expect(screen.queryByRole('img', { name: /QR/ })).toBeNull();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('sees why that did not work', async () => {
    const server = open();
    server.refuse = () => ({ reason: { code: 'table.full', message: '' } });
    await userEvent.click(await screen.findByRole('button', { name: 'Sit down and play' }));
    expect((await screen.findByRole('alert')).textContent!.length).toBeGreaterThan(5);
  });

  test('may read the rules of this table in one minute', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'The rules in one minute' }));
    const all = await screen.findByRole('link', { name: 'All rules' });
    expect(all).toHaveAttribute('href', '/rules/500-rum?players=4&target=500');
    const points = within(all.closest('.minute')!.querySelector('ul')!).getAllByRole('listitem');
    expect(points).toHaveLength(3);
    expect(points[0]).toHaveTextContent(/^Draw a card from the stock/);
  });

  test('may watch where all seats are taken', async () => {
    open({ shared: { seats: [plate('Ada'), bot('Emmy')] } });
    expect(await screen.findByText('All seats are taken. You can watch.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Sit down and play' })).toBeNull();
  });

  test('is invited without a name where there is no host', async () => {
    open({ shared: { host: null, seats: [EMPTY, EMPTY] } });
    expect(await invited()).toHaveTextContent('You are invited to 500 Rum');
  });
});

describe('the seats', () => {
  test('waits for the host, with the rules to read', async () => {
    open({
      you: { ...OWN, seat: 1, hand: [], may: [] },
      shared: { seats: [plate('Ada'), plate('Nora'), EMPTY] },
    });
    await screen.findByText(/Ada.* starts the match when everybody is there\./);
    expect(screen.getByRole('heading', { name: 'The rules in one minute' })).toBeVisible();
    expect(screen.queryByLabelText('Link to this table')).toBeNull();
    expect(screen.queryByText('A bot of your own')).toBeNull();
  });

  test('show the link to the host alone, with a warning if it opens on this computer only', async () => {
    open({ you: { ...OWN, seat: 0, hand: [], may: [] } });
    expect(await screen.findByLabelText('Link to this table')).toBeVisible();
    expect(screen.getByText('This link opens only on this computer.')).toBeVisible();
    expect(screen.getByText('How to let them in')).toBeVisible();
    expect(screen.getByText('A bot of your own')).toBeVisible();
  });
});
