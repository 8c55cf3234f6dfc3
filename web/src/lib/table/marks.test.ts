import { describe, expect, it } from 'vitest';

import { accountMarks, marksOf } from './marks';
import type { TableData } from './seatNames';

const data = (names: string[], you: number | null, sides = 0): TableData =>
  ({
    shared: { seats: names.map((name) => ({ name })) },
    options: { sides },
    you: { seat: you },
  }) as unknown as TableData;

const NAMES = ['Nora', 'Ada', 'Bruno', 'Cleo', 'Dina', 'Emmy', 'Fred', 'Gil'];

describe('owner marks', () => {
  it('give each of eight players another one, the viewer the disc', () => {
    const marks = marksOf(data(NAMES, 2));
    expect(marks[2]).toEqual({ shape: 'disc', tone: 0, outlined: false, letter: 'Y' });
    expect(marks.slice(3).map(({ shape }) => shape)).toEqual(['square', 'hexagon', 'arch', 'disc', 'square']);
    expect(marks.map(({ outlined }) => outlined)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(new Set(marks.map(({ shape, outlined }) => `${shape} ${outlined}`)).size).toBe(8);
  });

  it('have two letters where one is taken', () => {
    const letters = marksOf(data(['Bo', 'Ada', 'Bea', 'Amin'], null)).map(({ letter }) => letter);
    expect(letters).toEqual(['B', 'A', 'Be', 'Am']);
  });

  it('tell sides apart by shape and by filling', () => {
    const marks = marksOf(data(NAMES.slice(0, 4), 1, 2));
    expect(marks.map(({ shape, outlined, tone }) => [shape, outlined, tone])).toEqual([
      ['square', true, 'they'],
      ['disc', false, 0],
      ['square', true, 'they'],
      ['disc', false, 0],
    ]);
  });

  it('of accounts are those of the seats, or one for each side', () => {
    const four = NAMES.slice(0, 4);
    expect(accountMarks(data(four, 2))).toEqual(marksOf(data(four, 2)));
    expect(accountMarks(data(four, 1, 2))).toEqual([
      { shape: 'square', tone: 'they', outlined: true, letter: 'T' },
      { shape: 'disc', tone: 0, outlined: false, letter: 'W' },
    ]);
  });
});
