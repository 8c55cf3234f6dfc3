/** One guest for all tabs of a browser. */
import { forgetMe, me } from './api';

/**
 * Two tabs that a stranger opens at once are taken for two guests, and the browser keeps the cookie that comes last: from
 * then on the other tab would speak for a guest that it does not show. So each tab tells the others who it is, and one
 * that finds itself to be somebody else by now begins anew.
 */
export function shareGuest(): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const tabs = new BroadcastChannel('rum500.guest');
  tabs.onmessage = ({ data }) => void settle(String(data)).catch(() => undefined);
  me().then(
    ({ id }) => tabs.postMessage(id),
    () => undefined,
  );
}

/** Another tab is this guest. */
async function settle(other: string): Promise<void> {
  const { id } = await me();
  if (id === other) return;
  forgetMe();
  if ((await me()).id === other) location.reload();
}
