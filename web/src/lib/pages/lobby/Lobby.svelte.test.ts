import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { settings, usualPlay } from '$lib/app/settings.svelte';
import { answering, myTable, Refusal, summary } from '../../../testing/http';
import { read } from '../../../testing/table';
import Lobby from './Lobby.svelte';

/** The tables of this device. */
const here = vi.hoisted(() =>
  vi.fn(async (_method: string, path: string) => {
    if (path === '/api/me') return Response.json({ id: 'me', name: '', levels: [], level_usual: '' });
    if (path.startsWith('/api/tables')) return Response.json([]);
    return Response.json({ code: 'local.server' }, { status: 409 });
  }),
);
vi.mock('$lib/net/device', () => ({ request: here }));

const open = (): HTMLElement => screen.getByRole('region', { name: /^Open tables/ });

function tables(count: number): object {
  return {
    'GET /api/tables/mine': [],
    'GET /api/tables': Array.from({ length: count }, (_, at) => summary(`t${at}`)),
  };
}

/** What the rows that lead to a table say. */
const rows = (): string[] =>
  screen
    .getAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('/t/'))
    .map(read);

describe('the guest’s own tables', () => {
  test('three are shown, those first that wait, with opponents, game, time and totals', async () => {
    const sides = { names: ['Lea', 'Mats', 'Nora', 'Omid'], seat: 2, scores: [171, 180] };
    const four = { names: ['Ada', 'Bruno', 'Nora', 'Cleo'], seat: 2, scores: [1, 243, 214, 9] };
    answering({
      'GET /api/tables': [],
      'GET /api/tables/mine': [
        myTable('a'),
        myTable('b', four),
        myTable('c', { ...sides, my_turn: false, table: summary('c', { status: 'paused' }) }),
        myTable('d'),
      ],
    });
    render(Lobby);
    const region = await screen.findByRole('region', { name: /^Your turn at 3 of 4 tables/ });
    expect(rows()).toEqual([
      'Cy 500 Rum Continue 12 min ago You 312 Cy 287',
      'Ada, Bruno and Cleo 500 Rum Continue 12 min ago You 214 best 243',
      expect.stringMatching(/^Lea, Mats and Omid 500 Rum Continue .* Paused We 171 They 180$/),
    ]);
    expect(within(region).getByRole('link', { name: 'All tables' })).toHaveAttribute('href', '/history');
    await userEvent.click(within(region).getByRole('button', { name: '1 more', expanded: false }));
    expect(rows()).toHaveLength(4);
    await userEvent.click(within(region).getByRole('button', { name: 'Show fewer', expanded: true }));
    expect(rows()).toHaveLength(3);
  });

  test('by a clock of days the player to move sees the time left', async () => {
    const due = Date.now() + 51 * 3_600_000;
    answering({
      'GET /api/tables': [],
      'GET /api/tables/mine': [myTable('a', { due }), myTable('b', { due, my_turn: false })],
    });
    render(Lobby);
    await screen.findByRole('region', { name: /^Your turn/ });
    expect(rows()).toEqual([
      'Cy 500 Rum Continue 2 days left You 312 Cy 287',
      expect.not.stringContaining('left'),
    ]);
  });

  test('one is put away or ended by one press; it is sent later, or when the page is left', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let mine = [myTable('a'), myTable('b', { alone: false })];
      const gone = (id: string) => () => (mine = mine.filter(({ table }) => table.id !== id)) && {};
      const asked = answering({
        'GET /api/tables': [],
        'GET /api/tables/mine': () => mine,
        'POST /api/tables/a/end': gone('a'),
        'POST /api/tables/b/put-away': gone('b'),
      });
      const posted = () =>
        asked.flatMap(({ method, path, body }) => (method === 'POST' ? [[path, body]] : []));
      const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
      const { unmount } = render(Lobby);
      expect(await screen.findAllByRole('button', { name: /^Put away: .Cy., 500 Rum$/ })).toHaveLength(2);
      await user.click(screen.getByRole('button', { name: /^End: .Cy., 500 Rum$/ }));
      expect(rows()).toHaveLength(1);
      expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
      await user.click(screen.getByRole('button', { name: 'Undo' }));
      expect(rows()).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(posted()).toEqual([]);
      await user.click(screen.getByRole('button', { name: /^End: .Cy., 500 Rum$/ }));
      await vi.advanceTimersByTimeAsync(10_000);
      await expect.poll(() => screen.queryByRole('button', { name: 'Undo' })).toBeNull();
      expect(rows()).toHaveLength(1);
      await user.click(screen.getByRole('button', { name: /^Put away: .Cy., 500 Rum$/ }));
      expect(screen.getByText('Put away. It stays in your history.')).toBeInTheDocument();
      unmount();
      expect(posted()).toEqual([
        ['/api/tables/a/end', {}],
        ['/api/tables/b/put-away', { away: true }],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('if none waits they are just the guest’s', async () => {
    answering({
      'GET /api/tables': [],
      'GET /api/tables/mine': [
        myTable('a', {
          my_turn: false,
          table: summary('a'),
          names: ['Nora', ''],
          seat: 0,
          scores: [],
          deal: 0,
        }),
      ],
    });
    render(Lobby);
    await screen.findByRole('heading', { name: 'Your tables' });
    expect(rows()[0]).toMatch(/^500 Rum Continue .* 1 free seat$/);
  });
});

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

  test('an empty list says so', async () => {
    answering(tables(0) as never);
    render(Lobby);
    expect(await screen.findByText(/^Nobody is waiting right now\./)).toBeInTheDocument();
  });

  test('a row shows game, people, seats and its action', async () => {
    answering({
      'GET /api/tables': [
        summary('a', { people: ['Cy', 'Dee'], clocked: true, turn_s: 60 }),
        summary('b', { seats_free: 0, people: [] }),
        summary('c', { clocked: true, turn_s: 86_400 }),
      ],
      'GET /api/tables/mine': [],
    });
    render(Lobby);
    await expect.poll(() => rows().length).toBe(3);
    expect(rows()).toEqual([
      '500 Rum Sit down Cy and Dee · 1 free seat · With a clock',
      '500 Rum Watch nobody yet · 0 free seats',
      '500 Rum Sit down Cy · 1 free seat · 1 day a turn',
    ]);
  });
});

test('an unreachable server is reported, and asked again', async () => {
  answering({ 'GET /api/tables': new Refusal(503, { code: 'http.503' }), 'GET /api/tables/mine': [] });
  render(Lobby);
  expect(await screen.findByText('Back in a moment.')).toBeInTheDocument();
  answering(tables(1) as never);
  await userEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0]!);
  await expect.poll(() => within(open()).queryAllByRole('listitem').length).toBe(1);
  expect(screen.queryByText('Back in a moment.')).toBeNull();
});

