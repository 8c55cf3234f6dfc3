/** The totals of a match, deal by deal. */

import type { DealResult } from '$lib/net/protocol';
import { accountName, accountsInOrder, type TableData } from '$lib/text/seatNames';

/** An account's points in each finished deal and its total after it; null for deals after the player left. */
export interface AccountHistory {
  name: string;
  /** The account; null for a player that resigned. */
  account: number | null;
  points: (number | null)[];
  totals: (number | null)[];
}

/** Return one history per account: the viewer's own first, and last those of players who resigned, by name. */
export function accountHistories(data: TableData): AccountHistory[] {
  const { shared, options } = data;
  const scores = shared.scores;
  const accounts = accountsInOrder(data);
  if (options.sides > 0) {
    return accounts.map((account) => history(scores, accountName(data, account), account, () => account));
  }
  // Seats move up when a player leaves; names are unique at a table.
  const names = accounts.map((seat) => shared.seats[seat]?.name ?? '');
  const left = new Set(scores.flatMap((score) => score.names).filter((name) => !names.includes(name)));
  return [
    ...names.map((name, at) => history(scores, accountName(data, accounts[at]!), accounts[at]!, by(name))),
    ...[...left].map((name) => history(scores, name, null, by(name))),
  ];
}

const by =
  (name: string) =>
  (score: DealResult): number =>
    score.names.indexOf(name);

function history(
  scores: readonly DealResult[],
  name: string,
  account: number | null,
  at: (score: DealResult) => number,
): AccountHistory {
  return {
    name,
    account,
    points: scores.map((score) => score.accounts[at(score)] ?? null),
    totals: scores.map((score) => score.totals[at(score)] ?? null),
  };
}

/** Return the number of the deal after which these accounts led for good: 1 if they led from the first deal on. */
export function leadFrom(histories: readonly AccountHistory[], winner: number): number {
  const deals = histories[winner]?.totals.length ?? 0;
  const leads = (deal: number): boolean => {
    const best = histories[winner]!.totals[deal] ?? -Infinity;
    return histories.every(({ totals }, at) => at === winner || (totals[deal] ?? -Infinity) < best);
  };
  let from = deals;
  while (from > 0 && leads(from - 1)) from -= 1;
  return from + 1;
}
