import { screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { settings } from '$lib/app/settings.svelte';
import { SPECTATOR } from '$lib/net/blank';
import { atTable, bot, plate, type FakeServer, type TableSetup } from '../../../testing/table';

const TWO: TableSetup = { shared: { seats: [plate('Nora'), plate('Bo'), bot('Carl')] } };

async function menu(setup: TableSetup = TWO): Promise<[FakeServer, HTMLElement]> {
  const server = await atTable(setup);
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }));
  const panel = await screen.findByRole('dialog', { name: 'Menu' });
  await within(panel).findByRole('heading', { name: 'For me' });
  return [server, panel];
}

const press = (panel: HTMLElement, name: string | RegExp): Promise<void> =>
  userEvent.click(within(panel).getByRole('button', { name }));

describe('agreements', () => {
  test('a player alone with bots needs no vote, and the menu closes', async () => {
    await menu({});
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  test('the match is ended for all only after a second press', async () => {
    const [server, panel] = await menu();
    await press(panel, 'End the match for all');
    expect(server.requests('vote')).toEqual([]);
    await press(panel, 'Cancel');
    await press(panel, 'End the match for all');
    await press(panel, 'End the match for all');
    await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'abandon', yes: true }]);
  });

  test('a player that keeps the table waiting can be replaced, but not at once', async () => {
    const slow = (ms: number): TableSetup['shared'] => ({
      seats: [plate('Nora'), plate('Bo', { replace_in_ms: ms }), plate('Cy')],
      actor: 1,
    });
    const [server, panel] = await menu({ shared: slow(90_000) });
    const replace = within(panel).getByRole('button', { name: /Bo/ });
    expect(replace).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(replace);
    expect(server.requests('vote')).toEqual([]);
    await server.update({ shared: slow(0) });
    await userEvent.click(within(panel).getByRole('button', { name: /Bo/ }));
    await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'replace', yes: true }]);
  });

  test('the host gives a vacant seat to a bot although it is not its turn', async () => {
    const seats = [plate('Nora'), plate('Bo', { here: false, vacant_in_ms: 0 }), plate('Cy')];
    const [server, panel] = await menu({ shared: { seats, host: 0 }, options: { level: 'club' } });
    await press(panel, /^Let a bot play for Bo until Bo is back/);
    await expect.poll(() => server.requests('seat_bot')).toMatchObject([{ seat: 1, level: 'club' }]);
  });
});

test('by a clock of days all people are counted in a vote, here or not', async () => {
  const seats = [plate('Nora'), plate('Bo', { here: false }), plate('Cy', { here: false })];
  const [server, panel] = await menu({
    options: { turn_s: 86_400 },
    shared: { seats, votes: { abandon: [1] } },
  });
  expect(panel).toHaveTextContent('1 of 3 agree');
  await press(panel, 'Pause');
  await expect.poll(() => server.requests('vote')).toMatchObject([{ on: 'pause', yes: true }]);
});

test('what is set here is set at once', async () => {
  const [, panel] = await menu();
  const suggest = within(panel).getByRole('switch', { name: 'Lay the most points' });
  expect(suggest).toBeChecked();
  await userEvent.click(suggest);
  await userEvent.click(within(panel).getByRole('switch', { name: 'Single-letter keys' }));
  expect([settings.suggestions, settings.keys]).toEqual([false, false]);
});

test('the game and its options are at the top', async () => {
  const [, panel] = await menu({ options: { house_rules: ['H6'], variations: ['jokers-2'] } });
  expect(panel).toHaveTextContent('500 Rum · two wild jokers · “Rummy!”');
});

test('plays are typed from here too', async () => {
  const [, panel] = await menu();
  await press(panel, 'Type a play');
  expect(await screen.findByRole('textbox', { name: 'Type a play' })).toBeInTheDocument();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a spectator has no votes', async () => {
  const [, panel] = await menu({ you: SPECTATOR });
  for (const name of ['Resign', 'Pause', 'Type a play', 'End the match for all'])
    expect(within(panel).queryByRole('button', { name }), name).toBeNull();
});
