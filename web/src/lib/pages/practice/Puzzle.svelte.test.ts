import { render, screen } from '@testing-library/svelte';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { PuzzleResult, PuzzleShown, ReviewPlay, SeatPosition } from '$lib/net/protocol';
import { answering, Refusal, type Request } from '../../../testing/http';
import { OPTIONS, placed, read, SHARED, TO_DRAW } from '../../../testing/table';
import Puzzle from './Puzzle.svelte';

const play = (code: string, kind: ReviewPlay['kind'], cards: string[] = []): ReviewPlay => ({
  code,
  kind,
  text: code,
  cards: cards.map((card) => placed(card, 0)),
});
const DRAW = play('draw', 'draw');
const TAKE = play('take 1', 'take', ['7S']);
const POSITION: SeatPosition = {
  options: OPTIONS,
  shared: { ...SHARED, ...TO_DRAW.shared },
  you: TO_DRAW.you!,
  events: [],
};
const SHOWN: PuzzleShown = {
  id: 'p1',
  day: null,
  moves: 2,
  retired: false,
  position: POSITION,
  result: null,
};
const WRONG: PuzzleResult = {
  right: false,
  quiet: false,
  move: 2,
  moves: 2,
  position: POSITION,
  played: DRAW,
  best: TAKE,
  loss: 14,
  error: 1,
  candidates: [
    { play: TAKE, lead: 14, half: 2, as_good: true },
    { play: DRAW, lead: 0, half: 0, as_good: false },
  ],
  why: {
    code: 'why.small',
    message: '',
    points: 14,
    half: 2,
    reasons: [],
    parts: [],
    rates: [],
    others: 'opponent',
    gained: 0,
    chance: null,
  },
  why_of: DRAW,
  plan: { name: 'salt', cards: ['5H'], played: 0.1, best: 0.61, message: '' },
  levels: [
    { level: 'greedy', play: DRAW, right: false },
    { level: 'club', play: TAKE, right: true },
  ],
  answers: 4,
  solved: 1,
  puzzle_rating: 1600,
  puzzle_provisional: true,
  before: 1500,
  rating: 1432,
  provisional: true,
  streak: 0,
  vote: 0,
};

let asked: Request[] = [];
let user = userEvent.setup();
beforeEach(() => {
  user = userEvent.setup();
});

function served(result: PuzzleResult): void {
  asked = answering({
    'GET /api/puzzles/next': SHOWN,
    'GET /api/puzzles/next?after=p1': { ...SHOWN, id: 'p2' },
    'POST /api/puzzles/p1/ask': { options: [], groups: [], reason: null, refused: {} },
    'POST /api/puzzles/p2/ask': { options: [], groups: [], reason: null, refused: {} },
    'POST /api/puzzles/p1/answer': ({ body }: Request) =>
      (body as { before: string[] }).before.length
        ? { result, next: null, refused: null, column: null }
        : { result: null, next: { ...POSITION }, refused: null, column: null },
    'POST /api/puzzles/p1/vote': ({ body }: Request) => body,
  });
}

const position = (): Promise<HTMLElement> => screen.findByTestId('position');

describe('a puzzle', () => {
  test('at a score has bars in points at the start of a match, unlike the points of the deal in the text', async () => {
    served({ ...WRONG, loss: 16, why: { ...WRONG.why!, chance: 0.03 } });
    render(Puzzle, { daily: false, profile: null });
    await position();
    await user.click(screen.getByRole('button', { name: /^Draw/ }));
    await screen.findByRole('heading', { name: 'Right. And now?' });
    await user.click(screen.getByRole('button', { name: /^Draw/ }));
    const unit = 'Points at the start of a match, compared with the play that was made';
    expect(await screen.findByRole('list', { name: unit })).toBeVisible();
    expect(read(document.querySelector('main')!)).toMatch(/cost 14 ± 2 points in this deal/);
  });

  test('is answered by a play in each move, and shows what the last one lost', async () => {
    served(WRONG);
    render(Puzzle, { daily: false, profile: null });
    expect(await position()).toHaveTextContent('Move 1 of 2');
    const handHeight = (): string =>
      screen.getByLabelText('Your place').style.getPropertyValue('--hand-high');
    const height = handHeight();
    expect(height).not.toBe('0px');
    await user.click(screen.getByRole('button', { name: /^Draw/ }));
    await screen.findByRole('heading', { name: 'Right. And now?' });
    expect(await position()).toHaveTextContent('Move 2 of 2');
    expect(handHeight()).toBe(height);
    await user.click(screen.getByRole('button', { name: /^Draw/ }));
    const heading = await screen.findByRole('heading', { name: 'Not the best play' });
    expect(heading).toHaveFocus();
    const answers = asked.filter(({ path }) => path.endsWith('/answer')).map(({ body }) => body);
    expect(answers).toEqual([
      { play: 'draw', before: [] },
      { play: 'draw', before: ['draw'] },
    ]);
    expect(asked.findLast(({ path }) => path.endsWith('/ask'))!.body).toMatchObject({ before: ['draw'] });
    const text = read(document.querySelector('main')!);
    expect(text).toMatch(/The best play: Take 7 of spades from the pile/);
    expect(text).toMatch(/Move 2 of 2/);
    expect(text).toMatch(/take it back with the pile: works in 61% of deals/);
    expect(text).toMatch(
      /Your rating 1,500 → 1,432 \(provisional\) · This puzzle: 1,600 \(provisional\) · 25% of 4 players solved it/,
    );
    expect(text).toMatch(/Steady ?Draw from the stock ?wrong/);
    expect(text).toMatch(/Points compared with the play that was made\./);
    await user.click(screen.getByRole('button', { name: 'Bad' }));
    await vi.waitFor(() =>
      expect(asked.at(-1)).toMatchObject({ path: '/api/puzzles/p1/vote', body: { vote: -1 } }),
    );
    expect(screen.getByRole('button', { name: 'Bad' })).toHaveAttribute('aria-pressed', 'true');
  });

  test('that is right names the best of the others, and does not count again', async () => {
    served({ ...WRONG, right: true, best: DRAW, loss: 0, why_of: TAKE, before: null });
    render(Puzzle, { daily: false, profile: null });
    await position();
    await user.keyboard('d');
    await screen.findByRole('heading', { name: 'Right. And now?' });
    await position();
    await user.keyboard('d');
    await screen.findByRole('heading', { name: 'Right' });
    const text = read(document.querySelector('main')!);
    expect(text).toMatch(/This is the best play\./);
    expect(text).toMatch(
      /The best of the others: ?Taking 7 of spades from the pile would have cost 14 ± 2 points\./,
    );
    expect(text).toMatch(/You have answered it before: it does not count\./);
  });

  test('is put off for another one', async () => {
    served(WRONG);
    render(Puzzle, { daily: false, profile: null });
    await position();
    await user.click(screen.getByRole('button', { name: 'Another puzzle' }));
    await vi.waitFor(() => expect(asked.some(({ path }) => path === '/api/puzzles/p2/ask')).toBe(true));
  });

  test('is replaced by a notice if none of its kind are left', async () => {
    asked = answering({
      'GET /api/puzzles/next?profile=500-rum': new Refusal(404, { code: 'puzzle.none', message: '' }),
    });
    render(Puzzle, { daily: false, profile: '500-rum' });
    expect(await screen.findByRole('heading', { name: 'No puzzle is left' })).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent(/choose another game/);
  });
});
