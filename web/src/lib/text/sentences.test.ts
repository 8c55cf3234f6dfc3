import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { locales, overwriteGetLocale, type Locale } from '$lib/paraglide/runtime';
import { BLANK, SPECTATOR } from '$lib/net/blank';
import type { TableEvent, You, PlacedCard, Snapshot } from '$lib/net/protocol';
import {
  cardInText,
  cardName,
  cardShort,
  eventParts,
  eventSentence,
  loadReasons,
  num,
  phaseSentence,
  plainText,
  points,
  reasonSentence,
  turnParts,
  type Context,
} from './sentences';
import { choiceTitle, profileSummary, profileTitle } from './profiles';
import { headingTitle, ruleSentence } from './rules';

let locale: Locale = 'en';
overwriteGetLocale(() => locale);
afterEach(() => {
  locale = 'en';
});

const ctx: Context = { names: ['North', 'East', 'South', 'Anna'], you: 2, sides: 2, melds: [] };
const event = (kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number: 1,
  kind,
  seat: 0,
  ...more,
});
const placed = (card: string, place: string | null = null): PlacedCard => ({
  card,
  place,
  seat: 0,
  points: 5,
});
const laid = ['6S', '7S', '8S'].map((card) => placed(card, card));

function sentence(kind: string, more: Partial<TableEvent> = {}, where: Partial<Context> = {}): string {
  return eventSentence(event(kind, more), { ...ctx, ...where });
}

/** Text without the marks that keep directions apart. */
const bare = (text: string): string => text.replace(/[\u2066-\u2069]/g, '');

describe('cards', () => {
  test('by name', () => {
    expect(cardName('QD')).toBe('queen of diamonds');
    expect(cardName('8C')).toBe('8 of clubs');
    expect(cardName('1S')).toBe('ace of spades');
    expect(cardName('JK', '6S')).toBe('joker as 6 of spades');
    expect([cardShort('10H'), cardShort('JK'), cardShort('JK', '6S'), cardShort('1S')]).toEqual([
      '10♥',
      '★',
      '★=6♠',
      'A♠',
    ]);
  });

  test.each<[Locale, string, string, string]>([
    ['de', 'Karo-Dame', 'Kreuz 8', 'Joker'],
    ['es', 'la reina de diamantes', 'el 8 de tréboles', 'un comodín'],
    ['fr', 'la dame de carreau', 'le 8 de trèfle', 'un joker'],
    ['fa', 'بی‌بی خشت', '۸ گشنیز', 'جوکر'],
  ])('in %s', (language, queen, eight, joker) => {
    locale = language;
    expect([cardInText('QD'), cardInText('8C'), cardInText('JK')]).toEqual([queen, eight, joker]);
  });

  test('numbers are the language’s', () => {
    expect([num(1250), points(1), points(21)]).toEqual(['1,250', '1 point', '21 points']);
    locale = 'fa';
    expect([num(21), points(21)]).toEqual(['۲۱', '۲۱ امتیاز']);
    locale = 'de';
    expect([points(1), points(-3)]).toEqual(['1 Punkt', '−3 Punkte']);
  });
});

