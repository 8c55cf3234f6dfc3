import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import type { DrillResult } from '$lib/net/protocol';
import { discard, verdictOn } from '../../../testing/verdict';
import DrillEnd from './DrillEnd.svelte';
import { meanScore, sharesOf } from './drillText';

const NOTHING: DrillResult = {
  score: 100,
  loss: 0,
  verdict: null,
  points: null,
  lines: [],
  chances: [],
  guessed: [],
};

test('the end shows the mean, each answer and the costliest play', async () => {
  const bad = verdictOn(discard('KS', '1'), discard('4D', '2'));
  const results = [NOTHING, { ...NOTHING, score: 40, loss: 14, verdict: bad }, { ...NOTHING, score: 10 }];
  render(DrillEnd, { kind: 'discard', results, onagain: () => undefined });
  expect(screen.getByText('50')).toBeTruthy();
  expect(screen.getByText('Question 2: 40 of 100')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'What there is to learn' })).toBeTruthy();
});

test('shares and scores', () => {
  expect(sharesOf([100, 50, 50])).toEqual([0.5, 0.25, 0.25]);
  expect(sharesOf([0, 0])).toEqual([0.5, 0.5]);
  expect([meanScore([]), meanScore([100, 33])]).toEqual([0, 67]);
});
