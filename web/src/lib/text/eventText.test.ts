import { afterEach, describe, expect, it } from 'vitest';

import { overwriteGetLocale, type Locale } from '$lib/paraglide/runtime';
import { SPECTATOR } from '$lib/net/blank';
import type { TableEvent, TableInfo, Reason, Snapshot } from '$lib/net/protocol';
import { plainText } from './sentences';
import { goalTexts, lastPlay, whyParts } from './eventText';

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

it('names what to select for a discard without a card', () => {
  expect(plainText(whyParts({ code: 'page.select_card' } as Reason))).toBe(
    'Select the card to discard first.',
  );
});
