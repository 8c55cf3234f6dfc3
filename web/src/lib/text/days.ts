/** Clocks of days, and spans of time in words, in the current language. */
import { DAY_S } from '$lib/net/protocol';
import { getLocale } from '$lib/paraglide/runtime';

type Unit = 'day' | 'hour' | 'minute';
type Width = 'long' | 'narrow';

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Languages whose narrow units do not go together: Latin letters in Persian, `23h 59 Min.` in German. */
const SHORT = new Set(['de', 'fa']);

/** Return whether a clock with this time for a turn runs by the calendar, even while nobody is connected. */
export const ofDays = (turn: number | null): boolean => turn !== null && turn >= DAY_S;

/** Return a number of days, hours or minutes: `2 days`, or `2d`. */
export function inUnit(value: number, unit: Unit, width: Width = 'long'): string {
  const unitDisplay = width === 'narrow' && SHORT.has(getLocale()) ? 'short' : width;
  return new Intl.NumberFormat(getLocale(), { style: 'unit', unit, unitDisplay }).format(value);
}

/** Return a span in one unit: days from two days on, `47 hours`, `5 minutes`. */
export function span(ms: number, width: Width = 'long'): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return inUnit(Math.max(1, minutes), 'minute', width);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? inUnit(hours, 'hour', width) : inUnit(Math.floor(hours / 24), 'day', width);
}

/** Return a span of an hour or more as a clock shows it: `1d 4h`, `4h 20m`. */
export function longClock(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  const parts: [number, Unit][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([value, unit]) => (value > 0 ? inUnit(value, unit, 'narrow') : []))
    .join(' ');
}
