/** How far a learner is in a lesson: the plays made at its table, compared with the plays of its steps. */
import type { LessonInfo, ReviewPlay, TableEvent } from '$lib/net/protocol';

export interface LessonProgress {
  /** The index of the present step; the number of steps once all are done. */
  step: number;
  /** Whether another play was made than that of the step. */
  wrong: boolean;
}

const PLAYS: readonly string[] = ['draw', 'take', 'call', 'let_go', 'pass', 'end', 'meld', 'lay', 'discard'];

/**
 * Return the progress at a lesson's table, which began with step `from`. `read` are the steps without a play that the
 * learner has read; a play of the next step also counts as having read them.
 */
export function progressOf(
  steps: LessonInfo['steps'],
  from: number,
  events: readonly TableEvent[],
  seat: number | null,
  read: ReadonlySet<number>,
): LessonProgress {
  let step = from;
  for (const event of playsOf(events, seat)) {
    const next = steps.findIndex(({ play }, index) => index >= step && play !== null);
    if (next < 0) break; // the learner plays on after the lesson
    if (!isSame(event, steps[next]!.play!)) return { step: next, wrong: true };
    step = next + 1;
  }
  while (steps[step]?.play === null && read.has(step)) step += 1;
  return { step, wrong: false };
}

/** Return the learner's plays since the lesson began: its table is made with all plays before in one entry. */
function playsOf(events: readonly TableEvent[], seat: number | null): TableEvent[] {
  const start = events.findLast(({ kind }) => kind === 'deal')?.number ?? 0;
  const undone = new Set(events.map((event) => event.taken_back));
  return events.filter(
    (event) =>
      event.number > start && event.seat === seat && PLAYS.includes(event.kind) && !undone.has(event.number),
  );
}

const inOrder = (cards: readonly string[]): string => [...cards].sort().join(' ');

function isSame({ kind, card, cards, laid }: TableEvent, play: ReviewPlay): boolean {
  if (kind !== play.kind) return false;
  if (kind === 'draw') return true; // only the learner sees the card that was drawn
  const moved = laid?.map((one) => one.card) ?? cards ?? (card ? [card] : []);
  return inOrder(moved) === inOrder((play.cards ?? []).map((one) => one.card));
}
