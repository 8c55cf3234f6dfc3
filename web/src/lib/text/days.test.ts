import { afterEach, describe, expect, test } from 'vitest';

import { overwriteGetLocale, type Locale } from '$lib/paraglide/runtime';

import { longClock, ofDays, span } from './days';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let locale: Locale = 'en';
overwriteGetLocale(() => locale);
afterEach(() => {
  locale = 'en';
});

test('a clock of days begins at one day', () => {
  expect([null, 120, 86_399, 86_400, 604_800].map(ofDays)).toEqual([false, false, false, true, true]);
});

describe('a span', () => {
  test.each([
    [7 * DAY, '7 days'],
    [3 * DAY - 1000, '3 days'],
    [2 * DAY - 1000, '2 days'],
    [47 * HOUR, '47 hours'],
    [HOUR, '1 hour'],
    [HOUR - MINUTE, '59 minutes'],
    [1, '1 minute'],
  ])('of %d ms is %s', (ms, words) => {
    expect(span(ms)).toBe(words);
  });

  test.each([
    ['de', '2 Tage'],
    ['es', '2 días'],
    ['fr', '2 jours'],
    ['fa', '۲ روز'],
  ] as const)('is in the words of %s', (language, words) => {
    locale = language;
    expect(span(2 * DAY).replace(/\u00a0|\u202f/g, ' ')).toBe(words);
  });
});

test('the narrow words of Persian are Persian', () => {
  locale = 'fa';
  expect(longClock(DAY + 5 * HOUR)).toBe('۱ روز ۵ ساعت');
  expect(span(20 * MINUTE, 'narrow')).toBe('۲۰ دقیقه');
});

test('the narrow words of German are abbreviated alike', () => {
  locale = 'de';
  expect(longClock(DAY - 1).replace(/\u00a0|\u202f/g, ' ')).toBe('23 Std. 59 Min.');
});

test.each([
  [2 * DAY + 3 * HOUR + MINUTE, '2d 3h'],
  [DAY, '1d'],
  [DAY - 1, '23h 59m'],
  [4 * HOUR + 20 * MINUTE, '4h 20m'],
  [HOUR, '1h'],
])('a clock of %d ms shows %s', (ms, shown) => {
  expect(longClock(ms)).toBe(shown);
});
