/** Messages of the browser when a table waits for its guest. They come also while no page is open. */
import { addBrowser, noticeKey, removeBrowser } from '$lib/net/api';
import { getLocale } from '$lib/paraglide/runtime';
import { recall, remember } from './settings.svelte';

/**
 * Whether messages come. `none`: this browser cannot show any here, or the host has turned them off; `blocked`: the
 * visitor has forbidden them in the browser.
 */
export type PushState = 'none' | 'blocked' | 'off' | 'on';

/** The minutes of the day from which and to which nothing is sent. */
export interface QuietHours {
  from: number;
  to: number;
}

const QUIET = 'rum500.quiet';
const TOLD = 'rum500.push';
const LEFT = 'rum500.left';
const DAY_MS = 86_400_000;

/** Note that a table was left waiting for this visitor. From then on the menu offers messages. */
export const noteLeft = (): void => remember(LEFT, '1');

/** Whether a table was left waiting for this visitor before. */
export const hasLeft = (): boolean => recall(LEFT) !== null;

/** The quiet hours of this browser; null if there are none. */
export function quietHours(): QuietHours | null {
  const [from, to] = (recall(QUIET) ?? '').split('-').map(Number);
  const minute = (value: number | undefined): value is number =>
    Number.isInteger(value) && value! >= 0 && value! < 1440;
  return recall(QUIET)?.includes('-') && minute(from) && minute(to) ? { from, to } : null;
}

/** Keep the quiet hours, and tell the server if messages come. */
export async function keepQuietHours(hours: QuietHours | null): Promise<void> {
  remember(QUIET, hours ? `${hours.from}-${hours.to}` : '');
  const subscription = await current();
  if (subscription) await tell(subscription);
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  const possible =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  return possible ? navigator.serviceWorker.getRegistration() : undefined;
}

async function current(): Promise<PushSubscription | null> {
  return (await (await registered())?.pushManager.getSubscription()) ?? null;
}

/** Whether messages come to this browser. */
export async function pushState(): Promise<PushState> {
  const worker = await registered();
  if (!worker || (await noticeKey()) === null) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && (await current()) ? 'on' : 'off';
}

/** Let messages come, if the visitor allows it when the browser asks. Call this on a press. */
export async function allowPush(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const [worker, key] = await Promise.all([registered(), noticeKey()]);
  if (!worker || key === null) return 'none';
  const before = await current();
  if (before && keyOf(before) !== key) await before.unsubscribe();
  await tell(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return 'on';
}

/** Let no more messages come. */
export async function endPush(): Promise<PushState> {
  const subscription = await current();
  if (subscription) {
    await removeBrowser(subscription.endpoint);
    await subscription.unsubscribe();
  }
  return pushState();
}

/**
 * Tell the server again that messages are wanted, once a day and when something about them has changed: it forgets
 * browsers that are never seen, and may have got a new key.
 */
export async function renewPush(): Promise<void> {
  const subscription = await current();
  if (!subscription || Notification.permission !== 'granted') return;
  if (keyOf(subscription) !== (await noticeKey())) await allowPush();
  else if (recall(TOLD) !== told(subscription)) await tell(subscription);
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { keys } = subscription.toJSON();
  const quiet = quietHours();
  await addBrowser({
    endpoint: subscription.endpoint,
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
    language: getLocale(),
    zone: zone(),
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
  });
  remember(TOLD, told(subscription));
}

/** What the server was told, and on which day. */
const told = ({ endpoint }: PushSubscription): string =>
  [endpoint, getLocale(), zone(), Math.floor(Date.now() / DAY_MS)].join(' ');

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The server's key that a subscription was made with, in base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
