/** Where the figures of a deal lie on its line. */
import { expect, test } from 'vitest';

import { lineFor } from '../../../testing/verdict';
import { lineOf } from './dealLine';

test('the figures lie in their order, inside the line', () => {
  const places = lineOf(lineFor({ average: 74, club: 61, you: 47, low: 38, high: 85 }));
  const { low, you, club, average, high } = places;
  expect([low, you, club, average, high]).toEqual([low, you, club, average, high].sort((a, b) => a - b));
  expect(low).toBeGreaterThan(0);
  expect(high).toBeLessThan(100);
});

test('gaps on different sides of club lie beside each other', () => {
  const [row, ...others] = lineOf(lineFor({ average: 74, club: 41, you: 7, low: 7, high: 74 })).gaps;
  expect(others).toEqual([]);
  expect(row!.map(({ of }) => of)).toEqual(['cards', 'play']);
});

test('gaps that overlap have a row each', () => {
  expect(lineOf(lineFor({ average: -10, club: 30, you: 10, low: 0, high: 50 })).gaps).toHaveLength(2);
  expect(lineOf(lineFor({ average: 0, club: 2, you: 4, low: -80, high: 80 })).gaps).toHaveLength(2);
});

test('figures that are all the same lie in the middle', () => {
  expect(lineOf(lineFor({ average: 5, club: 5, you: 5, low: 5, high: 5 })).you).toBe(50);
});
