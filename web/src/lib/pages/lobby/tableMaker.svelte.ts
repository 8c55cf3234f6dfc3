/** Makes a table and opens its page. */
import { go } from '$lib/app/router.svelte';
import { settings, type LastPlay } from '$lib/app/settings.svelte';
import { ApiError, choicesByKind, createTable } from '$lib/net/api';
import type { NewTable } from '$lib/net/protocol';
import { loadReasons, reasonSentence } from '$lib/text/sentences';

/** Return the request for a table at which this is played. */
export const playRequest = (play: LastPlay): NewTable => ({
  profile: play.profile,
  players: play.players,
  level: play.level,
  target: play.target,
  deals: play.deals,
  ...choicesByKind(play.choices),
});

/** Return the request for a table of one guest with bots, whose match begins at once. */
export const botsRequest = (play: LastPlay): NewTable => ({
  ...playRequest(play),
  hints: play.hints,
  hints_a_deal: play.hintsADeal,
  private: true,
  start: true,
});

export class TableMaker {
  busy = $state(false);
  /** Why no table was made. */
  refused = $state.raw<unknown>(undefined);
  /** The reason in words, if the options contradict each other; else empty. */
  clash = $state('');

  /** Make the table that is requested and open its page; `play` is offered again the next time. */
  async make(request: () => NewTable | Promise<NewTable>, play: LastPlay): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.refused = undefined;
    this.clash = '';
    try {
      const id = await createTable(await request());
      settings.last = play;
      go(`/t/${id}`);
    } catch (reason) {
      this.refused = reason;
      if (reason instanceof ApiError && reason.code.startsWith('option.')) {
        await loadReasons();
        this.clash = reasonSentence({ code: reason.code, parts: reason.parts });
      }
    } finally {
      this.busy = false;
    }
  }
}
