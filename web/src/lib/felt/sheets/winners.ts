/** Who has won a match. */
import type { MatchEnd } from '$lib/net/protocol';
import type { TableData } from '$lib/text/seatNames';

/** Return the viewer's number in the match: seats may have been drawn or moved since it began. */
export function viewerIn({ shared, you }: TableData, result: MatchEnd): number | null {
  if (you.seat === null) return null;
  const name = shared.seats[you.seat]?.name ?? '';
  const alike = result.names.flatMap((one, player) => (one === name ? [player] : []));
  return alike.length === 1 ? (alike[0] ?? you.seat) : you.seat;
}

/** Return whether the viewer is among the winners. */
export function hasWon(data: TableData): boolean {
  const { result } = data.shared;
  if (!result || result.drawn) return false;
  const me = viewerIn(data, result);
  return me !== null && result.winners.includes(me);
}
