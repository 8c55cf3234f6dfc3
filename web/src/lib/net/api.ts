/** The server over HTTP, typed. A table itself speaks over its WebSocket. */

import { getLocale } from '$lib/paraglide/runtime';

import { BASE } from './base';
import { place } from './place.svelte';
import { request } from './transport';
import type { Api, Browser, Me, NewTable, Profile, ReasonParts, TableSummary } from './protocol';

/** Why the server refused a request: its stable code, or `offline` if the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly retryS: number | null = null,
    readonly parts: ReasonParts | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Whether the tables on this device gave no answer. */
  get device(): boolean {
    return this.code.startsWith('device.');
  }

  /** Whether the tables on this device may answer the next time, without a start that the guest asks for. */
  get passing(): boolean {
    return this.code === 'device.silent' || this.code === 'device.request';
  }

  /** Whether nobody answered: no network, or no server. */
  get offline(): boolean {
    return this.code === 'offline';
  }

  /** Whether the server is there but not ready to serve. */
  get maintenance(): boolean {
    return this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** The event of the window when the server says that the guest has signed out of this browser. */
export const SIGNED_OUT = 'signedout';

type Endpoint = keyof Api;
type Given<E extends Endpoint> = Api[E] extends { body: infer Body }
  ? [params: Api[E]['params'], body: Body]
  : [params?: Api[E]['params']];

/**
 * Ask the server, and return its answer. Parameters that are not in the path are those of the query; null and empty ones
 * are left out. Throws `ApiError`.
 */
export async function ask<E extends Endpoint>(
  endpoint: E,
  ...[params = {}, body]: Given<E>
): Promise<Api[E]['answer']> {
  const [method, template] = endpoint.split(' ') as [string, string];
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(params)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, segment(String(value)));
    else if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  const answer = await reach(method, query.size ? `${path}?${query}` : path, body);
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found as Api[E]['answer'];
  const why = failure(answer.status, found);
  if (why.code === 'guest.signed_out') dispatchEvent(new Event(SIGNED_OUT));
  throw why;
}

async function reach(method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await request(method, path, body === undefined ? undefined : JSON.stringify(body));
  } catch (reason) {
    const code = (reason as { code?: unknown } | null)?.code;
    throw new ApiError(typeof code === 'string' ? code : 'offline', String(reason), 0);
  }
}

function failure(status: number, found: unknown): ApiError {
  const body = typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {};
  const code = typeof body.code === 'string' ? body.code : `http.${status}`;
  const message = typeof body.message === 'string' ? body.message : `HTTP ${status}`;
  const retryS = typeof body.retry_s === 'number' ? body.retry_s : null;
  return new ApiError(code, message, status, retryS, (body.parts as ReasonParts | undefined) ?? null);
}

/** A part of a path. */
const segment = encodeURIComponent;

let asker: Promise<Me> | null = null;
/** Where the guest is known from: a guest of the server is another one on this device. */
let askedAt = place.now;

/** The guest at this browser; asked once, then known. */
export function me(): Promise<Me> {
  if (askedAt !== place.now) asker = null;
  askedAt = place.now;
  asker ??= ask('GET /api/me').then(known, (reason: unknown) => {
    asker = null;
    throw reason;
  });
  return asker;
}

const NAME = 'rum500.name';

/** Remember the guest's name for tables on this device. */
function known(guest: Me): Me {
  try {
    if (place.now === 'server') localStorage.setItem(NAME, guest.name);
  } catch {
    /* Without storage nothing is played on this device. */
  }
  return guest;
}

/** Forget who the guest is, because the browser's cookie may belong to another guest now. The next call asks again. */
export function forgetMe(): void {
  asker = null;
}

/** Change the guest's own name. Return it as the server stored it. */
export async function rename(name: string): Promise<Me> {
  const renamed = known(await ask('PUT /api/me', {}, { name }));
  asker = Promise.resolve(renamed);
  return renamed;
}

let catalogue: Promise<Profile[]> | null = null;

/** The games of the family, in the order the server offers them. */
export function profiles(): Promise<Profile[]> {
  catalogue ??= ask('GET /api/profiles').catch((reason: unknown) => {
    catalogue = null;
    throw reason;
  });
  return catalogue;
}

/** The rules of a match: house rules and variations by id, and other options that differ from the usual ones. */
export interface Chosen {
  choices?: readonly string[];
  players?: number | null;
  target?: number | null;
  deals?: number | null;
}

