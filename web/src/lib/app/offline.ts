import { BASE, withBase, withoutBase } from '$lib/net/base';
import { onDevice, STATIC } from '$lib/net/place.svelte';
import { getLocale } from '$lib/paraglide/runtime';

/** The cache of the server's answers (`sw.ts`). */
const DATA = 'rum500-data';

/**
 * Store the page's own files in the browser, and what it asks of the server, so that it opens quickly and without a
 * network.
 *
 * A part that is loaded later may no longer exist on a server that was updated in the meantime, or the server may be
 * restarting. The page is then reloaded, once, as soon as the server answers.
 */
export function enableOffline(): void {
  addEventListener(
    'vite:preloadError',
    (event) => void partFailed((event as Event & { payload?: unknown }).payload),
  );
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    holdVersion();
    addEventListener('pageshow', (event) => (event as PageTransitionEvent).persisted && holdVersion());
    if (document.readyState === 'complete') void register();
    else addEventListener('load', () => void register());
  } else prepared();
}

const ASK_AGAIN_MS = 2_000;
const ASK_AGAIN_AT_MOST_MS = 30_000;
/** Whether the page waits for an answer of the server to reload itself. */
let waiting = false;

/**
 * Reload the page once the server answers, unless another page is open by then. Until then the last view stays
 * readable, because reloading cannot help. A table on this device, which no server has, is never interrupted.
 */
async function reloadAtAnswer(): Promise<void> {
  const { pathname } = location;
  if (waiting || STATIC || onDevice(withoutBase(pathname).split('/')[2] ?? '')) return;
  waiting = true;
  const answer = (): Promise<number> =>
    fetch(withBase('/healthz'), { cache: 'no-store' }).then(
      ({ status }) => status,
      () => 503,
    );
  let status = await answer();
  for (let wait = ASK_AGAIN_MS; status >= 500; wait = Math.min(2 * wait, ASK_AGAIN_AT_MOST_MS)) {
    await new Promise((done) => setTimeout(done, wait));
    status = await answer();
  }
  waiting = false;
  if (status < 300 && pathname === location.pathname && renewable()) location.reload();
}

let prepared = (): void => undefined;
/** Settles once everything is stored that this visit stores in the background, or if nothing is. */
export const pageStored = new Promise<void>((done) => (prepared = done));

/** The errors of parts that were fetched before they are needed. */
const early: unknown[] = [];

/** Fetch a part before it is needed. A failure changes nothing: a reload would lose what is entered on the page. */
export function fetchAhead(part: () => Promise<unknown>): void {
  part().catch((error: unknown) => early.push(error));
}

/** Reload the page for a part that is missing, unless only `fetchAhead` requested it and so has the same error. */
async function partFailed(error: unknown): Promise<void> {
  // The event comes before the promise of the part is rejected.
  await new Promise((done) => setTimeout(done));
  const at = early.indexOf(error);
  if (at < 0) await reloadAtAnswer();
  else early.splice(at, 1);
}

/** Return whether the page may be reloaded: not twice within a minute, and never if that cannot be known. */
function renewable(): boolean {
  try {
    const last = Number(sessionStorage.getItem('rum500.renewed') ?? 0);
    sessionStorage.setItem('rum500.renewed', String(Date.now()));
    return Date.now() - last > 60_000;
  } catch {
    return false;
  }
}

/** Tell the worker that this tab needs the files of its version: it has a lock with the name of its script. */
function holdVersion(): void {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  if (!script) return;
  // A page that goes gives the lock back, so that the browser can keep it for "back".
  const gone = () => new Promise<void>((done) => addEventListener('pagehide', () => done(), { once: true }));
  void navigator.locks
    ?.request(new URL(script.src).pathname, { mode: 'shared' }, gone)
    .catch(() => undefined);
}

/** Whether the stored answers were forgotten, and stay so until the page is loaded again. */
let forgotten = false;

/** Forget the stored answers of the server. */
export async function forgetAnswers(): Promise<void> {
  forgotten = true;
  await globalThis.caches?.delete(DATA);
  // The worker may be fetching them at this moment.
  const found = await navigator.serviceWorker?.getRegistration();
  found?.active?.postMessage({ language: null });
}

/** How long `storePage` waits for the worker. */
const STORED_MS = 30_000;

/** Store everything that pages need without a network, unless there is no worker. Returns when it is done or has failed. */
export async function storePage(): Promise<void> {
  const active = (await navigator.serviceWorker?.getRegistration())?.active;
  if (!active) return;
  const { port1, port2 } = new MessageChannel();
  await new Promise<unknown>((done) => {
    port1.onmessage = done;
    setTimeout(done, STORED_MS);
    active.postMessage({ language: getLocale() }, [port2]);
  });
  port1.close();
}

const AGAIN_MS = 60_000;
/** Everything is fetched that is needed without a network once the browser is idle, at the latest after this time. */
const IDLE_MS = 10_000;

/** Install the worker. An installation that fails, perhaps because a proxy answered for the server, is repeated. */
async function register(): Promise<void> {
  try {
    const { installing } = await navigator.serviceWorker.register(`${BASE}/sw.js`);
    installing?.addEventListener('statechange', () => {
      if (installing.state !== 'redundant') return;
      prepared();
      setTimeout(() => void register(), AGAIN_MS);
    });
    const { active } = await navigator.serviceWorker.ready;
    if (globalThis.Notification?.permission === 'granted') {
      void import('./push').then(({ renewPush }) => renewPush()).catch(() => undefined);
    }
    active?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name));
    const prepare = () => void (forgotten ? Promise.resolve() : storePage()).finally(prepared);
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return prepared();
    if ('requestIdleCallback' in globalThis) requestIdleCallback(prepare, { timeout: IDLE_MS });
    else setTimeout(prepare, IDLE_MS);
  } catch (error) {
    prepared();
    console.warn('The page cannot be kept for later:', error);
  }
}
