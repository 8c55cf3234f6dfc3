import { describe, expect, it } from 'vitest';

import { SPECTATOR } from '$lib/net/blank';
import type { TableInfo, SeatPlate, Snapshot } from '$lib/net/protocol';
import { accountName, accountsInOrder, others, pointsOnTable, seatsOf, type TableData } from './seatNames';

const seenBy = (seat: number | null, names: string[], options: Partial<TableInfo>): TableData => ({
  shared: {
    seats: names.map((name) => ({ kind: 'person', name }) as SeatPlate),
    laid: names.map((_, index) => 10 * (index + 1)),
  } as Snapshot,
  options: { sides: 0, ...options } as TableInfo,
  you: { ...SPECTATOR, seat },
});

describe('the seats of a table', () => {
  it('are those of the seated players, for any number of seats', () => {
    const four = seenBy(1, ['Ann', 'Ben', 'Cleo', 'Dan'], { players: 4 });
    expect([others(four), accountsInOrder(four)]).toEqual([
      [2, 3, 0],
      [1, 2, 3, 0],
    ]);
    // Ann has resigned: Ben sits at seat 0.
    const three = seenBy(0, ['Ben', 'Cleo', 'Dan'], { players: 4 });
    expect([others(three), accountsInOrder(three)]).toEqual([
      [1, 2],
      [0, 1, 2],
    ]);
    const two = seenBy(1, ['Ben', 'Cleo'], { players: 3 });
    expect([others(two), accountsInOrder(two)]).toEqual([[0], [1, 0]]);
    expect(others(seenBy(null, ['Ben', 'Cleo'], { players: 3 }))).toEqual([0, 1]);
  });

  it('share an account where there are sides', () => {
    const data = seenBy(3, ['Ann', 'Ben', 'Cleo', 'Dan'], { players: 4, sides: 2 });
    expect([accountsInOrder(data), seatsOf(data, 1), pointsOnTable(data, 1)]).toEqual([[1, 0], [1, 3], 60]);
    expect([accountName(data, 1), accountName(data, 0)]).toEqual(['We', 'They']);
  });
});
