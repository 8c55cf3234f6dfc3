import { describe, expect, it } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import type { TableInfo, DealResult, SeatPlate, Snapshot } from '$lib/net/protocol';
import { accountHistories, leadFrom, type AccountHistory } from './totalsHistory';

const score = (names: string[], accounts: number[], totals: number[]): DealResult =>
  ({ names, accounts, totals }) as DealResult;
const course = (seat: number | null, names: string[], scores: DealResult[], sides = 0) =>
  accountHistories({
    shared: { seats: names.map((name) => ({ kind: 'person', name }) as SeatPlate), scores } as Snapshot,
    options: { sides, players: 4 } as TableInfo,
    you: { ...SPECTATOR, seat },
  }).map(({ name, points, totals }) => [name, points, totals]);

describe('the course of a match', () => {
  it("begins with the viewer's totals", () => {
    const scores = [
      score(['Ann', 'Ben', 'Cleo'], [5, 10, 15], [5, 10, 15]),
      score(['Ann', 'Ben', 'Cleo'], [1, 2, -3], [6, 12, 12]),
    ];
    expect(course(1, ['Ann', 'Ben', 'Cleo'], scores)).toEqual([
      ['You', [10, 2], [10, 12]],
      ['Cleo', [15, -3], [15, 12]],
      ['Ann', [5, 1], [5, 6]],
    ]);
  });

  it('continues without a player that resigned, and keeps that player’s totals', () => {
    const scores = [
      score(['Ann', 'Ben', 'Cleo'], [5, 10, 15], [5, 10, 15]),
      score(['Ann', 'Cleo'], [20, 30], [25, 45]),
    ];
    expect(course(1, ['Ann', 'Cleo'], scores)).toEqual([
      ['You', [15, 30], [15, 45]],
      ['Ann', [5, 20], [5, 25]],
      ['Ben', [10, null], [10, null]],
    ]);
  });

  it('goes by side where there are sides', () => {
    const four = ['Ann', 'Ben', 'Cleo', 'Dan'];
    expect(course(3, four, [score(four, [7, -2], [7, -2])], 2)).toEqual([
      ['We', [-2], [-2]],
      ['They', [7], [7]],
    ]);
  });
});

describe('the lead', () => {
  const totals = (...rows: (number | null)[][]): AccountHistory[] =>
    rows.map((row, account) => ({ name: `P${account}`, account, points: row, totals: row }));

  it('is held from the deal after which nobody caught up again', () => {
    expect(leadFrom(totals([10, 20, 30], [5, 25, 28]), 0)).toBe(3);
    expect(leadFrom(totals([10, 30, 40], [5, 25, 28]), 0)).toBe(1);
  });

  it('is not shared', () => {
    expect(leadFrom(totals([10, 30], [10, 28]), 0)).toBe(2);
  });

  it('does not belong to a player that was behind at the end', () => {
    expect(leadFrom(totals([10, 20], [5, 25]), 0)).toBe(3);
  });

  it('ignores players that left', () => {
    expect(leadFrom(totals([10, 20], [50, null]), 0)).toBe(2);
  });
});
