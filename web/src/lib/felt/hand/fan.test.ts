import { describe, expect, it } from 'vitest';

import { fan, type Measure } from './fan';
import { held, type Row } from './handSort';

const measure: Measure = {
  room: 336,
  width: 60,
  height: 84,
  step: 27,
  least: 24,
  gap: 6,
  drop: 56,
  middle: false,
  mirrored: false,
};
const cards = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${2 + (index % 9)}${'SHDC'[index % 4]}`);
const rows = (...counts: number[]): Row[] =>
  counts.map((count) => ({ cards: held(cards(count)), group: null }));

describe('a fan of cards', () => {
  it('lies on one line, each card a step from the next', () => {
    const { cards: lying, lines, height } = fan(rows(5), measure);
    expect(lines).toBe(1);
    expect(height).toBe(84);
    expect(lying.map(({ x }) => x)).toEqual([0, 27, 54, 81, 108]);
    expect(lying.map(({ covered }) => covered)).toEqual([true, true, true, true, false]);
  });

  it('draws together, then takes a second line, and never leaves its room', () => {
    for (const count of [11, 12, 13, 20, 24]) {
      const { cards: lying, lines } = fan(rows(count), measure);
      expect(lines).toBe(count <= 12 ? 1 : 2);
      expect(lying).toHaveLength(count);
      expect(Math.max(...lying.map(({ x }) => x)) + measure.width).toBeLessThanOrEqual(measure.room + 0.01);
    }
  });

  it('sets groups clear of one another where there is room', () => {
    const { cards: lying, spans } = fan(rows(2, 2), measure);
    expect(lying[2]!.x - lying[1]!.x).toBe(60 + 6);
    expect(lying[1]!.covered).toBe(false);
    expect(spans.map(({ left, right }) => [left, right])).toEqual([
      [0, 27 + 60],
      [93, 93 + 27 + 60],
    ]);
  });

  it('mirrors the groups and not the cards within them', () => {
    const [first, second] = rows(2, 1);
    const { cards: lying } = fan([first!, second!], { ...measure, mirrored: true });
    const x = new Map(lying.map((card, index) => [index, card.x]));
    expect(lying[0]!.card).toBe(second!.cards[0]!.card);
    expect(x.get(0)!).toBeLessThan(x.get(1)!);
    expect(Math.max(...lying.map((card) => card.x)) + measure.width).toBeCloseTo(measure.room);
  });
});
