/** A deal on one page: the line, the turns that count, the match, and the states. */
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';

import { discard, lineFor, verdictOn } from '../../../testing/verdict';
import type { DealReview, ReviewVerdict, SeatBreakdownInfo } from '$lib/net/protocol';
import { DealReviewLoader } from './dealReview.svelte';
import DealResult from './DealResult.svelte';

const FIGURES = { average: 74, club: 61, you: 47, low: 38, high: 85 };
const SEAT: SeatBreakdownInfo = {
  seat: 0,
  margin: 47,
  cards: 20,
  own_play: -4,
  own_half: 6,
  other_play: 3,
  unexplained: 28,
  decisions: 22,
  score: null,
  tally: null,
  line: lineFor(FIGURES),
};

function reviewed(seat: Partial<SeatBreakdownInfo> = {}, more: Partial<DealReview> = {}): DealReview {
  return {
    table: 'table',
    you: 0,
    judge: { name: 'search', version: 6, digest: '', budget: 'usual', deviation: 84, bounds: [4, 10, 21] },
    state: { deal: 4, players: [0, 1], breakdown: 'done', marks: 'done', judged: 4, decisions: 4, why: null },
    others: 'opponent',
    names: ['Ada', 'Bruno'],
    breakdown: {
      seats: [{ ...SEAT, ...seat }],
      draws: [],
      luckiest: [null, null],
      unluckiest: [null, null],
      course: [],
      company: [
        { kind: 'club', known: 'assumed', level: null },
        { kind: 'casual', known: 'bot', level: 'greedy' },
      ],
      match: { before: [44, 56], after: [38, 62] },
    },
    verdicts: [],
    since: 0,
    next: 0,
    ...more,
  };
}

function show(review: DealReview | null, verdicts: ReviewVerdict[] = [], trouble?: unknown): void {
  const loader = new DealReviewLoader('table', 4);
  loader.review = review;
  loader.trouble = trouble;
  loader.verdicts = new Map(verdicts.map((one) => [one.step, one]));
  const props = { loader, id: 'table', deal: 4, names: ['Ada', 'Bruno'], seat: 0, name: null, step: 0 };
  render(DealResult, { ...props, onlook: vi.fn() });
}

function blunder(step: number, loss: number): ReviewVerdict {
  const found = verdictOn(discard('5S', '1'), discard('KD', '2'), { step, frame: step, turn: step, loss });
  return { ...found, low: loss - 2, high: loss + 2, why: { ...found.why!, points: loss } };
}

test('the two gaps are shown and add up to the result', () => {
  show(reviewed());
  const line = screen.getByRole('img');
  expect(line).toHaveTextContent('You +47');
  expect(line).toHaveTextContent('Club here +61');
  expect(line).toHaveTextContent('average deal +74');
  expect(line).toHaveTextContent('cards −13');
  expect(line).toHaveTextContent('you −14');
  expect(line).toHaveAccessibleName(
    /Average deal \+74\. Club with these cards \+61, .* You \+47\. Cards −13, play −14\./,
  );
  expect(screen.getByText(/Poor cards: the bot Club makes 13 points less/)).toBeVisible();
  expect(screen.getByText('You played as well as Club, as far as one deal can tell.')).toBeVisible();
});

test.each([
  ['below', 20, 'Club makes more of them in at least three games of four.'],
  ['above', 90, 'Club makes less of them in at least three games of four.'],
])('a result %s the middle half is named', (_, you, words) => {
  show(reviewed({ line: lineFor({ ...FIGURES, you }) }));
  expect(screen.getByText(words)).toBeVisible();
});

test('what is not explained is shown only on demand', async () => {
  show(reviewed());
  expect(screen.queryByText('Not explained')).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'How?' }));
  expect(screen.getByText('Not explained')).toBeVisible();
  expect(
    screen.getByText(/played this deal 40 times .*seed 40.*The gap to Club has three causes/),
  ).toBeVisible();
  expect(screen.getByText(/Bruno counts as Casual \(a bot, Steady\)/)).toBeVisible();
});

test('three turns at most, the costliest first, and one thing to try', () => {
  show(reviewed(), [blunder(3, 12), blunder(5, 30), blunder(7, 14), blunder(9, 20)]);
  const turns = within(screen.getByRole('region', { name: 'Turns that count' })).getAllByRole('button');
  expect(turns.map((one) => one.textContent.match(/−\d+/)?.[0])).toEqual(['−30', '−20', '−14']);
  expect(screen.getByText('1 more is marked')).toBeVisible();
  const next = within(screen.getByRole('region', { name: 'To try next' }));
  expect(next.getAllByRole('button')).toHaveLength(1);
  expect(screen.getByRole('region', { name: 'To try next' })).toHaveTextContent(/Discarding .*was better\./);
});

