/** The result of a match as one viewer reads it. */
import { m } from '$lib/paraglide/messages';

import type { MatchEnd } from '$lib/net/protocol';
import { serverNow } from '$lib/net/serverTime';
import type { TableData } from '$lib/text/seatNames';
import { listAnd, num } from '$lib/text/sentences';
import { placed } from './ranking';
import { hasWon, viewerIn } from './winners';

/** Return the names of these players: "You" for the viewer. */
export function playersOf(data: TableData, result: MatchEnd, players: readonly number[]): string {
  const me = viewerIn(data, result);
  return listAnd(players.map((player) => (player === me ? m.words_you() : (result.names[player] ?? ''))));
}

/** Return the totals by account, the best first. */
export function rankedRows(result: MatchEnd) {
  return placed(
    result.rows.map((players, row) => ({
      players,
      total: result.totals[row] ?? 0,
      final: result.final[row] ?? 0,
      won: players.some((player) => result.winners.includes(player)),
      left: players.some((player) => result.quitters.includes(player)),
    })),
  );
}

/** How an attempt at a deal of the day ended before the last card: `over` by the end of the day; null if it did not. */
export function attemptEnd({ shared, options: { tried } }: TableData): 'over' | 'unfinished' | null {
  if (shared.status !== 'abandoned' || !tried?.day || tried.practice) return null;
  return tried.day < new Date(serverNow()).toISOString().slice(0, 10) ? 'over' : 'unfinished';
}

/** Return the winners and their lead. */
export function headlineOf(data: TableData): string {
  const { result, status } = data.shared;
  const attempt = attemptEnd(data);
  if (attempt) return attempt === 'over' ? m.day_card_over() : m.day_card_unfinished();
  if (!result) return status === 'abandoned' ? m.pages_status_abandoned() : '';
  const headline = winnersLine(data, result);
  const [first, second] = rankedRows(result);
  if (result.drawn || !first?.won || !second || second.left || second.final >= first.final) return headline;
  const lead = { headline, n: num(first.final - second.final) };
  if (data.options.sides) return m.pages_end_lead(lead);
  const [player = -1] = second.players;
  return player === viewerIn(data, result)
    ? m.pages_end_by_you(lead)
    : m.pages_end_by({ ...lead, name: result.names[player] ?? '' });
}

function winnersLine(data: TableData, result: MatchEnd): string {
  if (result.drawn || !result.winners.length) return m.pages_end_drawn();
  const { sides } = data.options;
  if (hasWon(data)) return sides ? m.pages_end_we() : m.pages_end_you();
  if (sides && data.you.seat !== null) return m.pages_end_they();
  const names = playersOf(data, result, result.winners);
  return result.winners.length > 1 ? m.pages_end_names({ names }) : m.pages_end_name({ name: names });
}
