import { flushSync } from 'svelte';
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

test('a board that takes the place of another one within one change keeps its own layout', () => {
  const board = (hand: number) => () => ({ ...UNKNOWN, seated: true, hand });
  let second = $state(false);
  const stop = $effect.root(() => {
    $effect(() => (second ? layout.follow(board(14)) : undefined));
    $effect(() => (second ? undefined : layout.follow(board(3))));
  });
  flushSync();
  expect(layout.frame.tray).toBeGreaterThan(0);
  second = true;
  flushSync();
  expect(layout.frame.tray).toBeGreaterThan(0);
  stop();
});
