/** How the totals of a match went, deal by deal. */

import type { DealResult } from '../../net/protocol';
import { accountName, accountsInOrder, type Seen } from '../../table/seatNames';

/** An account's points in each finished deal and its total after it; null for deals after it had left. */
export interface Line {
  name: string;
  points: (number | null)[];
  totals: (number | null)[];
}

/** One line an account: one's own first, and last those who resigned after a deal, by their names. */
export function courseOf(seen: Seen): Line[] {
  const { shared, options } = seen;
  const scores = shared.scores;
  const accounts = accountsInOrder(seen);
  if (options.sides > 0) {
    return accounts.map((account) => line(scores, accountName(seen, account), () => account));
  }
  // Seats move up when one is left; names are each one's own at a table.
  const names = accounts.map((seat) => shared.seats[seat]?.name ?? '');
  const left = new Set(scores.flatMap((score) => score.names).filter((name) => !names.includes(name)));
  return [
    ...names.map((name, at) => line(scores, accountName(seen, accounts[at]!), by(name))),
    ...[...left].map((name) => line(scores, name, by(name))),
  ];
}

const by =
  (name: string) =>
  (score: DealResult): number =>
    score.names.indexOf(name);

function line(scores: readonly DealResult[], name: string, at: (score: DealResult) => number): Line {
  return {
    name,
    points: scores.map((score) => score.accounts[at(score)] ?? null),
    totals: scores.map((score) => score.totals[at(score)] ?? null),
  };
}