describe('events', () => {
  test('a lay-off on another player’s run, for the screen reader', () => {
    const lay = { laid: [placed('3D', '3D')], meld: 0, owner: 1, meld_kind: 'run', points: 3 };
    expect(sentence('lay', lay, { spoken: true })).toBe(
      'North laid off 3 of diamonds on East’s run. 3 points for We.',
    );
    expect(sentence('lay', lay)).toBe('North laid off 3♦ on East’s run. 3 points for We.');
    expect(sentence('lay', { ...lay, owner: 0 })).toBe(
      'North laid off 3♦ on their own run. 3 points for We.',
    );
    expect(sentence('lay', { ...lay, seat: 2, owner: 2, points: 1 })).toBe(
      'You laid off 3♦ on your run. 1 point for We.',
    );
    expect(sentence('lay', { ...lay, seat: 1, owner: 0, meld_kind: 'set' }, { sides: 0 })).toBe(
      'East laid off 3♦ on North’s set. 3 points.',
    );
    locale = 'fr';
    expect(sentence('lay', { ...lay, owner: 3 })).toBe(
      'North ajoute 3♦ à la suite d’Anna. 3 points pour Nous.',
    );
    locale = 'de';
    expect(sentence('lay', { ...lay, owner: 2 }, { spoken: true })).toBe(
      'North legt Karo 3 an deine Folge an. 3 Punkte für Wir.',
    );
  });

  test('cards are parts of the sentence', () => {
    const four = ['6S', 'JK'].map((card) => placed(card, card === 'JK' ? '6H' : card));
    expect(
      eventParts(event('meld', { laid: four, points: 24, doubled: true }), { ...ctx, sides: 0 }),
    ).toEqual([
      { name: 'North' },
      ' melded ',
      { card: '6S', as: null },
      ' ',
      { card: 'JK', as: '6H' },
      '. Four at once: doubled. 24 points.',
    ]);
    expect(sentence('meld', { laid, points: 21 }, { spoken: true, you: 1 })).toBe(
      'North melded 6 of spades, 7 of spades and 8 of spades. 21 points for They.',
    );
  });

  test('who did it', () => {
    expect(sentence('draw', { seat: 2 })).toBe('You drew a card.');
    expect(sentence('draw', { seat: 2, card: 'KD' })).toBe('You drew K♦.');
    expect(sentence('discard', { card: 'KD', by_bot: true })).toBe('North discarded K♦.');
    expect(sentence('discard', { card: 'KD', by_bot: true, for_person: true })).toBe(
      'North (bot) discarded K♦.',
    );
    expect(sentence('discard', { card: 'KD', seat: 2, by_bot: true, for_person: true })).toBe(
      'South (bot) discarded K♦.',
    );
    expect(sentence('sat', { seat: null, name: 'Zoë' })).toBe('Zoë sat down.');
    expect(sentence('match_over', { seats: [2, 0] })).toBe('The match is over: your side won.');
    expect(sentence('match_over', { seats: [1, 3] })).toBe('The match is over: East and Anna won.');
    expect(sentence('match_over', { seats: [] })).toBe('The match is over and drawn.');
    expect(sentence('settle')).toBe('');
    expect(sentence('something-new')).toBe('');
  });

  test('the end of an attempt at a deal of the day is not an agreement to stop', () => {
    expect(sentence('abandoned', {}, { attempt: true })).toBe(
      'The attempt at the deal of the day has ended.',
    );
    expect(sentence('abandoned')).toBe('The match was abandoned.');
  });

  const EVENTS: TableEvent[] = [
    ...['sat', 'stood', 'bot', 'began', 'spread', 'shuffle', 'draw', 'pass', 'let_go', 'end', 'float'].map(
      (kind) => event(kind),
    ),
    ...[
      'undone',
      'resign',
      'paused',
      'resumed',
      'replaced',
      'stand_in',
      'nudged',
      'abandoned',
      'rematch',
    ].map((kind) => event(kind)),
    ...['draw_for_deal', 'deal', 'draw', 'discard'].map((kind) => event(kind, { card: 'QD' })),
    ...['out', 'target', 'stock', 'passes', 'no_progress'].map((reason) => event('over', { reason })),
    event('draw_again', { seats: [1, 3] }),
    event('seated', { dealer: 1 }),
    event('cut', { position: 1 }),
    event('cut', { position: 20 }),
    event('restock', { cards: ['2S', '3S'] }),
    event('take', { cards: ['8C', 'KD'] }),
    event('call', { cards: ['8C'] }),
    event('meld', { laid, points: 21 }),
    event('lay', { laid, points: 21, owner: 1, meld_kind: 'jokers' }),
    event('match_over', { seats: [0] }),
  ];

  test.each(locales)('all of them in %s, for those who did it and for others', (language) => {
    locale = language;
    for (const one of EVENTS) {
      for (const you of [0, 1, null]) {
        for (const spoken of [false, true]) {
          const text = eventSentence(one, { ...ctx, you, spoken });
          expect(text, one.kind).toMatch(/[.!»]$/);
          expect(text, one.kind).not.toMatch(/[{}\ue000-\uf8ff]|undefined|null|NaN|words_|\?$/);
        }
      }
    }
  });

  test('Persian keeps Latin names and cards in their own direction', () => {
    locale = 'fa';
    expect(sentence('discard', { card: 'KD' })).toBe('\u2068North\u2069 \u2068K♦\u2069 را دور انداخت.');
    locale = 'en';
    expect(sentence('discard', { card: 'KD' }, { names: ['آرش'] })).toBe('\u2068آرش\u2069 discarded K♦.');
  });

  test('a turn is one line, with the comma of its language', () => {
    const turn = [event('draw'), event('discard', { card: 'KD' })];
    expect(bare(plainText(turnParts(turn, ctx)))).toBe('drew, discarded K♦');
    locale = 'fa';
    expect(plainText(turnParts(turn, ctx))).toMatch(/^کشید، .*را دور انداخت$/);
  });
});

