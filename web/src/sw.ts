/// <reference lib="webworker" />
import words from 'virtual:notice-words';
import format from 'virtual:offline-format';

declare const self: ServiceWorkerGlobalScope;

/*
 * What plugins/shell.ts writes: a version that changes with every file of the page, the page's files except those of
 * languages, and those of each language.
 */
const version = '__VERSION__';
const files = '__FILES__' as unknown as readonly string[];
const languages = '__LANGUAGES__' as unknown as Readonly<Record<string, readonly string[]>>;

/** Where the page is: `/`, or below a path prefix. */
const page = new URL(self.registration.scope).pathname;
const assets = `${page}assets/`;
/** The pack of another worker, which plays without a server. Its caches, `rum500-offline-…`, are left alone. */
const pack = `${page}offline/`;

/** The cache of this version's files, and the caches of all versions. */
const current = `rum500-${version}`;
const SHELL = /^rum500-[0-9a-f]{12}$/;
/** The cache of what the server answers to a page without a network; nothing of a guest is in it. */
const DATA = 'rum500-data';
/** Answers that this version can read are stored under this address. */
const data = `${page}api/offline?format=${format}`;

/** How long the network may be silent before stored answers are used. */
const PATIENCE_MS = 3_000;
/** How many files are fetched at once in the background. */
const AT_ONCE = 4;

// --- the page and its files ----------------------------------------------------------------------------------------

const isAsset = (url: URL): boolean => url.origin === location.origin && url.pathname.startsWith(assets);

/** Whether this is a file of the page, and not a page about an error. */
const isFile = (answer: Response): boolean =>
  answer.ok && !answer.headers.get('content-type')?.includes('text/html');

/** Return the name of a file without what changes with its content: `Pad.js` of `…/assets/Pad-DMbCPN04.js`. */
const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/-.{8}(\.\w+)$/, '$1');

