/** The steps in words: how far each one is, which comes next, and the matches against it. */
import { render, screen } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import type { LevelStep } from '$lib/net/protocol';
import Stairs from './Stairs.svelte';

const step = (number: number, filled: boolean, matches = 0): LevelStep => ({
  level: `level${number}`,
  filled,
  matches,
  won: matches,
  deals: 0,
  ahead: null,
  half: null,
});

function words(next: string): (string | null | undefined)[] {
  const steps = [step(1, true), step(2, true, 3), step(3, false)];
  render(Stairs, { steps, next, letter: 'N' });
  return screen.getAllByRole('listitem').map((item) => item.querySelector('.spoken')?.textContent);
}

test('a step above the highest reached one comes next', () => {
  expect(words('level3')).toEqual([
    'Level 1, reached',
    'Level 2, reached, you stand here, 3 of 3 matches won',
    'Level 3, not reached yet, next',
  ]);
});

test('a reached step that comes next stays filled', () => {
  expect(words('level2')[1]).toBe('Level 2, reached, you stand here, next, 3 of 3 matches won');
  expect(document.querySelectorAll('.bar.filled')).toHaveLength(2);
  expect(document.querySelectorAll('.bar.next.filled')).toHaveLength(1);
});

test('the matches above a step are short enough for ten steps on a phone', () => {
  render(Stairs, { steps: [step(1, false, 8)] });
  expect(document.querySelector('.above')).toHaveTextContent(/^8\/8$/);
});
