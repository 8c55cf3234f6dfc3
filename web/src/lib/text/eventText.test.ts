import { afterEach, describe, expect, it } from 'vitest';

import { overwriteGetLocale, type Locale } from '$lib/paraglide/runtime';
import { SPECTATOR } from '$lib/net/blank';
import type { MeldPlate, TableEvent, TableInfo, Reason, Snapshot, SuggestedPlay } from '$lib/net/protocol';
import { plainText } from './sentences';
import { goalTexts, lastPlay, meldPhrase, optionText, whyParts } from './eventText';

let locale: Locale = 'en';
overwriteGetLocale(() => locale);
afterEach(() => {
  locale = 'en';
});

const events = (...kinds: string[]): TableEvent[] => kinds.map((kind, number) => ({ kind, number, seat: 0 }));

describe('the last play', () => {
  it('is shown until a new deal is being prepared', () => {
    const played = ['deal', 'draw', 'discard'];
    expect(lastPlay(events(...played))?.kind).toBe('discard');
    expect(lastPlay(events(...played, 'over', 'settle'))?.kind).toBe('discard');
    expect(lastPlay(events(...played, 'over', 'settle', 'shuffle'))).toBeNull();
    expect(lastPlay(events(...played, 'over', 'settle', 'shuffle', 'cut', 'deal'))).toBeNull();
    expect(lastPlay(events(...played, 'over', 'settle', 'shuffle', 'deal', 'take'))?.kind).toBe('take');
    expect(lastPlay([])).toBeNull();
  });
});

describe('what the match goes to', () => {
  const lines = (options: Partial<TableInfo>): string[] => {
    const { deal, goal } = goalTexts({
      shared: { deal: 2 } as Snapshot,
      options: options as TableInfo,
      you: SPECTATOR,
    });
    return [deal, goal];
  };

  it('has two lines', () => {
    expect(lines({ match: 'target', target: 500 })).toEqual(['Deal 2', 'to 500']);
    expect(lines({ match: 'target', target: 500, max_deals: 4 })).toEqual(['Deal 2 of 4', 'to 500']);
    expect(lines({ match: 'deals', deals: 4 })).toEqual(['Deal 2', 'of 4']);
    locale = 'fa';
    expect(lines({ match: 'target', target: 500 })).toEqual(['دست ۲', 'تا ۵۰۰']);
  });
});

describe('a meld is named by itself, and with a preposition as the place of a lay-off', () => {
  const meld = (owner: number): MeldPlate => ({
    number: 0,
    kind: 'set',
    owner,
    cards: ['8S', '8H', '8D'].map((card) => ({ card, place: null, seat: owner, points: 8 })),
    at_once: true,
  });
  const lay = { kind: 'lay', meld: 0, owner: null, cards: [{ card: '8C', place: null }], points: 8 };
  const texts = (owner: number): string[] => {
    const shared = { melds: [meld(owner)], seats: [{ name: 'Bo' }, { name: 'Ada' }] };
    const data = { shared, options: {}, you: { ...SPECTATOR, seat: 0 } } as never;
    const [name] = meldPhrase(data, meld(owner)).split(/\s?:/);
    const put = optionText(data, lay as unknown as SuggestedPlay);
    return [name!, put].map((text) => text.replace(/[\u2066-\u2069]/g, ''));
  };

  it.each([
    ['en', ['your set', '8♣ on your set'], ['Ada’s set', '8♣ on Ada’s set']],
    ['de', ['dein Satz', '8♣ an deinen Satz'], ['der Satz von Ada', '8♣ an den Satz von Ada']],
    ['fr', ['votre groupe', '8♣ à votre groupe'], ['le groupe d’Ada', '8♣ au groupe d’Ada']],
    ['es', ['tu grupo', '8♣ a tu grupo'], ['el grupo de Ada', '8♣ al grupo de Ada']],
    ['fa', ['سری خودتان', '8♣ به سری خودتان'], ['سری Ada', '8♣ به سری Ada']],
  ] as const)('%s', (language, own, others) => {
    locale = language;
    expect(texts(0)).toEqual(own);
    expect(texts(1)).toEqual(others);
  });
});

it('names what to select for a discard without a card', () => {
  expect(plainText(whyParts({ code: 'page.select_card' } as Reason))).toBe(
    'Select the card to discard first.',
  );
});
