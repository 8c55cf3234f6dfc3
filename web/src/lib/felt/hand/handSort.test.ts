import { describe, expect, it } from 'vitest';

import type { CardGroup } from '$lib/net/protocol';
import { arranged, held, holds, keysOf } from './handSort';

const order = (rows: { cards: { key: string }[] }[]): string[] =>
  rows.flatMap((row) => row.cards.map(({ key }) => key));
const group = (cards: string[], points = 0): CardGroup => ({
  cards,
  kind: points ? 'run' : 'rest',
  points,
});

describe('a hand', () => {
  it('distinguishes twins', () => {
    expect(held(['8C', '8C', 'JK']).map(({ key }) => key)).toEqual(['8C#0', '8C#1', 'JK#0']);
  });

  it('is sorted by suit and by rank, aces high and jokers last', () => {
    const hand = ['AS', 'JK', '2H', '10S', 'KD', '9S'];
    expect(order(arranged(hand, 'suit', [], []))).toEqual(['9S#0', '10S#0', 'AS#0', '2H#0', 'KD#0', 'JK#0']);
    expect(order(arranged(hand, 'rank', [], []))).toEqual(['2H#0', '9S#0', '10S#0', 'KD#0', 'AS#0', 'JK#0']);
  });

  it('lies in the groups it is given, and what they leave out comes last', () => {
    const rows = arranged(
      ['8C', '2D', '6C', '7C', '8C'],
      'melds',
      [group(['6C', '7C', '8C'], 21), group(['2D'])],
      [],
    );
    expect(rows.map((row) => row.cards.map(({ key }) => key))).toEqual([
      ['6C#0', '7C#0', '8C#0'],
      ['2D#0'],
      ['8C#1'],
    ]);
    expect(rows[2]!.group).toBeNull();
  });

  it('keeps the order made by hand, new cards last', () => {
    expect(order(arranged(['2D', '8C', 'KS'], 'hand', [], ['8C#0', '2D#0']))).toEqual([
      '8C#0',
      '2D#0',
      'KS#0',
    ]);
  });

  it('finds the keys of cards, those selected first', () => {
    const cards = held(['8C', '8C', '2D']);
    expect(keysOf(cards, ['8C'])).toEqual(['8C#0']);
    expect(keysOf(cards, ['8C'], new Set(['8C#1']))).toEqual(['8C#1']);
    expect(holds(['8C', '2D'], ['8C', '8C'])).toBe(false);
    expect(holds(['8C', '8C'], ['8C', '8C'])).toBe(true);
  });
});
