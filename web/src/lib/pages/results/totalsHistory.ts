/** The totals of a match, deal by deal. */

import type { DealResult } from '../../net/protocol';
import { accountName, accountsInOrder, type TableData } from '../../table/seatNames';

/** An account's points in each finished deal and its total after it; null for deals after the player left. */
export interface AccountHistory {
  name: string;
  points: (number | null)[];
  totals: (number | null)[];
}

/** Return one history per account: the viewer's own first, and last those of players who resigned, by name. */
export function accountHistories(data: TableData): AccountHistory[] {
  const { shared, options } = data;
  const scores = shared.scores;
  const accounts = accountsInOrder(data);
  if (options.sides > 0) {
    return accounts.map((account) => history(scores, accountName(data, account), () => account));
  }
  // Seats move up when a player leaves; names are unique at a table.
  const names = accounts.map((seat) => shared.seats[seat]?.name ?? '');
  const left = new Set(scores.flatMap((score) => score.names).filter((name) => !names.includes(name)));
  return [
    ...names.map((name, at) => history(scores, accountName(data, accounts[at]!), by(name))),
    ...[...left].map((name) => history(scores, name, by(name))),
  ];
}

const by =
  (name: string) =>
  (score: DealResult): number =>
    score.names.indexOf(name);

function history(
  scores: readonly DealResult[],
  name: string,
  at: (score: DealResult) => number,
): AccountHistory {
  return {
    name,
    points: scores.map((score) => score.accounts[at(score)] ?? null),
    totals: scores.map((score) => score.totals[at(score)] ?? null),
  };
}
