/** Verdicts for the components' tests. */
import type { DealLineInfo, ReviewPlay, ReviewVerdict } from '$lib/net/protocol';

export const discard = (card: string, code: string): ReviewPlay => ({
  code,
  kind: 'discard',
  text: `discard ${card}`,
  cards: [{ card, place: null, seat: 0, points: 10 }],
});

/** The verdict on a discard that cost 14 points; `best` would have been better. */
export function verdictOn(
  played: ReviewPlay,
  best: ReviewPlay,
  more: Partial<ReviewVerdict> = {},
): ReviewVerdict {
  return {
    step: 7,
    frame: 9,
    seat: 0,
    turn: 3,
    kind: 'discard',
    mark: 'mistake',
    loss: 14,
    low: 11,
    high: 17,
    points: 14,
    points_error: 1.5,
    chance: null,
    exact: false,
    disputed: false,
    found: false,
    gain: 0,
    gain_half: 0,
    worlds: 1024,
    played,
    best,
    candidates: [
      { play: best, lead: 14, half: 3, as_good: true },
      { play: played, lead: 0, half: 0, as_good: false },
    ],
    why: {
      code: 'why.small',
      message: '',
      points: 14,
      half: 3,
      reasons: [],
      parts: [],
      rates: [],
      others: 'opponent',
      gained: 0,
      chance: null,
    },
    ways: [],
    plan: null,
    change: null,
    ...more,
  };
}

/** A deal on one line; the gaps follow from the figures. */
export function lineFor(
  figures: Pick<DealLineInfo, 'average' | 'club' | 'you' | 'low' | 'high'>,
): DealLineInfo {
  const { average, club, you, low, high } = figures;
  return {
    ...figures,
    cards: club - average,
    play: you - club,
    standing: you < low ? 'below' : you > high ? 'above' : 'as_good',
    games: 40,
    seed: 40,
  };
}
