/** One guest for all tabs of a browser. */
import { forgetMe, me, rename } from './api';
import { place } from './place.svelte';

/**
 * If a first-time visitor opens two tabs at once, the server takes them for two guests, and the browser keeps the cookie
 * that arrives last: from then on the other tab would act for a guest that it does not show. So each tab announces its
 * guest to the others, and a tab whose guest is out of date reloads.
 */
export function shareGuest(): void {
  if (typeof BroadcastChannel === 'undefined' || place.now === 'device') return;
  const tabs = new BroadcastChannel('rum500.guest');
  tabs.onmessage = ({ data }) => void settle(String(data)).catch(() => undefined);
  me().then(
    ({ id }) => tabs.postMessage(id),
    () => undefined,
  );
}

/** Handle the announcement of another tab. */
async function settle(other: string): Promise<void> {
  const { id } = await me();
  if (id === other) return;
  forgetMe();
  if ((await me()).id === other) location.reload();
}

/** Give this guest a name, unless the guest has chosen one. */
export async function takeName(name: string): Promise<void> {
  if (!(await me()).named) await rename(name);
}
