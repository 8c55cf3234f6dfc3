import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import type { MatchEnd as End, TableInfo, You, DealResult, Snapshot } from '$lib/net/protocol';
import { SPECTATOR } from '$lib/net/blank';
import { commitment, tableLabel } from '$lib/fairness/verify';
import { keepSeed } from '$lib/net/seeds';
import { OPTIONS, OWN, plate, read, SHARED, triedDay } from '../../../testing/table';
import MatchEnd from './MatchEnd.svelte';

const END: End = {
  reason: 'target',
  winners: [1],
  quitters: [],
  drawn: false,
  bonus: 0,
  names: ['Nora', 'Bo', 'Cy'],
  rows: [[0], [1], [2]],
  totals: [310, 505, 120],
  final: [310, 505, 120],
  payments: [],
};

const score = (number: number, totals: number[], points: number[]): DealResult => ({
  number,
  dealer: 0,
  reason: 'out',
  out: 0,
  points,
  accounts: points,
  totals,
  names: ['Nora', 'Bo', 'Cy'],
});

type More = {
  result?: Partial<End> | null;
  shared?: Partial<Snapshot>;
  options?: Partial<TableInfo>;
  you?: You;
};

function show({ result, shared, options, you = OWN }: More = {}, onrematch?: () => void): void {
  render(MatchEnd, {
    table: 't',
    shared: {
      ...SHARED,
      status: 'over',
      seats: [plate('Nora'), plate('Bo'), plate('Cy')],
      result: result === null ? null : { ...END, ...result },
      ...shared,
    },
    options: { ...OPTIONS, ...options },
    you,
    onrematch,
  });
}

const headline = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

describe('the winner', () => {
  test.each<[string, More]>([
    ['Bo wins, 195 ahead of you', {}],
    ['You win, 7 ahead of Bo', { result: { winners: [0], final: [512, 505, 120] } }],
    ['Bo wins, 5 ahead of Cy', { result: { final: [310, 505, 500] } }],
    ['Bo and Cy win', { result: { winners: [1, 2], rows: [[0], [1, 2]], final: [505, 505] } }],
    ['Drawn', { result: { drawn: true, winners: [] } }],
    ['Nora wins', { result: { winners: [0] }, you: SPECTATOR }],
    [
      'We win, 37 ahead',
      { result: { winners: [0, 2], rows: [[0, 2], [1]], final: [181, 144] }, options: { sides: 2 } },
    ],
    [
      'They win, 10 ahead',
      { result: { winners: [1], rows: [[0, 2], [1]], final: [20, 30] }, options: { sides: 2 } },
    ],
  ])('%s', (words, more) => {
    show(more);
    expect(headline()).toBe(words);
  });

  test('nobody, where all agreed to stop', () => {
    show({ result: null, shared: { status: 'abandoned' } });
    expect(headline()).toBe('Abandoned');
    expect(screen.getByText(/The players agreed to stop here. Nobody wins./)).toBeInTheDocument();
  });

  test.each([
    [
      'The day is over',
      '2020-11-27',
      false,
      /ended at midnight.*no place\..*practise the deal/,
      'See that day’s deal',
    ],
    ['Not finished', '2999-11-27', false, /The attempt ended before the last card/, 'See the result'],
    ['Abandoned', '2020-11-27', true, null, 'See the result'],
  ])('nobody, where a deal of the day was left: %s', (words, day, practice, line, go) => {
    const tried = triedDay(day, practice);
    show({ result: null, shared: { status: 'abandoned', scores: [] }, options: { tried } });
    expect(headline()).toBe(words);
    if (line) expect(screen.getByText(line)).toBeInTheDocument();
    expect(screen.queryByText(/0 deals/) !== null).toBe(practice);
    expect(screen.queryByText(/no place/) !== null).toBe(!practice);
    expect(screen.getByRole('link', { name: go })).toHaveAttribute('href', `/day/${day}`);
  });

  test('a player that gave up is named', () => {
    show({ result: { reason: 'forfeit', quitters: [2] } });
    expect(screen.getByText(/The match was given up\.\s*Cy gave up\.$/)).toBeInTheDocument();
  });
});

const ranks = (): HTMLElement[] => within(screen.getAllByRole('list')[0]!).getAllByRole('listitem');

test('players are ranked by points with their marks, equal ones on the same place', () => {
  show({ result: { totals: [310, 505, 310], final: [310, 505, 310] } });
  expect(ranks().map(read)).toEqual([
    'B Bo Place 1 505',
    'Y You Place 2 · 195 behind 310',
    'C Cy Place 2 · 195 behind 310',
  ]);
});

test('a bonus is shown', () => {
  show({ result: { final: [310, 605, 120], bonus: 100 } });
  expect(read(ranks()[0]!)).toMatch(/505 \+ 100 match bonus 605$/);
});

describe('what is owed', () => {
  test('is shown apart and explained to players that play for stakes', () => {
    show({
      result: {
        payments: [
          [[0], [1], 195],
          [[2], [1], 385],
        ],
      },
    });
    expect(ranks().map(read).join()).not.toMatch(/to pay|to collect/);
    const stakes = screen.getByText('If you play for stakes').closest('details')!;
    expect(stakes.open).toBe(false);
    expect(read(stakes)).toMatch(/By the rules of this game the winner collects from each opponent/);
    expect(within(stakes).getAllByRole('listitem', { hidden: true }).map(read)).toEqual([
      'Bo to collect: 580',
      'You to pay: 195',
      'Cy to pay: 385',
    ]);
  });

  test.each([
    ['in a game that settles nothing', {}],
    [
      'after a deal of the day',
      {
        result: { payments: [[[0], [1], 195]] satisfies End['payments'] },
        options: { tried: triedDay('2026-11-27') },
      },
    ],
  ])('is not spoken of %s', (_, more) => {
    show(more);
    expect(screen.queryByText(/stakes/)).toBeNull();
  });
});

