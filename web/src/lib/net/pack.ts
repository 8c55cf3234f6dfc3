/** The pack: all that bots, rules and tables need to run in this browser. It has a cache of its own. */
import { BASE } from './base';

/** What `pack.json` says; the names of files are relative to the folder of the pack. */
export interface Pack {
  version: string;
  /** The version of rum500. */
  release: string;
  /** When this browser fetched it, in milliseconds since 1970. */
  fetched?: number;
  /** The file to import, `pyodide.mjs`. */
  python: string;
  files: { name: string; role: 'runtime' | 'stdlib' | 'wheel' | 'rum500'; bytes: number; sent: number }[];
  /** All bytes when unpacked, and as they are sent. */
  bytes: number;
  sent: number;
}

/** Why the pack could not be stored. Nothing of it is left then, and an older pack stays. */
export class PackError extends Error {
  constructor(
    readonly why: 'none' | 'cut' | 'full' | 'private' | 'cancelled',
    message = why as string,
  ) {
    super(message);
    this.name = 'PackError';
  }
}

/** The folder of the pack. */
export const FOLDER = `${BASE}/offline/`;
/** The beginning of the names of its caches; the service worker answers from them and leaves them alone. */
const CACHES = 'rum500-offline-';
/** Where a cache has the description of its pack, once all files are there. */
const COMPLETE = `${FOLDER}installed.json`;

/** Why nothing can be played without a network in this browser; null if it can. */
export function lacking(): 'wasm' | 'private' | null {
  if (typeof WebAssembly === 'undefined') return 'wasm';
  const has = 'caches' in globalThis && 'indexedDB' in globalThis && !!navigator.serviceWorker;
  return has ? null : 'private';
}

/** Return the server's pack. Throws `PackError` if it has none, `TypeError` if it cannot be reached. */
export async function offered(): Promise<Pack> {
  const answer = await fetch(`${FOLDER}pack.json`, { cache: 'no-cache' });
  const isJson = answer.ok && answer.headers.get('content-type')?.includes('json');
  // An answer that is not read keeps its connection busy.
  const pack = isJson ? ((await answer.json()) as Pack | null) : await answer.body?.cancel();
  if (!pack) throw new PackError('none');
  return pack;
}

/** Return the pack that this browser has; null if it has none. */
export async function installed(): Promise<Pack | null> {
  if (!('caches' in globalThis)) return null;
  for (const name of await ours()) {
    const answer = await (await caches.open(name)).match(COMPLETE);
    if (answer) return (await answer.json()) as Pack;
  }
  return null;
}

const ours = async (): Promise<string[]> =>
  (await caches.keys()).filter((name) => name.startsWith(CACHES)).reverse();

/**
 * Store the server's pack; `onprogress` gets the part that has arrived, from 0 to 1. Another pack is removed once this
 * one is complete. Throws `PackError`; then nothing has changed.
 */
export async function install(
  pack: Pack,
  onprogress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const work = () => fill(pack, onprogress, signal);
    await (navigator.locks ? navigator.locks.request(CACHES, { signal }, work) : work());
  } catch (error) {
    throw reason(error, signal);
  }
}

/** Fill the cache of a pack, and remove the others; after a failure remove this one. */
async function fill(pack: Pack, onprogress: (part: number) => void, signal: AbortSignal): Promise<void> {
  if ((await installed())?.version === pack.version) return;
  const name = CACHES + pack.version;
  try {
    await caches.delete(name);
    const cache = await caches.open(name);
    let arrived = 0;
    for (const file of pack.files) {
      const answer = await fetch(FOLDER + file.name, { cache: 'no-cache', signal });
      const content = await received(answer, file.bytes, (bytes) => {
        arrived += bytes;
        onprogress(Math.min(1, arrived / pack.bytes));
      });
      await cache.put(FOLDER + file.name, content);
    }
    signal.throwIfAborted();
    await cache.put(COMPLETE, Response.json({ ...pack, fetched: Date.now() }));
  } catch (error) {
    await caches.delete(name).catch(() => false);
    throw error;
  }
  for (const other of await ours()) if (other !== name) await caches.delete(other);
}

/** Return a file with all its bytes. Throws `PackError` if it is an error's page or is cut off. */
async function received(
  answer: Response,
  bytes: number,
  onbytes: (bytes: number) => void,
): Promise<Response> {
  if (!answer.ok || !answer.body || answer.headers.get('content-type')?.includes('text/html'))
    throw new PackError('cut', `HTTP ${answer.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = answer.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    length += next.value.length;
    onbytes(next.value.length);
  }
  if (length !== bytes) throw new PackError('cut', `${length} of ${bytes} bytes`);
  const headers = new Headers(answer.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response(new Blob(parts), { headers });
}

function reason(error: unknown, signal: AbortSignal): PackError {
  if (error instanceof PackError) return error;
  if (signal.aborted) return new PackError('cancelled');
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return new PackError('full');
  return new PackError(name === 'SecurityError' ? 'private' : 'cut', String(error));
}

/** Fetch the server's pack if this browser has an older one, so that page and pack belong together. */
export async function renew(): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || (await installed()) === null) return;
  await install(await offered(), () => undefined, new AbortController().signal);
}

/** Remove the pack. Games stay. */
export async function remove(): Promise<void> {
  for (const name of await ours()) await caches.delete(name);
}
