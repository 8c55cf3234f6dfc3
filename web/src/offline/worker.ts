/// <reference lib="webworker" />
/**
 * The worker with the tables of this device: Python in WebAssembly from the pack, the local server of rum500, and
 * IndexedDB. Only one tab has it at a time (`device.ts`).
 */
import { FOLDER, installed, offered, type Pack } from '$lib/net/pack';
import type { FromWorker, ToWorker } from '$lib/net/deviceMessages';
import { Values } from './values';

/** The parts of Pyodide that are used. */
interface Python {
  runPython(code: string): any;
  unpackArchive(content: ArrayBuffer, format: string, options: { extractDir: string }): void;
  toPy(value: unknown): unknown;
}

/** `rum500.local.BrowserServer`. */
interface Server {
  open(): Promise<Result<[code: string, damaged: number]>>;
  answer(
    method: string,
    path: string,
    body: string,
  ): Promise<Result<[status: number, body: Uint8Array<ArrayBuffer>, media: string, disposition: string]>>;
  connect(id: number, table: string, send: (text: string) => void, close: () => void): Promise<string>;
  receive(id: number, text: string): void;
  leave(id: number): void;
  export(): Promise<Result<Uint8Array<ArrayBuffer>>>;
  replace(file: unknown): Promise<string>;
}

interface Result<T> {
  toJs(): T;
  destroy(): void;
}

/** The lists that pages show without this worker, and the requests for them. */
const LISTS = { history: '/api/history?limit=100', mine: '/api/tables/mine' } as const;
/** The time without a change after which the lists are written. */
const REST_MS = 1_500;

declare const self: DedicatedWorkerGlobalScope;

const post = (message: FromWorker): void => self.postMessage(message);

/** A reason why the tables cannot be played here. */
class Stop extends Error {
  constructor(
    readonly code: string,
    message = code,
  ) {
    super(message);
  }
}

function stop(error: unknown): void {
  const code = error instanceof Stop ? error.code : 'device.failed';
  post({ kind: 'stopped', code, message: String(error) });
  self.close();
}

async function content(name: string): Promise<ArrayBuffer> {
  const answer = await fetch(FOLDER + name);
  if (!answer.ok) throw new Stop('device.pack', `${name}: HTTP ${answer.status}`);
  return answer.arrayBuffer();
}

async function python(pack: Pack): Promise<Python> {
  const parts = pack.files.filter(({ role }) => role === 'wheel' || role === 'rum500');
  const contents = parts.map(({ name }) => content(name));
  contents.forEach((one) => one.catch(() => undefined));
  const file = new URL(FOLDER + pack.python, location.origin);
  const { loadPyodide } = (await import(/* @vite-ignore */ file.href)) as {
    loadPyodide: (options: object) => Promise<Python>;
  };
  const log = (text: string): void => console.info(text);
  const found = await loadPyodide({ indexURL: new URL('.', file).href, stdout: log, stderr: log });
  post({ kind: 'step', step: 2 });
  const extractDir = String(found.runPython('import site; site.getsitepackages()[0]'));
  for (const [at, { name }] of parts.entries())
    found.unpackArchive(await contents[at]!, name.endsWith('.whl') ? 'wheel' : 'zip', { extractDir });
  return found;
}

let values: Values;
let server: Server;
let py: Python;
let resting: ReturnType<typeof setTimeout> | undefined;

async function begin({ name }: Extract<ToWorker, { kind: 'start' }>): Promise<void> {
  post({ kind: 'step', step: 1 });
  const pack = (await installed()) ?? (await offered().catch(() => null));
  if (!pack) throw new Stop('device.pack');
  py = await python(pack).catch((error: unknown) => {
    throw error instanceof Stop ? error : new Stop('device.pack', String(error));
  });
  post({ kind: 'step', step: 3 });
  values = await Values.open().catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : '';
    // Browsers that keep nothing, as in a private window, refuse the database itself.
    const refused = name === 'SecurityError' || name === 'InvalidStateError';
    throw new Stop(refused ? 'device.private' : 'device.broken', String(error));
  });
  const first = (await values.read('me')).length === 0;
  const make = py.runPython('from rum500.local import BrowserServer; BrowserServer') as (
    ...functions: unknown[]
  ) => Server;
  server = make(read, write);
  const opened = await server.open();
  const [code, damaged] = opened.toJs();
  opened.destroy();
  if (code) throw new Stop(code === 'store.newer' ? 'device.newer' : 'device.broken', code);
  if (first && name) await answer('PUT', '/api/me', JSON.stringify({ name }));
  post({ kind: 'ready', damaged });
  listLater();
}

const read = async (prefix: string): Promise<unknown> => py.toPy(await values.read(prefix));

async function write(changes: Result<object>): Promise<string> {
  const found = changes.toJs() as
    Map<string, Uint8Array | undefined> | Record<string, Uint8Array | undefined>;
  const changed = found instanceof Map ? found : new Map(Object.entries(found));
  const code = await values.write(changed);
  if (code === 'store.device_taken') stop(new Stop('device.elsewhere'));
  if (!code) listLater([...changed.keys()].some(isListed) ? 0 : REST_MS);
  return code;
}

/** The tables that the lists have. */
const listed = new Set<string>();

/** Whether a change adds or ends a table: then the lists must not be late if the page is left. */
function isListed(key: string): boolean {
  const isNew = key.startsWith('table:') && !listed.has(key);
  if (isNew) listed.add(key);
  return isNew || key.startsWith('result:');
}

function listLater(wait = REST_MS): void {
  clearTimeout(resting);
  resting = setTimeout(() => void writeLists().catch(() => undefined), wait);
}

async function writeLists(): Promise<void> {
  for (const [name, path] of Object.entries(LISTS)) {
    const { status, body } = await answer('GET', path, '');
    if (status === 200) await values.list(name, new TextDecoder().decode(body)).catch(() => undefined);
  }
}

async function answer(method: string, path: string, body: string) {
  const found = await server.answer(method, path, body);
  const [status, content, media, disposition] = found.toJs();
  found.destroy();
  return { status, body: content, media, disposition };
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case 'start':
      await begin(message).catch(stop);
      break;
    case 'request': {
      const { id, method, path, body } = message;
      const found = await answer(method, path, body);
      post({ kind: 'answer', id, ...found });
      break;
    }
    case 'connect': {
      const { id, table } = message;
      const send = (text: string): void => post({ kind: 'message', id, text });
      const failed = await server.connect(id, table, send, () => post({ kind: 'closed', id }));
      post({ kind: failed ? 'closed' : 'opened', id });
      break;
    }
    case 'send':
      server.receive(message.id, message.text);
      break;
    case 'close':
      server.leave(message.id);
      break;
    case 'export': {
      const found = await server.export();
      const file = found.toJs();
      found.destroy();
      post({ kind: 'exported', id: message.id, file });
      break;
    }
    case 'import':
      clearTimeout(resting);
      post({ kind: 'imported', id: message.id, code: await server.replace(py.toPy(message.file)) });
  }
}

/** Handle a message. Whatever fails, the page gets an answer to each request. */
function receive(message: ToWorker): void {
  handle(message).catch((error: unknown) => {
    console.warn(`A ${message.kind} has failed: ${String(error)}`);
    if (message.kind === 'connect') post({ kind: 'closed', id: message.id });
    else if ('id' in message) post({ kind: 'failed', id: message.id, message: String(error) });
  });
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => receive(data);
