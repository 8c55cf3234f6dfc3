/** A sheet that others watch over the network: this device sends each change, the others ask for it now and then. */
import { ask } from '$lib/net/api';
import { BASE } from '$lib/net/base';
import { fromLink, packedSheet } from './padExport';
import { pad } from './padStore.svelte';

/** How the part of an address after `#` begins that names a watched sheet. */
const LIVE = 'live-';
/** How long a sheet rests before it is sent. */
const REST_MS = 800;
/** The time after which a failed attempt is repeated. */
const AGAIN_MS = 10_000;
/** The time between two questions for a watched sheet. */
const LOOK_MS = 4_000;

export const liveLink = (id: string): string => `${location.origin}${BASE}/pad#${LIVE}${id}`;

/** Return the id of the watched sheet in the part of an address after `#`; null if it names none. */
export const liveId = (hash: string): string | null => /^#live-([\w-]{22})$/.exec(hash)?.[1] ?? null;

class PadLive {
  /** Whether the last change has not reached the server yet. */
  waits = $state(false);
  /** The sheet as it was sent last. */
  #sent = '';

  /** Send the sheet if it has changed; the first time, others can watch it from then on. Return whether it arrived. */
  async send(): Promise<boolean> {
    const token = pad.live?.token ?? null;
    const sheet = await packedSheet();
    if (token && sheet === this.#sent) return true;
    try {
      const writer = await ask('POST /api/pads', {}, { sheet, token });
      if (!token) pad.beWatched(writer);
      this.#sent = sheet;
      this.waits = false;
    } catch {
      this.waits = token !== null;
      return false;
    }
    return true;
  }

  /** Send the sheet after a rest, and again until it arrives. Return a function that stops this. */
  sendLater(): () => void {
    let timer = setTimeout(attempt, REST_MS);
    let stopped = false;
    const send = this.send.bind(this);
    async function attempt(): Promise<void> {
      if (!(await send()) && !stopped) timer = setTimeout(attempt, AGAIN_MS);
    }
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }

  /** Let nobody watch the sheet any more. Without a network, the server forgets it after a day. */
  end(): void {
    const token = pad.live?.token;
    pad.beWatched(null);
    this.#sent = '';
    this.waits = false;
    if (token) void ask('POST /api/pads/end', {}, { token }).catch(() => undefined);
  }
}

export const live = new PadLive();

export type Watching = 'shown' | 'gone' | 'bad';

/** Show a sheet that another device writes, with its changes. Return a function that stops this. */
export function watch(id: string, on: (found: Watching) => void): () => void {
  let stopped = false;
  const look = async (): Promise<void> => {
    if (document.hidden) return;
    // Without a network the sheet stays as it was seen last.
    const answer = await ask('GET /api/pads/{pad}', { pad: id }).catch(() => null);
    const found = answer?.sheet ? await fromLink(`.${answer.sheet}`) : null;
    if (stopped || !answer) return;
    pad.watched = found ?? pad.watched;
    if (found) on('shown');
    else on(answer.sheet ? 'bad' : 'gone');
  };
  const timer = setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', look);
  void look();
  return () => {
    stopped = true;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
