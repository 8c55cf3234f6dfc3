/** The signs of the player's turn outside the table: the title, a dot on the tab's icon, the badge of the installed page. */
import { m } from '$lib/paraglide/messages';

import { badge } from '$lib/app/badge';
import { noteLeft } from '$lib/app/push';
import { me, myTables } from '$lib/net/api';
import type { TableUi } from './tableUi.svelte';

const ICON = '/icon.svg';
const ICON_TURN = '/icon-turn.svg';

/** Show these signs until the function that is returned is called. */
export function turnSigns(ui: TableUi): () => void {
  const { table, connection } = ui;
  const usual = document.title;
  /** How many other tables wait; the badge counts them too. */
  let others = $state(0);

  async function look(): Promise<void> {
    if (!('setAppBadge' in navigator)) return;
    const mine = await me().then(myTables);
    others = mine.filter((one) => one.my_turn && one.table.id !== connection.id).length;
  }

  /** Note that the table is left while it waits for the player, and other people with it. */
  function leave(): void {
    const people = table.shared.seats.filter(({ kind, robot }) => kind === 'person' && !robot);
    if (ui.controller.mine && people.length > 1) noteLeft();
  }

  function seen(): void {
    if (document.visibilityState === 'hidden') leave();
    else void closeMessage(connection.id).catch(() => undefined);
    void look().catch(() => undefined);
  }

  const stop = $effect.root(() => {
    $effect(() => {
      const { mine } = ui.controller;
      document.title = mine ? m.pages_title({ page: m.table_your_turn() }) : usual;
      document.querySelector('link[rel=icon]')?.setAttribute('href', mine ? ICON_TURN : ICON);
    });
    $effect(() => badge(others + (ui.controller.mine ? 1 : 0)));
  });
  document.addEventListener('visibilitychange', seen);
  addEventListener('pagehide', leave);
  seen();
  return () => {
    leave();
    stop();
    document.removeEventListener('visibilitychange', seen);
    removeEventListener('pagehide', leave);
    document.querySelector('link[rel=icon]')?.setAttribute('href', ICON);
  };
}

/** Close the browser's message about this table: the player looks at it. */
async function closeMessage(table: string): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  for (const message of (await worker?.getNotifications({ tag: table })) ?? []) message.close();
}
