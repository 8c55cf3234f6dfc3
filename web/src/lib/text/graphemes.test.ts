import { expect, test } from 'vitest';

import { capitalized, graphemes, initial, shortened } from './graphemes';

test.each([
  ['nora', 'N'],
  [' élodie', 'É'],
  ['e\u0301lodie', 'E\u0301'],
  ['🇩🇪 Bo', '🇩🇪'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['👍🏽', '👍🏽'],
  ['1️⃣', '1️⃣'],
  ['𐐨𐐩', '𐐀'],
  ['ßo', 'ß'],
  ['آرش', 'آ'],
  ['कि', 'कि'],
  ['ilker', 'I'],
  ['', ''],
])('the initial of %s is %s', (name, letter) => {
  expect(initial(name)).toBe(letter);
});

test('names are shortened between letters', () => {
  expect(shortened('🇩🇪🇫🇷🇪🇸🇮🇷🇬🇧', 5)).toBe('🇩🇪🇫🇷🇪🇸🇮🇷🇬🇧');
  expect(shortened('🇩🇪🇫🇷🇪🇸🇮🇷🇬🇧🇹🇷', 5)).toBe('🇩🇪🇫🇷🇪🇸🇮🇷…');
  expect(graphemes(shortened('n\u0303a'.repeat(9), 4))).toHaveLength(4);
});

test('a sentence begins with a capital', () => {
  expect(capitalized('it is 🇩🇪')).toBe('It is 🇩🇪');
  expect(capitalized('𐐨𐐩')).toBe('𐐀𐐩');
});
