/** Unfinished tables that the guest puts away or ends. The request is sent after a while, so it can be taken back. */
import { SvelteMap } from 'svelte/reactivity';

import { ask } from '$lib/net/api';
import type { MyTable } from '$lib/net/protocol';
import { profileTitle } from '$lib/text/profiles';
import { others } from '$lib/text/standing';

const HELD_MS = 10_000;

type Ending = 'put-away' | 'end';

/** Return the name of a table for a screen reader: its opponents and its game. */
export const nameOfTable = (mine: MyTable): string =>
  [others(mine), profileTitle(mine.table.profile, mine.table.title)].filter(Boolean).join(', ');

export class HeldEndings {
  /** By table, the request that is going to be sent unless the guest takes it back. */
  readonly held = new SvelteMap<string, Ending>();
  trouble = $state.raw<unknown>(undefined);
  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #reload: () => Promise<void>;

  /** `reload` loads the guest's tables again. */
  constructor(reload: () => Promise<void>) {
    this.#reload = reload;
  }

  hold(table: string, ending: Ending): void {
    this.trouble = undefined;
    this.held.set(table, ending);
    this.#timers.set(
      table,
      setTimeout(() => void this.#send(table), HELD_MS),
    );
  }

  undo(table: string): void {
    clearTimeout(this.#timers.get(table));
    this.#timers.delete(table);
    this.held.delete(table);
  }

  /** Send all waiting requests, because the page is left and nothing can be taken back any more. */
  readonly leave = (): void => {
    for (const table of this.#timers.keys()) void this.#send(table);
  };

  /** Put a table back into the list. */
  async back(table: string): Promise<void> {
    await this.#try(() => ask('POST /api/tables/{table}/put-away', { table }, { away: false }));
  }

  async #send(table: string): Promise<void> {
    const ending = this.held.get(table);
    clearTimeout(this.#timers.get(table));
    this.#timers.delete(table);
    await this.#try(() =>
      ending === 'end'
        ? ask('POST /api/tables/{table}/end', { table }, {})
        : ask('POST /api/tables/{table}/put-away', { table }, { away: true }),
    );
    this.held.delete(table);
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    this.trouble = undefined;
    try {
      await work();
      await this.#reload();
    } catch (reason) {
      this.trouble = reason;
    }
  }
}
