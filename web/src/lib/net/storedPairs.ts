/** Lists of names with values that this browser stores, the oldest first. */

/** Return the pairs stored under a key; none without storage, or if what is stored is damaged. */
export function storedPairs<Value>(key: string): [string, Value][] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as [string, Value][];
  } catch {
    return [];
  }
}

/** Store the last `most` of these pairs. In a window without storage nothing is stored. */
export function storePairs<Value>(key: string, pairs: readonly [string, Value][], most: number): void {
  try {
    localStorage.setItem(key, JSON.stringify(pairs.slice(-most)));
  } catch {
    // A private window may have no storage, and a full one stores nothing more.
  }
}
