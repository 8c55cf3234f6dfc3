/** What is shown of a review, and where: lists, marks, bars, the course of a deal, and beliefs. */

import type {
  Belief,
  OpenHands,
  ReviewCandidate,
  ReviewDraw,
  ReviewPoint,
  ReviewVerdict,
  ReviewWay,
} from '$lib/net/protocol';
import { ticks } from '$lib/felt/layout/chartScale';

export type Sign = 'blunder' | 'mistake' | 'doubtful' | 'depends' | 'found' | 'luck';

/** Something to look at: a marked decision or a lucky or unlucky card. */
export interface Moment {
  sign: Sign;
  /** The step of the replay before it happens. */
  at: number;
  seat: number;
  turn: number;
  verdict: ReviewVerdict | null;
  draw: ReviewDraw | null;
}

/** A decision is made on the frame before its play. */
export const stepOf = ({ frame }: { frame: number }): number => Math.max(0, frame - 1);

/** Return the mark of a decision; null for the many that are as good as any. */
export function signOf(verdict: ReviewVerdict): Exclude<Sign, 'luck'> | null {
  const { mark, found } = verdict;
  if (mark === 'blunder' || mark === 'mistake' || mark === 'doubtful') return mark;
  if (mark !== 'good') return null;
  if (otherWay(verdict)) return 'depends';
  return found ? 'found' : null;
}

/** Return the way of playing on in which a good decision is a mistake; null if it is good in both. */
export function otherWay({ mark, ways = [] }: ReviewVerdict): ReviewWay | null {
  const other = ways[1];
  return mark === 'good' && (other?.mark === 'mistake' || other?.mark === 'blunder') ? other : null;
}

function momentOf(verdict: ReviewVerdict): Moment[] {
  const sign = signOf(verdict);
  const { seat, turn } = verdict;
  return sign ? [{ sign, at: stepOf(verdict), seat, turn, verdict, draw: null }] : [];
}

/** Return the marked decisions of a seat, or of all: the dearest first, finds last. */
export function markedDecisions(verdicts: readonly ReviewVerdict[], seat: number | null): Moment[] {
  const found = verdicts.filter((one) => seat === null || one.seat === seat).flatMap(momentOf);
  return found.sort((one, other) => other.verdict!.loss - one.verdict!.loss || one.at - other.at);
}

const MOST_TURNS = 3;

/**
 * Return the decisions of a seat that cost or brought most: one a turn, three at most, mistakes before all others. The
 * decisions of a turn often have the same reason.
 */
export function turnsThatCount(verdicts: readonly ReviewVerdict[], seat: number): Moment[] {
  const worth = ({ sign, verdict }: Moment): number => {
    if (sign === 'found') return verdict!.gain;
    return otherWay(verdict!)?.loss ?? verdict!.loss;
  };
  const sorted = markedDecisions(verdicts, seat).sort(
    (one, other) => Number(isMistake(other)) - Number(isMistake(one)) || worth(other) - worth(one),
  );
  const first = new Map<number, Moment>();
  for (const moment of sorted) if (!first.has(moment.turn)) first.set(moment.turn, moment);
  return [...first.values()].slice(0, MOST_TURNS);
}

const MOST_DRAWS = 8;

/** Return the draws whose luck, good or bad, was at least `least` points, the largest first. */
export function luckyDraws(draws: readonly ReviewDraw[], least: number): Moment[] {
  return draws
    .filter(({ value }) => Math.abs(value) >= least)
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, MOST_DRAWS)
    .map((draw) => ({
      sign: 'luck' as const,
      at: stepOf(draw),
      seat: draw.seat,
      turn: draw.turn,
      verdict: null,
      draw,
    }));
}

/** Return the next or previous one of these moments; null if there is none on that side. */
export function momentFrom(moments: readonly Moment[], step: number, way: 1 | -1): Moment | null {
  const inOrder = [...moments].sort((one, other) => one.at - other.at);
  if (way > 0) return inOrder.find(({ at }) => at > step) ?? null;
  return inOrder.findLast(({ at }) => at < step) ?? null;
}

/** Return whether a moment is a decision that cost something. */
export const isMistake = ({ sign }: Moment): boolean =>
  sign === 'blunder' || sign === 'mistake' || sign === 'doubtful';

// --- bars ----------------------------------------------------------------------------------------------

const MOST_BARS = 5;

/** A bar: all positions are percentages of the width. */
export interface Bar {
  candidate: ReviewCandidate;
  played: boolean;
  best: boolean;
  from: number;
  width: number;
  low: number;
  high: number;
  /** Where the play would have ended with all cards seen. */
  open: number | null;
  openPoints: number | null;
}

