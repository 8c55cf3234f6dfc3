/** The scale of a chart. */

/** Return round numbers from `low` to `high`, about five of them. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const found: number[] = [];
  for (let at = Math.ceil(low / step) * step || 0; at <= high; at += step) found.push(at);
  return found;
}

/** A course that takes up less of the height than this is hard to read. */
const LEAST_COURSE = 1 / 3;
/** The room above a course whose target is further up, as a part of the course's height. */
const HEADROOM = 0.15;

/**
 * Return the ends of a scale for these totals, and whether the target lies between them. In a match that ends long before
 * the target, such as one over a number of deals, all lines would be flat beside it.
 */
export function scaleOf(
  totals: readonly number[],
  target: number | null,
): { low: number; high: number; withTarget: boolean } {
  const low = Math.min(0, ...totals);
  const top = Math.max(1, ...totals);
  if (target === null) return { low, high: top, withTarget: false };
  const withTarget = top - low >= LEAST_COURSE * (target - low);
  return { low, high: withTarget ? Math.max(target, top) : top + HEADROOM * (top - low), withTarget };
}

/** Return these heights moved as little as needed to be `gap` apart, within `[least, most]` if there is room. */
export function apart(
  wanted: readonly number[],
  gap: number,
  [least, most]: readonly [number, number],
): number[] {
  const order = wanted.map((_, at) => at).sort((one, other) => wanted[one]! - wanted[other]!);
  const found = [...wanted];
  let from = least;
  for (const at of order) from = (found[at] = Math.max(found[at]!, from)) + gap;
  let to = Math.max(most, least + gap * (wanted.length - 1));
  for (const at of order.toReversed()) to = (found[at] = Math.min(found[at]!, to)) - gap;
  return found;
}
