/** The size of the melds in the space they have, with their captions and tags. */

/** A meld before it is drawn: its number of cards, the width of its caption, and whether it has tags. */
export type MeldBox = { cards: number; caption: number; tagged: boolean };

/** The space for melds, in pixels. A row needs `loose`, or `close` if rows lie close, and `tags` in addition to its
 * cards. */
export type MeldRoom = {
  width: number;
  height: number;
  gap: number;
  loose: number;
  close: number;
  tags: number;
  overlap: number;
  /** Whether the sides lie below one another rather than side by side. */
  stacked: boolean;
};

/** The width of the cards of melds, the height of all melds, and whether rows without tags lie closer. */
export type MeldFit = { width: number; height: number; dense: boolean };

/**
 * Return the largest cards with which the melds of all sides fit, from `base` down to `least`. Rows move together
 * before cards shrink. If even the smallest cards do not fit, the melds scroll.
 */
export function meldFit(sides: readonly MeldBox[][], room: MeldRoom, base: number, least: number): MeldFit {
  const airy = heightOf(sides, room, base, false);
  if (airy <= room.height) return { width: base, height: airy, dense: false };
  for (let width = base; width > least; width -= 2) {
    const height = heightOf(sides, room, width, true);
    if (height <= room.height) return { width, height, dense: true };
  }
  return { width: least, height: heightOf(sides, room, least, true), dense: true };
}

/** The number of cards above which those of a meld lie closer, and how close. */
export const MELD_CROWD = 7;
export const MELD_CLOSE = 0.55;

function heightOf(sides: readonly MeldBox[][], room: MeldRoom, width: number, dense: boolean): number {
  const heights = sides.map((melds) =>
    rowsOf(melds, room, width).reduce(
      (sum, tagged) =>
        sum + width * 1.4 + (dense ? room.close + (tagged ? room.tags : 0) : room.loose + room.tags),
      0,
    ),
  );
  return room.stacked ? heights.reduce((sum, height) => sum + height, 0) : Math.max(0, ...heights);
}

/** Return the rows that melds fill; each says whether it has a tag. */
function rowsOf(melds: readonly MeldBox[], room: MeldRoom, width: number): boolean[] {
  const rows: boolean[] = [];
  let used = Infinity;
  for (const { cards, caption, tagged } of melds) {
    const overlap = cards > MELD_CROWD ? Math.max(room.overlap, MELD_CLOSE) : room.overlap;
    const wide = Math.max(caption, width * (1 + (cards - 1) * (1 - overlap)));
    if (used + room.gap + wide > room.width) {
      rows.push(tagged);
      used = wide;
    } else {
      rows[rows.length - 1] ||= tagged;
      used += room.gap + wide;
    }
  }
  return rows;
}
