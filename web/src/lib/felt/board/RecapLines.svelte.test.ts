import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';

import RecapIcons from './RecapIcons.svelte';
import { SHAPES, type OwnerMark } from './marks';
import RecapLines from './RecapLines.svelte';
import type { Laid, SeatRecap } from './recap';
import { placed, read } from '../../../testing/table';

const set = (meld: number, ...cards: string[]): Laid => ({
  meld,
  kind: 'set',
  cards: cards.map((card) => placed(card, 0)),
  on: null,
});

const LONG: SeatRecap = {
  drew: false,
  passed: false,
  took: [['9D', '2C', '3S', '4H', '5D']],
  laid: [set(0, '7H', '7D', '7C'), set(1, 'KS', 'KH', 'KD'), set(2, '2S', '2H', '2D')],
  discarded: ['QD'],
};

test.each([
  [400, 3, 0],
  [250, 3, 0],
  [225, 2, 0],
  [166, 2, 1],
])('in %i px a long turn has %i rows, and its discard %i signs', (room, rows, signs) => {
  const { container } = render(RecapLines, { recap: LONG, marks: [], room, most: 3 });
  expect([
    container.querySelectorAll('p').length,
    container.querySelectorAll('[data-sign=discard]').length,
  ]).toEqual([rows, signs]);
});

test('plays on one line have a sign between them', () => {
  const recap = { ...LONG, took: [], drew: true };
  const { container } = render(RecapLines, { recap, marks: [], room: 225, most: 3 });
  const [first, second] = [...container.querySelectorAll('p')].map((line) => read(line));
  expect(first).toMatch(/^drew·discarded/);
  expect(second!.match(/·/g)).toHaveLength(2);
});

test('briefly, a long turn is one line with all cards, and lay-offs on one player’s melds are together', () => {
  const on = (seat: number, meld: number, card: string): Laid => ({ ...set(meld, card), on: seat });
  const recap = { ...LONG, laid: [...LONG.laid, on(2, 5, '4H'), on(1, 6, '8S'), on(2, 7, '9C')] };
  const marks = SHAPES.map((shape): OwnerMark => ({ shape, tone: 0, outlined: false, letter: 'A' }));
  const { container } = render(RecapLines, { recap, marks, room: 166, most: 3, brief: true });
  const signs = [...container.querySelectorAll('[data-sign]')].map((it) => it.getAttribute('data-sign'));
  expect(container.querySelectorAll('p')).toHaveLength(1);
  expect(signs).toEqual(['meld', 'plus', 'plus', 'discard']);
  expect(container.querySelectorAll('.card.chip')).toHaveLength(1 + 3 + 3 + 1);
});

test('in signs, two cards that were laid off are two', () => {
  const recap = { ...LONG, took: [], laid: [{ ...set(0, '4H', '5H'), on: 2 }] };
  const { container } = render(RecapIcons, { recap, said: '', room: 200 });
  expect(container.querySelector('b')).toHaveTextContent('2');
});
