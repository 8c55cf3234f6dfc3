/** The levels of bots in a game, and the guest's next opponent there. */
import { ask } from '$lib/net/api';
import { place } from '$lib/net/place.svelte';
import type { LevelInfo, LevelList, Me } from '$lib/net/protocol';

export class GameLevels {
  /** The list for the game that was asked for last; null until it is there. */
  list = $state.raw<LevelList | null>(null);
  /** Whether the list could not be loaded. */
  #failed = $state(false);
  #asked = '';
  #loading: Promise<void> = Promise.resolve();

  /** Ask for the levels of a game with a number of players, unless that was asked for last. */
  load(profile: string, players: number): Promise<void> {
    const wanted = `${place.turn}/${profile}/${players}`;
    if (wanted !== this.#asked) {
      this.#asked = wanted;
      this.list = null;
      this.#failed = false;
      this.#loading = this.#find(wanted, profile, players);
    }
    return this.#loading;
  }

  async #find(wanted: string, profile: string, players: number): Promise<void> {
    try {
      const found = await ask('GET /api/levels/{profile}', { profile, players });
      if (wanted === this.#asked) this.list = found;
    } catch {
      // Only the advice is missing: the names of all levels are known.
      if (wanted !== this.#asked) return;
      this.#asked = '';
      this.#failed = true;
    }
  }

  of(level: string): LevelInfo | undefined {
    return this.list?.levels.find(({ name }) => name === level);
  }

  /** Return the names of the levels to choose from. */
  names(guest: Me | null): readonly string[] {
    return this.list?.levels.map(({ name }) => name) ?? guest?.levels ?? [];
  }

  /** Return the level that is preselected: the kept one if it plays here, else the next opponent. Undefined: not known yet. */
  preselected(kept: string | null, guest: Me | null): string | undefined {
    if (kept !== null && this.names(guest).includes(kept)) return kept;
    return this.list?.next.level ?? (this.#failed ? guest?.level_usual : undefined);
  }

  /** Return what to keep of a chosen level. Null follows the proposals: the next opponent itself was chosen. */
  keeps(level: string): string | null {
    return level === this.list?.next.level ? null : level;
  }
}
