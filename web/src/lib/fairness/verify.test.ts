import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  commitment,
  fairBelow,
  fairOrder,
  tableLabel,
  verifyDay,
  verifyDraw,
  verifyShuffle,
  type DayProof,
  type DrawProof,
  type Proof,
} from './verify';

interface Vectors {
  commitments: { seed: string; commitment: string }[];
  labels: { table: string; label: string }[];
  numbers: { seed: string; seats: string[]; context: string; bound: number; number: number }[];
  orders: { seed: string; seats: string[]; context: string; cards: string[]; order: string[] }[];
  proofs: (Proof & { table: string })[];
}

// The same vectors as the server's own, so that both sides mean the same shuffle.
const path = new URL('../../../../tests/fair_vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(path, 'utf-8')) as Vectors;

describe('the derivation agrees with the server’s', () => {
  test.each(vectors.commitments)('commitment of $seed', (vector) => {
    expect(commitment(vector.seed)).toBe(vector.commitment);
  });
  test.each(vectors.labels)('label of $table', (vector) => {
    expect(tableLabel(vector.table)).toBe(vector.label);
  });
  test.each(vectors.numbers)('a number below $bound', (vector) => {
    expect(fairBelow(vector.seed, vector.seats, vector.context, vector.bound)).toBe(vector.number);
  });
  test.each(vectors.orders)('order of $context', (vector) => {
    const cards = [...vector.cards].reverse();
    expect(fairOrder(vector.seed, vector.seats, vector.context, cards)).toEqual(vector.order);
  });
});

const swapped = (cards: string[]): string[] => [cards[1]!, cards[0]!, ...cards.slice(2)];
const changed = (hex: string): string => (hex[0] === '0' ? '1' : '0') + hex.slice(1);

describe('a proof', () => {
  test.each(vectors.proofs)('of $table holds', (proof) => {
    const own = { commitment: proof.commitment, value: proof.seats[0]! };
    const verdict = verifyShuffle(proof, own, proof.table);
    expect(verdict.steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['table', true],
      ['commitment', true],
      ['own', true],
      ['cut', true],
      ['order', true],
      ['restock', true],
    ]);
    expect(verdict.ok).toBe(true);
    expect(new Set(verdict.steps.map(({ text }) => text)).size).toBe(6);
  });

  const proof = vectors.proofs[0]!;
  const middle = vectors.proofs[1]!;
  const stream = vectors.proofs[2]!;
  test.each<[string, Proof, string]>([
    ['seed', { ...proof, seed: changed(proof.seed) }, 'commitment'],
    ['seed cut short', { ...proof, seed: proof.seed.slice(2) }, 'commitment'],
    ['seed that is none', { ...proof, seed: 'zz'.repeat(32) }, 'commitment'],
    ['commitment', { ...proof, commitment: changed(proof.commitment) }, 'commitment'],
    ['seat’s seed', { ...proof, seats: [changed(proof.seats[0]!), proof.seats[1]!] }, 'order'],
    ['seat left out', { ...proof, seats: ['', proof.seats[1]!] }, 'order'],
    ['cut', { ...proof, cut: proof.cut + 1 }, 'order'],
    ['no cut', { ...proof, cut: 0 }, 'cut'],
    ['middle cut', { ...middle, cut: middle.cut - 1 }, 'cut'],
    ['bot’s cut', { ...stream, cut: stream.cut === 5 ? 6 : 5 }, 'cut'],
    ['deck', { ...proof, deck: swapped(proof.deck) }, 'order'],
    ['deck cut short', { ...proof, deck: proof.deck.slice(1) }, 'order'],
    ['new stock', { ...proof, restocks: [proof.restocks![0]!, swapped(proof.restocks![1]!)] }, 'restock'],
    ['context', { ...proof, context: proof.context.replace('/7', '/8') }, 'order'],
  ])('with another %s is refused', (_, tampered, step) => {
    const verdict = verifyShuffle(tampered);
    expect(verdict.ok).toBe(false);
    expect(verdict.steps.filter(({ ok }) => !ok).map((found) => found.step)).toContain(step);
  });

  test('says what this browser knows better', () => {
    const given = { commitment: proof.commitment, value: proof.seats[0]! };
    const failing = (own: typeof given, table?: string): string[] =>
      verifyShuffle(proof, own, table)
        .steps.filter(({ ok }) => !ok)
        .map(({ step }) => step);
    expect(failing(given)).toEqual([]);
    expect(failing({ ...given, value: changed(given.value) })).toEqual(['own']);
    expect(failing({ ...given, commitment: changed(given.commitment) })).toEqual(['commitment']);
    expect(failing(given, 'another-table')).toEqual(['table']);
  });
});

