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
};

/** The height of the hand's row, the command line, the actions of a phone and the gaps between them. */
const BELOW = { stage: 24, phone: 56 + 6 + 2, land: 12 };

function laidOut(width: number, height: number, more: Partial<Content> = {}, scale = 1): [Frame, Felt] {
  const content = { ...SINGLES, ...more };
  const frame = frameOf({ width, height, scale }, content);
  return [frame, feltOf(frame, { width: frame.width, height: frame.felt }, content)];
}

const mostMelds = { melds: 11, pile: 6, hand: 4 };

describe('the felt of a replay', () => {
  const lying = { seated: false, melds: 14, hand: 0, pile: 14 };

  it.each<[string, number, number, Partial<Content>, number?]>([
    ['a phone', 390, 844, { others: 3, open: 9 }],
    ['a phone with seven others', 360, 740, { others: 7, open: 9 }],
    ['a phone held sideways', 844, 390, { others: 5 }],
    ['a part of a desktop', 720, 700, { others: 5, open: 9 }],
    ['a phone with large text', 780, 1688, { others: 3 }, 2],
  ])(
    'is so high on %s that two rows of melds can be read, on a desktop one',
    (_, width, height, more, scale = 1) => {
      const content = { ...SINGLES, ...lying, ...more };
      const frame = frameOf({ width, height, scale }, content);
      const least = leastFelt(frame, width, content);
      const { area, caption, card, gap } = feltOf(frame, { width, height: least }, content);
      const most = frame.mode === 'stage' ? 1 : 2;
      const rows = most * (caption.high + card * 1.4) + (most - 1) * gap.y + 20 * scale;
      expect(area.height).toBeGreaterThanOrEqual(rows);
      expect(area.height).toBeLessThan(1.6 * rows);
    },
  );
});

describe('a desktop', () => {
  it.each([
    [1440, 900, 108, 60, 58],
    [1280, 720, 84, 44, 44],
    [1024, 768, 84, 44, 44],
    [2560, 1440, 160, 90, 80],
    [1920, 1080, 130, 70, 70],
  ])(
    '%d × %d has a hand of at least %d, melds of %d and strips of %d',
    (width, height, hand, meld, strip) => {
      const [frame, felt] = laidOut(width, height);
      expect(frame.mode).toBe('stage');
      expect(frame.hand.card).toBeGreaterThanOrEqual(hand);
      expect(felt.card).toBeGreaterThanOrEqual(meld);
      expect(felt.pile.strip.width).toBeGreaterThanOrEqual(strip);
      expect(frame.scrolls).toBe(false);
    },
  );

  it('has the hand no further than 24 from the actions', () => {
    const [{ hand }] = laidOut(1440, 900);
    expect(hand.raise + 8).toBeLessThanOrEqual(24);
  });

  it('is a centred stage in a large window', () => {
    expect(laidOut(2560, 1440)[0].width).toBe(1988);
  });

  it('has larger cards for a spectator', () => {
    expect(laidOut(1440, 900, { seated: false, others: 4 })[1].card).toBeGreaterThanOrEqual(75);
  });

  it('has one width of strips up to 15 cards, and narrower ones from 16 and 21 on', () => {
    const widths = [1, 15, 16, 20, 21, 25].map((pile) => laidOut(1440, 900, { pile })[1].pile.strip.width);
    expect(widths).toEqual([60, 60, 46, 46, 38, 38]);
    const long = laidOut(1440, 900, { pile: 60 })[1].pile;
    expect(long.rows).toBe(2);
    expect(long.strip.height).toBeGreaterThanOrEqual(24);
    expect(long.height).toBe(laidOut(1440, 900)[1].pile.height);
  });

  it('shows five to eight players in rows above the melds', () => {
    for (const others of [4, 5, 6, 7]) {
      expect(laidOut(1440, 900, { others, melds: 24 })[1].card).toBeGreaterThanOrEqual(44);
    }
  });

  it.each([1, 5, 8])('shows %d melds at once in the low felt beside a review', (melds) => {
    const content = { ...SINGLES, seated: false, others: 1, melds, open: 7 };
    const frame = frameOf({ width: 1440, height: 900, scale: 1 }, content);
    const felt = feltOf(frame, { width: 780, height: 336 }, content);
    const high = felt.rows * (felt.place.height + felt.gap.y) - felt.gap.y;
    expect(high).toBeLessThanOrEqual(felt.area.height + 1);
    expect(felt.area.width).toBeGreaterThan(700);
    expect(felt.columns).toBe(melds === 8 ? 8 : 6);
  });

  it('has four by five places on a tablet held upright', () => {
    const [frame, felt] = laidOut(768, 1024);
    expect([frame.upright, felt.columns, felt.rows]).toEqual([true, 4, 5]);
    expect(felt.card).toBeGreaterThanOrEqual(41);
  });
});

