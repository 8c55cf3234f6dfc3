/** The seeds that this browser gave to shuffles, stored so that it can check afterwards that they were used. */

import { storedPairs, storePairs } from './storedPairs';

const SEEDS = 'rum500.seeds';
const KEPT_SEEDS = 60;

/** What this browser added to a shuffle, and the commitment that it had been shown before. */
export type OwnSeed = { commitment: string; value: string };

const keptSeeds = (): [string, OwnSeed][] => storedPairs(SEEDS);

/** Remember what this browser adds to a shuffle. Without storage the shuffle is verified without it. */
export function keepSeed(table: string, shuffle: number, seed: OwnSeed): void {
  const key = `${table}/${shuffle}`;
  const others = keptSeeds().filter(([name]) => name !== key);
  storePairs(SEEDS, [...others, [key, seed]], KEPT_SEEDS);
}

/** What this browser added to a shuffle of a table, if it still remembers. */
export function ownSeed(table: string, shuffle: number): OwnSeed | null {
  return keptSeeds().find(([name]) => name === `${table}/${shuffle}`)?.[1] ?? null;
}
