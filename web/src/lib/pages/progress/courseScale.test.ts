import { expect, test } from 'vitest';

import { scaleOf } from './courseScale';

const point = (mean: number, half: number) => ({ at: 0, deals: 30, mean, half });

test('The scale begins at zero and holds the whole band', () => {
  expect(scaleOf([point(31, 22), point(57, 8)])).toEqual({ low: 0, high: 80, lines: [0, 20, 40, 60, 80] });
});

test('The scale holds negative values and the line of club', () => {
  const { low, high, lines } = scaleOf([point(-12, 9)], [81]);
  expect([low, high]).toEqual([-25, 100]);
  expect(lines).toEqual([-25, 0, 25, 50, 75, 100]);
});

test('A course without any points has a scale of its own', () => {
  expect(scaleOf([point(0, 0)]).lines).toEqual([0, 5]);
});
