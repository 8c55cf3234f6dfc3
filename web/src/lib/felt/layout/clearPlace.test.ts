import { describe, expect, test } from 'vitest';

import { clearPlace, clearRoom } from './clearPlace';

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

describe('what stays', () => {
  const FELT = box(10, 50, 400, 300);

  test('lies between the seats and the pile', () => {
    const found = clearRoom(FELT, [box(10, 50, 400, 60), box(10, 290, 60, 60), box(80, 270, 200, 80)]);
    expect(found).toEqual(box(10, 110, 400, 160));
  });

  test('lies beside a column of seats, above a long pile', () => {
    expect(clearRoom(FELT, [box(10, 50, 100, 300), box(120, 280, 290, 70)])).toEqual(box(110, 50, 300, 230));
  });

  test('has no room where all is covered', () => {
    expect(clearRoom(FELT, [FELT])).toMatchObject({ width: 0, height: 0 });
  });
});
