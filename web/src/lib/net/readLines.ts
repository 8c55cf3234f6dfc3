/** By table, the last line of chat that was in view in this browser, so that newer ones count as unread on return. */

const READ = 'rum500.read';
const KEPT_TABLES = 50;

function kept(): [string, number][] {
  try {
    return JSON.parse(localStorage.getItem(READ) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

/** Return the number of the last line that was read at a table; null if this browser has read none. */
export const lastRead = (table: string): number | null =>
  kept().find(([name]) => name === table)?.[1] ?? null;

/** Remember the number of the last line that was read. */
export function keepRead(table: string, number: number): void {
  const others = kept().filter(([name]) => name !== table);
  try {
    localStorage.setItem(READ, JSON.stringify([...others, [table, number]].slice(-KEPT_TABLES)));
  } catch {
    // Without storage the lines count as read after a reload.
  }
}
