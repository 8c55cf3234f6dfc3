import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import type { MatchEnd as End, TableInfo, You, DealResult, Snapshot } from '../../net/protocol';
import { SPECTATOR } from '../../net/blank';
import { OPTIONS, OWN, plate, read, SHARED } from '../../../testing/table';
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

describe('who has won', () => {
  test.each<[string, More]>([
    ['Bo wins', {}],
    ['You win', { result: { winners: [0] } }],
    ['Bo and Cy win', { result: { winners: [1, 2] } }],
    ['Drawn', { result: { drawn: true, winners: [] } }],
    ['Nora wins', { result: { winners: [0] }, you: SPECTATOR }],
    ['We win', { result: { winners: [0, 2] }, options: { sides: 2 } }],
    ['They win', { result: { winners: [1] }, options: { sides: 2 } }],
  ])('%s', (words, more) => {
    show(more);
    expect(headline()).toBe(words);
  });

  test('nobody, where all agreed to stop', () => {
    show({ result: null, shared: { status: 'abandoned' } });
    expect(headline()).toBe('Abandoned');
    expect(screen.getByText('The players agreed to stop here. Nobody wins.')).toBeInTheDocument();
  });

  test('who gave up is named', () => {
    show({ result: { reason: 'forfeit', quitters: [2] } });
    expect(screen.getByText(/^The match was given up\.\s*Cy gave up\.$/)).toBeInTheDocument();
  });
});

test('players stand by their points, those with as many on the same place', () => {
  show({ result: { totals: [310, 505, 310], final: [310, 505, 310] } });
  const ranks = within(screen.getAllByRole('list')[0]!).getAllByRole('listitem');
  expect(ranks.map(read)).toEqual(['Place 1 Bo 505', 'Place 2 You 310', 'Place 2 Cy 310']);
});

test('a bonus and payments are shown', () => {
  show({ result: { final: [310, 605, 120], payments: [[[0], [1], 295]] } });
  const [bo, nora] = within(screen.getAllByRole('list')[0]!).getAllByRole('listitem');
  expect(read(bo!)).toMatch(/605 505 \+ 100 Match bonus to collect: 295$/);
  expect(read(nora!)).toMatch(/to pay: 295$/);
});

describe('the course of the match', () => {
  test('has a line for each deal, which leads to its replay', () => {
    show({
      shared: {
        scores: [score(1, [110, 255, 60], [110, 255, 60]), score(2, [310, 505, 50], [200, 250, -10])],
      },
    });
    const [head, first, second] = screen.getAllByRole('row');
    expect(within(head!).getAllByRole('columnheader').map(read)).toEqual(['Deal', 'You', 'Bo', 'Cy']);
    expect(within(first!).getAllByRole('cell').map(read)).toEqual(['110 +110', '255 +255', '60 +60']);
    expect(within(second!).getAllByRole('cell').map(read).at(-1)).toBe('50 −10');
    expect(within(second!).getByRole('link', { name: 'Replay deal 2' })).toHaveAttribute(
      'href',
      '/t/t/deal/2',
    );
  });
});

describe('a rematch', () => {
  test('is asked for, waited for, and leads to the new table', async () => {
    const rematch = vi.fn();
    show({}, rematch);
    await userEvent.click(screen.getByRole('button', { name: 'Rematch' }));
    expect(rematch).toHaveBeenCalledOnce();
  });

  test('says who waits for whom', () => {
    show({ shared: { votes: { rematch: [0] } } }, () => undefined);
    expect(screen.queryByRole('button', { name: 'Rematch' })).toBeNull();
    expect(screen.getByRole('status')).toHaveTextContent('You want a rematch. Waiting for the others.');
  });

  test('says who would like one', () => {
    show({ shared: { votes: { rematch: [1] } } }, () => undefined);
    expect(screen.getByRole('status')).toHaveTextContent('Rematch wanted by Bo.');
  });

  test('can be found by who comes back later', () => {
    show({ shared: { rematch: 'next' } });
    expect(screen.getByRole('link', { name: 'To the new table' })).toHaveAttribute('href', '/t/next');
  });
});
