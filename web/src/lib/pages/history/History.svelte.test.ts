import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { answering, ended, myTable, Refusal } from '../../../testing/http';
import { read } from '../../../testing/table';
import History from './History.svelte';

const GAME = {
  profile: '500-rum',
  title: '500 Rum',
  matches: 40,
  won: 21,
  even: 20,
  deals: 200,
  points: 9000,
  best_deal: 131,
};
const FIRST = 'GET /api/history?limit=20';

const rows = (): string[] => screen.getAllByRole('row').slice(1).map(read);

describe('rows', () => {
  test('unfinished tables come first, then the matches, each with what it came to', async () => {
    answering({
      'GET /api/tables/mine': [myTable('a')],
      [FIRST]: {
        rows: [
          ended('b'),
          ended('c', { place: 3, won: false, margin: -130, partners: ['Lea'], opponents: ['Mats', 'Omid'] }),
          ended('d', { status: 'abandoned', place: null, won: false, margin: null, level: null }),
        ],
        total: 3,
        games: [GAME],
      },
    });
    render(History);
    await screen.findByRole('table', { name: 'History' });
    const [now, ...others] = rows();
    expect(now).toBe('Now Cy 500 Rum You 312 · Cy 287 deal 2 Your turn · 12 min ago Continue Put away End');
    const play = 'Review: play per deal −14 ± 9';
    expect(others.map((row) => row.replace(/ \d+ \w+ (Review: .*) Open Replay Remove$/, ' $1'))).toEqual([
      `1st Ada 500 Rum · Club Points 512 Margin +36 ${play}`,
      `3rd with Lea: Mats and Omid 500 Rum · Club Points 512 Margin −130 ${play}`,
      `No result Ada 500 Rum Points 512 ${play}`,
    ]);
    expect(
      screen.getAllByRole('link', {
        name: 'Review the match against Ada: your play per deal, against club −14\u00a0±\u00a09',
      }),
    ).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'Download all records' })).toHaveAttribute(
      'href',
      '/api/history.zip',
    );
  });

  test('the next twenty follow on request, and a filter starts from the first row', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ended(`t${from + at}`));
    const asked = answering({
      'GET /api/tables/mine': [],
      [FIRST]: { rows: page(0, 20), total: 23, games: [GAME] },
      'GET /api/history?skip=20&limit=20': { rows: page(20, 3), total: 23, games: [GAME] },
      'GET /api/history?with=people&limit=20': { rows: page(40, 1), total: 1, games: [GAME] },
    });
    render(History);
    await userEvent.click(await screen.findByRole('button', { name: 'Show 3 more' }));
    await expect.poll(() => rows().length).toBe(23);
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'With people' }));
    await expect.poll(() => rows().length).toBe(1);
    expect(asked.map(({ path }) => path)).toContain('/api/history?with=people&limit=20');
  });

  test('one is removed after a second press', async () => {
    let left = [ended('b'), ended('c', { opponents: ['Bo'] })];
    const asked = answering({
      'GET /api/tables/mine': [],
      [FIRST]: () => ({ rows: left, total: left.length, games: [GAME] }),
      'POST /api/history/remove': () => {
        left = left.slice(0, 1);
        return { table: 'c' };
      },
    });
    render(History);
    const name = 'Remove the match against Bo from your history';
    await userEvent.click(await screen.findByRole('button', { name }));
    expect(asked.some(({ method }) => method === 'POST')).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Remove for good?' }));
    await expect.poll(() => rows().length).toBe(1);
    expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ table: 'c' });
    expect(screen.getByRole('status')).toHaveTextContent('The match is no longer in your history.');
  });

  test('tables that were put away are listed apart, and put back', async () => {
    let away = [myTable('a', { put_away: true })];
    const asked = answering({
      'GET /api/tables/mine': [],
      'GET /api/tables/mine?away=true': () => away,
      'POST /api/tables/a/put-away': () => ((away = []), { away: false }),
      [FIRST]: { rows: [ended('b')], total: 1, games: [GAME] },
    });
    render(History);
    await userEvent.click(await screen.findByRole('radio', { name: 'Put away' }));
    await expect
      .poll(() => rows().map((row) => row.replace(/.*ago /, '')))
      .toEqual(['Continue Put back End']);
    await userEvent.click(screen.getByRole('button', { name: /^Put back: .Cy., 500 Rum$/ }));
    expect(await screen.findByText('No match of this kind yet.', { exact: false })).toBeInTheDocument();
    expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ away: false });
  });

  test('an empty history explains itself and links to play', async () => {
    answering({ 'GET /api/tables/mine': [], [FIRST]: { rows: [], total: 0, games: [] } });
    render(History);
    expect(await screen.findByText(/^Matches you finish appear here\./)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Play bots now' })).toHaveAttribute('href', '/');
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('a request without an answer is repeated', async () => {
    answering({ 'GET /api/tables/mine': [], [FIRST]: new Refusal(503, { code: 'http.503' }) });
    render(History);
    const again = await screen.findByRole('button', { name: 'Try again' });
    answering({ 'GET /api/tables/mine': [], [FIRST]: { rows: [ended('b')], total: 1, games: [GAME] } });
    await userEvent.click(again);
    await expect.poll(() => screen.queryAllByRole('row').length).toBe(2);
  });
});

test('figures add up the games; several are listed one by one', async () => {
  const other = { ...GAME, profile: 'persian-rummy', title: 'Persian Rummy', matches: 10, won: 4, even: 5 };
  answering({
    'GET /api/tables/mine': [],
    [FIRST]: {
      rows: [ended('b')],
      total: 50,
      games: [GAME, { ...other, deals: 20, points: 2000, best_deal: 180 }],
    },
  });
  render(History);
  const terms = (await screen.findAllByRole('term')).map(read);
  expect(terms).toEqual(['matches', '50%; even chance is 50%', 'points a deal', 'most points in a deal']);
  expect(screen.getAllByRole('definition').map(read)).toEqual(['50', '25 won', '50', '180']);
  const table = screen.getByText('By game').closest('details')!.querySelector('table')!;
  const cells = within(table)
    .getAllByRole('row', { hidden: true })
    .map((row) => [...row.children].map((cell) => read(cell as HTMLElement)));
  expect(cells).toEqual([
    ['Game', 'Matches', 'Won', 'Points a deal', 'Best deal'],
    ['500 Rum', '40', '21', '45', '131'],
    ['Persian Rummy', '10', '4', '100', '180'],
  ]);
});