test('nothing moves while a button is pressed, so that its click does not miss', async () => {
  let found = (): void => undefined;
  const mine = new Promise((resolve) => (found = () => resolve([myTable('a')])));
  answering({ ...tables(0), 'GET /api/tables/mine': () => mine, 'POST /api/tables': { id: 'new' } } as never);
  render(Lobby);
  const play = await screen.findByRole('button', { name: 'Play 500 Rum' });
  const user = userEvent.setup();
  await user.pointer({ keys: '[MouseLeft>]', target: play });
  found();
  await import('./MyTables.svelte');
  await new Promise((resolve) => requestAnimationFrame(resolve)); // all that can be shown is shown
  expect(rows()).toEqual([]);
  await user.pointer({ keys: '[/MouseLeft]', target: play });
  expect(await screen.findByRole('region', { name: /^Your turn/ })).toBeInTheDocument();
});

test('an answer of the server that arrives after it was left is not shown', async () => {
  const { place } = await import('$lib/net/place.svelte');
  let refuse = (): void => undefined;
  const refusal = new Promise((resolve) => (refuse = () => resolve(new Refusal(409, { code: 'other' }))));
  const asked = answering({ ...tables(0), 'GET /api/invitations': async () => refusal } as never);
  render(Lobby);
  await expect.poll(() => asked.some(({ path }) => path === '/api/invitations')).toBe(true);
  place.choose(true);
  try {
    expect(await screen.findByRole('region', { name: 'Play bots on this device' })).toBeInTheDocument();
    await expect.poll(() => here.mock.calls.map(([, path]) => path)).toContain('/api/tables/mine');
    refuse();
    await new Promise((resolve) => requestAnimationFrame(resolve)); // all that can be shown is shown
    expect(screen.queryByText('That did not work.')).toBeNull();
    expect(here.mock.calls.map(([, path]) => path)).not.toContain('/api/invitations');
  } finally {
    place.choose(false);
  }
});

