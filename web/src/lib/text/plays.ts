/** Typed plays: what the player writes, in the present language or in English, and the server's notation. */

import { m } from '$lib/paraglide/messages';
import { plainForm } from './normalisedText';

/** The words for each play in the current language, the displayed word first. The server knows the English words. */
const WORDS = {
  draw: m.words_say_draw,
  take: m.words_say_take,
  meld: m.words_say_meld,
  lay: m.words_say_lay,
  discard: m.words_say_discard,
  call: m.words_say_call,
  'let go': m.words_say_let_go,
  pass: m.words_say_pass,
  end: m.words_say_end,
  undo: m.words_say_undo,
  help: m.words_say_help,
};
/** Words between the cards. */
const BETWEEN = { on: m.words_say_on, cards: m.words_say_cards };

/** Commands that the page handles itself, and a call without a card, which the server cannot parse. */
const ENGLISH: Record<string, Verb> = { undo: 'undo', help: 'help', rummy: 'call', call: 'call' };

export type Verb = keyof typeof WORDS;

/**
 * A parsed line: a command of the page, or a play in the server's notation. `column` maps a column of the notation
 * to one of the typed line; both count from 1.
 */
export type Line =
  { does: 'undo' | 'help' | 'call' } | { does: 'play'; text: string; column: (theirs: number) => number };

/** Parse a typed line. Unknown text is sent to the server, which refuses it. */
export function readLine(line: string): Line {
  const { plain, at } = plainForm(line);
  const tokens = [...plain.matchAll(/\S+/g)].map((found) => ({ text: found[0], ours: found.index }));
  const [first, ...rest] = tokens;
  if (!first) return { does: 'play', text: '', column: () => 1 };
  const verb = verbOf(first.text);
  if (verb === 'undo' || verb === 'help') return { does: verb };
  if (verb === 'call' && rest.length === 0) return { does: 'call' };
  if (verb === 'let go' && folded(rest[0]?.text ?? '') === 'go') rest.shift();
  const starts = [{ theirs: 1, ours: first.ours }];
  let text: string = verb ?? first.text;
  for (const token of rest) {
    starts.push({ theirs: text.length + 2, ours: token.ours });
    text += ` ${between(token.text)}`;
  }
  /** Return the column of the typed line for a column of the notation: the same offset within the same word. */
  const column = (theirs: number): number => {
    const start = starts.findLast((each) => each.theirs <= theirs) ?? starts[0]!;
    const place = at[start.ours + theirs - start.theirs];
    return Math.min(place ?? line.length, line.trimEnd().length) + 1;
  };
  return { does: 'play', text, column };
}

function verbOf(word: string): Verb | null {
  if (word === '?') return 'help';
  const plain = folded(word).replace(/[.!؟]+$/, '');
  const verbs = Object.keys(WORDS) as Verb[];
  return verbs.find((each) => listed(WORDS[each]()).includes(plain)) ?? ENGLISH[plain] ?? null;
}

function between(word: string): string {
  const plain = folded(word);
  for (const name of ['on', 'cards'] as const) if (listed(BETWEEN[name]()).includes(plain)) return name;
  return word;
}

const RTL = /[\u0590-\u08ff]/;

const listed = (words: string): string[] => words.split(' ').map(folded);
const shown = (words: string): string => words.split(' ')[0]!;

/** Return text without accents and case, which may be left out. */
const folded = (word: string): string =>
  plainForm(word).plain.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Return a play in the notation, or a part of one, in the current language: `lay 9S on 2`, `let go`. */
export function inOwnWords(play: string): string {
  const verb = (Object.keys(WORDS) as Verb[]).find((each) => play === each || play.startsWith(`${each} `));
  if (!verb) return play;
  const rest = play.slice(verb.length).replace(' on ', ` ${shown(BETWEEN.on())} `);
  const own = shown(WORDS[verb]());
  return RTL.test(own) ? own + rest.replace(/ (?=[0-9A-Z])/g, ' \u200e') : own + rest;
}
