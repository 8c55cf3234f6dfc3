/** The dots of a distribution: where each lies, and how many players one of them stands for. */

export interface Dot {
  /** The column, from 0, and the place in it from below, from 0. */
  column: number;
  row: number;
  /** Whether it contains the viewer. */
  own: boolean;
}

export interface Dots {
  low: number;
  high: number;
  columns: number;
  /** The number of players of a dot. */
  each: number;
  dots: Dot[];
  /** The ticks of the axis, in points. */
  ticks: number[];
}

/** The highest column, in dots. */
const HIGHEST = 8;
const STEPS = [10, 20, 25, 50, 100, 200, 500];

/** Return round numbers from `low` to `high`: at most `most`, unless the scale is longer than 500 for each of them. */
export function ticksOf(low: number, high: number, most: number): number[] {
  const size = STEPS.find((one) => (high - low) / one <= most) ?? 1000;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / size) * size; tick <= high; tick += size) ticks.push(tick || 0);
  return ticks;
}

/**
 * Return the dots of results given as (points, players), in `columns` columns over all points in `also` too. Where a
 * column would be higher than eight dots, a dot stands for several players; a column with any player has a dot.
 */
export function dotsOf(
  counts: readonly (readonly [number, number])[],
  own: number | null,
  also: readonly number[],
  columns: number,
): Dots {
  const all = [...counts.map(([points]) => points), ...also, ...(own === null ? [] : [own])];
  const least = Math.min(0, ...all);
  const most = Math.max(least + columns, ...all);
  const margin = Math.max(1, (most - least) * 0.05);
  const [low, high] = [least - margin, most + margin];
  const column = (points: number): number =>
    Math.min(columns - 1, Math.floor(((points - low) / (high - low)) * columns));
  const players = Array.from({ length: columns }, () => 0);
  for (const [points, count] of counts) players[column(points)]! += count;
  const each = Math.max(1, Math.ceil(Math.max(...players) / HIGHEST));
  const dots = players.flatMap((count, at) =>
    Array.from({ length: Math.ceil(count / each) }, (_, row) => ({
      column: at,
      row,
      own: row === 0 && own !== null && column(own) === at,
    })),
  );
  return { low, high, columns, each, dots, ticks: ticksOf(low, high, 6) };
}
