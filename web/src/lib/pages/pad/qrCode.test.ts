import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { qrCode } from './qrCode';

const file = new URL('../../../../../tests/qr_vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as { text: string; mask: number; rows: string[] }[];

const rowsOf = (code: boolean[][]): string[] =>
  code.map((row) => BigInt(`0b${row.map(Number).join('')}`).toString(16));

test.each(vectors)('a text of $text.length bytes makes the same code elsewhere', ({ text, mask, rows }) => {
  expect(rowsOf(qrCode(text, mask)!)).toEqual(rows);
});

test('the mask is one of eight, and a text that is too long makes no code', () => {
  const { text } = vectors[0]!;
  const masked = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => rowsOf(qrCode(text, mask)!));
  expect(masked).toContainEqual(rowsOf(qrCode(text)!));
  expect(qrCode('x'.repeat(1733))).toBeNull();
});
