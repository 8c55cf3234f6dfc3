/** The review of one deal while the server computes it, verdict by verdict. */

import { ask } from '$lib/net/api';
import type { Belief, DealReview, OpenHands, ReviewVerdict } from '$lib/net/protocol';

/** The pauses between two requests: the first verdicts arrive within a moment. */
const FIRST_PACE_MS = 250;
const PACE_MS = 1_000;
const WAITS = new Set(['waiting', 'running']);

export class DealReviewLoader {
  /** The last answer; null until the first. */
  review = $state.raw<DealReview | null>(null);
  verdicts = $state.raw<ReadonlyMap<number, ReviewVerdict>>(new Map());
  /** Why the last request failed. */
  trouble = $state.raw<unknown>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  #pace = FIRST_PACE_MS;
  readonly #beliefs = new Map<string, Promise<Belief>>();
  readonly #open = new Map<number, Promise<OpenHands>>();

  constructor(
    readonly table: string,
    readonly deal: number,
  ) {}

  get #place(): { table: string; deal: number } {
    return { table: this.table, deal: this.deal };
  }

  /** All verdicts by step. */
  readonly judged = $derived([...this.verdicts.values()].sort((one, other) => one.step - other.step));

  /** The verdict on the decision that is made at this step of the replay. */
  at(step: number): ReviewVerdict | null {
    return this.#byFrame.get(step + 1) ?? null;
  }
  readonly #byFrame = $derived(new Map(this.judged.map((verdict) => [verdict.frame, verdict])));

  /** Whether the review is unfinished. */
  readonly busy = $derived(
    this.review !== null && (WAITS.has(this.review.state.marks) || WAITS.has(this.review.state.breakdown)),
  );

  /** Request the review of the decisions, and follow its progress. */
  async start(): Promise<void> {
    await this.#ask(() => this.#begin());
  }

  #begin(): Promise<DealReview> {
    return ask('POST /api/tables/{table}/deals/{deal}/review', this.#place, {});
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** What a seat could believe before a play. */
  belief(step: number, seat: number): Promise<Belief> {
    return kept(this.#beliefs, `${step}:${seat}`, () =>
      ask('GET /api/tables/{table}/deals/{deal}/belief/{step}', { ...this.#place, step, seat }),
    );
  }

  /** The plays of a decision, judged with all hands open. */
  open(step: number): Promise<OpenHands> {
    return kept(this.#open, step, () =>
      ask('GET /api/tables/{table}/deals/{deal}/open/{step}', { ...this.#place, step }),
    );
  }

  async #ask(request: () => Promise<DealReview>): Promise<void> {
    clearTimeout(this.#timer);
    try {
      this.#take(await request());
      this.trouble = undefined;
    } catch (reason) {
      if (this.#stopped) return;
      this.trouble = reason;
      // Verdicts that have arrived stay; the rest is requested as soon as the server answers again.
      if (!this.review) return;
    }
    if (this.#stopped || !this.review) return;
    const { marks } = this.review.state;
    const next =
      marks === 'none'
        ? () => this.#begin()
        : () =>
            ask('GET /api/tables/{table}/deals/{deal}/review', {
              ...this.#place,
              after: this.review!.next || null,
            });
    if (this.busy || marks === 'none') this.#timer = setTimeout(() => void this.#ask(next), this.#pace);
    this.#pace = Math.min(2 * this.#pace, PACE_MS);
  }

  #take(answer: DealReview): void {
    if (this.#stopped) return;
    if (answer.verdicts.length) {
      const verdicts = new Map(this.verdicts);
      for (const verdict of answer.verdicts) verdicts.set(verdict.step, verdict);
      this.verdicts = verdicts;
    }
    this.review = answer;
  }
}

/** Return the promise of an earlier request with this key, or request it now. Failed requests are forgotten. */
function kept<Key, Value>(
  store: Map<Key, Promise<Value>>,
  key: Key,
  request: () => Promise<Value>,
): Promise<Value> {
  let found = store.get(key);
  if (!found) {
    found = request();
    found.catch(() => store.delete(key));
    store.set(key, found);
  }
  return found;
}
