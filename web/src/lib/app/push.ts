/** Notifications of the browser when a table waits for its guest, also while no page is open. */
import { addBrowser, ask, noticeKey } from '$lib/net/api';
import { getLocale } from '$lib/paraglide/runtime';
import { recall, remember } from './settings.svelte';

/**
 * Whether notifications are on. `none`: this browser cannot show any here, or the host has turned them off; `blocked`: the
 * visitor has forbidden them in the browser.
 */
export type PushState = 'none' | 'blocked' | 'off' | 'on';

/** The minutes of the day between which no message is sent. */
export interface QuietHours {
  from: number;
  to: number;
}

const QUIET = 'rum500.quiet';
const SENT = 'rum500.push';
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

/** Store the quiet hours, and send them to the server if notifications are on. */
export async function keepQuietHours(hours: QuietHours | null): Promise<void> {
  remember(QUIET, hours ? `${hours.from}-${hours.to}` : '');
  const subscription = await current();
  if (subscription) await send(subscription);
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  const possible =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  return possible ? navigator.serviceWorker.getRegistration() : undefined;
}

async function current(): Promise<PushSubscription | null> {
  return (await (await registered())?.pushManager.getSubscription()) ?? null;
}

/** Return whether this browser receives notifications. */
export async function pushState(): Promise<PushState> {
  const worker = await registered();
  if (!worker || (await noticeKey()) === null) return 'none';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && (await current()) ? 'on' : 'off';
}

/** Turn notifications on, if the visitor allows it when the browser asks. Call this on a press. */
export async function allowPush(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  const [worker, key] = await Promise.all([registered(), noticeKey()]);
  if (!worker || key === null) return 'none';
  const before = await current();
  if (before && keyOf(before) !== key) await before.unsubscribe();
  await send(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return 'on';
}

/** Turn notifications off. */
export async function endPush(): Promise<PushState> {
  const subscription = await current();
  if (subscription) {
    await ask('POST /api/notices/browsers/remove', {}, { endpoint: subscription.endpoint });
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
  else if (recall(SENT) !== subscriptionKey(subscription)) await send(subscription);
}

async function send(subscription: PushSubscription): Promise<void> {
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
  remember(SENT, subscriptionKey(subscription));
}

/** The subscription that the server has, and the day on which it was sent. */
const subscriptionKey = ({ endpoint }: PushSubscription): string =>
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
