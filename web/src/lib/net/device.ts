/** The page's side of the worker with the tables of this device. */
import type { FromWorker, ToWorker } from './deviceMessages';
import { openDatabase } from './deviceDatabase';
import { remove } from './pack';
import { place } from './place.svelte';
import type { Socket } from './transport';

/** A failure with a stable code, such as `device.elsewhere`. */
export class DeviceError extends Error {
  constructor(readonly code: string) {
    super(code);
    this.name = 'DeviceError';
  }
}

/** The longest time without any message of a worker that has work, and of one that starts. */
const SILENT_MS = 20_000;
const START_SILENT_MS = 120_000;
/** The longest time for the answer to a request while other messages arrive. */
const OVERDUE_MS = 60_000;
/** The code with which a connection is closed after too long a silence. */
const SILENT = 4000;
const SILENT_CODE = 'device.silent';
/** The code of a request that could not be done, although the worker runs. */
const FAILED_CODE = 'device.request';
/**
 * The lock of the tab that has the tables. A tab that is closed or loaded again gives it up at once. The lock would stay
 * for seconds if it were the worker's: browsers let a worker end its work.
 */
const LOCK = 'rum500.device';
/** The longest time to wait for the lock: a page that is being left may still have it. */
const LOCK_MS = 3_000;
const ELSEWHERE = 'device.elsewhere';

type Sent = ToWorker extends infer M ? (M extends { id: number } ? Omit<M, 'id'> : never) : never;
type Waiting = {
  settle: (answer: FromWorker) => void;
  fail: (error: Error) => void;
  overdue: ReturnType<typeof setTimeout>;
};

let worker: Worker | null = null;
let ready: Promise<void> | null = null;
let begun: { resolve: () => void; reject: (error: Error) => void } | null = null;
let serial = 0;
let watch: ReturnType<typeof setTimeout> | undefined;
/** Gives up the lock. */
let release = (): void => undefined;
const waiting = new Map<number, Waiting>();
const sockets = new Map<number, DeviceSocket>();

/** Start the worker, unless it runs. Rejects with `DeviceError` if it cannot; it then stays so until `restart`. */
function start(takeOver = false): Promise<void> {
  const { device } = place;
  const died = device.state === 'stopped' && device.code === SILENT_CODE;
  if (device.state === 'stopped' && !died && !takeOver) return Promise.reject(new DeviceError(device.code));
  const lack = lacksHere();
  if (lack) {
    place.device = { state: 'stopped', code: lack };
    return Promise.reject(new DeviceError(lack));
  }
  ready ??= new Promise<void>((resolve, reject) => {
    const mine = (begun = { resolve, reject });
    place.device = { state: 'starting', step: 0 };
    void own(takeOver).then((free) => {
      if (begun !== mine) return free?.();
      if (!free) return end(ELSEWHERE);
      release = free;
      worker = new Worker(new URL('../../offline/worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
      worker.onerror = ({ message }) => end('device.failed', message);
      post({ kind: 'start', name: guestName() });
      listen();
    });
  });
  ready.catch(() => undefined);
  return ready;
}

/**
 * Get the lock, from another tab if `takeOver`. Return the function that gives it up; null if another tab keeps it.
 * Another tab that takes it over ends the worker.
 */
function own(takeOver: boolean): Promise<(() => void) | null> {
  if (!navigator.locks) return Promise.resolve(release); // The number of the owner in the database does it alone.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), LOCK_MS);
  return new Promise((resolve) => {
    let owned = false;
    const hold = (): Promise<void> => {
      clearTimeout(timer);
      owned = true;
      return new Promise((done) => resolve(done));
    };
    navigator.locks
      .request(LOCK, takeOver ? { steal: true } : { signal: patience.signal }, hold)
      .catch(() => (owned ? end(ELSEWHERE) : resolve(null)));
  });
}

/** The code that says why no tables can be kept and played in this browser; empty if they can. */
function lacksHere(): string {
  if (typeof WebAssembly === 'undefined') return 'device.wasm';
  return 'indexedDB' in globalThis ? '' : 'device.private';
}

const post = (message: ToWorker): void => worker?.postMessage(message);

/** The name that the guest has at the server, as far as this browser knows it. */
function guestName(): string {
  try {
    return localStorage.getItem('rum500.name') ?? '';
  } catch {
    return '';
  }
}

/** End the worker. What waits for it fails with this code, and connections are closed. */
function end(code: string, message = code): void {
  if (!ready) return;
  if (code !== ELSEWHERE) console.warn(`The tables on this device have stopped: ${message}`);
  worker?.terminate();
  [worker, ready] = [null, null];
  release();
  release = () => undefined;
  clearTimeout(watch);
  place.device = { state: 'stopped', code };
  const error = new DeviceError(code);
  begun?.reject(error);
  begun = null;
  for (const [id, { fail }] of [...waiting]) {
    forget(id);
    fail(error);
  }
  for (const socket of [...sockets.values()]) socket.end();
}

function receive(message: FromWorker): void {
  listen();
  switch (message.kind) {
    case 'step':
      place.device = { state: 'starting', step: message.step };
      break;
    case 'ready':
      place.device = { state: 'ready' };
      place.damaged = message.damaged;
      place.notePlayed();
      begun?.resolve();
      begun = null;
      listen();
      break;
    case 'stopped':
      end(message.code, message.message);
      break;
    case 'opened':
      sockets.get(message.id)?.open();
      break;
    case 'message':
      sockets.get(message.id)?.onmessage?.({ data: message.text });
      break;
    case 'closed':
      sockets.get(message.id)?.end();
      break;
    case 'failed':
      waiting.get(message.id)?.fail(new DeviceError(FAILED_CODE));
      forget(message.id);
      break;
    default:
      waiting.get(message.id)?.settle(message);
      forget(message.id);
  }
}

function forget(id: number): void {
  clearTimeout(waiting.get(id)?.overdue);
  waiting.delete(id);
  listen();
}

/**
 * A worker that starts or has work, and says nothing for a long time, has died. One that was ready is started again by
 * the next request.
 */
function listen(): void {
  clearTimeout(watch);
  if (begun) watch = setTimeout(() => end('device.failed'), START_SILENT_MS);
  else if (waiting.size) watch = setTimeout(() => end(SILENT_CODE), SILENT_MS);
}

/** Send the worker work and return its answer. Rejects with `DeviceError`. */
async function work<K extends FromWorker['kind']>(
  _kind: K,
  sent: Sent,
): Promise<Extract<FromWorker, { kind: K }>> {
  await start();
  serial += 1;
  const id = serial;
  if (!worker) throw new DeviceError(SILENT_CODE);
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(() => end(SILENT_CODE, 'a request was not answered'), OVERDUE_MS);
    waiting.set(id, { settle: (answer) => resolve(answer as never), fail: reject, overdue });
    post({ ...sent, id } as ToWorker);
    if (waiting.size === 1) listen();
  });
}

