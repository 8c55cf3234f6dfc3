import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answering } from '../../../testing/http';
import { discard, verdictOn } from '../../../testing/verdict';
import type { DealReview } from '$lib/net/protocol';
import { DealReviewLoader } from './dealReview.svelte';

const RUNNING: DealReview = {
  table: 't',
  you: 0,
  judge: null,
  state: {
    deal: 1,
    players: [0, 1],
    breakdown: 'done',
    marks: 'running',
    judged: 0,
    decisions: 9,
    why: null,
  },
  others: 'opponent',
  names: ['Nora', 'Bo'],
  breakdown: null,
  verdicts: [],
  since: 0,
  next: 0,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first verdict is requested at once, and the others each second', async () => {
  const first = { ...RUNNING, verdicts: [verdictOn(discard('5S', '1'), discard('KD', '2'))], next: 1 };
  const asked = answering({
    'POST /api/tables/t/deals/1/review': RUNNING,
    'GET /api/tables/t/deals/1/review': first,
    'GET /api/tables/t/deals/1/review?after=1': { ...first, verdicts: [] },
  });
  const loader = new DealReviewLoader('t', 1);
  await loader.start();
  expect(loader.judged).toEqual([]);
  await vi.advanceTimersByTimeAsync(250);
  expect(loader.judged).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500 + 1_000 + 1_000);
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET']);
  loader.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(5);
});
