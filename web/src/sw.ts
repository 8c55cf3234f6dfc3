/// <reference lib="webworker" />
export {};

declare const self: ServiceWorkerGlobalScope;

/** Changes with every file of the page; plugins/shell.ts writes it. */
const current = 'rum500-__VERSION__';

const page = '/';

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(current);
      const index = await fetch(page, { cache: 'reload' });
      const named = (await index.clone().text()).match(/\/assets\/[^"]+/g) ?? [];
      await Promise.all([cache.put(page, index), cache.addAll([...new Set(named)])]);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // A tab that is still open may need files of the previous version, so one older version is kept.
      const older = (await caches.keys()).filter((name) => name.startsWith('rum500-') && name !== current);
      await Promise.all(older.slice(0, -1).map((name) => caches.delete(name)));
      await self.registration.navigationPreload.enable();
      await self.clients.claim();
    })(),
  );
});

/** What a page had loaded before this worker could see it. */
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  event.waitUntil(
    Promise.allSettled(
      (event.data as string[]).filter((url) => isAsset(new URL(url))).map((url) => asset(new Request(url))),
    ),
  );
});

const isAsset = (url: URL): boolean => url.origin === location.origin && url.pathname.startsWith('/assets/');

/** Return the page from the server, or the stored one if the server cannot be reached. */
async function open(event: FetchEvent): Promise<Response> {
  try {
    return ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
  } catch {
    const cache = await caches.open(current);
    return (await cache.match(page)) ?? Response.error();
  }
}

/** Return a file whose name changes with its content; it is stored on first use. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(current);
    await cache.put(request, answer.clone());
  }
  return answer;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (isAsset(url)) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !url.pathname.startsWith('/api/')) event.respondWith(open(event));
});