test('turns that count are different turns', () => {
  const same = { ...blunder(6, 29), turn: 5 };
  show(reviewed(), [blunder(3, 12), blunder(5, 30), same]);
  const turns = within(screen.getByRole('region', { name: 'Turns that count' })).getAllByRole('button');
  expect(turns.map((one) => one.textContent.match(/−\d+/)?.[0])).toEqual(['−30', '−12']);
  expect(screen.getByText('1 more is marked')).toBeVisible();
});

test('where points count for more, a cost is in the unit of its mark', () => {
  show(reviewed(), [{ ...blunder(3, 60), chance: 0.08, why: { ...blunder(3, 60).why!, points: 9 } }]);
  const turn = within(screen.getByRole('region', { name: 'Turns that count' })).getByRole('button');
  expect(turn).toHaveTextContent('−8 percentage points clear');
  expect(turn).toHaveAccessibleName(/lowered the chance to win the match by 8 percentage points/);
});

test.each([
  ['an interval around the loss', { loss: 20, low: 6, high: 34 }, '−20 ± 14 clear'],
  ['an interval that reaches further up', { loss: 20, low: 6, high: 40 }, '−20 ± 17 likely'],
])('a cost is clear by the interval beside it: %s', (_, interval, words) => {
  const why = { ...verdictOn(discard('5S', '1'), discard('KD', '2')).why!, points: 20 };
  show(reviewed(), [verdictOn(discard('5S', '1'), discard('KD', '2'), { ...interval, why })]);
  const turn = within(screen.getByRole('region', { name: 'Turns that count' })).getByRole('button');
  const cost = turn.querySelector('.cost')!.textContent.replace(/[\s\u2066-\u2069]+/g, ' ');
  expect(cost.trim()).toBe(words);
});

test('a play that is good in one way only is no mistake', () => {
  const ways = [
    { way: 'lay' as const, mark: 'good' as const, loss: 0, half: 1, best: '' },
    { way: 'hold' as const, mark: 'blunder' as const, loss: 21, half: 4, best: '' },
  ];
  const depends = verdictOn(discard('5S', '1'), discard('KD', '2'), {
    mark: 'good',
    loss: 0,
    low: 0,
    high: 1,
    ways,
  });
  show(reviewed(), [depends]);
  const turn = within(screen.getByRole('region', { name: 'Turns that count' })).getByRole('button');
  expect(turn).toHaveAccessibleName(/Depends on how you go on/);
  expect(turn).toHaveTextContent('−21 or 0');
  expect(screen.queryByRole('region', { name: 'To try next' })).toBeNull();
});

test('mistakes come before plays whose value depends on the way of playing on', () => {
  const ways = [
    { way: 'lay' as const, mark: 'good' as const, loss: 0, half: 1, best: '' },
    { way: 'hold' as const, mark: 'blunder' as const, loss: 90, half: 4, best: '' },
  ];
  const play = { mark: 'good' as const, loss: 0, low: 0, high: 1, step: 5, frame: 5, turn: 5, ways };
  show(reviewed(), [verdictOn(discard('5S', '1'), discard('KD', '2'), play), blunder(3, 12)]);
  const turns = within(screen.getByRole('region', { name: 'Turns that count' })).getAllByRole('button');
  expect(turns.map((one) => one.textContent.match(/−\d+/)?.[0])).toEqual(['−12', '−90']);
  const good = verdictOn(discard('5S', '1'), discard('KD', '2'), { ...play, step: 8, frame: 8, ways: [] });
  cleanup();
  const mistakes = [3, 5, 7, 9].map((step) => blunder(step, 40 - step));
  show(reviewed(), [...mistakes, { ...good, ways, step: 11, frame: 11, turn: 11 }, { ...good, turn: 8 }]);
  expect(screen.getByText('1 more is marked')).toBeVisible();
  cleanup();
  show(reviewed(), [mistakes[0]!, { ...good, turn: 8 }]);
  expect(screen.getByText('the other 1: no clear mistake')).toBeVisible();
});

test('the chances of the match have names and add up', () => {
  show(reviewed());
  const rows = within(screen.getByRole('region', { name: 'Chance to win the match' })).getAllByRole(
    'listitem',
  );
  expect(rows.map((row) => row.textContent.replace(/\s+/g, ' ').trim())).toEqual([
    'You 44% → 38%',
    'Bruno 56% → 62%',
  ]);
});

test('while the games are played, their place is kept', () => {
  show(reviewed({}, { breakdown: null, state: { ...reviewed().state, breakdown: 'running' } }));
  expect(screen.getByRole('status')).toHaveTextContent(
    'The bot Club is playing this deal with the same cards.',
  );
});

test.each([
  [
    'a failed review',
    reviewed({}, { breakdown: null, state: { ...reviewed().state, breakdown: 'failed' } }),
    undefined,
  ],
  ['no answer', null, new Error('offline')],
])('%s has no opinion, and says what is safe', (_, review, trouble) => {
  show(review, [], trouble);
  expect(screen.getByText('No review this time. The deal and its replay are safe.')).toBeVisible();
});

test('a review of an earlier judge shows its account', () => {
  show(reviewed({ line: null }));
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.getByText('Not explained')).toBeVisible();
});