describe('phases', () => {
  const shared = (more: Partial<Snapshot>): Snapshot => ({
    ...BLANK,
    status: 'playing',
    waiting_for: 'play',
    actor: 2,
    ...more,
  });
  const say = (more: Partial<Snapshot>, own: You | null = null): string =>
    phaseSentence(shared(more), own, ctx);

  test('say whose turn it is, and for what', () => {
    expect(say({ phase: 'draw', stock: 20 })).toBe('Your turn: draw, or take from the pile.');
    expect(say({ phase: 'draw', stock: 20, actor: 1 })).toBe('East is to draw.');
    expect(say({ phase: 'draw', stock: 0 })).toBe('Your turn. The stock is empty.');
    expect(say({ phase: 'draw', stock: 0 }, { ...SPECTATOR, may: ['draw'] })).toBe(
      'Your turn: draw, or take from the pile.',
    );
    expect(say({ phase: 'use', must_use: '8C' })).toBe('You must use 8♣ now: meld it or lay it off.');
    expect(say({ phase: 'play' })).toBe('Your turn: meld, lay off, or discard.');
    expect(say({ waiting_for: 'claim', claim: { seats: [2], left_ms: 1, total_ms: 2, counts: [1] } })).toBe(
      'Rummy! Call it, or let it go.',
    );
    expect(say({ waiting_for: 'cut', actor: 0 })).toBe('North cuts the pack.');
    expect(say({ status: 'paused' })).toBe('The table is paused.');
  });
});

describe('refusals', () => {
  test('are general until they are loaded, then exact', async () => {
    const reason = { code: 'use.first', rule: 'R-DRAW-3', card: '8C' };
    expect(reasonSentence(reason)).toBe('That cannot be done now.');
    await loadReasons();
    expect(reasonSentence(reason)).toBe(
      'You must use 8♣ now, the lowest card you took: meld it or lay it off first.',
    );
    expect(reasonSentence(reason, { spoken: true })).toContain('8 of clubs');
    const stock = { code: 'draw.no_stock', rule: 'D6', parts: { advice: 'use_or_pass' } };
    expect(reasonSentence(stock)).toBe('The stock is empty: take a card you can use at once, or pass.');
    const gap = { code: 'run.gap', parts: { cards: ['5S', '6S', 'JK=8S'], missing: ['7S'] } };
    expect(reasonSentence(gap)).toBe('5♠ 6♠ ★=8♠ are not in sequence without 7♠.');
    const hand = { code: 'meld.mixed', parts: { cards: ['2S', '4S', '6S', '8S', '9D', 'JD', 'QD', 'KH'] } };
    expect(reasonSentence(hand)).toMatch(/^2♠ 4♠ 6♠ 8♠ 9♦ J♦ … are neither/);
    const fit = { code: 'lay.no_fit', card: '9D', parts: { cards: ['9D'], meld: 1, takes: ['4D', '10D'] } };
    expect(reasonSentence(fit)).toBe('Meld 1 does not take 9♦: it takes 4♦ or 10♦.');
    const melds = (count: number): string =>
      reasonSentence({ code: 'lay.no_meld', parts: { meld: 9, melds: count } });
    expect(melds(1)).toBe('There is no meld 9: the table has one meld, number 1.');
    expect(melds(4)).toBe('There is no meld 9: the table has 4 melds, numbered from 1.');
    expect(reasonSentence({ code: 'set.rank', parts: { cards: ['7D'], rank: 'Q' } })).toBe(
      '7♦ is no queen: a set’s cards are all of one rank.',
    );
    const typed = { code: 'notation.rest', parts: { found: 'KD', verb: 'let go' } };
    expect(bare(reasonSentence(typed))).toBe(
      'Found “KD”, expected nothing after “let\u00a0go” but what belongs to it.',
    );
    expect(bare(reasonSentence({ code: 'notation.expected', parts: { wanted: 'card' } }))).toBe(
      'Found the end of the line, expected a card such as QD, 10S or JK.',
    );
    expect(reasonSentence({ code: 'brand.new', message: 'what the server says' })).toBe(
      'That cannot be done now.',
    );
    locale = 'es';
    expect(reasonSentence(fit, { spoken: true })).toBe(
      'La combinación 1 no admite el 9 de diamantes: admite el 4 de diamantes o el 10 de diamantes.',
    );
    expect(
      bare(reasonSentence({ code: 'notation.target', parts: { plays: ['lay 9S on 1', 'lay 9S on 2'] } })),
    ).toBe('Encaja en varias combinaciones, di en cuál: añadir 9S en 1 o añadir 9S en 2.');
    locale = 'de';
    expect(reasonSentence(reason)).toMatch(/^Du musst jetzt 8♣ verwenden, die unterste Karte/);
  });
});

