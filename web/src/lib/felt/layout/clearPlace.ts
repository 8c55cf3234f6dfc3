/** Where something is shown over the table, so that it covers as little as possible. */

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

/** Return the largest part of `room` that none of these boxes reaches into. */
export function clearRoom(room: Box, boxes: readonly Box[]): Box {
  const right = ({ left, width }: Box): number => left + width;
  const bottom = ({ top, height }: Box): number => top + height;
  let best = { ...room, width: 0, height: 0 };
  for (const left of [room.left, ...boxes.map(right)])
    for (const top of [room.top, ...boxes.map(bottom)])
      for (const end of [right(room), ...boxes.map((box) => box.left)])
        for (const low of [bottom(room), ...boxes.map((box) => box.top)]) {
          const found = { left, top, width: end - left, height: low - top };
          const larger = found.width > 0 && found.width * found.height > best.width * best.height;
          if (larger && found.height > 0 && boxes.every((box) => covered(found, box) === 0)) best = found;
        }
  return best;
}

/** What a notice or a conversation leaves in sight. */
const KEPT_CLEAR = ['.seats', '.under', '.stock', '.pile'].map((part) => `main.ground ${part}`).join();

/** Call `shown` with the largest room over the melds, now and whenever a part of the felt gets another size. */
export function overMelds(shown: (room: Box) => void): () => void {
  const felt = document.querySelector('main.ground');
  const parts = [...document.querySelectorAll(KEPT_CLEAR)];
  // The observer calls after layout.
  const watch = new ResizeObserver(() => {
    const boxes = parts.filter((part) => part.isConnected).map((part) => part.getBoundingClientRect());
    if (felt) shown(clearRoom(felt.getBoundingClientRect(), boxes));
  });
  for (const part of felt ? [felt, ...parts] : []) watch.observe(part);
  return () => watch.disconnect();
}