describe('a draw for deal', () => {
  const { seed, seats, shuffle, context, commitment: promised, pack } = vectors.proofs[0]!;
  const order = fairOrder(seed, seats, `${context}/draw`, pack);
  const places = [11, 0, 30];
  const drawn = places.map((place): [number, string] => [place, order[place]!]);
  const proof: DrawProof = { seed, seats, shuffle, context, commitment: promised, pack, drawn };
  const own = { commitment: promised, value: seats[0]! };

  test('holds', () => {
    const found = verifyDraw(proof, own, vectors.proofs[0]!.table);
    expect(found.steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['table', true],
      ['commitment', true],
      ['own', true],
      ['order', true],
    ]);
    expect(found.ok).toBe(true);
  });

  test.each<[string, DrawProof, string]>([
    ['card', { ...proof, drawn: [[11, order[12]!]] }, 'order'],
    ['place', { ...proof, drawn: [[52, order[0]!]] }, 'order'],
    ['seed', { ...proof, seed: changed(seed) }, 'commitment'],
    ['seat’s seed', { ...proof, seats: [changed(seats[0]!), seats[1]!] }, 'own'],
  ])('with another %s is refused', (_, tampered, failed) => {
    const found = verifyDraw(tampered, own);
    expect(found.ok).toBe(false);
    expect(found.steps.filter(({ ok }) => !ok).map(({ step }) => step)).toContain(failed);
  });
});

describe('a deal of the day', () => {
  const suits = ['S', 'H', 'D', 'C'];
  const ranks = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
  // The deal of 26 November 2026 without a server, as `rum500 verify 2026-11-26` prints it.
  const proof: DayProof = {
    players: 4,
    context: '13881f307957b3e3/330',
    pack: suits.flatMap((suit) => ranks.map((rank) => rank + suit)),
    commitment: '3de42ff1fbb095cd2ac719cfa09df2f174b0a3e59f2722d64af98490a1bef52b',
    seed: '27a3194c99d93e8dec8b3d8c6ad25605aabd1e4b7953534eac6e118777dffba5',
  };
  const hands = [
    ['AH', '5H', '9H', 'QH', '2D', '7D', 'JC'],
    ['2S', '8S', '3H', '10H', '6C', '7C', 'KC'],
    ['3S', '5S', '6S', 'JS', '6D', 'JD', '3C'],
    ['AD', '8D', '9D', 'QD', 'KD', '5C', '9C'],
  ];

  test('holds', () => {
    const found = verifyDay(proof, proof.commitment, hands);
    expect(found.steps.map(({ step, ok }) => [step, ok])).toEqual([
      ['commitment', true],
      ['noted', true],
      ['order', true],
    ]);
  });

  test('is checked without a note and without an own table', () => {
    expect(verifyDay(proof, null, null).steps.map(({ step }) => step)).toEqual(['commitment']);
  });

  test.each<[string, DayProof, string | null, string[][], string[]]>([
    ['secret', { ...proof, seed: changed(proof.seed) }, null, hands, ['commitment', 'order']],
    ['commitment since', proof, changed(proof.commitment), hands, ['noted']],
    ['day', { ...proof, context: '13881f307957b3e3/331' }, null, hands, ['order']],
    ['hand', proof, null, [hands[1]!, hands[0]!, hands[2]!, hands[3]!], ['order']],
  ])('with another %s is refused', (_, given, noted, dealt, failed) => {
    const found = verifyDay(given, noted, dealt);
    expect(found.steps.filter(({ ok }) => !ok).map(({ step }) => step)).toEqual(failed);
  });
});
