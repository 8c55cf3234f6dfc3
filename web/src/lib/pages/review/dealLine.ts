/** Where the figures of a deal lie on its line, in percent of the width. */

import type { DealLineInfo } from '$lib/net/protocol';

/** A gap between two of the figures. */
export interface Gap {
  of: 'cards' | 'play';
  from: number;
  width: number;
}

export interface LinePlaces {
  average: number;
  club: number;
  you: number;
  low: number;
  high: number;
  /** The gaps in rows: those that would lie on each other, or whose words would, have a row each. */
  gaps: Gap[][];
}

/** The room at either end of the line, in percent. */
const ROOM = 8;
/** The least difference of the figures, in points, that fills the line. */
const LEAST = 20;
/** The least distance of the middles of two gaps whose words fit beside each other, in percent. */
const APART = 42;

/** Return the places of the figures of a line. */
export function lineOf({ average, club, you, low, high }: DealLineInfo): LinePlaces {
  const all = [average, club, you, low, high];
  let [from, to] = [Math.min(...all), Math.max(...all)];
  const missing = LEAST - (to - from);
  if (missing > 0) [from, to] = [from - missing / 2, to + missing / 2];
  const at = (value: number): number => ROOM + ((100 - 2 * ROOM) * (value - from)) / (to - from);
  const gap = (of: Gap['of'], one: number, other: number): Gap => ({
    of,
    from: at(Math.min(one, other)),
    width: at(Math.max(one, other)) - at(Math.min(one, other)),
  });
  const cards = gap('cards', average, club);
  const play = gap('play', club, you);
  const middles = Math.abs(cards.from + cards.width / 2 - (play.from + play.width / 2));
  const apart = (average - club) * (you - club) <= 0 && middles >= APART;
  return {
    average: at(average),
    club: at(club),
    you: at(you),
    low: at(low),
    high: at(high),
    gaps: apart ? [[cards, play]] : [[cards], [play]],
  };
}
