import { go } from '$lib/app/router.svelte';
import { ask } from '$lib/net/api';
import type { Invited, NewLeague } from '$lib/net/protocol';
import { refusal } from '$lib/text/peopleRefusal';

/** The making of a league: what became of it, or why there is none. */
export class LeagueMaker {
  made = $state.raw<Invited | null>(null);
  /** Why the server refused it, in words; empty if it did not. */
  wrong = $state('');
  trouble = $state.raw<unknown>(undefined);
  busy = $state(false);

  /** Make the league and open it, unless people of it could not be invited. */
  async make(league: NewLeague): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    [this.wrong, this.trouble] = ['', undefined];
    try {
      this.made = await ask('POST /api/leagues', {}, league);
      if (!this.made.not_invited.length) go(`/league/${this.made.id}`);
    } catch (reason) {
      this.wrong = (await refusal(reason)) ?? '';
      if (!this.wrong) this.trouble = reason;
    } finally {
      this.busy = false;
    }
  }
}
