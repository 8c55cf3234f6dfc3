/** Words and figures of deals of the day. */
import { m } from '$lib/paraglide/messages';

import type { DayBot, DayCell, DayToday } from '$lib/net/protocol';
import { num } from '$lib/text/cards';
import { levelTitle } from '$lib/text/labels';
import { profileTitle } from '$lib/text/profiles';

/** The game of a day and its bots: `500 Rum with 3 bots: Club`. */
export const dayGame = ({
  profile,
  title,
  players,
  level,
}: Pick<DayToday, 'profile' | 'title' | 'players' | 'level'>): string =>
  m.day_card_with({
    title: profileTitle(profile, title),
    count: players - 1,
    n: num(players - 1),
    level: levelTitle(level),
  });

/** The place of a result among all; of a single one that it is the first. */
export const dayPlace = (place: number, played: number): string =>
  played > 1 ? m.day_card_place({ place: num(place), n: num(played) }) : m.day_card_first();

/** The mean of `club` on the cards of a day. */
export const dayClub = (points: number): string =>
  m.day_card_club({ club: levelTitle('club'), points: num(Math.round(points)) });

/** How a result compares with the games of a bot on the same cards: one sentence. */
export function dayVerdict(points: number, bot: DayBot): string {
  const club = levelTitle(bot.level);
  if (points >= bot.low && points <= bot.high) return m.day_as_good({ club });
  const more = Math.round(points - bot.mean);
  const by = { points: num(Math.abs(more)), club };
  return points > bot.high ? m.day_above(by) : m.day_below(by);
}

/** What became of a day: the states of the calendar. */
export type DayState = 'new' | 'playing' | 'unfinished' | 'practised' | 'above' | 'below';

export function dayState({ status, points, club }: DayCell): DayState {
  if (status !== 'over') return status;
  return points !== null && club !== null && points > club ? 'above' : 'below';
}

export const dayStateText = (state: DayState): string => m.day_state({ state, club: levelTitle('club') });
