/// <reference lib="webworker" />
import words from 'virtual:notice-words';

declare const self: ServiceWorkerGlobalScope;

/** Changes with every file of the page; plugins/shell.ts writes it. */
const current = 'rum500-__VERSION__';

/** Where the page is: `/`, or below a path prefix. */
const page = new URL(self.registration.scope).pathname;
const assets = `${page}assets/`;

/** The files that the page names, or none if this is another page, such as a proxy's that says that we are away. */
async function filesOf(answer: Response): Promise<string[]> {
  if (!answer.ok) return [];
  return [...new Set((await answer.clone().text()).match(/[\w/-]*\/assets\/[^"]+/g))];
}

/** Store the page and the files that it names. Throws if any of them is not a file of this site. */
async function store(index: Response): Promise<void> {
  const files = await filesOf(index);
  if (files.length === 0) throw new Error(`not the page: HTTP ${index.status}`);
  const answers = await Promise.all(files.map((url) => asset(new Request(url))));
  if (!answers.every(isFile)) throw new Error('not all files of the page are there');
  await (await caches.open(current)).put(page, index);
}

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      await store(await fetch(page, { cache: 'reload' }));
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

/** Store the files that a page loaded before this worker handled its requests. */
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  event.waitUntil(
    Promise.allSettled(
      (event.data as string[]).filter((url) => isAsset(new URL(url))).map((url) => asset(new Request(url))),
    ),
  );
});

const isAsset = (url: URL): boolean => url.origin === location.origin && url.pathname.startsWith(assets);

/** Whether this is a file of the page, and not a page about an error. */
const isFile = (answer: Response): boolean =>
  answer.ok && !answer.headers.get('content-type')?.includes('text/html');

/** Return the stored page, with the status of the server's answer in its head; null if the page is not stored. */
async function stored(status: number): Promise<Response | null> {
  const index = await (await caches.open(current)).match(page);
  if (!index || (await filesOf(index)).length === 0) return null;
  const note = `<meta name="stored" content="${status}" />`;
  const headers = new Headers(index.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response((await index.text()).replace('<head>', `<head>${note}`), { headers });
}

/** Return the page from the server, or the stored one if the server fails or cannot be reached. */
async function open(event: FetchEvent): Promise<Response> {
  try {
    const preloaded = (await event.preloadResponse) as Response | undefined;
    const answer = preloaded ?? (await fetch(event.request));
    if (answer.ok) event.waitUntil(heal());
    return (answer.status >= 500 && (await stored(answer.status))) || answer;
  } catch {
    return (await stored(0)) ?? Response.error();
  }
}

/** Store the page again if it is no longer stored. */
async function heal(): Promise<void> {
  if (!(await stored(0))) await store(await fetch(page, { cache: 'reload' })).catch(() => undefined);
}

/** Return a file whose name changes with its content; it is stored on first use. */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept && isFile(kept)) return kept;
  const answer = await fetch(request);
  if (isFile(answer)) {
    const cache = await caches.open(current);
    await cache.put(request, answer.clone());
  }
  return answer;
}

/** What the server sends when a table waits for the guest; `server/push/turn_notices.py` makes it. */
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
        icon: `${page}icon-192.png`,
      }),
      navigator.setAppBadge?.(notice.waiting),
    ]),
  );
});

/** Show the table: in the tab that has it, else in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = `${page}t/${event.notification.tag}`;
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
  else if (request.mode === 'navigate' && !url.pathname.startsWith(`${page}api/`))
    event.respondWith(open(event));
});
