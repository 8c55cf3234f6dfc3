/** The storage of the local server in IndexedDB. A change is acknowledged once it is on the disk. */
import { done, openDatabase, stored } from '$lib/net/deviceDatabase';

const OWNER = 'owner';

export class Values {
  #database: IDBDatabase;
  #owner: number;

  private constructor(database: IDBDatabase, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  /** Open the storage as its only writer: an earlier owner's changes are refused from now on. */
  static async open(): Promise<Values> {
    const database = await openDatabase();
    const change = database.transaction('owner', 'readwrite', { durability: 'strict' });
    const owners = change.objectStore('owner');
    const owner = Number((await done(owners.get(OWNER))) ?? 0) + 1;
    owners.put(owner, OWNER);
    await stored(change);
    return new Values(database, owner);
  }

  /** Return the pairs whose keys begin with `prefix`, sorted by key. */
  async read(prefix: string): Promise<[string, Uint8Array][]> {
    const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
    const values = this.#database.transaction('values').objectStore('values');
    const [keys, found] = await Promise.all([done(values.getAllKeys(range)), done(values.getAll(range))]);
    return keys.map((key, at) => [String(key), found[at] as Uint8Array]);
  }

  /** Store these values in one transaction, undefined removes one. Return the code of a failure, or nothing. */
  async write(changes: ReadonlyMap<string, Uint8Array | undefined>): Promise<string> {
    try {
      const change = this.#database.transaction(['values', 'owner'], 'readwrite', { durability: 'strict' });
      const values = change.objectStore('values');
      const ends = stored(change);
      ends.catch(() => undefined);
      if ((await done(change.objectStore('owner').get(OWNER))) !== this.#owner) {
        change.abort();
        return 'store.device_taken';
      }
      for (const [key, value] of changes) {
        if (value) values.put(value, key);
        else values.delete(key);
      }
      await ends;
      return '';
    } catch (error) {
      const full = error instanceof DOMException && error.name === 'QuotaExceededError';
      return full ? 'store.device_full' : 'store.device';
    }
  }

  /** Put a list there for pages. A list that cannot be stored is left out. */
  async list(name: string, text: string): Promise<void> {
    this.#database.transaction('lists', 'readwrite').objectStore('lists').put(text, name);
  }
}
