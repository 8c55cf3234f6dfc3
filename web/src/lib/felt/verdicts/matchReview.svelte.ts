/** The review of a match as the server makes it. */

import { ask } from '$lib/net/api';
import type { DealReviewInfo, MatchReview } from '$lib/net/protocol';

const PACE_MS = 2_000;
const WAITS = new Set(['waiting', 'running']);

const unfinished = ({ breakdown, marks }: DealReviewInfo): boolean =>
  WAITS.has(breakdown) || WAITS.has(marks);

export class MatchReviewLoader {
  review = $state.raw<MatchReview | null>(null);
  trouble = $state.raw<unknown>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(readonly table: string) {}

  /** Whether the review is unfinished. */
  readonly busy = $derived(this.review?.deals.some(unfinished) ?? false);

  /** Request the review of all decisions, and follow its progress. */
  async start(): Promise<void> {
    await this.#ask(() => ask('POST /api/tables/{table}/review', { table: this.table }, {}));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #ask(request: () => Promise<MatchReview>): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const found = await request();
      if (this.#stopped) return;
      this.review = found;
      this.trouble = undefined;
    } catch (reason) {
      if (!this.#stopped) this.trouble = reason;
    }
    if (!this.#stopped && this.busy)
      this.#timer = setTimeout(
        () => void this.#ask(() => ask('GET /api/tables/{table}/review', { table: this.table })),
        PACE_MS,
      );
  }
}
