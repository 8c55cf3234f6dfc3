/** Where something is shown over the table for a moment, so that it covers as little as possible. */

export type Box = { left: number; top: number; width: number; height: number };

const STEP = 8;
/** The distance that is kept from what must not be covered. */
const APART = 8;

const overlap = (from: number, long: number, other: number, otherLong: number): number =>
  Math.max(0, Math.min(from + long, other + otherLong) - Math.max(from, other));

const covered = (one: Box, other: Box): number =>
  overlap(one.left, one.width, other.left, other.width) *
  overlap(one.top, one.height, other.top, other.height);

/**
 * Return the place in `room` for a box of this size: it covers nothing of `last` if there is such a place, then as
 * little as possible of `others`, and is as near as possible to `wanted`, which is its middle.
 */
export function clearPlace(
  size: { width: number; height: number },
  room: Box,
  wanted: { x: number; y: number },
  last: readonly Box[],
  others: readonly Box[],
): { left: number; top: number } {
  const apart = last.map(({ left, top, width, height }) => ({
    left: left - APART,
    top: top - APART,
    width: width + 2 * APART,
    height: height + 2 * APART,
  }));
  const cost = (left: number, top: number): number[] => {
    const area = (boxes: readonly Box[]): number =>
      boxes.reduce((sum, box) => sum + covered({ left, top, ...size }, box), 0);
    const away = Math.hypot(left + size.width / 2 - wanted.x, top + size.height / 2 - wanted.y);
    return [area(apart), area(others), away];
  };
  let best = { left: room.left, top: room.top, cost: [Infinity] };
  for (let top = room.top; top <= Math.max(room.top, room.top + room.height - size.height); top += STEP)
    for (
      let left = room.left;
      left <= Math.max(room.left, room.left + room.width - size.width);
      left += STEP
    ) {
      const now = cost(left, top);
      const differs = now.findIndex((part, index) => part !== best.cost[index]);
      if (differs >= 0 && now[differs]! < best.cost[differs]!) best = { left, top, cost: now };
    }
  return best;
}