describe('rules', () => {
  test('in words', () => {
    expect(ruleSentence({ id: 'players.alone', params: { players: [2, 3, 4, 5, 6, 7, 8] }, text: '' })).toBe(
      'For 2 to 8 players, each playing for themselves.',
    );
    expect(ruleSentence({ id: 'players.alone', params: { players: [2, 4, 7] }, text: '' })).toContain(
      '2, 4 or 7',
    );
    const hand = { id: 'deal.hand_two', params: { hand: 7, hand_two: 13 }, text: '' };
    expect(ruleSentence(hand)).toMatch(/^Each is dealt seven cards \(13 where two play\)/);
    expect(ruleSentence({ id: 'match.target', params: { account: 'side', target: 500 }, text: '' })).toBe(
      'The first side to reach 500 points wins the match.',
    );
    expect(ruleSentence({ id: 'not.known', params: {}, text: 'As the server says.' })).toBe(
      'As the server says.',
    );
    locale = 'fa';
    expect(bare(ruleSentence(hand))).toContain('هفت کارت می‌رسد (در بازی دونفره ۱۳)');
    locale = 'fr';
    expect(ruleSentence(hand)).toMatch(/^Chacun reçoit sept cartes \(13 à deux joueurs\)/);
    expect(headingTitle('points.pips')).toBe('Points');
    locale = 'es';
    expect(headingTitle('end.meld')).toBe('Cómo termina una mano');
  });

  const toml = readFileSync(new URL('../../../../src/rum500/rules/sentences.toml', import.meta.url), 'utf-8');
  const ids = [...toml.matchAll(/^id = "(.*)"$/gm)].map((found) => found[1]!);
  const numbers = [...toml.matchAll(/\{(\w+)/g)].map((found) => found[1]!);

  test.each(locales)('every sentence in %s, with one and with many', (language) => {
    locale = language;
    expect(ids.length).toBeGreaterThan(80);
    for (const id of ids) {
      for (const [value, account] of [
        [1, 'player'],
        [2, 'side'],
        [40, 'side'],
      ] as const) {
        const params = {
          ...Object.fromEntries(numbers.map((name) => [name, value])),
          players: [2, 4],
          account,
        };
        const text = ruleSentence({ id, params, text: 'unknown' });
        expect(text, id).toMatch(/[.:]$/);
        expect(text, id).not.toMatch(/[{}]|undefined|unknown|NaN|words_/);
      }
    }
  });

  test('names of games and house rules', () => {
    locale = 'de';
    expect(profileTitle('persian-rummy')).toBe('Persisches Rummy');
    expect(profileSummary('partnership-500-rummy')).toContain('Zwei gegen zwei');
    expect(choiceTitle('H3')).toContain('Joker');
    expect([profileTitle('new-game', 'New Game'), choiceTitle('H9', 'Other')]).toEqual(['New Game', 'Other']);
  });
});
