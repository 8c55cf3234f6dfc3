import { expect, test } from 'vitest';

import { apart, scaleOf, ticks } from './chartScale';

test('an axis has a few round numbers', () => {
  expect(ticks(0, 500)).toEqual([0, 100, 200, 300, 400, 500]);
  expect(ticks(-42, 187)).toEqual([0, 50, 100, 150]);
  expect(ticks(0, 12)).toEqual([0, 5, 10]);
  expect(ticks(0, 1)).toEqual([0, 1]);
});

test('a scale goes up to the target where the course is still seen, else a little above the totals', () => {
  expect(scaleOf([0, 200, -40], 500)).toEqual({ low: -40, high: 500, withTarget: true });
  expect(scaleOf([0, 510], 500)).toEqual({ low: 0, high: 510, withTarget: true });
  expect(scaleOf([0, 200], 5000)).toEqual({ low: 0, high: 230, withTarget: false });
  expect(scaleOf([-20, 100], null)).toEqual({ low: -20, high: 100, withTarget: false });
  expect(scaleOf([], null)).toEqual({ low: 0, high: 1, withTarget: false });
});

test('names that would cover one another move apart, and no others', () => {
  expect(apart([100, 50], 10, [0, 200])).toEqual([100, 50]);
  expect(apart([100, 102], 10, [0, 200])).toEqual([100, 110]);
  expect(apart([198, 200, 199], 10, [0, 200])).toEqual([180, 200, 190]);
  expect(apart([5, 5, 5], 10, [0, 12])).toEqual([0, 10, 20]);
});
