/** The division of a table's felt: seats, places for melds, and pile; see `frameLayout.ts`. */

import {
  between,
  LEAST_MELD,
  PHONE,
  phoneColumns,
  phoneSeats,
  phoneStrips,
  pileHeight,
  TOUCH,
  type Content,
  type Frame,
} from './frameLayout';

/** The division of the felt. Positions are from its upper inline-start corner. */
export type Felt = {
  /** The seats' grid: `high` is the height of one, `beside` whether its recap lies beside its name. */
  seats: {
    start: number;
    top: number;
    width: number;
    columns: number;
    high: number;
    gap: number;
    beside: boolean;
  };
  /** The strip below a phone's seats with one seat's turn in words; its height is 0 where there is none. */
  strip: { top: number; high: number };
  area: { start: number; top: number; width: number; height: number };
  /** The grid of places: `base` are the rows with which a deal begins. */
  columns: number;
  firstColumns: number;
  base: number;
  rows: number;
  place: { width: number; height: number };
  gap: { x: number; y: number };
  /** The additional distance between the halves of two sides. */
  half: number;
  /** The width of the cards of melds. */
  card: number;
  caption: { high: number; font: number; mark: number; name: boolean };
  heading: number;
  /** The width of a side's heading. */
  headingWidth: number;
  pile: {
    top: number;
    height: number;
    strip: { width: number; height: number };
    /** The rows that are visible at once. */
    rows: number;
    stock: number;
    gap: number;
    /** Where the stock begins: the pile keeps its place while it grows by a few cards. */
    start: number;
    room: number;
  };
};

/** The height of the words that say how many melds are out of sight. */
export const MORE_HIGH = 20;

/** The height of an open hand below a seat's name. */
const OPEN_HAND = 52;

/** Return the division of the felt, which is `width` by `height` pixels. */
export function feltOf(
  frame: Frame,
  { width, height }: { width: number; height: number },
  content: Content,
): Felt {
  const make = { stage: stageFelt, phone: phoneFelt, land: landFelt }[frame.mode];
  return scaledFelt(
    make(frame, { width: width / frame.scale, height: height / frame.scale }, content),
    frame.scale,
  );
}

/** Return the same felt with smaller cards in its places, as long as a finger hits the strips of the pile. */
export function withCards(felt: Felt, wanted: number): Felt {
  const { strip, stock } = felt.pile;
  const part = Math.max(wanted, Math.min(1, TOUCH / strip.width));
  if (part === 1) return felt;
  const smaller = { width: strip.width * part, height: strip.height * part };
  return { ...felt, card: felt.card * part, pile: { ...felt.pile, strip: smaller, stock: stock * part } };
}

/**
 * Return the height that a felt of this width needs, so that two rows of melds are in sight; in a window that is not to
 * scroll, one row.
 */
export function leastFelt(frame: Frame, width: number, content: Content): number {
  const most = frame.mode === 'stage' ? 1 : 2;
  let height = 0;
  // A higher felt has larger parts, so that the first steps do not reach it.
  for (let step = 0; step < 16; step += 1) {
    const { area, caption, card, columns, gap } = feltOf(frame, { width, height }, content);
    const rows = between(1, Math.ceil(content.melds / columns), most);
    const more = content.melds > rows * columns ? MORE_HIGH * frame.scale : 0;
    const short = rows * (caption.high + card * 1.4 + 7 + gap.y) + more - area.height;
    if (short < 1) break;
    height += short;
  }
  return Math.ceil(height);
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
    pile: { ...times(felt.pile, 'rows'), strip: times(felt.pile.strip) },
  };
}

/**
 * The places of a desktop: six by three, upright four by five, or as many rows as there is room for; more columns for
 * more melds than that.
 */
function stageGrid(melds: number, upright: boolean, room: number) {
  const base = between(1, room, upright ? 5 : 3);
  const firstColumns = upright ? 4 : 6;
  const columns = upright || melds <= 6 * base ? firstColumns : 8;
  return { columns, firstColumns, base, rows: Math.max(base, Math.ceil(melds / columns)) };
}

/** Return how low a felt is, as `Frame.low` does for a window: beside a review it is lower than at a table. */
const feltLow = (height: number): number =>
  between(0, (560 - height) / 112, 1) + between(0, (440 - height) / 130, 1);