describe('the first card', () => {
  const made = (asked: { method: string; body: unknown }[]): unknown =>
    asked.find(({ method }) => method === 'POST')?.body;

  test('begins the game played last by one press, with its own rules', async () => {
    const choices = ['H5', 'jokers-2'];
    settings.last = { ...usualPlay('rummy-500'), level: 'club', players: 3, choices, target: 300 };
    const asked = answering({ ...tables(0), 'POST /api/tables': { id: 'new' } } as never);
    render(Lobby);
    expect(screen.getByRole('region', { name: 'Play bots now' })).toHaveTextContent(
      'Rummy 500 two wild jokers · pile becomes new stock',
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Play Rummy 500' }));
    await expect.poll(() => location.pathname).toBe('/t/new');
    expect(made(asked)).toEqual({
      profile: 'rummy-500',
      players: 3,
      level: 'club',
      house_rules: ['H5'],
      variations: ['jokers-2'],
      target: 300,
      deals: null,
      hints: 'none',
      hints_a_deal: null,
      private: true,
      start: true,
    });
  });

  test('players, length and level are chosen on it, and kept', async () => {
    const asked = answering({ ...tables(0), 'POST /api/tables': { id: 'new' } } as never);
    render(Lobby);
    const level = await screen.findByRole('combobox', { name: 'Bots' });
    expect(level).toHaveDisplayValue('Bot, Steady');
    await userEvent.selectOptions(level, 'Bot, Expert');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Players' }), '2 players');
    const length = screen.getByRole('combobox', { name: 'Length' });
    expect([...length.querySelectorAll('option')].map(({ text }) => text)).toEqual([
      'to 500 points',
      'to 200 points',
      '1 deal',
    ]);
    await userEvent.selectOptions(length, '1 deal');
    expect(settings.last).toMatchObject({ target: null, deals: 1 });
    await userEvent.selectOptions(length, 'to 200 points');
    expect(settings.last).toMatchObject({ players: 2, level: 'expert', target: 200, deals: null });
    await userEvent.click(screen.getByRole('button', { name: 'Play 500 Rum' }));
    await expect.poll(() => made(asked)).toMatchObject({ players: 2, level: 'expert' });
  });

  describe('the bots', () => {
    const first = { level: 'level1', why: 'first', against: null, won: 0, played: 0 };
    const infos = ['level1', 'club'].map((name) => ({ name, number: null, also: null, position: null }));

    const open = async (next: object = first) => {
      const asked = answering({
        ...tables(0),
        'GET /api/levels/500-rum': { levels: infos, next },
        'POST /api/tables': { id: 'new' },
      } as never);
      render(Lobby);
      return asked;
    };
    const bots = () => screen.findByRole('combobox', { name: 'Bots' });
    const play = async () => userEvent.click(await screen.findByRole('button', { name: 'Play 500 Rum' }));

    test('are the next opponent, which is proposed again after the match', async () => {
      const asked = await open();
      expect(await bots()).toHaveDisplayValue('Bot, Level 1');
      expect(screen.getByText('Your first opponent: Level 1.')).toBeVisible();
      expect(screen.queryByRole('button', { name: /^Choose/ })).toBeNull();
      await play();
      await expect.poll(() => made(asked)).toMatchObject({ level: 'level1' });
      expect(settings.last.level).toBeNull();
    });

    test('are the next opponent where play is pressed before the answer', async () => {
      const asked = await open();
      expect(screen.queryByRole('combobox', { name: 'Bots' })).toBeNull();
      screen.getByRole('button', { name: 'Play 500 Rum' }).click();
      await expect.poll(() => made(asked)).toMatchObject({ level: 'level1' });
    });

    test('have the level that was chosen instead, until the next opponent is chosen', async () => {
      settings.last = { ...usualPlay(), level: 'club' };
      await open({ ...first, why: 'up', against: 'level1', won: 3, played: 3, level: 'level1' });
      expect(await bots()).toHaveDisplayValue('Bot, Club');
      await userEvent.click(await screen.findByRole('button', { name: 'Choose: Level 1' }));
      expect(await bots()).toHaveDisplayValue('Bot, Level 1');
      expect(settings.last.level).toBeNull();
    });
  });

  test('a game of four has no players to choose', async () => {
    settings.last = usualPlay('persian-rummy');
    answering(tables(0) as never);
    render(Lobby);
    await screen.findByRole('combobox', { name: 'Bots' });
    expect(screen.getByText('4 players')).toBeVisible();
    expect(screen.queryByRole('combobox', { name: 'Players' })).toBeNull();
  });

  test('the reason why it cannot begin is shown', async () => {
    const refusal = new Refusal(422, { code: 'option.players', parts: { players: [2, 3] } });
    answering({ ...tables(0), 'POST /api/tables': refusal } as never);
    render(Lobby);
    await userEvent.click(await screen.findByRole('button', { name: 'Play 500 Rum' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/2 or 3/);
  });
});

test('the name is changed, or the reason is shown', async () => {
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
