import { describe, expect, it } from 'vitest';

import { placesOf, runIn, type Grid } from './places';

const DESK: Grid = { columns: 6, rows: 3, inOrder: false };
const named = (places: { column: number; row: number }[]) => places.map(({ column, row }) => [column, row]);

describe('places of melds', () => {
  it('lie before their owner: below, left, across and right', () => {
    expect(named(placesOf([0, 1, 2, 3], 3, DESK))).toEqual([
      [2, 2],
      [0, 1],
      [2, 0],
      [5, 1],
    ]);
  });

  it('are the upper rows for the one opponent', () => {
    const places = placesOf([0, 1, 0, 1, 0, 1], 1, DESK);
    expect(places.filter((_, index) => index % 2 === 0).every(({ row }) => row === 2)).toBe(true);
    expect(places.filter((_, index) => index % 2 === 1).every(({ row }) => row === 0)).toBe(true);
  });

  it.each([
    ['singles', { ...DESK }, 3],
    ['upright', { columns: 4, rows: 5, inOrder: false }, 3],
    ['sides', { ...DESK, halves: [0, 1, 0, 1] }, 3],
    ['many', { ...DESK }, 7],
    ['phone', { columns: 3, rows: 4, inOrder: true }, 3],
  ])('never change and are never shared: %s', (_, grid: Grid, others) => {
    const owners = Array.from({ length: 30 }, (_, index) => (index * 7 + (index % 3)) % (others + 1));
    let before: number[][] = [];
    for (let count = 1; count <= owners.length; count += 1) {
      const places = named(placesOf(owners.slice(0, count), others, grid));
      expect(places.slice(0, -1)).toEqual(before);
      expect(new Set(places.map(String)).size).toBe(count);
      before = places;
    }
  });

  it('are to the left for our side and to the right for theirs, the tenth at the border', () => {
    const ours = placesOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 3, { ...DESK, halves: [0, 1, 0, 1] });
    expect(named(ours).slice(0, 4)).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1],
    ]);
    expect(named(ours)[9]).toEqual([3, 0]);
    expect(placesOf([1], 3, { ...DESK, halves: [0, 1, 0, 1] })[0]).toEqual({ column: 3, row: 0 });
  });

  it.each([undefined, [0, 1, 0, 1]])('keep row and order where columns are added: %o', (halves) => {
    const owners = Array.from({ length: 19 }, (_, index) => index % 4);
    const grid = halves ? { ...DESK, halves } : DESK;
    const before = placesOf(owners.slice(0, 18), 3, grid);
    const after = placesOf(owners, 3, { ...grid, columns: 8, firstColumns: 6 });
    expect(after.slice(0, 18).map(({ row }) => row)).toEqual(before.map(({ row }) => row));
    for (const [index, place] of before.entries())
      for (const [other, each] of before.entries())
        if (place.column < each.column) expect(after[index]!.column).toBeLessThan(after[other]!.column);
    expect(new Set(named(after).map(String)).size).toBe(19);
  });
});

describe('the cards of a meld', () => {
  it('lie 0.62 of a card apart where there is room', () => {
    expect(runIn(3, 100, 260).lefts).toEqual([0, 62, 124]);
  });

  it('close up within the place, and the first card stays', () => {
    for (let count = 3; count <= 14; count += 1) {
      const { lefts, width } = runIn(count, 60, 156);
      expect(lefts[0]).toBe(0);
      expect(width).toBeLessThanOrEqual(156.01);
      expect([...lefts].sort((a, b) => a - b)).toEqual(lefts);
    }
  });

  it('fold where they lie too close: the lowest and the two highest keep their index', () => {
    const { lefts, edges } = runIn(8, 60, 156);
    expect(edges).toEqual([false, true, true, true, true, true, false, false]);
    expect(lefts[1]).toBeGreaterThanOrEqual(0.34 * 60);
    expect(lefts[7]! - lefts[6]!).toBeGreaterThanOrEqual(0.34 * 60);
    expect(lefts[3]! - lefts[2]!).toBe(3);
  });
});
