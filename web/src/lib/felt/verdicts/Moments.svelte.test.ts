/** The turning points of a match. */
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import { discard, verdictOn } from '../../../testing/verdict';
import type { MatchReview } from '$lib/net/protocol';
import { MatchReviewLoader } from './matchReview.svelte';
import Moments from './Moments.svelte';

const REASON = { code: 'why.own_lay', points: 12, error: 1, cards: [], played: null, best: null };

/** Show the costliest decision: one that cost 14 points in its deal, and so many at the start of a match. */
function costliest(loss: number, why: object = { code: 'why.costs', reasons: [REASON] }): HTMLElement {
  const usual = verdictOn(discard('5S', '1'), discard('KD', '2'));
  const worst = { ...usual, loss, why: { ...usual.why!, ...why } };
  const loader = new MatchReviewLoader('table');
  loader.review = { deals: [], best: null, worst, worst_deal: 1, luckiest: null } as unknown as MatchReview;
  render(Moments, { id: 'table', loader });
  return screen.getByRole('heading', { name: /Your costliest/ }).closest('article')!;
}

test('a reason is shown with the points that it explains', () => {
  expect(costliest(14)).toHaveTextContent('12 of it: less is laid.');
});

test('where points count for more, the deal’s points are shown with their worth', () => {
  const shown = costliest(60);
  expect(shown).toHaveTextContent('−14');
  expect(shown).toHaveTextContent(
    '12 of it: less is laid. At this score, the whole loss is worth as much as 60 points at the start of a match.',
  );
});

test('a loss of winning chance alone is shown in percentage points', () => {
  const shown = costliest(60, { code: 'why.match', points: 0.2, chance: 0.031 });
  expect(shown).toHaveTextContent('−3.1 percentage points');
  expect(shown).toHaveTextContent('lowered the chance to win the match by 3.1 percentage points.');
  expect(shown).not.toHaveTextContent('60');
});
