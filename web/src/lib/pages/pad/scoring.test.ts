import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import {
  accountOf,
  cardPoints,
  check,
  dealPoints,
  games,
  handPoints,
  packPoints,
  rulesOf,
  score,
  type End,
  type Entry,
  type Game,
} from './scoring';

interface Vector extends Game {
  players: number;
  deals: { out?: number | null; laid?: number[]; left?: string[][]; points?: number[] }[];
  points: number[][];
  totals: number[][];
  result: End;
}

/** The file of matches to score; the full test run names a longer one. */
const FILE =
  process.env.SCORING_VECTORS ?? new URL('../../../../../tests/scoring_vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vector[];

const rank = (card: string): string => (card === 'JK' ? card : card.slice(0, -1));

const rules = (profile: string, choices: string[] = []) => rulesOf({ profile, choices, options: {} });

test('every match is scored as the engine scored it', () => {
  for (const vector of vectors) {
    const own = rulesOf(vector);
    const deals = vector.deals.map(({ out = null, laid, left, points }): Entry =>
      left ? { out, laid, held: left.map((hand) => handPoints(own, hand.map(rank))) } : { out, points },
    );
    const { rows, end } = score(own, vector.players, deals);
    expect(
      rows.map(({ points }) => points),
      JSON.stringify(vector),
    ).toEqual(vector.points);
    expect(rows.map(({ totals }) => totals)).toEqual(vector.totals);
    expect(end).toEqual(vector.result);
    expect(score(own, vector.players, deals.slice(0, -1)).end).toBeNull();
  }
});

test('the vectors have every game, every end, draws, deciding deals and payments', () => {
  expect(new Set(vectors.map(({ profile }) => profile))).toEqual(new Set(games));
  expect(new Set(vectors.map(({ result }) => result.reason))).toEqual(
    new Set(['target', 'deals', 'max_deals']),
  );
  expect(vectors.some(({ result }) => result.winner === null)).toBe(true);
  expect(vectors.some(({ result }) => result.bonus && result.payments.length)).toBe(true);
  expect(vectors.some(({ deals }) => deals.some(({ out, left }) => left && out === null))).toBe(true);
  const tied = ({ totals, result, options: { target = 0 } }: Vector) =>
    result.reason === 'target' && totals.slice(0, -1).some((row) => Math.max(...row) >= target);
  expect(vectors.some(tied)).toBe(true);
});

describe('one deal', () => {
  test('in Michigan the hands go to the player who goes out', () => {
    const deal = { out: 0, laid: [46, 22, 31, 15], held: [0, 24, 11, 33] };
    expect(dealPoints(rules('michigan-rum'), deal, [438, 0, 0, 0])).toEqual([114, 22, 31, 15]);
    expect(dealPoints(rules('500-rum'), deal, [0, 0, 0, 0])).toEqual([46, -2, 20, -18]);
  });
  test('in Persian Rummy a side has one account, and going out counts 25', () => {
    const own = rules('persian-rummy');
    expect([0, 1, 2, 3].map((seat) => accountOf(own, seat))).toEqual([0, 1, 0, 1]);
    expect(score(own, 4, [{ out: 2, laid: [160, 10, 0, 0], held: [5, 0, 0, 20] }]).rows[0]!.points).toEqual([
      180, -10,
    ]);
  });
});

describe('points of cards', () => {
  test.each([
    ['500-rum', 396, 15, 7],
    ['500-rummy', 380, 15, 5],
    ['rummy-500', 426, 15, 7],
    ['persian-rummy-fosdick', 460, 15, 5],
  ])('%s: the pack has %i points', (profile, pack, ace, seven) => {
    const own = rules(profile);
    expect([packPoints(own, 4), cardPoints(own, 'A'), cardPoints(own, '7')]).toEqual([pack, ace, seven]);
  });
  test('from five players on there are two packs', () => {
    expect(packPoints(rules('500-rum'), 5)).toBe(792);
  });
});

describe('the count of all cards', () => {
  test.each([
    ['500-rum', 382, 0, { pack: 396, short: 14, lowAces: 1 }],
    ['500-rum', 300, 96, null],
    ['500-rum', 300, 86, { pack: 396, short: 10 }],
    ['500-rummy', 370, 0, { pack: 380, short: 10, lowAces: 1 }],
    ['500-rum', 400, null, { pack: 396, short: -4 }],
    ['500-rum', 390, null, null],
    ['persian-rummy', 500, 16, { pack: 476, short: -40, doubled: true }],
  ] as const)('%s: %i counted, %s left over', (profile, counted, rest, found) => {
    expect(check(rules(profile), 4, counted, rest)).toEqual(found);
  });
});
