import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { accountMarks, marksOf } from './marks';
import type { TableData } from '$lib/text/seatNames';

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

  it('differ for sides in shape and filling', () => {
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

const theme = readFileSync('src/lib/app/theme.css', 'utf8');

/** Return the colour of a token, in the light theme (0) or the dark one (1), as `#rrggbb`. */
function colour(token: string, dark: 0 | 1): string {
  const [, value = ''] = new RegExp(`--${token}: ([^;]+);`).exec(theme) ?? [];
  const both = /^light-dark\((.+), (.+)\)$/.exec(value);
  const own = both ? both[dark + 1]! : value;
  const other = /^var\(--(.+)\)$/.exec(own);
  return other ? colour(other[1]!, dark) : own.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
}

/** Return the contrast of two colours by WCAG 2. */
function contrast(one: string, other: string): number {
  const [high, low] = [one, other]
    .map((rgb) => {
      const [r, g, b] = [1, 3, 5].map((at) => {
        const part = parseInt(rgb.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe('the colours of marks', () => {
  it.each([0, 1] as const)('contrast with the felt, and their letters with them (theme %i)', (dark) => {
    for (const tone of [0, 1, 2, 3]) {
      const mark = colour(`owner-${tone}`, dark);
      for (const ground of ['felt', 'felt2', 'bg', 'btn'])
        expect(contrast(mark, colour(ground, dark)), `${tone} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(mark, colour(`onowner-${tone}`, dark))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colour(`owner-${tone}-card`, 0), colour('ivory', dark))).toBeGreaterThanOrEqual(3);
    }
  });
});
