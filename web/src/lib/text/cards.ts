import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';

import { capitalized } from './graphemes';

/** A piece of a sentence: plain text, a card (with the card that a joker represents), a player's name, or what is typed. */
export type Part = string | { card: string; as?: string | null } | { name: string } | { typed: string };

const SYMBOLS: Record<string, string> = { S: '♠', H: '♥', D: '♦', C: '♣' };

// --- numbers and lists ---------------------------------------------------------------------------------

const numbers = new Map<string, Intl.NumberFormat>();
const lists = new Map<string, Intl.ListFormat>();
const choices = new Map<string, Intl.ListFormat>();

/** Return a number in the digits of the current language, with a minus sign rather than a hyphen. */
export function num(value: number): string {
  const locale = getLocale();
  // Small numbers differ only in Persian, and the first format takes a tenth of a second.
  if (locale !== 'fa' && Number.isInteger(value) && value > -1000 && value < 1000)
    return String(value).replace('-', '−');
  let format = numbers.get(locale);
  if (!format) numbers.set(locale, (format = new Intl.NumberFormat(locale)));
  return format.format(value).replace('-', '−');
}

/** A number of points: `21 points`. */
export const points = (value: number): string => m.words_points({ count: value, n: num(value) });

/** A number of cards: `3 cards`. */
export const cardCount = (value: number): string => m.words_cards({ count: value, n: num(value) });

/** Names in a sentence: `Ann, Bob and Cleo`. */
export function listAnd(names: string[]): string {
  const locale = getLocale() === 'en' ? 'en-GB' : getLocale();
  let format = lists.get(locale);
  if (!format) lists.set(locale, (format = new Intl.ListFormat(locale)));
  return format.format(names);
}

/** Alternatives in a sentence: `4♦ or 8♦`. */
export function listOr(words: string[]): string {
  const locale = getLocale() === 'en' ? 'en-GB' : getLocale();
  let format = choices.get(locale);
  if (!format) choices.set(locale, (format = new Intl.ListFormat(locale, { type: 'disjunction' })));
  return format.format(words);
}

// --- cards ---------------------------------------------------------------------------------------------

/** Rank and suit of a card's or place's text; `1S` is the low ace. */
function read(card: string): { rank: string; suit: string } {
  const rank = card.slice(0, -1);
  return { rank: rank === '1' ? 'A' : rank === 'T' ? '10' : rank, suit: card.slice(-1) };
}

export const suitName = (suit: string): string => m.words_suit({ suit });

export const rankName = (rank: string): string =>
  m.words_rank({ rank, n: /^\d+$/.test(rank) ? num(Number(rank)) : rank });

/** A card by name: `queen of diamonds`, `joker as 6 of spades`. */
export function cardName(card: string, as?: string | null): string {
  if (card === 'JK') return as ? m.words_joker_as({ card: cardName(as) }) : m.words_joker();
  const { rank, suit } = read(card);
  return m.words_card({ code: rank, rank: rankName(rank), suit: suitName(suit) });
}

/** Return a card for use in a sentence, with its article if the language has one. */
export function cardInText(card: string, as?: string | null): string {
  if (card === 'JK') return as ? cardName(card, as) : m.words_joker_in_text();
  const { rank, suit } = read(card);
  return m.words_card_in_text({ code: rank, rank: rankName(rank), suit: suitName(suit) });
}

/** Return a card's shortest text: `Q♦`, `★=6♠`. */
export function cardShort(card: string, as?: string | null): string {
  if (card === 'JK') return as ? `★=${cardShort(as)}` : '★';
  const { rank, suit } = read(card);
  return rank + (SYMBOLS[suit] ?? suit);
}

/** `run`, `set` or `set of jokers`. */
export const meldName = (kind: string): string => m.words_meld({ kind });

// --- parts ---------------------------------------------------------------------------------------------

const FIRST = 0xe000;
const MARK = /[\ue000-\uf8ff]/;

/**
 * Puts cards and names into sentences, whose word order depends on the language: each is passed to the message as a
 * character of the private use area, which `parts` replaces.
 */
export class Filler {
  private readonly held: Part[] = [];

  /** Return a placeholder for this part. */
  put(part: Part): string {
    this.held.push(part);
    return String.fromCharCode(FIRST + this.held.length - 1);
  }

  /** Cards in a row. */
  cards(cards: { card: string; as?: string | null }[]): string {
    return cards.map((card) => this.put(card)).join(' ');
  }

  parts(text: string): Part[] {
    const found: Part[] = [];
    let plain = '';
    for (const char of text) {
      const part = MARK.test(char) ? this.held[char.charCodeAt(0) - FIRST] : undefined;
      if (part === undefined) plain += char;
      else {
        if (plain) found.push(plain);
        plain = '';
        found.push(part);
      }
    }
    return plain ? [...found, plain] : found;
  }
}

/** Parts as plain text; `spoken`: cards by their names, several as a list. */
export function plainText(parts: Part[], spoken = false): string {
  let text = '';
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (typeof part === 'string') text += part;
    else if ('name' in part) text += isolated(part.name);
    else if ('typed' in part) text += `\u2066${part.typed}\u2069`;
    else if (!spoken) text += isolated(cardShort(part.card, part.as));
    else {
      const cards = [cardInText(part.card, part.as)];
      let next = parts[at + 2];
      while (parts[at + 1] === ' ' && next && typeof next === 'object' && 'card' in next) {
        cards.push(cardInText(next.card, next.as));
        at += 2;
        next = parts[at + 2];
      }
      text += listAnd(cards);
    }
  }
  return typeof parts[0] === 'object' && 'card' in parts[0] ? capitalized(text) : text;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Return a formula such as `+23 ± 15` in its own order, which is the same in every language. */
export const leftToRight = (text: string): string => (getLocale() === 'fa' ? `\u2066${text}\u2069` : text);

/** Return text isolated from the writing direction of the sentence around it. */
function isolated(text: string): string {
  const rtl = getLocale() === 'fa';
  return RTL.test(text) === rtl && !/[♠♥♦♣★]/.test(rtl ? text : '') ? text : `\u2068${text}\u2069`;
}
