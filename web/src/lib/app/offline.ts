/**
 * Keeps the page's own files at hand, so that it opens without a network and comes back fast.
 *
 * A part that is loaded late may be gone from a server that was renewed in the meantime: then the page is loaded
 * anew, once.
 */
export function enableOffline(): void {
  // Where the server does not answer, nothing new could be loaded, and the last view stays readable.
  addEventListener('vite:preloadError', () => {
    const answers = fetch('/healthz', { cache: 'no-store' }).then(({ ok }) => ok);
    void answers.catch(() => false).then((ok) => ok && renewable() && location.reload());
  });
  if (import.meta.env.PROD && 'serviceWorker' in navigator) {
    if (document.readyState === 'complete') void register();
    else addEventListener('load', () => void register());
  }
}

/** Whether the page was not loaded anew for this reason within a minute; never where that cannot be known. */
function renewable(): boolean {
  try {
    const last = Number(sessionStorage.getItem('rum500.renewed') ?? 0);
    sessionStorage.setItem('rum500.renewed', String(Date.now()));
    return Date.now() - last > 60_000;
  } catch {
    return false;
  }
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage(performance.getEntriesByType('resource').map(({ name }) => name));
  } catch (error) {
    console.warn('The page cannot be kept for later:', error);
  }
}
