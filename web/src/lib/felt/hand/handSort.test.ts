import { expect, test } from 'vitest';

import type { CardGroup } from '$lib/net/protocol';
import { arranged, held, holds, keysOf } from './handSort';

test('twins are distinguished, and the one selected is found first', () => {
  const cards = held(['8C', '8C', '2D']);
  expect(cards.map(({ key }) => key)).toEqual(['8C#0', '8C#1', '2D#0']);
  expect(keysOf(cards, ['8C'])).toEqual(['8C#0']);
  expect(keysOf(cards, ['8C'], new Set(['8C#1']))).toEqual(['8C#1']);
  expect(holds(['8C', '2D'], ['8C', '8C'])).toBe(false);
  expect(holds(['8C', '8C'], ['8C', '8C'])).toBe(true);
});

test('aces are high, jokers last, and what the groups leave out comes after them', () => {
  const hand = ['AS', 'JK', '2H', '10S'];
  const order = (...how: Parameters<typeof arranged>): string[] =>
    arranged(...how).flatMap((row) => row.cards.map(({ card }) => card));
  expect(order(hand, 'suit', [], [])).toEqual(['10S', 'AS', '2H', 'JK']);
  expect(order(hand, 'rank', [], [])).toEqual(['2H', '10S', 'AS', 'JK']);
  const group: CardGroup = { cards: ['2H', '10S'], kind: 'rest', points: 0 };
  expect(order(hand, 'melds', [group], [])).toEqual(['2H', '10S', 'AS', 'JK']);
});
