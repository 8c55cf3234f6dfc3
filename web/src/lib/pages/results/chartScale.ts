/** Where things stand in a chart. */

/** Return round numbers from `low` to `high`, about five of them. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const found: number[] = [];
  for (let at = Math.ceil(low / step) * step || 0; at <= high; at += step) found.push(at);
  return found;
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