const TWO_DEALS = [score(1, [110, 255, 60], [110, 255, 60]), score(2, [310, 505, 50], [200, 250, -10])];

describe('the story', () => {
  const story = (): string => read(document.querySelector('header p')!);

  const late = score(1, [300, 255, 60], [300, 255, 60]);
  test.each([
    [
      'a leader from the first',
      TWO_DEALS,
      '2 deals The target is reached. The winner led from the first deal on.',
    ],
    [
      'a late one',
      [late, TWO_DEALS[1]!],
      '2 deals The target is reached. The winner took the lead in deal 2.',
    ],
    ['one deal', [TWO_DEALS[0]!], '1 deal The target is reached.'],
  ])('names the game and how it was led: %s', (_, scores, words) => {
    show({ shared: { scores } });
    expect(story()).toBe(`500 Rum · 3 players · ${words}`);
  });
});

test('the chart has the names at the ends of their lines', () => {
  show({ shared: { scores: TWO_DEALS } });
  const chart = screen.getByRole('img', { name: /Chart of the totals/ });
  expect([...chart.querySelectorAll('.name')].map(read)).toEqual(['You 310', 'Bo 505', 'Cy 50']);
  expect(chart.querySelectorAll('polyline')).toHaveLength(3);
  expect(chart.querySelector('.goal')).toHaveTextContent('500');
});

test('a target far above all totals leaves the chart to the course of the match', () => {
  show({ shared: { scores: TWO_DEALS }, options: { target: 5000, max_deals: 2 } });
  const chart = screen.getByRole('img', { name: /Chart of the totals/ });
  expect(chart.querySelector('.goal')).toHaveTextContent('↑ 5,000');
  expect(chart.querySelector('.target')).toBeNull();
  const heights = [...chart.querySelectorAll('polyline')].flatMap((line) =>
    line
      .getAttribute('points')!
      .split(' ')
      .map((point) => Number(point.split(',')[1])),
  );
  const drawn = Number(chart.querySelector('svg')!.getAttribute('height'));
  expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(drawn / 2);
});

describe('the course of the match', () => {
  test('has a line for each deal, which leads to its replay', () => {
    show({
      shared: {
        scores: TWO_DEALS,
      },
    });
    const [head, first, second] = screen.getAllByRole('row');
    expect(within(head!).getAllByRole('columnheader').map(read)).toEqual(['Deal', 'YYou', 'BBo', 'CCy']);
    expect(within(first!).getByRole('rowheader')).toHaveTextContent('You went out.');
    expect(within(first!).getAllByRole('cell').map(read)).toEqual(['110 +110', '255 +255', '60 +60']);
    expect(within(second!).getAllByRole('cell').map(read).at(-1)).toBe('50 −10');
    expect(within(second!).getByRole('link', { name: 'Replay deal 2' })).toHaveAttribute(
      'href',
      '/t/t/deal/2',
    );
  });
});

describe('a rematch', () => {
  test('is requested, waits for the others, and opens the new table', async () => {
    const rematch = vi.fn();
    show({}, rematch);
    await userEvent.click(screen.getByRole('button', { name: 'Rematch' }));
    expect(rematch).toHaveBeenCalledOnce();
  });

  test('shows the players that wait and those still asked', () => {
    show({ shared: { votes: { rematch: [0] } } }, () => undefined);
    expect(screen.queryByRole('button', { name: 'Rematch' })).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('You want a rematch. Waiting for the others.');
  });

  test('shows the players that want one', () => {
    show({ shared: { votes: { rematch: [1] } } }, () => undefined);
    expect(screen.getByRole('status')).toHaveTextContent('Rematch wanted by Bo.');
  });

  test('is found by a player that returns later', () => {
    show({ shared: { rematch: 'next' } });
    expect(screen.getByRole('link', { name: 'To the new table' })).toHaveAttribute('href', '/t/next');
  });
});

describe('the shuffle of a deal that was given up', () => {
  const seed = 'ab'.repeat(32);
  const own = '12'.repeat(32);
  const opened = {
    shuffle: 2,
    context: `${tableLabel('t')}/2`,
    commitment: commitment(seed),
    seed,
    seats: [own, ''],
    cut: 20,
    cut_by: 'middle',
  };

  const BAD = ['Shuffle not verified', /^This shuffle does not verify/] as const;

  test.each<[string, Partial<typeof opened>, string, string, RegExp]>([
    ['is checked', {}, own, 'Shuffle verified ✓', /^The server kept its promise/],
    ['has another seed', { seed: 'ac'.repeat(32) }, own, ...BAD],
    ['is of another table', { context: `${tableLabel('u')}/2` }, own, ...BAD],
    ['lacks what this browser gave', {}, '34'.repeat(32), ...BAD],
  ])('%s', async (_, more, given, line, verdict) => {
    keepSeed('t', 2, { commitment: opened.commitment, value: given });
    const one = { ...opened, ...more };
    show({ result: { reason: 'forfeit', quitters: [2] }, shared: { scores: [], opened: [one] } });
    await userEvent.click(await screen.findByRole('button', { name: line }));
    expect(await screen.findByText(verdict)).toBeVisible();
    expect(screen.getByText(one.seed)).toBeVisible();
    expect(screen.getByText(one.commitment)).toBeVisible();
  });
});
