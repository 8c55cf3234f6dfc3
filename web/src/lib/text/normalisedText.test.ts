import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { plainForm } from './normalisedText';

/** The same cases as the server's reader has in `tests/test_normalised_text.py`. */
const path = new URL('../../../../tests/data/typed_texts.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf-8')) as { typed: string; plain: string }[];

test.each(cases)('$typed', ({ typed, plain }) => {
  expect(plainForm(typed).plain).toBe(plain);
});

test('each character knows its place in the text', () => {
  expect(plainForm('\u200ea\ufe0e\uff17b').at).toEqual([1, 3, 4]);
});
