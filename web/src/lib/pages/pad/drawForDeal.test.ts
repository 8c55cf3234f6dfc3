import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { drawForDeal, shuffledPack, type Draw } from './drawForDeal';
import { rulesOf } from './scoring';

type Vector = Draw & { players: number; partners: boolean; pack: string[] };

test('every draw ends as the engine ends it', () => {
  const file = new URL('../../../../../tests/draw_vectors.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];
  expect(vectors.filter(({ drawn }) => drawn.some((cards) => cards.length > 1)).length).toBeGreaterThan(20);
  for (const { players, partners, pack, ...found } of vectors)
    expect(drawForDeal(players, partners, pack)).toEqual(found);
});

test('a shuffled pack has every card once, in another order each time', () => {
  const rules = rulesOf({ profile: 'rummy-500', choices: [], options: {} });
  const [one, other] = [shuffledPack(rules), shuffledPack(rules)];
  expect(one).toHaveLength(54);
  expect([...one].sort()).toEqual([...other].sort());
  expect(one).not.toEqual(other);
  expect(one.filter((card) => card === 'JK')).toHaveLength(2);
});
