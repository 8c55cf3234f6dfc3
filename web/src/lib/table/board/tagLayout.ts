/** The positions of the tags below a meld. */

/** A tag's width, and the middles of its cards, in pixels from the left. */
export type Tag = { wide: number; cards: readonly number[] };

/** The distance of lines from a tag's corner, and of tags from each other. */
const CORNER = 6;
export const TAGS_APART = 4;

/**
 * Return where each tag begins, left to right: in the middle below its cards, or as near to it as the others and the
 * `room` allow; and at which of its pixels a line goes up to each of its cards.
 */
export function hang(tags: readonly Tag[], room: number): { left: number; lines: number[] }[] {
  const lefts: number[] = [];
  let least = 0;
  for (const { wide, cards } of tags) {
    const middle = cards.reduce((sum, card) => sum + card, 0) / cards.length;
    lefts.push(Math.max(least, middle - wide / 2));
    least = lefts.at(-1)! + wide + TAGS_APART;
  }
  let most = room;
  return tags
    .map(({ wide, cards }, index) => ({ wide, cards, left: lefts[index]! }))
    .reverse()
    .map(({ wide, cards, left: wanted }) => {
      const left = Math.max(0, Math.min(wanted, most - wide));
      most = left - TAGS_APART;
      return {
        left,
        lines: cards.map((card) => Math.max(CORNER, Math.min(card - left, wide - CORNER))),
      };
    })
    .reverse();
}
