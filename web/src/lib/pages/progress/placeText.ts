/** The guest's place among the levels in words. */
import { m } from '$lib/paraglide/messages';

import { amount } from '$lib/felt/verdicts/reviewText';
import { STEPS, type Place } from '$lib/net/protocol';
import { num } from '$lib/text/sentences';

/** Return the place with its interval, within the levels that there are; or that it lies below or above them all. */
export function placeText({ level, half }: Place): string {
  if (level + half < 1) return m.progress_place_below();
  if (level - half > STEPS) return m.progress_place_above({ of: num(STEPS) });
  const within = (value: number): string => amount(Math.min(STEPS, Math.max(1, value)));
  return m.progress_place({
    level: within(level),
    of: num(STEPS),
    low: within(level - half),
    high: within(level + half),
  });
}
