import { afterEach, describe, expect, test } from 'vitest';
import { overwriteGetLocale, type Locale } from '$lib/paraglide/runtime';
import { inOwnWords, readLine } from './plays';

let locale: Locale = 'en';
overwriteGetLocale(() => locale);
afterEach(() => {
  locale = 'en';
});

const text = (line: string): string => {
  const read = readLine(line);
  return read.does === 'play' ? read.text : read.does;
};

describe('what is typed', () => {
  test.each<[Locale, string, string]>([
    ['en', 'meld 6S 7S 8S', 'meld 6S 7S 8S'],
    ['en', '  Lay KD ON 9 ', 'lay KD on 9'],
    ['en', 't 3', 'take 3'],
    ['en', 'let go', 'let go'],
    ['en', 'g', 'let go'],
    ['en', 'fold KD', 'fold KD'],
    ['en', 'undo', 'undo'],
    ['en', '?', 'help'],
    ['en', 'rummy', 'call'],
    ['en', 'Rummy! 5H', 'call 5H'],
    ['en', '', ''],
    ['de', 'lege KD an 9', 'lay KD on 9'],
    ['de', 'nimm 3 Karten', 'take 3 cards'],
    ['de', 'zuruck', 'undo'],
    ['de', 'meld 6S 7S 8S', 'meld 6S 7S 8S'],
    ['de', 'help', 'help'],
    ['es', 'añade KD a 2', 'lay KD on 2'],
    ['es', 'anade kd en 2', 'lay kd on 2'],
    ['fr', 'défausse 4H', 'discard 4H'],
    ['fr', 'ajoute 9S à 2', 'lay 9S on 2'],
    ['fa', 'بردار ۳ کارت', 'take 3 cards'],
    ['fa', 'بیفزا ۱۰S روی ۲', 'lay 10S on 2'],
    ['fa', 'رامی!', 'call'],
    ['fa', 'lay 9S on 2', 'lay 9S on 2'],
    ['en', 'discard 10♦\ufe0e', 'discard 10♦'],
    ['de', '\uff4c\uff45\uff47\uff45 \uff2b\uff24 an\u200b \uff19', 'lay KD on 9'],
    ['fr', '\u200edéfausse\ufeff 4H', 'discard 4H'],
  ])('in %s: %s', (language, line, read) => {
    locale = language;
    expect(text(line)).toBe(read);
  });

  test.each<[string, number, number]>([
    // The server reads `lay KD on 9`.
    ['lege  KD an 9', 1, 1],
    ['lege  KD an 9', 5, 7],
    ['lege  KD an 9', 11, 13],
    ['lege  KD an 9', 12, 14],
    ['lege  KD an 9 ', 20, 14],
    ['le\u200bge KD \u200ean 9', 8, 11],
  ])('%s: the fault at %i of the notation is at %i of the line', (line, theirs, ours) => {
    locale = 'de';
    const read = readLine(line);
    expect(read.does === 'play' && read.column(theirs)).toBe(ours);
  });
});

test.each<[Locale, string, string]>([
  ['en', 'let go', 'let\u00a0go'],
  ['de', 'lay 9S on 2', 'anlegen 9S an 2'],
  ['fa', 'lay JK=5S 6S on 2', 'بیفزا \u200eJK=5S \u200e6S روی \u200e2'],
  ['fr', 'discard', 'défausser'],
  ['es', 'perhaps', 'perhaps'],
])('a play in the language’s own words: %s, %s', (language, play, words) => {
  locale = language;
  expect(inOwnWords(play)).toBe(words);
  if (words !== play) expect(text(words)).toBe(play);
});
