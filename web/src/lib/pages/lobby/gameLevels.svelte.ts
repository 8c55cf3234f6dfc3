/** The levels of bots in a game, and the guest's next opponent there. */
import { ask } from '$lib/net/api';
import type { LevelInfo, LevelList } from '$lib/net/protocol';

export class GameLevels {
  /** The list for the game that was asked for last; null until it is there. */
  list = $state.raw<LevelList | null>(null);
  #asked = '';

  /** Ask for the levels of a game with a number of players, unless that was asked for last. */
  async load(profile: string, players: number): Promise<void> {
    const wanted = `${profile}/${players}`;
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    this.list = null;
    try {
      const found = await ask('GET /api/levels/{profile}', { profile, players });
      if (wanted === this.#asked) this.list = found;
    } catch {
      // Only the advice is missing: the names of all levels are known.
      if (wanted === this.#asked) this.#asked = '';
    }
  }

  of(level: string): LevelInfo | undefined {
    return this.list?.levels.find(({ name }) => name === level);
  }
}
