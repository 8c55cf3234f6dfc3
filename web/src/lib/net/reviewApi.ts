/** Reviews of finished deals over HTTP, and trying again from one of their decisions. */

import { ask, dealPath, me, segment } from './api';
import type { Belief, DealReview, MatchReview, NewTableId, OpenHands } from './protocol';

/** The review of a finished deal, as far as it is ready: the verdicts after the first `after` ones. */
export const dealReview = (id: string, deal: number, after = 0) =>
  ask<DealReview>('GET', `${dealPath(id, deal)}/review${after ? `?after=${after}` : ''}`);

/** Have the decisions of a finished deal judged, the guest's own first. */
export const askDealReview = (id: string, deal: number) =>
  ask<DealReview>('POST', `${dealPath(id, deal)}/review`, {});

/** The review of a match: how far its deals are, and the sums. */
export const matchReview = (id: string) => ask<MatchReview>('GET', `/api/tables/${segment(id)}/review`);

/** Have the decisions of all finished deals judged. */
export const askMatchReview = (id: string) =>
  ask<MatchReview>('POST', `/api/tables/${segment(id)}/review`, {});

/** What a seat could believe about the other hands before a play. */
export const belief = (id: string, deal: number, step: number, seat: number) =>
  ask<Belief>('GET', `${dealPath(id, deal)}/belief/${step}?seat=${seat}`);

/** The plays of a decision, judged with all hands open. */
export const openHands = (id: string, deal: number, step: number) =>
  ask<OpenHands>('GET', `${dealPath(id, deal)}/open/${step}`);

/** Make a table at which the guest plays a finished deal on, and return its id. */
export async function tryAgain(id: string, deal: number, frame: number, redealt: boolean): Promise<string> {
  await me();
  return (await ask<NewTableId>('POST', `${dealPath(id, deal)}/try`, { frame, redealt })).id;
}
