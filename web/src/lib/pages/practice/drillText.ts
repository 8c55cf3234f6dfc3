/** What a drill is called, and what it asks. */
import { m } from '$lib/paraglide/messages';

import type { DrillPlace } from '$lib/net/protocol';
import { num } from '$lib/text/sentences';

export type DrillKind = DrillPlace['kind'];

export const DRILLS: readonly DrillKind[] = [
  'draw',
  'lay',
  'salt',
  'late',
  'stock',
  'discard',
  'collect',
  'count',
  'who',
];

export const drillTitle = (kind: DrillKind): string => m.drills_kind({ kind });
export const drillLine = (kind: DrillKind): string => m.drills_kind_line({ kind });

/** Return a share of 1 as a percentage. */
export const inPercent = (share: number): string => `${num(Math.round(share * 100))} %`;

/** Return the share of a guess that each holder gets; if all weights are 0, the shares are equal. */
export function sharesOf(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, one) => sum + one, 0);
  return weights.map((one) => (total ? one / total : 1 / weights.length));
}

/** Return the score of a drill: the mean of its answers. */
export const meanScore = (scores: readonly number[]): number =>
  scores.length ? Math.round(scores.reduce((sum, one) => sum + one, 0) / scores.length) : 0;