/** House rules and variations apart, as a new table has them. */
export function choicesByKind(choices: readonly string[]): { house_rules: string[]; variations: string[] } {
  const house_rules = choices.filter((id) => /^H\d$/.test(id));
  return { house_rules, variations: choices.filter((id) => !house_rules.includes(id)) };
}

function chosenParams({ choices = [], players, target, deals }: Chosen) {
  const { house_rules, variations } = choicesByKind(choices);
  const named = { house: house_rules.join(','), variations: variations.join(',') };
  return { ...named, players: players || null, target: target || null, deals: deals || null };
}

/** The part of an address that names what is chosen, with its question mark; empty if nothing is. */
export function chosenQuery(chosen: Chosen): string {
  const given = Object.entries(chosenParams(chosen)).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : [],
  );
  return given.length ? `?${new URLSearchParams(given)}` : '';
}

/** The rules in force, sentence by sentence. */
export const rules = (profile: string, chosen: Chosen = {}) =>
  ask('GET /api/rules/{profile}', { profile, ...chosenParams(chosen) });

/** What can be added to a game, each with the reason why it does not fit the choices so far. */
export function ruleChoices(profile: string, choices: readonly string[], players: number | null) {
  const { house, variations } = chosenParams({ choices });
  return ask('GET /api/choices/{profile}', { profile, house, variations, players });
}

/** Tables that `openTables` returns at most; there may be more. */
export const PAGE = 50;

/** The public tables that have not begun, have a free seat, and whose host is there: so many pages of them. */
export async function openTables(pages = 1): Promise<TableSummary[]> {
  const found: TableSummary[] = [];
  for (let page = 0; page < pages && found.length === page * PAGE; page += 1)
    found.push(...(await ask('GET /api/tables', { skip: found.length || null, limit: PAGE })));
  return found;
}

/** The guest's unfinished tables, those first that wait for the guest; or those that this list leaves out (`away`). */
export const myTables = (_guest: Me, away = false) => ask('GET /api/tables/mine', { away: away || null });

/** The guest's ended matches, the last first. */
export const history = (filters: Api['GET /api/history']['params'] = {}) => ask('GET /api/history', filters);

/** One table as the lobby would list it. */
export const table = (id: string) => ask('GET /api/tables/{table}', { table: id });

/** Make a table. The guest is made known first: a table needs a host. */
export async function createTable(options: NewTable): Promise<string> {
  await me();
  return (await ask('POST /api/tables', {}, options)).id;
}

/** Take a seat back from an external bot. */
export const recallSeat = (id: string, seat: number) =>
  ask('POST /api/tables/{table}/bots/recall', { table: id }, { seat });

/** The server's key for messages to browsers; null if the host has turned them off. */
export const noticeKey = () => ask('GET /api/notices').then(({ key }) => key);

/** Let this browser be sent a message when a table waits for the guest. */
export async function addBrowser(browser: Browser): Promise<void> {
  await me();
  await ask('POST /api/notices/browsers', {}, browser);
}

/** Where a finished deal is. */
export const dealPath = (id: string, deal: number): string => `/api/tables/${segment(id)}/deals/${deal}`;

/** Where a finished deal's record can be downloaded. */
export const recordPath = (id: string, deal: number) => `${dealPath(id, deal)}.rum500`;

/** Where a finished match's record can be downloaded. */
export const matchRecordPath = (id: string) => `/api/tables/${segment(id)}/record.rum500`;

/** The picture that a phone's camera reads as the table's address. */
export const qrPath = (id: string) => `${BASE}/api/tables/${segment(id)}/qr.svg`;

/** The address of a table, to be given to friends. */
export const tableLink = (id: string) => `${location.origin}${BASE}/t/${segment(id)}`;

/** The address of a table to send to others. In a language other than English, it names the language of its preview. */
export const inviteLink = (id: string) => inLanguage(tableLink(id));

/** Return an address with the language in which messengers show its preview. */
export const inLanguage = (address: string) =>
  getLocale() === 'en' ? address : `${address}?lang=${getLocale()}`;

/** The address of a league, with which others join. */
export const leagueLink = (id: string) => `${location.origin}${BASE}/league/${segment(id)}`;

/** The address of a finished deal, which anyone can open. */
export const dealLink = (id: string, deal: number) => `${tableLink(id)}/deal/${deal}`;

/** The path of the page that reviews a finished deal; `step` is the step of the replay to begin with. */
export const reviewPath = (id: string, deal: number, step?: number) =>
  `/t/${segment(id)}/deal/${deal}/review${step ? `?step=${step}` : ''}`;

/** The path of the page that reviews a match. */
export const matchReviewPath = (id: string) => `/t/${segment(id)}/review`;
