/** The text of a hint, in the current language. */
import { m } from '$lib/paraglide/messages';

import type { HintInfo, HintReason, ReviewPlay } from '$lib/net/protocol';
import { aboutPlay, playParts } from '$lib/felt/verdicts/reviewText';
import { cardCount, num, points, type Part } from '$lib/text/sentences';
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

/** Return which plays are as good as the best, in one sentence. */
export function equalText({ candidates = [] }: HintInfo): Part[] {
  const equal = candidates.filter((one) => one.as_good);
  if (equal.length === 2) return [m.review_hint_equal()];
  if (equal.length > 2) return [m.review_hint_equal_many({ n: num(equal.length) })];
  const best = candidates[0];
  if (!best) return [];
  return aboutPlay(m.review_hint_one, best.play);
}
