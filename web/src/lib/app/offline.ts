import { BASE } from '$lib/net/base';

/**
 * Store the page's own files in the browser, so that it opens quickly and without a network.
 *
 * A part that is loaded later may no longer exist on a server that was updated in the meantime. The page is then
 * reloaded, once.
 */
export function enableOffline(): void {
  // If the server does not answer, reloading cannot help, and the last view stays readable.
  addEventListener('vite:preloadError', () => {
    const answers = fetch('/healthz', { cache: 'no-store' }).then(({ ok }) => ok);
    void answers.catch(() => false).then((ok) => ok && renewable() && location.reload());
  });
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    if (document.readyState === 'complete') void register();
    else addEventListener('load', () => void register());
  }
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

const AGAIN_MS = 60_000;

/** Install the worker. An installation that fails, perhaps because a proxy answered for the server, is repeated. */
async function register(): Promise<void> {
  try {
    const { installing } = await navigator.serviceWorker.register(`${BASE}/sw.js`);
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant') setTimeout(() => void register(), AGAIN_MS);
    });
    const { active } = await navigator.serviceWorker.ready;
    if (globalThis.Notification?.permission === 'granted') {
      void import('./push').then(({ renewPush }) => renewPush()).catch(() => undefined);
    }
    active?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name));
  } catch (error) {
    console.warn('The page cannot be kept for later:', error);
  }
}
