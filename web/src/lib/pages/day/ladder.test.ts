import { describe, expect, test } from 'vitest';

import { ladderOf, rungsBeside } from './ladder';

const bot = (level: string, mean: number) => ({ level, games: 40, mean, low: mean - 10, high: mean + 10 });
const BOTS = [bot('random', -4), bot('casual', 40), bot('club', 71)];

describe('the ladder of bots', () => {
  test('is sorted by points, with the guest among the bots and all within the scale', () => {
    const { rungs, ticks } = ladderOf(BOTS, 62);
    expect(rungs.map((one) => one.bot?.level ?? 'you')).toEqual(['club', 'you', 'casual', 'random']);
    for (const { low, at, high } of rungs) {
      expect(low).toBeGreaterThan(0);
      expect(at).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThanOrEqual(at);
      expect(high).toBeLessThan(100);
    }
    expect(ticks.map(([points]) => points)).toEqual([0, 25, 50, 75]);
    const [zero, quarter] = ticks.map(([, at]) => at);
    const random = rungs.at(-1)!.at;
    expect((quarter! - zero!) / 25).toBeCloseTo((zero! - random) / 4);
  });

  test('without bots, and with equal points, has a place for the guest', () => {
    expect(ladderOf([], 62).rungs.map(({ at }) => at)).toEqual([50]);
  });

  test.each([
    [62, 'club', 'casual'],
    [71, null, 'club'],
    [-9, 'random', null],
  ])('beside %s points are %s and %s', (points, above, below) => {
    expect(rungsBeside(BOTS, points)).toEqual({ above, below });
  });
});
