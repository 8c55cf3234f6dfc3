import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import type { MatchEnd, Snapshot, TriedFrom } from '$lib/net/protocol';
import { OPTIONS, OWN, plate, SHARED, triedDay } from '../../../testing/table';
import MatchWon from './MatchWon.svelte';

const RESULT: MatchEnd = {
  reason: 'deals',
  winners: [0],
  quitters: [],
  drawn: false,
  bonus: 0,
  names: ['Nora', 'Bo', 'Cy'],
  rows: [[0], [1], [2]],
  totals: [61, 40, 12],
  final: [61, 40, 12],
  payments: [],
};

function show(tried: TriedFrom | null) {
  const called = { onrematch: vi.fn(), onend: vi.fn(), onclose: vi.fn() };
  const shared: Snapshot = {
    ...SHARED,
    status: 'over',
    seats: RESULT.names.map((name) => plate(name)),
    result: RESULT,
  };
  render(MatchWon, { table: 't', data: { shared, options: { ...OPTIONS, tried }, you: OWN }, ...called });
  return called;
}

test('a match that was won can be played again', async () => {
  const { onrematch } = show(null);
  await userEvent.click(screen.getByRole('button', { name: 'Rematch' }));
  expect(onrematch).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Result of the match' })).toBeInTheDocument();
});

test('a deal of the day that was won leads to the result of the day', () => {
  show(triedDay('2026-11-27'));
  expect(screen.getByRole('link', { name: 'See the result' })).toHaveAttribute('href', '/day/2026-11-27');
  expect(screen.getByRole('link', { name: 'Review' })).toHaveAttribute('href', '/t/t/deal/1/review');
  expect(screen.queryByRole('button', { name: 'Rematch' })).toBeNull();
});

test('a lesson that was won leads to its end, without a rematch', async () => {
  const { onend } = show({ ...triedDay(''), day: null, lesson: 'first' });
  await userEvent.click(screen.getByRole('button', { name: 'Result of the match' }));
  expect(onend).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Rematch' })).toBeNull();
});
