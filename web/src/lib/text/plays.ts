/** Typed plays: what the player writes, in the present language or in English, and the server's notation. */

import { m } from '$lib/paraglide/messages';

/** Each play's words in the present language, the one that is shown first; the server knows its own. */
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

/** What the page does itself; and a call without a card, which the server cannot read. */
const ENGLISH: Record<string, Verb> = { undo: 'undo', help: 'help', rummy: 'call', call: 'call' };

export type Verb = keyof typeof WORDS;

/**
 * What a line asks for: a thing that the page does itself, or a play in the server's notation. `column` says where
 * in the line a column of the notation is, both from 1.
 */
export type Line =
  { does: 'undo' | 'help' | 'call' } | { does: 'play'; text: string; column: (theirs: number) => number };

/** Reads a typed line; what it does not know is left for the server to refuse. */
export function readLine(line: string): Line {
  const tokens = [...line.matchAll(/\S+/g)].map((found) => ({ text: found[0], at: found.index }));
  const [first, ...rest] = tokens;
  if (!first) return { does: 'play', text: '', column: () => 1 };
  const verb = verbOf(first.text);
  if (verb === 'undo' || verb === 'help') return { does: verb };
  if (verb === 'call' && rest.length === 0) return { does: 'call' };
  if (verb === 'let go' && folded(rest[0]?.text ?? '') === 'go') rest.shift();
  const starts = [{ theirs: 1, ours: first.at + 1 }];
  let text: string = verb ?? first.text;
  for (const token of rest) {
    starts.push({ theirs: text.length + 2, ours: token.at + 1 });
    text += ` ${between(token.text)}`;
  }
  return { does: 'play', text, column: (theirs) => columnIn(line, starts, theirs) };
}

/** Where in the line it is: after the start of its word by as much, but not behind the line's end. */
function columnIn(line: string, starts: { theirs: number; ours: number }[], theirs: number): number {
  const start = starts.findLast((each) => each.theirs <= theirs) ?? { theirs: 1, ours: 1 };
  return Math.min(start.ours + theirs - start.theirs, line.trimEnd().length + 1);
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
  return asciiDigits(word);
}

const RTL = /[\u0590-\u08ff]/;
/** Marks of direction, which are not seen: beside Persian words a card's rank would part from its suit. */
const MARKS = /[\u200e\u200f\u2066-\u2069]/g;

const listed = (words: string): string[] => words.split(' ').map(folded);
const shown = (words: string): string => words.split(' ')[0]!;

/** Without accents and case: they may be left out. */
const folded = (word: string): string =>
  word.replace(MARKS, '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Persian and Arabic digits as the notation has them, without marks. */
function asciiDigits(word: string): string {
  return word.replace(MARKS, '').replace(/[۰-۹٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/** A play, or a part of one, of the notation in the present language: `lay 9S on 2`, `let go`. */
export function inOwnWords(play: string): string {
  const verb = (Object.keys(WORDS) as Verb[]).find((each) => play === each || play.startsWith(`${each} `));
  if (!verb) return play;
  const rest = play.slice(verb.length).replace(' on ', ` ${shown(BETWEEN.on())} `);
  const own = shown(WORDS[verb]());
  return RTL.test(own) ? own + rest.replace(/ (?=[0-9A-Z])/g, ' \u200e') : own + rest;
}