type Size = { width: number; height: number };

/** The width from which a recap lies beside its seat's name, and that of a seat below which its lines wrap. */
const BESIDE_NAME = 940;
const NARROW_SEAT = 165;

/** The width of a side's heading, in places. */
const HEADING_PLACES = 1.5;

function stageFelt(frame: Frame, { width, height }: Size, content: Content): Felt {
  const { grow, text, upright } = frame;
  const low = Math.max(frame.low, feltLow(height));
  const first = Math.min(low, 1);
  const cards = first > 0 ? 1 : grow;
  const padX = 20 * grow;
  const padY = (12 - 4 * first) * grow;
  const inner = width - 2 * padX;
  const beside = content.others <= 3 && width >= BESIDE_NAME;
  const columns = Math.max(1, upright && content.others > 4 ? 4 : content.others);
  const lines = Math.max(1, Math.ceil(content.others / columns));
  const wraps = !beside && inner / columns < NARROW_SEAT ? 24 : 0;
  const recap = (beside ? 68 : 116) + wraps;
  const high = (content.open > 0 ? 42 + OPEN_HAND : recap) * text;
  const heading = content.bySide ? 30 * text : 0;
  const end = padY + lines * high;
  const top = end + 6 * grow + heading;
  const start = padX;

  const caption = (20 - 2 * first) * text;
  const gap = { x: 14 * grow, y: (9 - 2 * first) * grow };
  const half = content.bySide ? 14 * grow : 0;
  const pile = stagePile({ ...frame, low }, { width, height }, content, { padX, padY, cards });
  const area = {
    start,
    top,
    width: width - 2 * start,
    height: Math.max(0, pile.top - top - (12 - 6 * first) * grow),
  };
  const least = LEAST_MELD.stage * 1.4 + caption + 2;
  const grid = stageGrid(content.melds, upright, Math.floor((area.height + gap.y) / (least + gap.y)));
  const rowHigh = (area.height - (grid.rows - 1) * gap.y) / grid.rows;
  const place = (area.width - half - (grid.columns - 1) * gap.x) / grid.columns;
  const fits = Math.floor(Math.min((rowHigh - caption - 2) / 1.4, place / 2.6, 110));
  const card = Math.max(LEAST_MELD.stage, fits);
  return {
    seats: { start, top: padY, width: inner, columns, high, gap: 8, beside },
    strip: { top: end, high: 0 },
    area,
    ...grid,
    place: { width: place, height: Math.max(rowHigh, card * 1.4 + caption + 2) },
    gap,
    half,
    card,
    caption: { high: caption, font: 14 * text, mark: 18 * text, name: true },
    heading,
    headingWidth: HEADING_PLACES * place,
    pile,
  };
}

function stagePile(
  { grow, text, low }: Frame,
  { width, height }: Size,
  { pile }: Content,
  { padX, padY, cards }: { padX: number; padY: number; cards: number },
): Felt['pile'] {
  const first = Math.min(low, 1);
  const card = Math.round(60 * cards - 14 * first - 8 * (low - first));
  const high = Math.round(card * 1.4);
  const gap = 24 * grow;
  const all = width - 2 * padX - card - gap;
  const wanted = pile > 20 ? (card * 38) / 60 : pile > 15 ? (card * 46) / 60 : card;
  const oneRow = wanted * pile <= all || all / pile >= 32;
  const strip = oneRow
    ? { width: Math.min(wanted, all / Math.max(1, pile)), height: high }
    : { width: Math.max(TOUCH, Math.min(wanted, all / Math.ceil(pile / 2), 38)), height: (high - 6) / 2 };
  // The place of the stock changes only with every fifth card.
  const steady = Math.ceil(Math.max(1, pile) / 5) * 5;
  const wide = oneRow ? Math.min(all, steady * strip.width) : all;
  return {
    top: height - padY - high - 30 * text,
    height: high + 26 * text,
    strip,
    rows: oneRow ? 1 : 2,
    stock: card,
    gap,
    start: Math.max(padX, (width - card - gap - wide) / 2),
    room: all,
  };
}

