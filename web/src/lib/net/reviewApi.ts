/** Reviews of finished deals over HTTP, and trying again from one of their decisions. */

import { ask, me } from './api';

/** The review of a finished deal, as far as it is ready: the verdicts after the first `after` ones. */
export const dealReview = (table: string, deal: number, after = 0) =>
  ask('GET /api/tables/{table}/deals/{deal}/review', { table, deal, after: after || null });

/** Have the decisions of a finished deal judged, the guest's own first. */
export const askDealReview = (table: string, deal: number) =>
  ask('POST /api/tables/{table}/deals/{deal}/review', { table, deal }, {});

/** The review of a match: how far its deals are, and the sums. */
export const matchReview = (table: string) => ask('GET /api/tables/{table}/review', { table });

/** Have the decisions of all finished deals judged. */
export const askMatchReview = (table: string) => ask('POST /api/tables/{table}/review', { table }, {});

/** What a seat could believe about the other hands before a play. */
export const belief = (table: string, deal: number, step: number, seat: number) =>
  ask('GET /api/tables/{table}/deals/{deal}/belief/{step}', { table, deal, step, seat });

/** The plays of a decision, judged with all hands open. */
export const openHands = (table: string, deal: number, step: number) =>
  ask('GET /api/tables/{table}/deals/{deal}/open/{step}', { table, deal, step });

/** Make a table at which the guest plays a finished deal on, and return its id. */
export async function tryAgain(
  table: string,
  deal: number,
  frame: number,
  redealt: boolean,
): Promise<string> {
  await me();
  return (await ask('POST /api/tables/{table}/deals/{deal}/try', { table, deal }, { frame, redealt })).id;
}
