import { render, screen, within } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { TableEvent, ReplayFrame, Replay as Deal } from '$lib/net/protocol';
import { answering, Refusal } from '../../../testing/http';
import { bot, OPTIONS, plate, read, SHARED } from '../../../testing/table';
import Replay from './Replay.svelte';

const HANDS = [['2S', '3H'], ['4D', '5C', '6S'], ['KD']];

function frame(event: Partial<TableEvent> | null, hands = HANDS, pile = ['JS']): ReplayFrame {
  const shared = {
    ...SHARED,
    melds: [],
    pile,
    hand_sizes: hands.map((hand) => hand.length),
    actor: 1,
    turn: 1,
  };
  return { event: event && { number: 1, kind: '', seat: 0, ...event }, shared, hands };
}

const DEAL: Deal = {
  table: 't',
  deal: 1,
  options: OPTIONS,
  names: ['Nora', 'Emmy', 'Carl'],
  draw: null,
  fairness: null,
  frames: [
    frame({ kind: 'deal', seat: 1, card: 'JS', dealer: 1, stock: 30 }),
    frame({ kind: 'draw', seat: 0, card: '7H' }, [['2S', '3H', '7H'], HANDS[1]!, HANDS[2]!]),
    frame({ kind: 'discard', seat: 0, card: '2S' }, [['3H', '7H'], HANDS[1]!, HANDS[2]!], ['JS', '2S']),
    frame(
      { kind: 'draw', seat: 1, card: '9C' },
      [['3H', '7H'], [...HANDS[1]!, '9C'], HANDS[2]!],
      ['JS', '2S'],
    ),
  ],
  sheet: {
    number: 1,
    reason: 'out',
    out: 2,
    lines: [[], [], []],
    points: [0, 0, 0],
    accounts: [0, 0, 0],
    totals: [0, 0, 0],
  },
};
DEAL.frames = DEAL.frames.map((one) => ({
  ...one,
  shared: { ...one.shared, seats: [plate('Nora'), bot('Emmy'), bot('Carl')] },
}));

async function open(): Promise<void> {
  answering({ 'GET /api/tables/t/deals/1': DEAL });
  render(Replay, { id: 't', deal: 1 });
  await screen.findByRole('button', { name: 'Step forward' });
}

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const step = (): string => /Step (\d+) of \d+/.exec(document.querySelector('.count')!.textContent!)![1]!;
const hand = (name: string): string[] =>
  [
    ...screen.getByRole('region', { name: `${name}’s hand` }).querySelectorAll<HTMLElement>('[data-card]'),
  ].map(({ dataset }) => dataset.card!);

test('it goes by steps, by turns and to its ends', async () => {
  await open();
  expect(step()).toBe('1');
  await press('Step forward');
  expect(step()).toBe('2');
  expect(read(document.querySelector('.event')!)).toBe('Nora drew 7 of hearts.');
  await press('To the end');
  expect(step()).toBe('4');
  await press('Step forward');
  expect(step()).toBe('4');
  await press('Turn back');
  expect(Number(step())).toBeLessThan(4);
  await press('To the start');
  expect(step()).toBe('1');
});

test('by keyboard too', async () => {
  await open();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(step()).toBe('3');
  await userEvent.keyboard('{End}{ArrowLeft}');
  expect(step()).toBe('3');
  await userEvent.keyboard('{Home}');
  expect(step()).toBe('1');
});

test('it is seen from the first seat, and every other is offered', async () => {
  await open();
  const seats = screen.getByRole('combobox', { name: 'Seen from' });
  expect(within(seats).getAllByRole('option').map(read)).toEqual(['Nora', 'Emmy', 'Carl']);
  expect(hand('Nora').sort()).toEqual(['2S', '3H']);
  const others = [...document.querySelectorAll<HTMLElement>('[data-seat]')].map(
    ({ dataset }) => dataset.seat,
  );
  expect(others.sort()).toEqual(['1', '2']);
});

test('the others’ hands lie open, or not', async () => {
  await open();
  const emmy = (): string => screen.getByRole('region', { name: /^Emmy/ }).getAttribute('aria-label')!;
  expect(emmy()).toMatch(/holds 4 of diamonds, 5 of clubs and 6 of spades/);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show all hands' }));
  expect(emmy()).not.toMatch(/holds/);
});

test('record, table and sheet are one press away', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'Download record' })).toHaveAttribute(
    'href',
    '/api/tables/t/deals/1.rum500',
  );
  expect(screen.getByRole('link', { name: 'To the table' })).toHaveAttribute('href', '/t/t');
  await press('Verify shuffle');
  expect(await screen.findByText('There is no stored proof of this shuffle.')).toBeInTheDocument();
});

test('a deal that is not finished cannot be seen', async () => {
  answering({ 'GET /api/tables/t/deals/1': new Refusal(404, { code: 'deal.unknown' }) });
  render(Replay, { id: 't', deal: 1 });
  expect(await screen.findByText(/^This deal cannot be replayed yet/)).toBeInTheDocument();
});
