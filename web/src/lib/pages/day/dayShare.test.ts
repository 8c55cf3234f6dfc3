import { afterEach, describe, expect, it } from 'vitest';

import type { DayResult } from '$lib/net/protocol';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { placeRow, shareText } from './dayShare';
import { dayVerdict } from './dayText';

const CLUB = { level: 'club', games: 40, mean: 70.6, low: 49, high: 88 };
const ADDRESS = 'http://localhost:3000/day/2026-11-26';
const RESULT: DayResult = {
  day: '2026-11-26',
  number: 330,
  profile: '500-rum',
  title: '500 Rum',
  players: 4,
  level: 'club',
  status: 'over',
  table: 't',
  points: 62,
  played: 14,
  place: 3,
  best: 104,
  counts: [[62, 1]],
  near: [],
  awaited: [],
  bots: [CLUB],
  costliest: { frame: 12, cost: 11 },
  streak: 7,
  on_device: false,
};

afterEach(() => overwriteGetLocale(() => 'en'));

describe('placeRow', () => {
  it('shows the place from the end, and in tenths from 21 players on', () => {
    expect(placeRow(3, 14)).toBe('○○○○○○○○○○○●○○');
    expect(placeRow(1, 2)).toBe('○●');
    expect(placeRow(2, 2)).toBe('●○');
    expect(placeRow(1, 10_000)).toBe('○○○○○○○○○●');
    expect(placeRow(10_000, 10_000)).toBe('●○○○○○○○○○');
    expect(placeRow(21, 21)).toBe('●○○○○○○○○○');
  });
});

describe('shareText', () => {
  it('has place, points and the address', () => {
    expect(shareText(RESULT, ADDRESS).split('\n')).toEqual([
      'rum500 · Deal of the day 330',
      'Thursday 26 November · 500 Rum',
      '62 points · Place 3 of 14',
      'Club on the same cards: 71',
      '○○○○○○○○○○○●○○',
      '7 days in a row',
      'http://localhost:3000/day/2026-11-26',
    ]);
  });

  it('has no card in any language', () => {
    for (const locale of ['en', 'de', 'fr', 'es', 'fa'] as const) {
      overwriteGetLocale(() => locale);
      const text = shareText(RESULT, ADDRESS);
      expect(text).not.toMatch(/[♠♥♦♣♤♡♢♧🂠-🃵]/u);
      expect(text).not.toMatch(/(?<![\w-])(?:10|[2-9AJQK])[SHDC](?![\w])/);
      expect(text).toContain('●');
    }
  });
});

describe('dayVerdict', () => {
  it('calls a result within the middle half of the games as good', () => {
    expect(dayVerdict(49, CLUB)).toMatch(/^As good as Club/);
    expect(dayVerdict(88, CLUB)).toMatch(/^As good as Club/);
    expect(dayVerdict(89, CLUB)).toBe('18 more than Club on these cards.');
    expect(dayVerdict(48, CLUB)).toBe('23 less than Club on these cards.');
  });
});
