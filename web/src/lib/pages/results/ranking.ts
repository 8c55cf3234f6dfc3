/** Who came where in a match. */

/** What a place follows from: `left` before the end. */
type Standing = { final: number; won: boolean; left: boolean };

const byPlace = (a: Standing, b: Standing): number =>
  Number(b.won) - Number(a.won) || Number(a.left) - Number(b.left) || b.final - a.final;

/** The best first, each with its place: winners before all others, who left last; equals share a place. */
export function placed<T extends Standing>(rows: readonly T[]): (T & { place: number })[] {
  const sorted = [...rows].sort(byPlace);
  return sorted.map((row) => ({ ...row, place: 1 + sorted.findIndex((other) => byPlace(other, row) === 0) }));
}
