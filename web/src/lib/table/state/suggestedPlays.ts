/** Plays that the server suggests. */
import type { PlacedCard, ReviewPlay, SuggestedPlay } from '$lib/net/protocol';

/** Return a play of a hint as a suggestion; null for one that the buttons need no suggestion for. */
export function suggested({
  code,
  kind,
  cards = [],
  points = 0,
  meld,
  owner,
  meld_kind,
}: ReviewPlay): SuggestedPlay | null {
  if (kind !== 'take' && kind !== 'call' && kind !== 'meld' && kind !== 'lay') return null;
  return { play: code, kind, cards, points, count: cards.length, meld, owner, meld_kind };
}

/** Return the cards of a play, both from the hand and from the pile. */
export function cardsOf(option: { cards: PlacedCard[] }): string[] {
  return option.cards.map(({ card }) => card);
}

/** Return whether the plays differ only in the cards that their jokers represent. */
export function sameTarget(options: SuggestedPlay[]): boolean {
  const first = options[0]!;
  return options.every(({ kind, meld }) => kind === first.kind && meld === first.meld);
}
