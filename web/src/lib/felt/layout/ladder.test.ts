import { describe, expect, it } from 'vitest';

import { feltOf, type Felt } from './feltLayout';
import { frameOf, type Content, type Frame } from './frameLayout';
import { pileCells, roomFor, roomsTo } from './ladder';

const content = (others: number, melds: number, pile: number, hand: number): Content => ({
  seated: true,
  others,
  bySide: false,
  melds,
  pile,
  hand,
  lesson: 0,
  open: 0,
  recap: true,
});

function laidOut(width: number, height: number, what: Content): [Frame, Felt] {
  const frame = frameOf({ width, height, scale: 1 }, what);
  return [frame, feltOf(frame, { width: frame.width, height: frame.felt }, what)];
}

/** The stages of the design: a pile's gaps count as cards. */
const STAGES = {
  middle: content(3, 9, 10, 8),
  long: content(3, 5, 22, 13),
  eight: content(7, 11, 9, 7),
  early: content(1, 1, 2, 14),
};

/** Widths of melds, pile and hand that are reached at least. */
const WIDTHS: [number, number, ...[keyof typeof STAGES, number, number, number][]][] = [
  [360, 640, ['middle', 32, 40, 60], ['long', 32, 32, 54], ['eight', 32, 32, 54], ['early', 68, 68, 54]],
  [390, 844, ['middle', 48, 56, 66], ['long', 48, 52, 64], ['eight', 36, 44, 66], ['early', 78, 78, 64]],
  [844, 390, ['middle', 40, 56, 72], ['long', 40, 48, 72], ['eight', 36, 56, 72], ['early', 68, 68, 72]],
  [820, 1180, ['middle', 90, 96, 100], ['long', 96, 96, 100], ['eight', 68, 78, 100], ['early', 96, 96, 100]],
  [1280, 720, ['middle', 52, 60, 88], ['long', 72, 84, 88], ['eight', 44, 44, 88], ['early', 84, 84, 88]],
  [
    1440,
    900,
    ['middle', 78, 90, 116],
    ['long', 84, 104, 116],
    ['eight', 68, 78, 116],
    ['early', 112, 112, 116],
  ],
  [
    1920,
    1080,
    ['middle', 112, 120, 139],
    ['long', 112, 120, 139],
    ['eight', 104, 104, 139],
    ['early', 120, 120, 139],
  ],
];

describe('the widths of cards', () => {
  it.each(
    WIDTHS.flatMap(([width, height, ...rows]) =>
      rows.map(([stage, meld, pile, hand]) => ({ width, height, stage, meld, pile, hand })),
    ),
  )('$width × $height, $stage: $meld, $pile, $hand', ({ width, height, stage, meld, pile, hand }) => {
    const [frame, felt] = laidOut(width, height, STAGES[stage]);
    expect(felt.card).toBeGreaterThanOrEqual(meld);
    expect(felt.pile.card).toBeGreaterThanOrEqual(pile);
    expect(frame.hand.card).toBeGreaterThanOrEqual(hand);
    expect(felt.pile.card).toBeGreaterThanOrEqual(felt.card);
    expect(frame.scrolls).toBe(false);
  });
});

describe('the room of places', () => {
  it('is the smallest that holds the melds, with a free place where there is much room', () => {
    expect([0, 1, 2, 3, 9, 10, 30, 31].map((melds) => roomFor({ melds, spare: false }))).toEqual([
      2, 2, 2, 4, 9, 12, 30, 36,
    ]);
    expect([1, 2, 9, 19, 20].map((melds) => roomFor({ melds, spare: true }))).toEqual([2, 4, 12, 20, 20]);
    expect(roomsTo({ melds: 7, spare: false })).toEqual([2, 4, 6, 9]);
  });
});

describe('within a room', () => {
  const sizes = WIDTHS.map(([width, height]) => [width, height] as const);
  const piles = (most: number): number[] => [1, 3, 6, 9, 12, 16, 20].filter((pile) => pile <= most);

  it.each(sizes)('no meld of %d × %d moves to another place as hand and pile change', (width, height) => {
    for (const others of [1, 3, 7])
      for (const melds of [1, 3, 5, 8, 11]) {
        const grids = [1, 7, others === 7 ? 10 : 13].flatMap((hand) =>
          piles(52 - hand - 3 * melds - others).map((pile) => {
            const felt = laidOut(width, height, content(others, melds, pile, hand))[1];
            // Sideways a long pile goes below the melds, which then have the whole width.
            const beside = felt.pile.start >= felt.area.start + felt.area.width;
            return `${beside ? 'beside' : 'below'} ${felt.columns}`;
          }),
        );
        const [few, many] = new Set(grids);
        expect(new Set(grids).size, `${others} others, ${melds} melds`).toBeLessThanOrEqual(2);
        if (many)
          expect([few, many]).toEqual([expect.stringMatching('beside'), expect.stringMatching('below')]);
      }
  });
});

describe('the cards of a pile', () => {
  const shape = { card: 60, step: 30, rows: 2 };

  it.each([1, 2, 3, 7, 22])('of %d lie in halves, the newest at the end and never alone', (count) => {
    const cells = pileCells(count, shape);
    const last = cells.at(-1)!;
    const inLast = cells.filter(({ row }) => row === last.row).length;
    expect(cells).toHaveLength(count);
    expect(last.last).toBe(true);
    expect(Math.abs(inLast - (count - inLast)) <= 1 || inLast === count).toBe(true);
    expect(count === 1 || inLast > 1).toBe(true);
  });

  it('show rank and suit of the upper row', () => {
    expect(pileCells(22, shape).find(({ row }) => row === 1)!.y).toBeCloseTo(0.76 * 84);
  });
});
