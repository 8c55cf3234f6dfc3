import { describe, expect, test } from 'vitest';

import type { TableEvent } from '$lib/net/protocol';
import { BLANK } from '$lib/net/blank';
import { bot, meld, placed, plate, SHARED } from '../../../testing/table';
import { hasPlayed, markedIn, recapOf, type Recap } from './recap';

let number = 0;
const event = (kind: string, seat: number | null, more: Partial<TableEvent> = {}): TableEvent => ({
  number: (number += 1),
  kind,
  seat,
  ...more,
});
const discard = (seat: number, card: string): TableEvent => event('discard', seat, { card });
const take = (seat: number, cards: string): TableEvent => event('take', seat, { cards: cards.split(' ') });
const lay = (kind: 'meld' | 'lay', seat: number, number: number, cards: string): TableEvent =>
  event(kind, seat, {
    meld: number,
    laid: cards.split(' ').map((card) => placed(card, seat)),
    meld_kind: 'set',
    ...(kind === 'lay' ? { owner: 0 } : {}),
  });

/** Return the recap of a table of four whose pile has these cards at the end. */
function recap(events: TableEvent[], pile: string, you: number | null = 0, turn = 0): Recap {
  const seats = [plate('Nora'), bot('Ada'), bot('Bruno'), bot('Cleo')];
  return recapOf(events, { ...BLANK, ...SHARED, seats, turn, pile: pile.split(' ').filter(Boolean) }, you);
}

const ROUND = [
  event('draw', 0),
  lay('meld', 0, 0, '4S 5S 6S'),
  discard(0, '4C'),
  take(1, '8H 4C'),
  lay('lay', 1, 0, '7S'),
  discard(1, '2D'),
  event('draw', 2),
  lay('meld', 2, 1, 'KS KH KD'),
  discard(2, 'AS'),
  event('draw', 3),
  lay('lay', 3, 1, 'KC'),
  discard(3, '9S'),
];

describe('what happened since the viewer’s last discard', () => {
  test('is what each seat took, laid and discarded', () => {
    const { seats, events } = recap(ROUND, '3C 2D AS 9S');
    expect(events.map(({ seat }) => seat)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(seats[0]).toBeNull();
    expect(seats[1]).toMatchObject({ drew: false, took: [['8H', '4C']], discarded: ['2D'] });
    expect(seats[1]!.laid).toMatchObject([{ meld: 0, on: 0 }]);
    expect(seats[2]).toMatchObject({ drew: true, took: [], discarded: ['AS'], laid: [{ on: null }] });
    expect(seats.map(hasPlayed)).toEqual([false, true, true, true]);
  });

  test('outlines whole new melds, and single cards on older ones', () => {
    const { fresh } = recap(ROUND, '3C 2D AS 9S');
    expect(fresh.get(0)!.map(({ card }) => card)).toEqual(['7S']);
    expect(fresh.get(1)).toBeNull();
  });

  test('has no gap beyond a pile that is shorter than the events make it', () => {
    const events = [discard(1, '2D'), discard(2, 'AS'), discard(3, '9S'), take(1, '9S')];
    expect(recap(events, '').gaps).toEqual([{ at: 0, count: 1, from: '9S', seat: 1 }]);
    const deep = [take(1, '3C 2D AS'), discard(1, '5D')];
    expect(recap([...deep, take(2, '5D'), discard(2, '5H')], '').gaps.every(({ at }) => at === 0)).toBe(true);
    expect(recap([discard(3, '9S'), take(1, '8H 3C 9S')], '').gaps[0]!.at).toBe(0);
    expect(recap([discard(3, '9S'), take(1, '8H 3C 9S'), discard(1, '5H')], '').gaps[0]!.at).toBe(0);
  });

  test('marks the pile’s cards by who discarded them, and where others were taken', () => {
    const { discardedBy, gaps } = recap(ROUND, '3C 2D AS 9S');
    expect(discardedBy).toEqual([null, 1, 2, 3]);
    expect(gaps).toEqual([{ at: 1, count: 2, from: '8H', seat: 1 }]);
  });

  test('keeps every take where a later one goes deeper', () => {
    const events = [discard(0, '4C'), take(1, '4C'), discard(1, '2D'), take(2, '8H 3C 2D'), discard(2, '5D')];
    const { discardedBy, gaps } = recap(events, 'JS 5D');
    expect(discardedBy).toEqual([null, 2]);
    expect(gaps).toEqual([
      { at: 1, count: 1, from: '4C', seat: 1 },
      { at: 1, count: 3, from: '8H', seat: 2 },
    ]);
  });

  test('begins again with the viewer’s discard, and with a deal', () => {
    expect(
      recap([...ROUND, event('draw', 0)], '3C 2D AS 9S')
        .seats.slice(1)
        .every(hasPlayed),
    ).toBe(true);
    for (const last of [discard(0, '5H'), event('float', 0), event('end', 0), event('deal', 0)]) {
      const after = recap([...ROUND, last], '3C 2D AS 9S 5H');
      expect(after.seats.some(hasPlayed), last.kind).toBe(false);
      expect([after.fresh.size, after.gaps.length], last.kind).toEqual([0, 0]);
      expect(
        after.discardedBy.every((by) => by === null),
        last.kind,
      ).toBe(true);
    }
  });

  test('leaves out what was taken back, whether the play was sent or not', () => {
    const taken = take(1, '8H 4C');
    const undone = event('undone', 1, { taken_back: taken.number });
    for (const events of [
      [discard(0, '4C'), taken, undone],
      [discard(0, '4C'), undone],
    ]) {
      const { seats, gaps, discardedBy } = recap(events, '3C 8H 4C');
      expect(seats.some(hasPlayed)).toBe(false);
      expect([gaps, discardedBy]).toEqual([[], [null, null, null]]);
    }
  });

  test('follows the pile through a new stock, and shows no gap for the viewer’s own take', () => {
    const restock = event('restock', 2, { cards: ['3C', '8H', '4C'] });
    const events = [
      discard(0, '4C'),
      event('draw', 1),
      discard(1, '2D'),
      restock,
      event('draw', 2),
      discard(2, 'AS'),
    ];
    expect(recap(events, '2D AS').discardedBy).toEqual([1, 2]);
    const own = recap([...events, discard(3, '9S'), take(0, 'AS 9S')], '2D');
    expect([own.discardedBy, own.gaps]).toEqual([[1], []]);
  });

  test('is seen by a spectator from the seat whose turn it is', () => {
    const { seats } = recap(
      [...ROUND, event('draw', 0), discard(0, '5H'), event('draw', 1)],
      '2D 5H',
      null,
      1,
    );
    expect(seats.map(hasPlayed)).toEqual([true, true, true, true]);
    expect(seats[1]).toMatchObject({ drew: true, discarded: [] });
  });
});

test('of twins in a meld the one that lies last is marked', () => {
  const { cards } = meld(0, 'set', 1, '3S 3H 3S');
  expect(markedIn(cards, [placed('3S', 1)])).toEqual([false, false, true]);
  expect(markedIn(cards, [placed('3S', 2)])).toEqual([false, false, false]);
});