function phoneFelt(frame: Frame, { width, height }: Size, content: Content): Felt {
  const low = frame.low > 0;
  const { inset, gap: air, caption } = PHONE;
  const seats = phoneSeats(content, low, frame.slim);
  const columns = phoneColumns(content.melds, content.others, frame.slim);
  const rows = Math.max(4, Math.ceil(content.melds / columns));
  const strips = phoneStrips(content.pile, width, low);
  const lines = Math.max(1, Math.ceil(content.others / seats.columns));
  const end = 4 + lines * seats.high;
  const spare = height - seats.all - air * 3;
  // A long pile takes what the melds can spare, then it scrolls.
  const due = Math.min(rows, 4) * (LEAST_MELD.phone * 1.4 + 25);
  const beside = (melds: number): number =>
    Math.floor((spare - (content.melds ? melds : 40) - 26) / (strips.high + 6) + 0.01);
  // Three rows of it are in sight at once, as long as two rows of melds are.
  const most = Math.max(2, beside(due), Math.min(3, beside(due / 2)));
  const pileRows = Math.min(strips.rows, most);
  const pile = pileHeight(pileRows, strips.high);
  const inner = width - 2 * inset;
  const gapX = columns === 4 ? 8 : 10;
  const place = (inner - (columns - 1) * gapX) / columns;
  const top = seats.all + air;
  const area = { start: inset, top, width: inner, height: Math.max(0, height - top - pile - air) };
  const largest = (columns === 4 ? 36 : 46) * frame.grow;
  const rowHigh = Math.min(92 * frame.grow, area.height / rows);
  const fits = Math.floor(Math.min(largest, (rowHigh - caption - 7) / 1.4, place / 2.1));
  const card = Math.max(LEAST_MELD.phone, fits);
  return {
    seats: {
      start: 8,
      top: 4,
      width: width - 16,
      columns: seats.columns,
      high: seats.high,
      gap: 3,
      beside: false,
    },
    strip: { top: end, high: seats.strip },
    area,
    columns,
    firstColumns: columns,
    base: rows,
    rows,
    place: { width: place, height: Math.max(rowHigh, card * 1.4 + caption + 7) },
    gap: { x: gapX, y: 0 },
    half: 0,
    card,
    caption: { high: caption, font: 13, mark: 15, name: false },
    heading: 0,
    headingWidth: 0,
    pile: {
      top: height - pile,
      height: pile - 6,
      strip: { width: strips.wide, height: strips.high },
      rows: pileRows,
      stock: 33,
      gap: PHONE.stock - 33,
      start: inset,
      room: inner - PHONE.stock,
    },
  };
}

function landFelt(_: Frame, { width, height }: Size, content: Content): Felt {
  const many = content.others > 4;
  const side = Math.min(many ? 182 : 176, width * 0.24);
  const high = (height - 8) / Math.max(many ? 1 : 3, content.others);
  const start = side + 20;
  const inner = width - start - 12;
  const melds = (inner - 16) * 0.54;
  const columns = Math.max(2, Math.floor(melds / 88));
  const gapX = 8;
  const place = (melds - (columns - 1) * gapX) / columns;
  const area = { start, top: 6, width: melds, height: Math.max(0, height - 10) };
  const rowHigh = 34 * 1.4 + 25;
  const card = Math.min(34, Math.floor(place / 2.3));
  const room = inner - 16 - melds - PHONE.stock;
  const wide = 26;
  const perRow = Math.max(1, Math.floor(room / wide));
  const strip = 34;
  const most = Math.max(1, Math.floor((area.height - 24) / (strip + 6)));
  return {
    seats: { start: 8, top: 4, width: side, columns: 1, high, gap: 0, beside: false },
    strip: { top: height, high: 0 },
    area,
    columns,
    firstColumns: columns,
    base: 1,
    rows: Math.max(1, Math.ceil(content.melds / columns)),
    place: { width: place, height: rowHigh },
    gap: { x: gapX, y: 0 },
    half: 0,
    card,
    caption: { high: PHONE.caption, font: 13, mark: 15, name: false },
    heading: 0,
    headingWidth: 0,
    pile: {
      top: 6,
      height: area.height,
      strip: { width: wide, height: strip },
      rows: Math.min(most, Math.max(1, Math.ceil(content.pile / perRow))),
      stock: 30,
      gap: PHONE.stock - 30,
      start: start + melds + 16,
      room,
    },
  };
}
