import { describe, expect, it } from 'vitest';

import { placed } from './ranking';

const standing = (name: string, final: number, more = {}) => ({
  name,
  final,
  won: false,
  left: false,
  ...more,
});
const places = (...rows: ReturnType<typeof standing>[]) =>
  placed(rows).map(({ name, place }) => [place, name]);

describe('places of a match', () => {
  it('go by the points', () => {
    expect(places(standing('Ada', 120), standing('Bo', 510, { won: true }), standing('Cy', 300))).toEqual([
      [1, 'Bo'],
      [2, 'Cy'],
      [3, 'Ada'],
    ]);
  });

  it('are shared by equals, and the next one is left out', () => {
    const rows = [
      standing('Ada', 90),
      standing('Bo', 300),
      standing('Cy', 300),
      standing('Di', 510, { won: true }),
    ];
    expect(places(...rows)).toEqual([
      [1, 'Di'],
      [2, 'Bo'],
      [2, 'Cy'],
      [4, 'Ada'],
    ]);
  });

  it('put winners first and players that left last', () => {
    const rows = [
      standing('Ada', 400, { left: true }),
      standing('Bo', 20, { won: true }),
      standing('Cy', -30),
    ];
    expect(places(...rows)).toEqual([
      [1, 'Bo'],
      [2, 'Cy'],
      [3, 'Ada'],
    ]);
  });
});
