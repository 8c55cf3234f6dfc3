import { describe, expect, test } from 'vitest';

import { clearPlace } from './clearPlace';

const ROOM = { left: 0, top: 0, width: 400, height: 300 };
const SIZE = { width: 200, height: 40 };
const MIDDLE = { x: 200, y: 150 };
const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });

describe('what is shown for a moment', () => {
  test('lies where it is wanted if nothing is there', () => {
    expect(clearPlace(SIZE, ROOM, MIDDLE, [], [])).toMatchObject({ left: 96, top: 128 });
  });

  test('covers nothing of the last play, and rather a meld than the pile', () => {
    const last = box(0, 100, 400, 80);
    const pile = box(0, 220, 400, 80);
    const { top } = clearPlace(SIZE, ROOM, { x: 200, y: 200 }, [last], [pile]);
    expect(top + SIZE.height).toBeLessThanOrEqual(last.top - 8);
  });

  test('covers as little as it can where there is no free place', () => {
    const { top } = clearPlace(SIZE, ROOM, MIDDLE, [box(0, 20, 400, 280)], []);
    expect(top).toBe(0);
  });
});
