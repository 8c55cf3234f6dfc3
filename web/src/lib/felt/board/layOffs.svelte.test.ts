import { describe, expect, test } from 'vitest';

import type { MeldPlate, TableEvent } from '$lib/net/protocol';
import { meld, placed } from '../../../testing/table';
import { frontsOf, inFront, laidOffOn, lyingInOrder, withStubs, type Lying } from './layOffs';

/** A meld of seat 0 on which others laid: `6C 7C 8C 9C/1`. */
function laidOn(number: number, kind: 'run' | 'set', cards: string): MeldPlate {
  const all = cards.split(' ').map((text) => {
    const [card = '', seat = '0'] = text.split('/');
    return placed(card, Number(seat), 5);
  });
  return { ...meld(number, kind, 0, ''), cards: all };
}

const RUN = laidOn(0, 'run', '4C/2 5C/1 6C 7C 8C 9C/1 10C/1');
const SET = laidOn(1, 'set', '8S 8H 8D 8C/1');

describe('laid-off cards', () => {
  test('lie in front of their player, neighbours together, each with the letter of its meld', () => {
    expect(laidOffOn(RUN).map(({ key, letter, seat, cards }) => [key, letter, seat, cards.length])).toEqual([
      ['0:0', 'a', 2, 1],
      ['0:1', 'a', 1, 1],
      ['0:5', 'a', 1, 2],
    ]);
    expect(frontsOf([RUN, SET]).map(({ seat, points, laidOff }) => [seat, points, laidOff.length])).toEqual([
      [2, 5, 1],
      [1, 20, 3],
    ]);
    expect(laidOffOn(laidOn(27, 'set', 'KS KH KD KC/1'))[0]!.letter).toBe('bb');
  });

  test('keep the place that they got with the first lay-off', () => {
    const melds = [RUN, SET, meld(2, 'run', 1, '2H 3H 4H')];
    const event = (kind: string, more: Partial<TableEvent>): TableEvent => ({ number: 0, kind, ...more });
    const lay = (seat: number, number: number, owner = 0): TableEvent =>
      event('lay', { seat, owner, number });
    const events = [
      event('meld', { seat: 0, number: 1 }),
      lay(1, 2),
      event('meld', { seat: 0, number: 3 }),
      lay(2, 4),
      event('undone', { number: 5, taken_back: 4 }),
      lay(1, 6),
      event('meld', { seat: 1, number: 7 }),
      lay(1, 8, 1),
      lay(2, 9),
    ];
    const named = ({ meld, front }: Lying): string => (meld ? `${meld.number}` : `by ${front!.seat}`);
    expect(lyingInOrder(melds, frontsOf(melds), events).map(named)).toEqual(['0', 'by 1', '1', '2', 'by 2']);
    expect(lyingInOrder(melds, frontsOf(melds), []).map(named).slice(0, 3)).toEqual(['0', '1', '2']);
    expect(lyingInOrder(melds, [], events).map(named)).toEqual(['0', '1', '2']);
  });
});

describe('a meld', () => {
  const widths = { card: 60, place: 400, chip: () => 36, mark: 20 };

  test('shows a stub where each card would be, that of a set at the end', () => {
    const { cards, stubs, width } = withStubs(RUN, true, widths);
    expect(cards.map(({ placed: { card } }) => card)).toEqual(['6C', '7C', '8C']);
    expect(stubs.map(({ left }) => left < cards[0]!.left)).toEqual([true, true, false]);
    expect(stubs.at(-1)!.left + 36).toBe(width);
    expect(withStubs(SET, true, widths).stubs.map(({ left }) => left)).toEqual([2 * 60 * 0.62 + 63]);
  });

  test('fits its place, at last with marks alone', () => {
    for (const place of [135, 160, 200, 300]) {
      const { stubs, width } = withStubs(RUN, true, { ...widths, place });
      expect(width).toBeLessThanOrEqual(place + 0.01);
      expect(stubs.every(({ brief }) => brief)).toBe(place < 220);
    }
  });

  test('has all cards where lay-offs lie at the meld', () => {
    const { cards, stubs } = withStubs(RUN, false, widths);
    expect([cards.length, stubs.length]).toEqual([7, 0]);
  });
});

describe('cards in front of a player', () => {
  test.each([1, 2, 3, 4, 5, 8, 12])('lie in their place: %i cards', (count) => {
    for (const card of [28, 48, 84]) {
      const place = card * 2.25;
      const { cells, card: width, notes } = inFront(count, { card, place, note: card });
      expect(cells).toHaveLength(count);
      expect(Math.max(...cells.map(({ left }) => left + width))).toBeLessThanOrEqual(place + 0.01);
      expect(Math.max(...cells.map(({ top }) => top + width * 1.4))).toBeLessThanOrEqual(card * 1.4 + 0.01);
      if (notes !== null) expect(notes + card).toBeLessThanOrEqual(place + 0.01);
      const [first, second] = cells;
      if (second && count <= 8) expect(second.left - first!.left).toBeGreaterThanOrEqual(width * 0.36);
    }
  });
});
