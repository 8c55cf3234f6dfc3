/** A replay as a list of steps, and where its turns begin. */

import { BLANK, SPECTATOR } from '$lib/net/blank';
import type { TableEvent, You, Replay, Snapshot } from '$lib/net/protocol';

/** The table after one step of a deal. */
export interface ReplayStep {
  event: TableEvent | null;
  shared: Snapshot;
  hands: string[][];
}

/** A turn on the timeline: where it begins, and whether anything was laid in it. */
export interface TurnMark {
  at: number;
  laid: boolean;
}

const BEGINS_TURN = new Set(['draw', 'take', 'call', 'pass', 'end']);
const LAYS = new Set(['meld', 'lay']);

/** Return all steps of a deal. Each frame contains only changes, so the state before is carried on. */
export function replaySteps(replay: Replay): ReplayStep[] {
  const seats = replay.names.map((name) => ({
    kind: 'person' as const,
    name,
    level: null,
    here: true,
    bot_in_ms: null,
    replace_in_ms: null,
    vacant_in_ms: null,
    ask_in_ms: null,
    asked_for: 0,
    gone: false,
    nudge_in_ms: null,
    waited_for: false,
    robot: false,
    ready: false,
  }));
  let shared: Snapshot = { ...BLANK, seats };
  return replay.frames.map((frame) => {
    shared = { ...shared, ...frame.shared, clock: null, claim: null };
    return { event: frame.event ?? null, shared, hands: frame.hands ?? [] };
  });
}

/** Return where the turns of a deal begin. */
export function turnMarks(steps: readonly ReplayStep[]): TurnMark[] {
  const found: TurnMark[] = [];
  steps.forEach(({ event }, at) => {
    if (!event) return;
    if (BEGINS_TURN.has(event.kind)) found.push({ at, laid: false });
    const turn = found[found.length - 1];
    if (turn && LAYS.has(event.kind)) turn.laid = true;
  });
  return found;
}

/** Return the step at which the previous or the next turn begins. */
export function turnFrom(turns: readonly TurnMark[], step: number, way: 1 | -1, last: number): number {
  if (way > 0) return turns.find(({ at }) => at > step)?.at ?? last;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const at = turns[index]?.at ?? 0;
    if (at < step) return at;
  }
  return 0;
}

/** Return a viewer at this seat with nothing to decide. */
export const from = (seat: number, hand: string[] = []): You => ({ ...SPECTATOR, seat, hand });

/** The signs of marks, those that weigh most first. */
const WEIGHT = ['blunder', 'mistake', 'found', 'depends', 'doubtful', 'luck'];

/**
 * Return which marks are nearer than `gap` steps to one that weighs more, by their place in the list. The marks at
 * `step`, where the reader is, come first.
 */
export function crowdedMarks(
  marks: readonly { at: number; sign: string }[],
  step: number,
  gap: number,
): Set<number> {
  const order = marks
    .map((mark, index) => ({ ...mark, index }))
    .toSorted(
      (one, other) =>
        Number(other.at === step) - Number(one.at === step) ||
        WEIGHT.indexOf(one.sign) - WEIGHT.indexOf(other.sign) ||
        one.at - other.at,
    );
  const placed: number[] = [];
  const crowded = new Set<number>();
  for (const { at, index } of order) {
    if (placed.some((other) => Math.abs(other - at) < gap)) crowded.add(index);
    else placed.push(at);
  }
  return crowded;
}
