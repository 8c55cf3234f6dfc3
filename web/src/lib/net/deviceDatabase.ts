/**
 * The database of the games on this device, in IndexedDB. The worker that owns the tables writes it; a page reads from
 * it the lists that the worker has put there, so that it needs no worker to show them.
 */

const NAME = 'rum500-device';
/** The values of the local server, the number of the owner, and lists for pages. */
const STORES = ['values', 'owner', 'lists'] as const;

/** Open the database, and create it if it does not exist. Rejects if the browser keeps nothing, as in private windows. */
export function openDatabase(): Promise<IDBDatabase> {
  const asked = indexedDB.open(NAME, 1);
  asked.onupgradeneeded = () => STORES.forEach((name) => asked.result.createObjectStore(name));
  return done(asked);
}

/** Return the result of a request. Rejects with its error. */
export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database gave no reason'));
  });
}

/** Wait until a transaction is stored. Rejects if it is not. */
export function stored(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve();
    change.onabort = () =>
      reject(change.error ?? new DOMException('the change was taken back', 'AbortError'));
  });
}

/** Return a list that the worker has put there for pages, as JSON; null if there is none. */
export async function storedList(name: string): Promise<unknown> {
  const database = await openDatabase();
  try {
    const text: unknown = await done(database.transaction('lists').objectStore('lists').get(name));
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : null;
  } finally {
    database.close();
  }
}
