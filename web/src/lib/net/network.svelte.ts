/** Whether the server can be reached, as far as this page knows. */
import { withBase } from './base';
import { place, STATIC } from './place.svelte';

/** How long the server is missed before the page says so. */
const SAID_AFTER_MS = 3_000;
/** How often the page asks whether the server is back. */
const AGAIN_MS = 8_000;

class Network {
  /** Whether the server has been out of reach for some seconds. */
  away = $state(false);
  #said: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setInterval> | undefined;

  /** Whether what is played at a table waits for the network. */
  get waits(): boolean {
    return this.away && place.now === 'server';
  }

  /** Note that the server answered. */
  reached(): void {
    clearTimeout(this.#said);
    clearInterval(this.#again);
    this.#said = this.#again = undefined;
    this.away = false;
  }

  /** Note that the server did not answer. */
  missed(): void {
    this.#said ??= setTimeout(() => (this.away = true), SAID_AFTER_MS);
    this.#again ??= setInterval(this.#look, AGAIN_MS);
  }

  /** Ask whether the server can be reached; this is not answered by the service worker. */
  #look = async (): Promise<void> => {
    try {
      await fetch(withBase('/healthz'), { cache: 'no-store', signal: AbortSignal.timeout(AGAIN_MS) });
      this.reached();
    } catch {
      this.missed();
    }
  };

  /** Follow what the browser knows. Return a function that stops this. */
  listen(): () => void {
    if (STATIC) return () => undefined;
    const missed = () => this.missed();
    // The worker opened the stored page, because nobody answered.
    if (!navigator.onLine || document.querySelector('meta[name=stored][content="0"]')) missed();
    addEventListener('offline', missed);
    addEventListener('online', this.#look);
    return () => {
      removeEventListener('offline', missed);
      removeEventListener('online', this.#look);
      this.reached();
    };
  }
}

export const network = new Network();
