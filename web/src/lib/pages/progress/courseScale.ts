/** Where the points of the course lie on the chart. */
import type { CoursePoint } from '$lib/net/protocol';

/** The lowest and the highest value of the axis, and its lines. */
export interface Scale {
  low: number;
  high: number;
  lines: number[];
}

const STEPS = [5, 10, 20, 25, 50, 100, 200, 500, 1000];
const MOST_PARTS = 5;

/** Return the scale that holds these points with their intervals, and further values. */
export function scaleOf(course: readonly CoursePoint[], more: readonly number[] = []): Scale {
  const low = Math.min(0, ...course.map(({ mean, half }) => mean - half), ...more);
  const high = Math.max(0, ...course.map(({ mean, half }) => mean + half), ...more);
  const step =
    STEPS.find((one) => Math.ceil(high / one) - Math.floor(low / one) <= MOST_PARTS) ?? STEPS.at(-1)!;
  const [first, last] = [
    Math.floor(low / step),
    Math.max(Math.ceil(high / step), Math.floor(low / step) + 1),
  ];
  const lines = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  return { low: first * step, high: last * step, lines };
}