describe('a phone', () => {
  it('shows eleven melds, six discards and four cards at once, the melds 33 wide', () => {
    const [frame, felt] = laidOut(360, 740, mostMelds);
    expect(felt.card).toBeGreaterThanOrEqual(33);
    expect(felt.rows * felt.place.height).toBeLessThanOrEqual(felt.area.height);
    expect(frame.tray + 56 + 44 + 6).toBeLessThanOrEqual(200);
  });

  it.each([
    [360, 740, { ...mostMelds, melds: 16 }, 33],
    [360, 640, mostMelds, 28],
    [390, 844, mostMelds, 40],
  ])('%d × %d with %o has cards of at least %d', (width, height, content, least) => {
    const [, felt] = laidOut(width, height, content);
    expect(felt.card).toBeGreaterThanOrEqual(least);
    expect(felt.rows * felt.place.height).toBeLessThanOrEqual(felt.area.height + 3);
  });

  it('holds a hand in two rows while few melds lie, then in one, then tucked', () => {
    const hand = (melds: number, pile: number, cards: number) =>
      laidOut(360, 740, { melds, pile, hand: cards, others: 1 })[0].hand;
    expect([hand(0, 1, 13).rows, hand(0, 1, 13).tuck]).toEqual([2, 1]);
    expect(hand(0, 1, 7).rows).toBe(1);
    expect(hand(11, 6, 4).tuck).toBeLessThan(1);
  });

  it('has room for a lesson over the hand while nothing lies', () => {
    const [frame, felt] = laidOut(360, 640, { others: 2, melds: 0, hand: 7, pile: 3, lesson: 115 });
    const used = frame.header + frame.felt + 115 + frame.command + frame.tray + BELOW.phone;
    expect([frame.scrolls, used <= 640]).toEqual([false, true]);
    expect(felt.pile.strip.width).toBeGreaterThanOrEqual(24);
  });

  it('lets melds scroll within themselves at last, with cards of 29', () => {
    const [, felt] = laidOut(360, 740, { others: 7, melds: 26, pile: 22, hand: 7 });
    expect(felt.card).toBe(29);
    expect(felt.rows * felt.place.height).toBeGreaterThan(felt.area.height);
  });

  it('gives the strips of a pile at least 24 pixels', () => {
    for (const pile of [6, 22, 60, 108]) {
      const { strip } = laidOut(360, 640, { pile })[1].pile;
      expect(Math.min(strip.width, strip.height)).toBeGreaterThanOrEqual(24);
    }
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
          const seated = content.seated !== false;
          const used = frame.header + frame.felt + frame.command + frame.tray;
          const below = (seated ? BELOW[frame.mode] : 20) * scale;
          if (!frame.scrolls) expect(used, at).toBeLessThanOrEqual(height + 1);
          if (!frame.scrolls && seated && !frame.slim)
            expect(used + below, at).toBeGreaterThan(height - 20 * scale);
          if (frame.mode !== 'land')
            expect(felt.strip.top + felt.strip.high, at).toBeLessThanOrEqual(felt.area.top + 1);
          if (frame.mode !== 'land')
            expect(felt.area.top + felt.area.height, at).toBeLessThanOrEqual(felt.pile.top + 1);
          expect(felt.pile.top + felt.pile.height, at).toBeLessThanOrEqual(frame.felt + 1);
          const across = felt.columns * felt.place.width + (felt.columns - 1) * felt.gap.x + felt.half;
          expect(across, at).toBeLessThanOrEqual(felt.area.width + 1);
          expect(felt.card * 1.4 + felt.caption.high, at).toBeLessThanOrEqual(felt.place.height + 1);
          expect(felt.card, at).toBeLessThanOrEqual(felt.place.width);
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
