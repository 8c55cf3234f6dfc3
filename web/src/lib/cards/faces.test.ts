import { describe, expect, it } from 'vitest';
import { back, chip, full, index, strip, type Layer } from './faces';
import { read } from './glyphs';
import { circle, placed } from './path';

const SUITS = ['S', 'H', 'D', 'C'];
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const PACK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

/** The corners of the box that holds all points of the path, its control points too. */
function box(layers: Layer[]): [number, number, number, number] {
  const [xs, ys] = [[] as number[], [] as number[]];
  for (const { d } of layers) {
    for (const [, command, numbers = ''] of d.matchAll(/([MLHVC])([^A-Z]*)/g)) {
      const values = numbers.trim().split(/[ ,]+/).map(Number);
      expect(values.every(Number.isFinite), `${command}${numbers}`).toBe(true);
      if (command === 'V') ys.push(...values);
      else if (command === 'H') xs.push(...values);
      else values.forEach((value, i) => (i % 2 ? ys : xs).push(value));
    }
  }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function within(layers: Layer[], width: number, height: number): void {
  const [left, top, right, bottom] = box(layers);
  expect(left).toBeGreaterThan(0);
  expect(top).toBeGreaterThan(0);
  expect(right).toBeLessThan(width);
  expect(bottom).toBeLessThan(height);
}

describe('faces', () => {
  it('are drawn for every card, within its edges, each unlike any other', () => {
    for (const draw of [(card: string) => full(card), (card: string) => index(card, null, false)]) {
      const seen = new Set<string>();
      for (const card of [...PACK, 'JK']) {
        const layers = draw(card);
        within(layers, 100, 140);
        seen.add(JSON.stringify(layers));
      }
      expect(seen.size).toBe(53);
    }
    for (const [width, height] of [
      [46, 76],
      [28.5, 46],
      [24, 32],
      [24, 38],
    ] as const) {
      for (const card of [...PACK, 'JK']) within(strip(card, null, width, height), width, height);
    }
    for (const card of [...PACK, 'JK']) within(chip(card, null), 34, 20);
    within(back(true), 100, 140);
    within(back(false), 100, 140);
  });

  it('have as many pips as their rank says', () => {
    for (const rank of ['2', '3', '4', '5', '6', '7', '8', '9', '10']) {
      const pips = full(`${rank}D`).at(-1)?.d ?? '';
      expect(pips.split('M').length - 1).toBe(Number(rank));
    }
  });

  it('leave away the large suit of a covered card', () => {
    expect(box(index('8C', null, true))[2]).toBeLessThan(50);
    expect(box(index('8C', null, false))[2]).toBeGreaterThan(80);
  });

  it('show the named card on a wild joker, and the star with it', () => {
    const named = index('JK', '7D', true);
    expect(named.slice(0, 2)).toEqual(index('7D', null, true));
    expect(named.at(-1)?.as).toBe('ink J');
    expect(full('JK', '1S').some(({ as }) => as === 'rank S')).toBe(true);
    expect(strip('JK', '10H', 46, 76).map(({ as }) => as)).toEqual(['rank strip H', 'ink H', 'ink J']);
    expect(chip('JK', '10H')).toHaveLength(3);
  });
});

describe('codes', () => {
  it('are read as they are written', () => {
    expect(read('QD')).toEqual({ rank: 'Q', suit: 'D' });
    expect(read('10S')).toEqual({ rank: '10', suit: 'S' });
    expect(read('1S')).toEqual({ rank: 'A', suit: 'S' });
    expect(read('JK')).toEqual({ rank: 'JK', suit: '' });
    expect(full('??')).toEqual([]);
  });
});

describe('paths', () => {
  it('are moved, scaled and turned', () => {
    expect(placed('M0 1L2 3H4V5C1 2 3 4 5 6Z', 10, 20, 2)).toBe('M10 22L14 26H18V30C12 24 16 28 20 32Z');
    expect(placed('M.5-1L-2.5.5Z', 0, 0, -1)).toBe('M-0.5 1L2.5 -0.5Z');
    expect(placed(circle(0, 0, 1), 5, 5)).toMatch(/^M5 4C5.55 4 6 4.45 6 5/);
  });
});
