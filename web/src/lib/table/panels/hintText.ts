/** The text of a hint, in the current language. */
import { m } from '$lib/paraglide/messages';

import type { HintInfo, HintReason, HintWay, ReviewPlay } from '$lib/net/protocol';
import { aboutPlay, percent, playParts, pointsWithHalf } from '$lib/felt/verdicts/reviewText';
import { cardCount, points, type Part } from '$lib/text/sentences';
import { Filler } from '$lib/text/cards';
import { named, type Inputs } from '$lib/text/named';

/** The depths of hints, each of which shows more than those before it. */
export const DEPTHS: readonly HintInfo['depth'][] = ['possible', 'reason', 'numbers'];

/** Return what can be played, a line each; all discards are one line. */
export function playsOf(plays: readonly ReviewPlay[]): Part[][] {
  const discards = plays.filter(({ kind }) => kind === 'discard');
  const others = plays
    .filter((play) => discards.length < 2 || play.kind !== 'discard')
    .map((play) => playParts(play));
  if (discards.length < 2) return others;
  const fill = new Filler();
  const cards = fill.cards(discards.flatMap((play) => (play.cards ?? []).map(({ card }) => ({ card }))));
  return [...others, fill.parts(m.review_hint_discards({ cards }))];
}

/** Return a fact that speaks for a play; empty for one that this page does not know. */
export function thumbParts(reason: HintReason, names: readonly string[]): Part[] {
  const say = named('review_thumb_', reason.code.replace(/^thumb\./, ''));
  if (!say) return [];
  const fill = new Filler();
  const inputs = {
    cards: fill.cards((reason.cards ?? []).map((card) => ({ card }))),
    n: cardCount(reason.count ?? 0),
    points: points(reason.points ?? 0),
    name: reason.seat == null ? '' : fill.put({ name: names[reason.seat] ?? '?' }),
  };
  return fill.parts(say(inputs as unknown as Inputs<'review_thumb_'>));
}

/** Return what the next best play costs, if one plays on in this way. */
export function gainParts({ second, gain = 0, half = 0 }: HintWay): Part[] {
  return second
    ? aboutPlay((play) => m.review_hint_next({ ...play, points: pointsWithHalf(gain, half) }), second)
    : [];
}

/** Return what the best play does to the chance to win, by the way that gains less; empty where points alone count. */
export function chanceText({ ways = [] }: HintInfo): string {
  const [least] = ways.toSorted((one, other) => (one.gain ?? 0) - (other.gain ?? 0));
  const [before, after] = least?.chances ?? [];
  if (before === undefined || after === undefined) return '';
  return m.review_hint_chance({ before: percent(before), after: percent(after) });
}
