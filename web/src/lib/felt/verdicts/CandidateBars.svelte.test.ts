/** The bars of a decision: the words beside plays that may be the best. */
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import { discard, verdictOn } from '../../../testing/verdict';
import CandidateBars from './CandidateBars.svelte';
import { barsOf } from './reviewData';

const candidate = (card: string, lead: number, half: number, good: boolean) => ({
  play: discard(card, card),
  lead,
  half,
  as_good: good,
});
const best = candidate('2H', 4.5, 3.2, true);
const wide = candidate('8D', -2, 9.2, true);

test.each([
  [false, ['as good', undefined, 'perhaps as good']],
  [true, ['as good', 'as good', 'as good']],
])('a play that is no better than a mistake is only perhaps the best (good play: %s)', (good, words) => {
  const played = candidate('2S', 0, 0, good);
  const verdict = verdictOn(played.play, best.play, { candidates: [best, played, wide] });
  render(CandidateBars, { view: barsOf(verdict, null), tag: 'your play' });
  const rows = screen.getAllByRole('listitem');
  expect(rows.map((row) => row.querySelector('.small')?.textContent.trim())).toEqual(words);
});