export interface Bars {
  bars: Bar[];
  zero: number;
  band: { from: number; width: number };
  ticks: { at: number; value: number }[];
  /** The number of candidates that are not shown. */
  others: number;
}

/** Return the bars of a decision from a common zero, which is the play that was made. */
export function barsOf(
  verdict: Pick<ReviewVerdict, 'played' | 'candidates'>,
  open: OpenHands | null,
  most = MOST_BARS,
): Bars {
  const played = verdict.played.code;
  const all = verdict.candidates;
  const first = all.slice(0, most);
  const own = all.find(({ play }) => play.code === played);
  const shown = own && !first.includes(own) ? [...first.slice(0, most - 1), own] : first;
  const openBy = new Map(open?.candidates.map(({ play, points }) => [play.code, points]));
  const ends = shown.flatMap((one) => [
    one.lead - one.half,
    one.lead + one.half,
    openBy.get(one.play.code) ?? one.lead,
  ]);
  let [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const least = 10 - (high - low);
  if (least > 0) [low, high] = [low - least / 2, high + least / 2];
  const room = (high - low) * 0.04;
  [low, high] = [low - room, high + room];
  const at = (value: number): number => (100 * (value - low)) / (high - low);
  const best = all[0];
  const band = best ? [best.lead - best.half, best.lead + best.half] : [0, 0];
  return {
    zero: at(0),
    band: { from: at(band[0]!), width: at(band[1]!) - at(band[0]!) },
    ticks: ticks(low, high).map((value) => ({ value, at: at(value) })),
    others: all.length - shown.length,
    bars: shown.map((candidate) => {
      const { half, lead, play } = candidate;
      const points = openBy.get(play.code) ?? null;
      return {
        candidate,
        played: play.code === played,
        best: candidate === best,
        from: at(Math.min(0, lead)),
        width: at(Math.abs(lead)) - at(0),
        low: at(lead - half),
        high: at(lead + half),
        open: points === null ? null : at(points),
        openPoints: points,
      };
    }),
  };
}

// --- the course of a deal ------------------------------------------------------------------------------

/**
 * The course of a deal for one seat, in points. It is measured with all cards seen, and so it does not show the chance
 * to win, which goes by the score.
 */
export interface Course {
  frames: number[];
  values: number[];
}

export function courseOf(points: readonly ReviewPoint[], seat: number): Course | null {
  if (points.length < 2) return null;
  return { frames: points.map(({ frame }) => frame), values: points.map(({ margins }) => margins[seat]!) };
}

/** Return the value at a step: that of the last point until then. */
export function valueAt({ frames, values }: Course, step: number): number {
  const at = frames.findLastIndex((frame) => frame <= step);
  return values[Math.max(0, at)]!;
}

// --- beliefs -------------------------------------------------------------------------------------------

/** A card of the belief map. */
export interface BeliefCell {
  card: string;
  /** The expected number of copies in the hand, divided by the number that could be there: 0 to 1. */
  share: number;
  expected: number;
  known: boolean;
  held: boolean;
  /** Whether all copies are seen elsewhere. */
  elsewhere: boolean;
}

export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
export const SUITS = ['S', 'H', 'D', 'C'];

/** Return the cards that a seat may hold, by code. */
export function beliefCells(belief: Belief, seat: number): Map<string, BeliefCell> {
  const hand = belief.hands.find((one) => one.seat === seat);
  const cells = belief.cards.map((card, at): BeliefCell => {
    const copies = belief.copies[at] ?? 1;
    const elsewhere = belief.elsewhere[at] ?? 0;
    const expected = hand?.expected[at] ?? 0;
    return {
      card,
      expected,
      share: Math.min(1, expected / Math.max(1, copies - elsewhere)),
      known: (hand?.known[at] ?? 0) > 0,
      held: (hand?.held[at] ?? 0) > 0,
      elsewhere: elsewhere >= copies,
    };
  });
  return new Map(cells.map((cell) => [cell.card, cell]));
}

/** The least share that the map shows as a number. */
export const SHOWN_FROM = 0.14;

/** Return the likeliest cards of a hand, for a list: known ones first. */
export function likeliest(cells: Map<string, BeliefCell>, most = 8): BeliefCell[] {
  return [...cells.values()]
    .filter(({ expected, elsewhere }) => !elsewhere && expected > 0)
    .sort((one, other) => Number(other.known) - Number(one.known) || other.share - one.share)
    .slice(0, most);
}
