/** Begins or resumes a deal of the day, and goes to its table. */
import { Attempt } from '$lib/app/attempt.svelte';
import { go } from '$lib/app/router.svelte';
import { ask, me } from '$lib/net/api';

export class DayStart extends Attempt {
  /** Begin or resume today's attempt, or practise the deal of an earlier day. */
  play(day: string, practice = false): Promise<void> {
    return this.run(async () => {
      await me();
      const { id } = await ask('POST /api/day-deals/{day}/play', { day }, { practice });
      go(`/t/${id}`);
    });
  }
}
