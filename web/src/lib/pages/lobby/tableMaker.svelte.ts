/** Makes a table and goes there. */
import { go } from '$lib/app/router.svelte';
import { settings, type LastPlay } from '$lib/app/settings.svelte';
import { ApiError, choicesByKind, createTable } from '$lib/net/api';
import type { NewTable } from '$lib/net/protocol';
import { loadReasons, reasonSentence } from '$lib/text/sentences';

/** A table at which this is played. */
export const playRequest = (play: LastPlay): NewTable => ({
  profile: play.profile,
  players: play.players,
  level: play.level,
  target: play.target,
  deals: play.deals,
  ...choicesByKind(play.choices),
});

/** A table of one guest with bots, which begins at once. */
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
  /** The same in the words of the rules, if the options do not go together. */
  clash = $state('');

  /** Make a table and go there; `play` is then offered the next time. */
  async make(options: NewTable, play: LastPlay): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.refused = undefined;
    this.clash = '';
    try {
      const id = await createTable(options);
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
