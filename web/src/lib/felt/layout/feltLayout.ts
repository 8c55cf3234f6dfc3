/** The division of a table's felt: seats along the far edge, melds, and pile; see `frameLayout.ts` and `ladder.ts`. */

import { phoneSeats, TOUCH, type Content, type Frame } from './frameLayout';
import {
  BESIDE_STOCK,
  fit,
  HEADING,
  HIGH,
  measures,
  OVER_ROWS,
  pileRoom,
  roomsTo,
  squeezed,
  type Fit,
  type PileFit,
  type Task,
} from './ladder';

/** The columns and rows of places in a room. */
export type Room = { places: number; columns: number; rows: number };

/** The division of the felt. Positions are from its upper inline-start corner. */
export type Felt = {
  /**
   * The seats' grid: `high` is the height of one, `recap` whether there is room for what it did, `beside` whether that
   * lies beside its name.
   */
  seats: {
    start: number;
    top: number;
    width: number;
    columns: number;
    high: number;
    gap: number;
    recap: boolean;
    beside: boolean;
  };
  /** The strip below a phone's seats with one seat's turn in words; its height is 0 where there is none. */
  strip: { top: number; high: number };
  /** Where the melds lie. */
  area: { start: number; top: number; width: number; height: number };
  columns: number;
  rows: number;
  /** The rooms that the deal had until now, the present one last. */
  rooms: Room[];
  place: { width: number; height: number };
  gap: { x: number; y: number };
  /** The additional gap between the melds of one side and those of the other. */
  half: number;
  /** The width of the cards of melds. */
  card: number;
  caption: { high: number; font: number; mark: number; name: boolean };
  heading: number;
  /** The width of a side's heading. */
  headingWidth: number;
  /**
   * `height` is that of the cards in sight; `rows` may be more than are in sight. `room` is the width beside the stock,
   * `above` the space for marks between heading and cards.
   */
  pile: Omit<PileFit, 'beside'> & Record<'top' | 'start' | 'gap' | 'room' | 'heading' | 'above', number>;
};

type Size = { width: number; height: number };

/** The height of the words that say how many melds are out of sight. */
export const MORE_HIGH = 20;

/** The height of an open hand below a seat's name. */
const OPEN_HAND = 52;
/** A place is at most this many cards wide, where there is room for more. */
const MOST_PLACE = 4.2;
/** A row is at most this much higher than its cards and captions, and melds begin at most this far below the seats. */
const LOOSE = { stage: 36, phone: 26, land: 26 };
const MOST_ABOVE = 60;

/** Return the division of the felt, which is `width` by `height` pixels. */
export function feltOf(frame: Frame, { width, height }: Size, content: Content): Felt {
  const size = { width: width / frame.scale, height: height / frame.scale };
  const { seats, strip, area } = dividedBy[frame.mode](frame, size, content);
  const kind = frame.mode;
  const bySide = content.bySide && kind === 'stage';
  const heading = bySide ? 30 * frame.text : 0;
  const task: Task = {
    width: area.width,
    height: Math.max(0, area.height - heading),
    kind,
    low: frame.low > 0,
    melds: content.melds,
    pile: content.pile,
    hand: frame.largest / frame.scale,
    sides: bySide,
    spare: kind === 'stage' && !frame.upright,
  };
  const { caption, gap, apart } = measures(task);
  const found = fit(task) ?? squeezed(task);
  const fits = fit(task) !== null;
  const { pile, place } = found;
  const room = pile.beside ? task.height : task.height - pile.height - apart;
  const low = found.card * HIGH + caption;
  const rowHigh = fits ? Math.min((room - (found.rows - 1) * gap.y) / found.rows, low + LOOSE[kind]) : low;
  const used = found.rows * rowHigh + (found.rows - 1) * gap.y;
  const above = fits && !pile.beside ? Math.min(MOST_ABOVE, Math.max(0, (room - used) / 2.4)) : 0;
  const wide = fits && kind === 'stage' ? Math.min(place.width, found.card * MOST_PLACE) : place.width;
  const across = found.columns * wide + (found.columns - 1) * gap.x;
  const start = area.start + Math.max(0, kind === 'stage' ? (found.width - across) / 2 : 0);
  return scaledFelt(
    {
      seats,
      strip,
      area: {
        start,
        top: area.top + heading + above,
        width: Math.min(across, found.width),
        height: Math.max(0, room - above),
      },
      columns: found.columns,
      rows: found.rows,
      rooms: fits ? rooms(task) : [roomOf(task.melds, found)],
      place: { width: bySide ? wide - 7 / found.columns : wide, height: rowHigh },
      gap,
      half: bySide ? 7 : 0,
      card: found.card,
      caption: {
        high: caption,
        font: kind === 'stage' ? 14 : 13,
        mark: kind === 'stage' ? 18 : 15,
        name: kind === 'stage',
      },
      heading,
      headingWidth: Math.min(across / 2 - gap.x, 1.5 * wide),
      pile: pileOf(frame, { area, task, found }),
    },
    frame.scale,
  );
}

/** Return the same felt with smaller cards in its places, as long as a finger hits the cards of the pile. */
export function withCards(felt: Felt, wanted: number): Felt {
  const { card, step } = felt.pile;
  const part = Math.max(wanted, Math.min(1, TOUCH / step));
  if (part === 1) return felt;
  return { ...felt, card: felt.card * part, pile: { ...felt.pile, card: card * part, step: step * part } };
}

