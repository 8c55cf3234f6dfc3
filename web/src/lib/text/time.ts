/** Moments in words, in the current language. */
import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';

import { serverNow } from '$lib/net/serverTime';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

const locale = (): string => (getLocale() === 'en' ? 'en-GB' : getLocale());

/** How long ago a moment was: `12 min ago`. Moments are milliseconds since 1970. */
export function ago(moment: number, now = serverNow()): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' });
  const past = Math.max(0, now - moment);
  for (const [unit, length] of UNITS)
    if (past >= length) return format.format(-Math.floor(past / length), unit);
  return format.format(0, 'minute');
}

/** When something ended: the time of a day not long ago, otherwise the date. */
export function when(moment: number, now = serverNow()): string {
  const [then, today] = [new Date(moment), new Date(now)];
  const days = Math.round((midnight(today) - midnight(then)) / 86_400_000);
  if (days > 1 || days < 0) {
    const year = then.getFullYear() === today.getFullYear() ? undefined : 'numeric';
    return then.toLocaleDateString(locale(), { day: 'numeric', month: 'short', year });
  }
  const day = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-days, 'day');
  return `${day}${m.words_comma()}${then.toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' })}`;
}

/** A day of the calendar, such as `2027-01-16`: `16 January`. */
export const dayName = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });

const midnight = (day: Date): number => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
