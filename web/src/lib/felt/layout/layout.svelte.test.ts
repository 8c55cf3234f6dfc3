import { expect, test } from 'vitest';

import { layout, UNKNOWN } from './layout.svelte';

test('a board that takes the place of another one keeps its own layout when the other one stops', () => {
  const board = (hand: number) => () => ({ ...UNKNOWN, seated: true, hand });
  const stopFirst = layout.follow(board(3));
  const stopSecond = layout.follow(board(14));
  const second = layout.frame;
  stopFirst();
  expect(layout.frame).toEqual(second);
  stopSecond();
  expect(layout.frame).not.toEqual(second);
});
