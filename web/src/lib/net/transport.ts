/** The two ways to a server: over the network, and to the local server in this browser. */
import { BASE, withBase } from './base';
import { network } from './network.svelte';
import { onDevice, place, STATIC } from './place.svelte';
import { PROTOCOL } from './protocol';
import { noteServerTime } from './serverTime';

/** What a connection to a table uses of a WebSocket. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: any) => any) | null;
  onmessage: ((event: any) => any) | null;
  onclose: ((event: any) => any) | null;
}

export interface Transport {
  /** Send a request; `body` is JSON. Throws if nobody answers. */
  request(method: string, path: string, body?: string): Promise<Response>;
  /** Connect to a table. */
  connect(table: string): Socket;
}

const PATIENCE_MS = 15_000;
const JSON_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

const server: Transport = {
  async request(method, path, body) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const answer = await fetch(withBase(path), {
        method,
        credentials: 'same-origin',
        headers: body === undefined ? { Accept: 'application/json' } : JSON_HEADERS,
        body: body ?? null,
        // What is sent while the page is left arrives too.
        keepalive: body !== undefined,
        signal: patience.signal,
      });
      // The service worker has answered in the place of the server.
      if (answer.headers.get('x-stored') === '0') network.missed();
      else {
        network.reached();
        noteServerTime(answer);
      }
      return answer;
    } catch (error) {
      network.missed();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  },
  connect(table) {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(`${scheme}//${location.host}${BASE}/ws/${encodeURIComponent(table)}`, PROTOCOL);
  },
};

/** The local server, loaded when it is needed. */
const device: Transport = {
  request: async (...asked) => (await import('./device')).request(...asked),
  connect: (table) => new LateSocket(table),
};

/** A connection to a table on this device, before the code for it is loaded. */
class LateSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  #socket: Socket | null = null;
  #closed = false;

  constructor(table: string) {
    import('./device').then(
      ({ connect }) => this.#closed || this.#use(connect(table)),
      () => this.onclose?.({ code: 1006 }),
    );
  }

  get readyState(): number {
    return this.#closed ? 3 : (this.#socket?.readyState ?? 0);
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(code?: number): void {
    this.#closed = true;
    this.#socket?.close(code);
  }

  #use(socket: Socket): void {
    this.#socket = socket;
    socket.onopen = (event) => this.onopen?.(event);
    socket.onmessage = (event) => this.onmessage?.(event);
    socket.onclose = (event) => {
      this.#closed = true;
      this.onclose?.(event);
    };
  }
}

/** The server does not answer although something before it does. */
const AWAY = [502, 503, 504];

/** Send a request where it belongs. If the server cannot be reached, this device answers if it can. Throws if nobody does. */
export async function request(method: string, path: string, body?: string): Promise<Response> {
  if (place.has(path, body)) return device.request(method, path, body);
  try {
    const answer = await server.request(method, path, body);
    const away = AWAY.includes(answer.status) && (await place.leaveServer(method, path));
    return away ? await device.request(method, path, body) : answer;
  } catch (error) {
    if (!(await place.leaveServer(method, path))) throw error;
    return device.request(method, path, body);
  }
}

/** Whether a table's messages go to this device. */
export const isLocal = (table: string): boolean => STATIC || onDevice(table);

/** Connect to a table, wherever it is. */
export const connect = (table: string): Socket => (isLocal(table) ? device : server).connect(table);
