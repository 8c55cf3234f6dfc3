/** How large the melds lie: in the room they have, with what stands over them and hangs from them. */

/** What is known of a meld before it is drawn: its cards, the width of what stands over them, and whether tags hang. */
export type MeldBox = { cards: number; caption: number; tagged: boolean };

/** What melds are laid into, in pixels: `besides`, or `close` where rows lie close, and `tags` are what a row needs
 * besides its cards. */
export type MeldRoom = {
  width: number;
  height: number;
  gap: number;
  besides: number;
  close: number;
  tags: number;
  overlap: number;
  /** The sides lie under one another, not beside one another. */
  stacked: boolean;
};

/** How wide the cards of melds are, how high all of them then lie, and whether rows without tags lie closer. */
export type MeldFit = { width: number; height: number; dense: boolean };

/**
 * The largest cards with which the melds of all sides fit into their room, from `base` down to `least`; before
 * they shrink their rows move together. Where even the smallest do not fit, the melds scroll.
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

/** From how many cards on those of a meld lie closer, and how close. */
export const MELD_CROWD = 7;
export const MELD_CLOSE = 0.55;

function heightOf(sides: readonly MeldBox[][], room: MeldRoom, width: number, dense: boolean): number {
  const heights = sides.map((melds) =>
    rowsOf(melds, room, width).reduce(
      (sum, tagged) =>
        sum + width * 1.4 + (dense ? room.close + (tagged ? room.tags : 0) : room.besides + room.tags),
      0,
    ),
  );
  return room.stacked ? heights.reduce((sum, height) => sum + height, 0) : Math.max(0, ...heights);
}

/** The rows that melds fill, each with whether a tag hangs in it. */
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