const roomOf = (places: number, { columns, rows }: Fit): Room => ({ places, columns, rows });

/** Return the rooms of the deal so far, as they are in a window of this size. */
function rooms(task: Task): Room[] {
  return roomsTo(task).flatMap((places) => {
    const found = fit(task, places);
    return found ? [roomOf(places, found)] : [];
  });
}

function pileOf(
  { mode }: Frame,
  { area, task, found }: { area: Size & { start: number; top: number }; task: Task; found: Fit },
): Felt['pile'] {
  const { beside, ...pile } = found.pile;
  const start = beside ? area.start + found.width + 14 : area.start;
  const width = beside ? area.width - found.width - 14 : area.width;
  const inRow = Math.ceil(pileRoom(task.pile) / pile.rows);
  const wide = pile.card + BESIDE_STOCK + pile.card + (inRow - 1) * pile.step;
  const before = mode === 'phone' ? 0 : Math.max(0, (width - wide) / 2);
  return {
    ...pile,
    top: area.top + area.height - pile.height,
    start: start + before,
    gap: BESIDE_STOCK,
    room: width - before - pile.card - BESIDE_STOCK,
    heading: HEADING,
    above: pile.rows > 1 ? OVER_ROWS : 0,
  };
}

/**
 * Return the height that a felt of this width needs, so that this many melds and the pile lie in sight with the
 * smallest cards that are easily read.
 */
export function leastFelt(frame: Frame, width: number, content: Content): number {
  const readable = frame.mode === 'stage' ? 44 : 32;
  let height = 120 * frame.scale;
  for (; height < 1000 * frame.scale; height += 12 * frame.scale) {
    const felt = feltOf(frame, { width, height }, content);
    if (felt.card >= readable * frame.scale && felt.rooms.at(-1)!.places >= content.melds) break;
  }
  return Math.ceil(height);
}

type Divided = Pick<Felt, 'seats' | 'strip' | 'area'>;

const dividedBy = { stage: stageFelt, phone: phoneFelt, land: landFelt };

/** The width from which a recap lies beside its seat's name, and that of a seat below which its lines wrap. */
const BESIDE_NAME = 940;
const NARROW_SEAT = 165;
/** Where the only opponent's seat begins, as a part of the width: its name and recap lie about the middle. */
const ALONE = 0.38;

function stageFelt(frame: Frame, { width, height }: Size, content: Content): Divided {
  const { text, upright, low } = frame;
  const pad = upright ? 14 : 18;
  const inner = width - 2 * pad;
  const beside = content.others <= 3 && width >= BESIDE_NAME;
  const columns = Math.max(1, upright && content.others > 4 ? 4 : content.others);
  const lines = Math.max(1, Math.ceil(content.others / columns));
  const hands = content.open > 0 ? OPEN_HAND * text : 0;
  const wraps = !beside && inner / columns < NARROW_SEAT ? 24 : 0;
  const lined = (beside ? 70 : 118) + wraps;
  // The seats show words only if they then take less than about half of the felt.
  const recap = content.recap && lines * lined < 0.45 * height;
  const high = (recap ? lined : 52 * text) + hands;
  const top = 10 - 4 * Math.min(low, 1);
  const start = beside && content.others === 1 ? pad + ALONE * inner : pad;
  const seats = { start, top, width: width - pad - start, columns, high, gap: 8, recap, beside };
  const end = top + lines * high + 5;
  return {
    seats,
    strip: { top: end, high: 0 },
    area: { start: pad, top: end, width: inner, height: Math.max(0, height - end - 10) },
  };
}

function phoneFelt(frame: Frame, { width, height }: Size, content: Content): Divided {
  const { columns, high, strip } = phoneSeats(content, frame.low > 0, frame.slim);
  const lines = Math.max(1, Math.ceil(content.others / columns));
  const seats = { start: 8, top: 4, width: width - 16, columns, high, gap: 3, recap: true, beside: false };
  const end = 4 + lines * high;
  const top = end + (strip ? strip + 6 : 2);
  return {
    seats,
    strip: { top: end, high: strip },
    area: { start: 10, top, width: width - 20, height: Math.max(0, height - top - 12) },
  };
}

function landFelt(_: Frame, { width, height }: Size, content: Content): Divided {
  const many = content.others > 4;
  const wide = Math.min(many ? 182 : 176, width * 0.24);
  const high = (height - 8) / Math.max(many ? 1 : Math.min(3, content.others + 1), content.others);
  const seats = { start: 8, top: 4, width: wide, columns: 1, high, gap: 0, recap: true, beside: false };
  const start = wide + 22;
  return {
    seats,
    strip: { top: height, high: 0 },
    area: { start, top: 2, width: width - start - 8, height: Math.max(0, height - 3) },
  };
}

function scaledFelt(felt: Felt, by: number): Felt {
  const times = <Group extends object>(group: Group, ...except: (keyof Group)[]): Group =>
    Object.fromEntries(
      Object.entries(group).map(([name, value]) => [
        name,
        typeof value === 'number' && !except.includes(name as keyof Group) ? value * by : value,
      ]),
    ) as Group;
  return {
    ...felt,
    seats: times(felt.seats, 'columns'),
    strip: times(felt.strip),
    area: times(felt.area),
    place: times(felt.place),
    gap: times(felt.gap),
    half: felt.half * by,
    card: felt.card * by,
    caption: times(felt.caption),
    heading: felt.heading * by,
    headingWidth: felt.headingWidth * by,
    pile: times(felt.pile, 'rows'),
  };
}
