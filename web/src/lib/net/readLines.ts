/** By table, the last line of chat that was in view in this browser, so that newer ones count as unread on return. */

import { storedPairs, storePairs } from './storedPairs';

const READ = 'rum500.read';
const KEPT_TABLES = 50;

const kept = (): [string, number][] => storedPairs(READ);

/** Return the number of the last line that was read at a table; null if this browser has read none. */
export const lastRead = (table: string): number | null =>
  kept().find(([name]) => name === table)?.[1] ?? null;

/** Remember the number of the last line that was read. Without storage nothing is remembered. */
export function keepRead(table: string, number: number): void {
  const others = kept().filter(([name]) => name !== table);
  storePairs(READ, [...others, [table, number]], KEPT_TABLES);
}
