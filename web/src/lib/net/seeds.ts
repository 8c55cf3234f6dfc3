/** The seeds that this browser gave to shuffles, stored so that it can check afterwards that they were used. */

const SEEDS = 'rum500.seeds';
const KEPT_SEEDS = 60;

/** What this browser added to a shuffle, and the commitment that it had been shown before. */
export type OwnSeed = { commitment: string; value: string };

function keptSeeds(): [string, OwnSeed][] {
  try {
    return JSON.parse(localStorage.getItem(SEEDS) ?? '[]') as [string, OwnSeed][];
  } catch {
    return [];
  }
}

/** Remember what this browser adds to a shuffle. */
export function keepSeed(table: string, shuffle: number, seed: OwnSeed): void {
  const key = `${table}/${shuffle}`;
  const others = keptSeeds().filter(([name]) => name !== key);
  try {
    localStorage.setItem(SEEDS, JSON.stringify([...others, [key, seed]].slice(-KEPT_SEEDS)));
  } catch {
    // Without storage the shuffle can still be verified, only not against one's own memory.
  }
}

/** What this browser added to a shuffle of a table, if it still remembers. */
export function ownSeed(table: string, shuffle: number): OwnSeed | null {
  return keptSeeds().find(([name]) => name === `${table}/${shuffle}`)?.[1] ?? null;
}
