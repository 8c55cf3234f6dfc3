import { describe, expect, it } from 'vitest';

import { feltOf, leastFelt, type Felt } from './feltLayout';
import { frameOf, modeOf, type Content, type Frame } from './frameLayout';

const SINGLES: Content = {
  seated: true,
  others: 3,
  bySide: false,
  melds: 9,
  hand: 8,
  pile: 9,
  lesson: 0,
  open: 0,
  recap: true,
};

function laidOut(width: number, height: number, more: Partial<Content> = {}, scale = 1): [Frame, Felt] {
  const content = { ...SINGLES, ...more };
  const frame = frameOf({ width, height, scale }, content);
  return [frame, feltOf(frame, { width: frame.width, height: frame.felt }, content)];
}

describe('the felt of a replay', () => {
  const lying = { seated: false, melds: 14, hand: 0, pile: 14, recap: false };

  it.each<[string, number, number, Partial<Content>, number?]>([
    ['a phone', 390, 844, { others: 3, open: 9 }],
    ['a phone with seven others', 360, 740, { others: 7, open: 9 }],
    ['a phone held sideways', 844, 390, { others: 5 }],
    ['a part of a desktop', 720, 700, { others: 5, open: 9 }],
    ['a phone with large text', 780, 1688, { others: 3 }, 2],
  ])('is so high on %s that all melds can be read', (_, width, height, more, scale = 1) => {
    const content = { ...SINGLES, ...lying, ...more };
    const frame = frameOf({ width, height, scale }, content);
    const least = leastFelt(frame, width, content);
    const { area, rows, place, gap } = feltOf(frame, { width, height: least }, content);
    expect(rows * place.height + (rows - 1) * gap.y).toBeLessThanOrEqual(area.height + 1);
    expect(least).toBeLessThan(1000 * scale);
  });
});

describe('a table', () => {
  it('is a centred stage in a very large window', () => {
    expect(laidOut(2560, 1440)[0].width).toBe(2140);
  });

  it('has its seats along the far edge in playing order, sideways in a column', () => {
    expect(laidOut(1440, 900, { others: 7 })[1].seats.columns).toBe(7);
    expect(laidOut(390, 844, { others: 7 })[1].seats.columns).toBe(4);
    expect(laidOut(844, 390, { others: 7 })[1].seats.columns).toBe(1);
  });

  it('has the only opponent about the middle of a desktop, and within the felt', () => {
    const { seats, area } = laidOut(1440, 900, { others: 1 })[1];
    const [middle, end] = [seats.start + seats.width / 3, seats.start + seats.width];
    expect(middle).toBeGreaterThan(0.45 * 1440);
    expect(middle).toBeLessThan(0.6 * 1440);
    expect(end).toBe(laidOut(1440, 900)[1].seats.start + laidOut(1440, 900)[1].seats.width);
    expect(area.width).toBeGreaterThan(seats.width);
  });

  it('holds a hand on a phone in two rows where less than half of each card would be in sight', () => {
    const { hand } = laidOut(360, 640, { hand: 14 })[0];
    expect([hand.rows, hand.drop >= 0.7]).toEqual([2, true]);
    expect(laidOut(360, 640, { hand: 7 })[0].hand.rows).toBe(1);
  });

  it('lets melds scroll within themselves at last', () => {
    const [, felt] = laidOut(360, 640, { others: 7, melds: 60, pile: 22, hand: 7 });
    expect(felt.card).toBe(28);
    expect(felt.rows * felt.place.height).toBeGreaterThan(felt.area.height);
  });

  it('gives the cards of a pile a step of at least 24 pixels', () => {
    for (const pile of [6, 22, 60, 108])
      expect(laidOut(360, 640, { pile })[1].pile.step).toBeGreaterThanOrEqual(24);
  });
});

describe('any window', () => {
  const widths = [320, 360, 390, 430, 600, 640, 700, 768, 844, 932, 1024, 1200, 1366, 1440, 1920, 2560];
  const heights = [320, 360, 430, 560, 625, 640, 720, 740, 844, 900, 1024, 1080, 1440];
  const contents: Partial<Content>[] = [
    {},
    { melds: 0, hand: 13, pile: 1, others: 1 },
    { melds: 17, hand: 2, pile: 1 },
    { others: 7, melds: 24, hand: 7, pile: 30 },
    { bySide: true, melds: 12, hand: 30, pile: 3 },
    { seated: false, others: 4, melds: 8 },
  ];

  it.each(contents)('is filled and nothing overlaps: %o', (content) => {
    for (const width of widths)
      for (const height of heights)
        for (const scale of [1, 1.25, 2]) {
          const at = `${width} × ${height} at ${scale}`;
          const [frame, felt] = laidOut(width, height, content, scale);
          const beside = frame.mode === 'land';
          const used = frame.header + frame.felt + frame.actions + frame.tray + (beside ? 0 : frame.command);
          if (!frame.scrolls) expect(used, at).toBeLessThanOrEqual(height + 1);
          if (!frame.scrolls && content.seated !== false && !beside)
            expect(used, at).toBeGreaterThan(height - 26 * scale);
          const lines = Math.ceil((content.others ?? 3) / felt.seats.columns);
          const seats = felt.seats.top + lines * felt.seats.high;
          if (beside) expect(felt.seats.start + felt.seats.width, at).toBeLessThan(felt.area.start);
          else expect(seats, at).toBeLessThanOrEqual(felt.area.top + 1);
          const below = felt.area.top + felt.area.height <= felt.pile.top + 1;
          expect(below || felt.area.start + felt.area.width <= felt.pile.start, at).toBe(true);
          if (!frame.scrolls)
            expect(felt.pile.top + felt.pile.height, at).toBeLessThanOrEqual(frame.felt + 1);
          const across = felt.columns * felt.place.width + (felt.columns - 1) * felt.gap.x + felt.half;
          expect(across, at).toBeLessThanOrEqual(felt.area.width + 1);
          expect(felt.card * 1.4 + felt.caption.high, at).toBeLessThanOrEqual(felt.place.height + 1);
          expect(felt.card, at).toBeLessThanOrEqual(felt.place.width);
          expect(felt.card, at).toBeLessThanOrEqual(felt.pile.card);
        }
  });

  it('with text at 200 % is laid out like one of half its size', () => {
    const [large] = laidOut(2560, 1440, {}, 2);
    const [half] = laidOut(1280, 720);
    expect(large.hand.card).toBe(2 * half.hand.card);
    expect(modeOf({ width: 1280, height: 800, scale: 2 })).toBe('land');
    expect(modeOf({ width: 844, height: 390, scale: 1 })).toBe('land');
    expect(modeOf({ width: 390, height: 844, scale: 1 })).toBe('phone');
  });
});
