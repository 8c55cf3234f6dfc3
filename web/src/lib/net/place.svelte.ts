/** Where the guest plays: at tables of the server, or at tables in this browser. */
import { withBase } from './base';
import { installed } from './pack';

const CHOSEN = 'rum500.place';
const PLAYED = 'rum500.device';
/** The time between two attempts to reach the server again. */
const LOOK_MS = 15_000;

/** Whether this page comes as static files, without a server: then everything is played in the browser. */
export const STATIC =
  typeof document !== 'undefined' &&
  document.querySelector?.<HTMLMetaElement>('meta[name=rum500-site]')?.content === 'static';

/** Whether a table is in this browser: its id says so. */
export const onDevice = (table: string): boolean => /^local-[\w-]{22}$/.test(table);

/** The table in the path of a request; null if there is none. */
const tableOf = (path: string): string | null => /^\/api\/tables\/([\w-]{22,})/.exec(path)?.[1] ?? null;

/** Return what was found, and what is on this device unless it was found too. */
export const besides = <T>(found: readonly T[], here: readonly T[], table: (one: T) => string): T[] => {
  const ids = new Set(found.map(table));
  return [...found, ...here.filter((one) => !ids.has(table(one)))];
};

function kept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string, on: boolean): void {
  try {
    if (on) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {
    /* Without storage the choice ends with the page. */
  }
}

/** The worker that has the tables of this device: not started, or what it does; `code` says why it has stopped. */
export type DeviceState =
  { state: 'off' | 'ready' } | { state: 'starting'; step: number } | { state: 'stopped'; code: string };

class Place {
  /** Where requests without a table go. */
  now = $state<'server' | 'device'>('server');
  device = $state.raw<DeviceState>({ state: 'off' });
  /** The stored entries that cannot be read. */
  damaged = $state(0);
  /** Changes whenever pages should load again what they show. */
  turn = $state(0);
  /** Whether the guest plays on this device although there may be a network. */
  chosen = $state(false);
  #looking: ReturnType<typeof setInterval> | undefined;

  constructor() {
    this.chosen = kept(CHOSEN);
    if (STATIC || this.chosen) this.now = 'device';
  }

  /** Choose this device, or the server again. */
  choose(device: boolean): void {
    this.chosen = device;
    keep(CHOSEN, device);
    this.#go(device || STATIC ? 'device' : 'server');
  }

  /** Whether this browser has had games of its own. */
  get played(): boolean {
    return kept(PLAYED);
  }

  /** Note that this browser has games of its own. */
  notePlayed(): void {
    keep(PLAYED, true);
  }

  /** Whether a request belongs to this device; `body` is JSON. */
  has(path: string, body = ''): boolean {
    const table = tableOf(path) ?? /"table":"([\w-]{22,})"/.exec(body)?.[1] ?? null;
    if (table !== null && !STATIC) return onDevice(table);
    return this.now === 'device';
  }

  /**
   * Play on this device because the server could not be reached with this request. Return whether it can be asked here
   * instead.
   */
  async leaveServer(method: string, path: string): Promise<boolean> {
    const asksAnew = method === 'GET' || path === '/api/tables';
    if (tableOf(path) !== null || !asksAnew) return false;
    if ((await installed().catch(() => null)) === null) return false;
    if (this.now === 'server') this.#go('device');
    return true;
  }

  /** Load again what pages show. */
  again(): void {
    this.turn += 1;
  }

  #go(place: 'server' | 'device'): void {
    this.now = place;
    this.again();
    clearInterval(this.#looking);
    removeEventListener('online', this.#look);
    if (place === 'server' || STATIC || this.chosen) return;
    this.#looking = setInterval(this.#look, LOOK_MS);
    addEventListener('online', this.#look);
  }

  /** Return to the server as soon as it answers. */
  #look = async (): Promise<void> => {
    if (document.visibilityState === 'hidden') return;
    const answers = await fetch(withBase('/healthz'), { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers && this.now === 'device' && !this.chosen) this.#go('server');
  };
}

export const place = new Place();
