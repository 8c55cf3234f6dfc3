/// <reference lib="webworker" />
import words from 'virtual:notice-words';

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

/** What the server sends when a table waits for the guest; `server/push/notifier.py` makes it. */
interface Notice {
  table: string;
  game: string;
  title: string;
  players: string[];
  language: string;
  waiting: number;
}

self.addEventListener('push', (event) => {
  const notice = event.data?.json() as Notice;
  const {
    words_your_turn: title,
    pages_settings_push_body: body,
    ...games
  } = words[notice.language] ?? words.en!;
  const names = new Intl.ListFormat(notice.language).format(notice.players);
  const game = games[`game_profile_${notice.game.replaceAll('-', '_')}_title`] ?? notice.title;
  event.waitUntil(
    Promise.all([
      self.registration.showNotification(title!, {
        body: body!.replace('{game}', game).replace('{names}', names),
        tag: notice.table,
        lang: notice.language,
        icon: '/icon-192.png',
      }),
      navigator.setAppBadge?.(notice.waiting),
    ]),
  );
});

/** Show the table: in the tab that has it, else in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = `/t/${event.notification.tag}`;
  event.waitUntil(
    (async () => {
      const tabs = await self.clients.matchAll({ type: 'window' });
      const tab = tabs.find(({ url }) => new URL(url).pathname === path);
      await (tab ? tab.focus() : self.clients.openWindow(path));
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (isAsset(url)) event.respondWith(asset(request));
  else if (request.mode === 'navigate' && !url.pathname.startsWith('/api/')) event.respondWith(open(event));
});
