import { describe, expect, it } from 'vitest';

import { placesOf, runIn, type Grid, type Place } from './places';

const ROOMS = [
  { places: 2, columns: 2, rows: 1 },
  { places: 6, columns: 3, rows: 2 },
  { places: 12, columns: 6, rows: 2 },
  { places: 24, columns: 8, rows: 3 },
];
const grid = (room: number, more: Partial<Grid> = {}): Grid => ({
  rooms: ROOMS.slice(0, room + 1),
  inOrder: false,
  ...more,
});
const owners = Array.from({ length: 24 }, (_, index) => (index * 7 + (index % 3)) % 4);

describe('places of melds', () => {
  it("are near their owners: the lower row is the viewer's", () => {
    const places = placesOf([0, 1, 2, 3, 0, 1], 3, { rooms: [ROOMS[2]!], inOrder: false });
    expect(places.map(({ row }) => row)).toEqual([1, 0, 0, 0, 1, 0]);
    expect(places[1]!.column).toBeLessThan(places[3]!.column);
  });

  it.each([
    ['singles', {}],
    ['sides', { halves: [0, 1, 0, 1] }],
    ['phone', { inOrder: true }],
  ])('are never shared and do not change within a room: %s', (_, more) => {
    ROOMS.forEach(({ places: most }, room) => {
      let before: Place[] = [];
      for (let count = ROOMS[room - 1]?.places ?? 1; count <= most; count += 1) {
        const places = placesOf(owners.slice(0, count), 3, grid(room, more));
        expect(places.slice(0, before.length)).toEqual(before);
        expect(new Set(places.map(({ column, row }) => `${column} ${row}`)).size).toBe(count);
        before = places;
      }
    });
  });

  it('keep their order in a row when the room grows', () => {
    const before = placesOf(owners.slice(0, 6), 3, grid(1));
    const after = placesOf(owners.slice(0, 6), 3, grid(2));
    before.forEach((one, index) =>
      before.forEach((other, each) => {
        if (one.row === other.row && one.column < other.column)
          expect(after[index]!.column).toBeLessThan(after[each]!.column);
      }),
    );
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

  it('fold round a marked card, which keeps its index if there is room', () => {
    const marked = [false, false, false, true];
    const { lefts, edges, width } = runIn(8, 60, 156, marked);
    expect(edges).toEqual([false, true, true, false, true, true, false, false]);
    expect(lefts[4]! - lefts[3]!).toBeGreaterThanOrEqual(0.36 * 60);
    expect(width).toBeLessThanOrEqual(156.01);
    expect(runIn(8, 60, 120, marked)).toEqual(runIn(8, 60, 120));
  });
});
