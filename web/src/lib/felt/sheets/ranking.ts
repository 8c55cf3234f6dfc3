/** The ranking of a match. */

/** What determines a rank; `left` if the player left before the end. */
type Standing = { final: number; won: boolean; left: boolean };

const byPlace = (a: Standing, b: Standing): number =>
  Number(b.won) - Number(a.won) || Number(a.left) - Number(b.left) || b.final - a.final;

/** Sort by rank, the best first: winners before all others, players that left last; equal ones share a rank. */
export function placed<T extends Standing>(rows: readonly T[]): (T & { place: number })[] {
  const sorted = [...rows].sort(byPlace);
  return sorted.map((row) => ({ ...row, place: 1 + sorted.findIndex((other) => byPlace(other, row) === 0) }));
}
