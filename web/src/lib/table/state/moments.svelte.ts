/** The moments of a deal that the felt shows for a while: four cards at once, going out, a match that is won. */
import { paceOf } from '$lib/felt/board/pace';
import { hasWon } from '$lib/felt/sheets/winners';
import type { Change } from '$lib/net/tableStore.svelte';
import type { TableEvent } from '$lib/net/protocol';

const FOUR_MS = 1_600;
const OUT_MS = 2_000;
const FALL_MS = 2_400;
/** The least part of its usual time that a moment lasts, so that it can be read even if bots play at once. */
const LEAST_PART = 0.5;

export type Moment = {
  kind: 'four' | 'out' | 'won';
  /** The meld of four, or the end of the deal. */
  event: TableEvent;
  /** The points that the player laid in this turn. */
  now: number;
  ms: number;
};

export class Moments {
  shown = $state.raw<Moment | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Show the moment that a change brings, if any; return how long it lasts. */
  follow(change: Change, events: readonly TableEvent[]): number {
    const { after, whole } = change;
    if (whole || change.events.some(({ kind }) => kind === 'undone')) this.end();
    if (whole) return 0;
    const part = Math.max(LEAST_PART, paceOf(after));
    const out = change.events.find(({ kind, reason }) => kind === 'over' && reason === 'out');
    const four = change.events.findLast(({ kind, doubled }) => kind === 'meld' && doubled);
    const event = out ?? four;
    if (!event) return 0;
    const ms = part * (out ? OUT_MS : FOUR_MS);
    this.#show({ kind: out ? 'out' : 'four', event, now: laidNow(events, event), ms });
    return ms;
  }

  /** Show that the viewer has won the match; return false if somebody else has. */
  won(change: Change, data: Parameters<typeof hasWon>[0]): boolean {
    const event = change.events.find(({ kind }) => kind === 'match_over');
    if (!event || !hasWon(data)) return false;
    this.#show({ kind: 'won', event, now: 0, ms: FALL_MS * Math.max(LEAST_PART, paceOf(change.after)) });
    return true;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.shown = null;
  }

  #show(moment: Moment): void {
    this.end();
    this.shown = moment;
    this.#timer = setTimeout(() => this.end(), moment.ms);
  }
}

/** Return the points that the player of this event laid in the turn that it ends or is part of. */
function laidNow(events: readonly TableEvent[], event: TableEvent): number {
  const till = events.slice(0, events.lastIndexOf(event) + 1);
  const before = ({ kind, seat }: TableEvent): boolean =>
    kind === 'deal' || (seat != null && seat !== event.seat);
  return till.slice(till.findLastIndex(before) + 1).reduce((sum, { points }) => sum + (points ?? 0), 0);
}