/** Send a request to the local server. */
export async function request(method: string, path: string, body = ''): Promise<Response> {
  const found = await work('answer', { kind: 'request', method, path, body });
  return new Response(found.body, {
    status: found.status,
    headers: { 'Content-Type': found.media, 'Content-Disposition': found.disposition },
  });
}

/** Connect to a table of the local server. */
export function connect(table: string): Socket {
  return new DeviceSocket(table);
}

class DeviceSocket implements Socket {
  readyState: number = WebSocket.CONNECTING;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  #id = (serial += 1);

  constructor(table: string) {
    sockets.set(this.#id, this);
    start().then(
      () => this.readyState === WebSocket.CONNECTING && post({ kind: 'connect', id: this.#id, table }),
      () => this.end(),
    );
  }

  open(): void {
    this.readyState = WebSocket.OPEN;
    this.onopen?.({});
  }

  send(text: string): void {
    post({ kind: 'send', id: this.#id, text });
  }

  close(code?: number): void {
    post({ kind: 'close', id: this.#id });
    const died = code === SILENT && this.readyState === WebSocket.OPEN;
    this.end();
    if (died) end(SILENT_CODE);
  }

  end(): void {
    if (!sockets.delete(this.#id)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code: 1006 });
  }
}

/** Start again after a failure; this tab then owns the tables, whichever did before. */
export async function restart(): Promise<void> {
  await start(true);
  place.again();
}

/** Return all games on this device as one file. */
export async function exported(): Promise<Blob> {
  const { file } = await work('exported', { kind: 'export' });
  return new Blob([file], { type: 'application/json' });
}

/** Replace all games on this device by those of a file. Throws `DeviceError`; then nothing has changed. */
export async function imported(file: Blob): Promise<void> {
  const { code } = await work('imported', { kind: 'import', file: new Uint8Array(await file.arrayBuffer()) });
  if (code) throw new DeviceError(code);
  off();
  await start();
  place.again();
}

/** Stop the worker; it starts again when it is needed. */
export function off(): void {
  end('device.off');
  place.device = { state: 'off' };
}

/** Remove the pack and stop playing here. Games stay. */
export async function removePack(): Promise<void> {
  off();
  place.choose(false);
  await remove();
}

/** The bytes of the games on this device. */
export async function gamesSize(): Promise<number> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      let bytes = 0;
      const cursor = database.transaction('values').objectStore('values').openCursor();
      cursor.onerror = () => reject(cursor.error ?? new Error('the database gave no reason'));
      cursor.onsuccess = () => {
        const at = cursor.result;
        if (!at) return resolve(bytes);
        bytes += (at.value as Uint8Array).length + String(at.key).length;
        at.continue();
      };
    });
  } finally {
    database.close();
  }
}
