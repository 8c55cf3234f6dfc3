/** The bytes that this page stores in the browser, by what they are for. */
import { gamesSize } from './device';
import { FOLDER, installed } from './pack';

/** In bytes; `sheets` are the score pad's. */
export interface StoredSizes {
  shell: number;
  pack: number;
  texts: number;
  games: number;
  sheets: number;
}

/** The beginnings of names in `localStorage` and of caches; `rum500-offline-…` has the pack. */
const SHEETS = 'rum500.pad';
const DATA = 'rum500-data';
const SHELL = /^rum500-[0-9a-f]{12}$/;
/** A character in `localStorage` has two bytes. */
const CHARACTER = 2;

/** Return what is stored. A part that cannot be read counts 0. */
export async function storedSizes(): Promise<StoredSizes> {
  const names = await caches.keys().catch(() => []);
  const [shell, texts, games, pack] = await Promise.all([
    sum(names.filter((name) => SHELL.test(name)).map(cacheSize)),
    sum(names.filter((name) => name === DATA).map(cacheSize)),
    gamesSize().catch(() => 0),
    installed().catch(() => null),
  ]);
  return { shell, texts, games, pack: pack?.bytes ?? 0, sheets: sheetsSize() };
}

const sum = async (parts: Promise<number>[]): Promise<number> =>
  (await Promise.all(parts)).reduce((total, bytes) => total + bytes, 0);

/** Return the bytes of the answers in a cache. */
async function cacheSize(name: string): Promise<number> {
  const cache = await caches.open(name);
  let bytes = 0;
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith(FOLDER)) continue;
    bytes += (await (await cache.match(request))?.blob())?.size ?? 0;
  }
  return bytes;
}

function sheetsSize(): number {
  try {
    return Object.entries(localStorage)
      .filter(([key]) => key.startsWith(SHEETS))
      .reduce((bytes, [key, text]) => bytes + CHARACTER * (key.length + String(text).length), 0);
  } catch {
    return 0;
  }
}