/** The files that the page names, or none if this is another page, such as a proxy's that says that we are away. */
async function filesOf(answer: Response): Promise<string[]> {
  if (!answer.ok) return [];
  return [...new Set((await answer.clone().text()).match(/[\w/-]*\/assets\/[^"]+/g))];
}

/** The caches of all versions, the oldest first. */
const shells = async (): Promise<string[]> => (await caches.keys()).filter((name) => SHELL.test(name));

/** Store a file in this version's cache, from another version's if it is there. Throws if it is no file of the site. */
async function keep(url: string): Promise<void> {
  const cache = await caches.open(current);
  const kept = await cache.match(url);
  if (kept && isFile(kept)) return;
  const older = await caches.match(url);
  const answer = older && isFile(older) ? older : await fetch(url, { priority: 'low' });
  if (!isFile(answer)) throw new Error(`not a file of the page: ${url}, HTTP ${answer.status}`);
  await cache.put(url, answer);
}

/** Store files, some at once; throws the first error. */
async function keepAll(urls: Iterable<string>): Promise<void> {
  const left = [...new Set(urls)];
  const one = async (): Promise<void> => {
    for (let url = left.pop(); url; url = left.pop()) await keep(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/**
 * Store the page with the files that it names, and this version's of all files that an older version has stored: what
 * worked without a network still does after an update. Throws if any of them cannot be fetched or stored.
 */
async function store(index: Response): Promise<void> {
  const named = await filesOf(index);
  if (named.length === 0) throw new Error(`not the page: HTTP ${index.status}`);
  const known = new Set<string>();
  for (const name of await shells())
    if (name !== current)
      for (const { url } of await (await caches.open(name)).keys()) known.add(nameOf(new URL(url).pathname));
  const every = [...files, ...Object.values(languages).flat()];
  await keepAll([...named, ...every.filter((file) => known.has(nameOf(file))).map((file) => page + file)]);
  await (await caches.open(current)).put(page, index);
}

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      await store(await fetch(page, { cache: 'reload' }));
      if (await caches.has(DATA)) await refreshData().catch(keepReadable);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await removeOtherFormats();
      await removeOlder();
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

/** Remove answers that this version cannot read. */
async function removeOtherFormats(): Promise<void> {
  if (!(await caches.has(DATA))) return;
  const answers = await caches.open(DATA);
  for (const { url } of await answers.keys()) if (!url.endsWith(data)) await answers.delete(url);
}

/** Remove the versions that no tab needs; a tab has a lock with the name of its script (`app/offline.ts`). */
async function removeOlder(): Promise<void> {
  const locks = new Set((await navigator.locks.query()).held?.map(({ name }) => name));
  // The version before this one stays in any case: its tabs may be older than the locks.
  for (const name of (await shells()).filter((each) => each !== current).slice(0, -1)) {
    const index = await (await caches.open(name)).match(page);
    const open = index && (await filesOf(index)).some((file) => locks.has(file));
    if (!open) await caches.delete(name);
  }
}

/** What pages have asked for last. */
let preparing: Promise<unknown> = Promise.resolve();

/**
 * A page was loaded. An array has the files that it loaded, perhaps before this worker handled its requests. A language
 * says that the browser is idle, and that everything may be fetched that is needed without a network; null says that
 * the stored answers are to be forgotten.
 */
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const said = event.data as string[] | { language: string | null };
  if (Array.isArray(said)) {
    const loaded = said.filter((url) => isAsset(new URL(url)));
    event.waitUntil(Promise.allSettled(loaded.map((url) => keep(new URL(url).pathname))));
  } else {
    // One after another: what was asked for before must not come after the answers are forgotten.
    const { language } = said;
    preparing = preparing
      .then<unknown>(() => (language === null ? caches.delete(DATA) : prepare(language)))
      .catch(() => undefined)
      .then(() => event.ports[0]?.postMessage(null));
    event.waitUntil(preparing);
  }
});

/** Store everything that the page needs without a network in a language. */
async function prepare(language: string): Promise<void> {
  await removeOlder();
  await keepAll([...files, ...(languages[language] ?? [])].map((file) => page + file));
  if ((await storedData())?.day !== new Date().toISOString().slice(0, 10)) await refreshData();
}

/** Return the stored page, with the status of the server's answer in its head; null if the page is not stored. */
async function stored(status: number): Promise<Response | null> {
  const index = await (await caches.open(current)).match(page);
  if (!index || (await filesOf(index)).length === 0) return null;
  const note = `<meta name="stored" content="${status}" />`;
  const headers = new Headers(index.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  return new Response((await index.text()).replace('<head>', `<head>${note}`), { headers });
}

/** Whether a host of files has this page, which does not know the addresses of tables. */
async function isStatic(): Promise<boolean> {
  const index = await (await caches.open(current)).match(page);
  return (await index?.text())?.includes('<meta name="rum500-site" content="static"') ?? false;
}

/** Return the page from the server, or the stored one if the server fails, is silent or cannot be reached. */
async function open(event: FetchEvent): Promise<Response> {
  const answer = (event.preloadResponse as Promise<Response | undefined>).then(
    (preloaded) => preloaded ?? fetch(event.request),
  );
  const first = await soon(answer);
  if (first?.ok) event.waitUntil(heal());
  if (first && first.status < 500 && !(first.status === 404 && (await isStatic()))) return first;
  return (await stored(first?.status ?? 0)) ?? answer;
}

/** Store the page again if it is no longer stored. */
async function heal(): Promise<void> {
  if (!(await stored(0))) await store(await fetch(page, { cache: 'reload' })).catch(() => undefined);
}

/** Return an answer; null if there is none, or none within some seconds. */
const soon = (answer: Promise<Response>): Promise<Response | null> =>
  Promise.race([
    // Firefox has a preloaded answer also without a network: an error.
    answer.then(
      (found) => (found.type === 'error' ? null : found),
      () => null,
    ),
    new Promise<null>((done) => setTimeout(() => done(null), PATIENCE_MS)),
  ]);

/** Return a file whose name changes with its content; it is stored on first use. */
async function asset(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const kept = await caches.match(request);
  if (kept && isFile(kept)) return kept;
  const answer = await fetch(request);
  if (isFile(answer)) {
    const copy = answer.clone();
    // On a full disk the file is only not stored.
    event.waitUntil(
      caches
        .open(current)
        .then((cache) => cache.put(request, copy))
        .catch(() => undefined),
    );
  }
  return answer;
}

// --- what the server answers ---------------------------------------------------------------------------------------

/** `http/offline.py` makes it. */
interface OfflineData {
  format: string;
  day: string;
  answers: Record<string, unknown>;
}

/** Unpack stored answers. Throws if they are damaged or of another format. */
async function unpacked(answer: Response): Promise<OfflineData> {
  if (!answer.ok || !answer.body) throw new Error(`no answers: HTTP ${answer.status}`);
  const text = new Response(answer.body.pipeThrough(new DecompressionStream('gzip')));
  const found = (await text.json()) as OfflineData;
  if (found.format !== format) throw new Error(`answers of the format ${found.format}, not ${format}`);
  return found;
}

/** Return the stored answers; null if there are none that this version can read. */
async function storedData(): Promise<OfflineData | null> {
  const kept = await caches.match(data, { cacheName: DATA });
  return kept ? unpacked(kept).catch(() => null) : null;
}

/** Without the present answers, the stored ones are used. Throws the error if this version cannot read them. */
async function keepReadable(error: unknown): Promise<void> {
  if (!(await storedData())) throw error;
}

/** Store the present answers. */
async function refreshData(): Promise<void> {
  const answer = await fetch(`${page}api/offline`, {
    cache: 'no-store',
    credentials: 'omit',
    priority: 'low',
  });
  await unpacked(answer.clone());
  await (await caches.open(DATA)).put(data, answer);
}

/** Return the server's answer to a request of the page, or a stored one if the server fails or is silent. */
async function answered(request: Request): Promise<Response> {
  const answer = fetch(request);
  const first = await soon(answer);
  if (first && first.status < 500) return first;
  const { pathname, search } = new URL(request.url);
  const kept = (await storedData())?.answers[pathname.replace(page, '/') + search];
  if (kept === undefined) return answer;
  answer.catch(() => undefined);
  return Response.json(kept, { headers: { 'x-stored': String(first?.status ?? 0) } });
}

/** What the server sends when a table waits for the guest; `server/push/turn_notices.py` makes it. */
interface Notice {
  kind?: undefined;
  table: string;
  game: string;
  title: string;
  players: string[];
  language: string;
  waiting: number;
}

/** What the server sends when somebody invites the guest; `server/people/invitations.py` makes it. */
interface InvitationNotice {
  kind: 'invitation';
  /** The table; empty for a league. */
  table: string;
  league: string;
  game: string;
  title: string;
  by: string;
  language: string;
}

/** Show an invitation. */
function invite(notice: InvitationNotice): Promise<void> {
  const said = words[notice.language] ?? words.en!;
  const game = said[`game_profile_${notice.game.replaceAll('-', '_')}_title`] ?? notice.title;
  const body = said[notice.league ? 'people_push_league' : 'people_push_table']!;
  return self.registration.showNotification(said.people_push_title!, {
    body: body.replace('{name}', notice.by).replace('{game}', game).replace('{league}', notice.title),
    tag: notice.league ? `league/${notice.league}` : notice.table,
    lang: notice.language,
    icon: `${page}icon-192.png`,
  });
}

self.addEventListener('push', (event) => {
  const notice = event.data?.json() as Notice | InvitationNotice;
  if (notice.kind === 'invitation') {
    event.waitUntil(invite(notice));
    return;
  }
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

/** Show the table or the league: in the tab that has it, else in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { tag } = event.notification;
  const path = page + (tag.startsWith('league/') ? tag : `t/${tag}`);
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
  const isApi = url.pathname.startsWith(`${page}api/`);
  if (isAsset(url)) event.respondWith(asset(event));
  else if (url.pathname.startsWith(pack))
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  else if (request.mode === 'navigate' && !isApi) event.respondWith(open(event));
  else if (request.mode !== 'navigate' && isApi) event.respondWith(answered(request));
});
