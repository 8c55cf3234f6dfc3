import { describe, expect, it } from 'vitest';

import { dotsOf } from './dots';

describe('dotsOf', () => {
  it('has a dot for each player, and marks the column of the viewer', () => {
    const found = dotsOf([[-12, 1], [40, 2], [104, 1]], 40, [], 20); // prettier-ignore
    expect(found.each).toBe(1);
    expect(found.dots).toHaveLength(4);
    const own = found.dots.filter((dot) => dot.own);
    expect(own).toHaveLength(1);
    expect(found.dots.filter((dot) => dot.column === own[0]!.column).map((dot) => dot.row)).toEqual([0, 1]);
    expect(found.low).toBeLessThan(-12);
    expect(found.high).toBeGreaterThan(104);
  });

  it('lets a dot stand for several players where a column would be too high', () => {
    const found = dotsOf([[10, 10_000], [90, 1]], 90, [], 20); // prettier-ignore
    expect(found.each).toBe(1250);
    expect(found.dots.map((dot) => dot.row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0]);
  });

  it('covers the games of a bot and zero, with ticks in round numbers', () => {
    const found = dotsOf([[55, 1]], 55, [-80, 170], 10);
    expect(found.low).toBeLessThan(-80);
    expect(found.high).toBeGreaterThan(170);
    expect(found.ticks).toEqual([-50, 0, 50, 100, 150]);
  });
});
