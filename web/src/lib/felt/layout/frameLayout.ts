/**
 * The sizes of everything at a table, computed from the window and from how much lies on the table.
 *
 * `frameOf` divides the window: header, felt, command line (status and actions) and hand; `feltOf` of `feltLayout.ts`
 * divides the felt. All lengths are in pixels. Windows are measured in units of text size, so that a window with text
 * at 200 % is laid out like one of half its size.
 */

/** How the window is divided: a desktop or tablet, a phone held upright, or a phone held sideways. */
export type Mode = 'stage' | 'phone' | 'land';

/** The window: its size in pixels, and how much larger than usual its text is. */
export type View = { width: number; height: number; scale: number };

/** What lies on the table, as far as sizes depend on it. */
export type Content = {
  /** Whether the viewer has a seat. */
  seated: boolean;
  /** The number of seats that are shown, without the viewer's own. */
  others: number;
  /** Whether partners play together. */
  bySide: boolean;
  melds: number;
  /** Cards in the viewer's hand. */
  hand: number;
  /** Cards in the discard pile. */
  pile: number;
  /** The height of a lesson above the command line, in pixels. */
  lesson: number;
  /** The most cards of another seat's hand, where hands are shown. */
  open: number;
};

/** The place of the hand. Cards are `card` wide; `rows` is the least number of rows, `tuck` the visible part of them. */
export type HandRoom = {
  card: number;
  step: number;
  /** The smallest distance between two cards. */
  least: number;
  /** The distance between groups. */
  gap: number;
  rows: number;
  /** How far a second row lies below the first, as a part of a card's height. */
  drop: number;
  tuck: number;
  /** The height for the cards, and the space above them for raised ones. */
  height: number;
  raise: number;
  /** The width on either side that the hand leaves free. */
  margin: number;
};

/** The division of the window. Heights are 0 for what is not shown. */
export type Frame = {
  mode: Mode;
  scale: number;
  /** Whether the table needs more height than the window has, so that the page scrolls. */
  scrolls: boolean;
  /** Whether a tablet is held upright: own plate and tools lie below the hand. */
  upright: boolean;
  /** Whether the window is narrower than any phone, because its text is large. */
  slim: boolean;
  /** The factor by which a desktop's cards and gaps grow, and the one for its text. */
  grow: number;
  text: number;
  /** How low a desktop window is: 0 from 900 pixels on, 1 at 720, 2 at 560. */
  low: number;
  /** The width of the stage. */
  width: number;
  header: number;
  felt: number;
  command: number;
  /** The width of the command line. */
  line: number;
  tray: number;
  hand: HandRoom;
  /** The width of the seats' open and hidden cards. */
  seat: number;
};

export const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));

/** The windows of phones held sideways. */
const SIDEWAYS = { low: 280, high: 560, ratio: 1.25, width: 1100 };
/** The width of the smallest tablet; what is narrower is a phone. */
export const LEAST_STAGE = 700;
const SLIM_BELOW = 330;
/** Below this width the status has its own lines above the buttons, of which three have room. */
const STACKED_BELOW = 280;
const STACKED = 2.5;
/** Below this height the page scrolls. */
const LEAST_HEIGHT = 560;
const PHONE_LOW = 700;
/** The narrowest distance at which a card can be touched, and the distance for a finger. */
export const TOUCH = 24;
const FINGER = 46;
/** Cards of melds: the due of a phone, and the smallest anywhere. */
const DUE_MELD = 42;
/** The smallest height of an empty felt, and that in a low window. */
const DUE_EMPTY = 150;
const DUE_EMPTY_LOW = 100;
export const LEAST_MELD = { stage: 36, phone: 29 };
/** Return the division of a window, independent of the cards on the table. */
export function modeOf({ width, height, scale }: View): Mode {
  const [wide, high] = [width / scale, height / scale];
  const sideways = high >= SIDEWAYS.low && high < SIDEWAYS.high && wide > high * SIDEWAYS.ratio;
  if (sideways && wide < SIDEWAYS.width) return 'land';
  return wide < LEAST_STAGE ? 'phone' : 'stage';
}

/** Return the division of a window. */
export function frameOf(view: View, content: Content): Frame {
  const mode = modeOf(view);
  const unscaled = { width: view.width / view.scale, height: view.height / view.scale, scale: 1 };
  const inUnits = { ...content, lesson: content.lesson / view.scale };
  const make = { stage: stageFrame, phone: phoneFrame, land: landFrame }[mode];
  return scaled(make(unscaled, inUnits), view.scale);
}

function scaled(frame: Frame, by: number): Frame {
  const lengths = ['width', 'header', 'felt', 'command', 'line', 'tray', 'seat'] as const;
  const ofHand = ['card', 'step', 'least', 'gap', 'height', 'raise', 'margin'] as const;
  const result = { ...frame, scale: by, hand: { ...frame.hand } };
  for (const name of lengths) result[name] *= by;
  for (const name of ofHand) result.hand[name] *= by;
  return result;
}

// --- desktops and tablets ---------------------------------------------------------------------------

function stageFrame({ width, height: window }: View, content: Content): Frame {
  const height = Math.max(window, LEAST_HEIGHT);
  const grow = between(0.84, Math.min(width / 1440, height / 900), 1.42);
  const text = between(1, grow, 1.12);
  const cards = height >= 900 ? grow : 1;
  const low = between(0, (900 - height) / 180, 1) + between(0, (720 - height) / 160, 1);
  const first = Math.min(low, 1);
  const upright = width < 1000 && height > width;
  const stage = Math.min(width - 32, 1400 * grow);
  // The hand shrinks with the height, and with a narrow window.
  const byHeight = 116 * cards - 32 * first - 24 * (low - first);
  const card = Math.round(Math.min(byHeight, width / 9));
  const raise = 16;
  const bracket = 26 - 4 * first;
  const header = (52 - 6 * first) * text;
  const command = content.seated ? (52 - 6 * first) * text : 44 * text;
  const plate = upright ? 56 : 0;
  const tray = content.seated ? raise + card * 1.4 + bracket + plate : 0;
  const gaps = content.seated ? 24 : 16;
  return {
    mode: 'stage',
    scale: 1,
    scrolls: window < LEAST_HEIGHT,
    upright,
    slim: false,
    grow,
    text,
    low,
    width: stage,
    header,
    felt: height - header - command - tray - gaps - content.lesson,
    command,
    line: Math.min(stage - (upright ? 16 : 40), 1060 * text * Math.max(1, grow * 0.95)),
    tray,
    hand: {
      card,
      step: card * 0.64,
      least: TOUCH,
      gap: 16 * grow,
      rows: 1,
      drop: 0.5,
      tuck: 1,
      height: card * 1.4,
      raise,
      margin: upright ? 8 : (width < 1200 ? 176 : 230) * text,
    },
    seat: 34 * grow,
  };
}

// --- a phone held upright ---------------------------------------------------------------------------

export const PHONE = { header: 44, status: 44, actions: 56, gap: 6, inset: 12, caption: 18, stock: 44 };

/** The height of the strip with one seat's turn in words. */
const STRIP = 52;

/** Return how a phone's seats are arranged, the height of one, and that of all with the line under them. */
export function phoneSeats(
  { others, open }: Content,
  low: boolean,
  slim: boolean,
): { columns: number; high: number; strip: number; all: number } {
  const columns = Math.max(1, slim ? Math.min(2, others) : others > 3 ? 4 : others);
  const high = (others > 3 ? (low ? 47 : 50) : 66) + (open > 0 ? 36 : 0);
  const strip = low || slim || open > 0 ? 0 : STRIP;
  return { columns, high, strip, all: 4 + Math.ceil(others / columns) * high + strip };
}

/** The columns of a phone's melds: they change once in a deal at most. */
export function phoneColumns(melds: number, others: number, slim: boolean): number {
  if (slim) return 2;
  return melds > 12 || others === 1 ? 4 : 3;
}

export function phoneStrips(pile: number, width: number, low: boolean) {
  const inner = width - 2 * PHONE.inset - PHONE.stock;
  const wide = pile > 10 ? 26 : 29.5;
  const perRow = Math.max(1, Math.floor(inner / wide));
  return { wide, high: low ? 38 : 46, rows: Math.max(1, Math.ceil(pile / perRow)) };
}

export const pileHeight = (rows: number, strip: number): number => 26 + rows * (strip + 6);

/** The ways in which a phone holds a hand, the largest first. */
type HandMode = { card: number; rows: number; step: number; tuck: number; drop: number };

function handModes(count: number, inner: number, low: boolean, grow: number): HandMode[] {
  const perRow = (card: number): number => Math.max(2, Math.floor((inner - card) / TOUCH) + 1);
  const [large, small] = [64 * grow, 60 * grow];
  const rowsOf = (card: number): number => Math.ceil(count / perRow(card));
  const modes: HandMode[] = [];
  if (count > 7 && rowsOf(large) <= 2)
    modes.push({ card: large, rows: 2, step: FINGER * grow, tuck: 1, drop: 0.8 });
  if (rowsOf(large) <= 1) {
    modes.push({ card: large, rows: 1, step: large * 0.74, tuck: 1, drop: 1 });
    modes.push({ card: small, rows: 1, step: small * 0.74, tuck: low ? 0.64 : 0.78, drop: 1 });
  } else {
    // More cards than one row holds: smaller ones, each row showing index and suit of the one above.
    const card = rowsOf(48) > 2 ? 40 : 48;
    modes.push({ card, rows: rowsOf(card), step: FINGER, tuck: rowsOf(card) > 2 ? 1 : 0.85, drop: 0.6 });
  }
  return modes;
}

const RAISE = 12;

const modeHeight = ({ card, rows, tuck, drop }: HandMode): number =>
  RAISE + Math.round(card * 1.4 * (tuck + (rows - 1) * drop));

function phoneFrame({ width, height: window }: View, content: Content): Frame {
  const low = window < PHONE_LOW;
  const slim = width < SLIM_BELOW;
  const grow = between(1, width / 390, 1.4);
  const scrolls = window < LEAST_HEIGHT;
  const height = Math.max(window, LEAST_HEIGHT);
  const inner = width - 2 * PHONE.inset;
  const seats = phoneSeats(content, low, slim);
  const columns = phoneColumns(content.melds, content.others, slim);
  const rows = Math.max(4, Math.ceil(content.melds / columns));
  const strips = phoneStrips(content.pile, width, low);
  const pile = pileHeight(Math.min(strips.rows, 3), strips.high);
  const header = slim ? 88 : PHONE.header;
  // Large text makes the buttons of a narrow window two rows.
  const actions = content.seated ? (slim ? 116 : PHONE.actions) : 0;
  const command = PHONE.status * (width < STACKED_BELOW ? STACKED : 1);
  const fixed = header + seats.all + command + actions + pile + PHONE.gap * 6 + content.lesson;
  const empty = low ? DUE_EMPTY_LOW : DUE_EMPTY;
  const due = content.melds > 0 ? Math.min(rows, 4) * (DUE_MELD * 1.4 + 26) : empty;
  const modes = handModes(content.hand, inner, low, grow);
  const mode = modes.find((each) => height - fixed - modeHeight(each) >= due) ?? modes.at(-1)!;
  const tray = content.seated ? modeHeight(mode) : 0;
  const free = height - fixed - tray;
  const least =
    content.melds > 0 ? Math.min(rows, scrolls ? rows : 2) * (LEAST_MELD.phone * 1.4 + 25) : empty;
  const felt = seats.all + Math.max(free, least) + pile + PHONE.gap * 3;
  return {
    mode: 'phone',
    scale: 1,
    scrolls: scrolls || free < least,
    upright: false,
    slim,
    grow,
    text: 1,
    low: low ? 1 : 0,
    width,
    header,
    felt,
    command,
    line: inner,
    tray,
    hand: {
      card: mode.card,
      step: mode.step,
      least: TOUCH,
      gap: 0,
      rows: mode.rows,
      drop: mode.drop,
      tuck: mode.tuck,
      height: tray - RAISE,
      raise: RAISE,
      margin: 0,
    },
    seat: 20,
  };
}

// --- a phone held sideways --------------------------------------------------------------------------

/** The least height of a sideways phone's felt, and that of a seat beside it. */
const LEAST_LAND = 124;
const LEAST_SEAT = 27;

function landFrame({ width, height }: View, content: Content): Frame {
  const header = 40;
  const command = 44;
  // Many cards get the whole width, in as many rows as they need.
  const half = (width - 24) * 0.55;
  const crowd = content.hand > Math.floor((half - 50) / TOUCH) + 1;
  const card = crowd ? 38 : height < 400 ? 44 : 50;
  const drop = 0.55;
  const rows = crowd ? Math.ceil(content.hand / (Math.floor((width - 24 - card) / TOUCH) + 1)) : 1;
  const raise = 12;
  const hand = raise + Math.round(card * 1.4 * (1 + (rows - 1) * drop));
  const tray = content.seated ? hand : 0;
  const felt = height - header - command - tray - 12 - content.lesson;
  const least = Math.max(LEAST_LAND, 8 + content.others * LEAST_SEAT);
  return {
    mode: 'land',
    scale: 1,
    scrolls: felt < least,
    upright: false,
    slim: false,
    grow: 1,
    text: 1,
    low: 1,
    width,
    header,
    felt: Math.max(felt, least),
    command,
    line: width - 24,
    tray,
    hand: {
      card,
      step: 30,
      least: TOUCH,
      gap: 0,
      rows,
      drop,
      tuck: 1,
      height: hand - raise,
      raise,
      margin: crowd ? 0 : (width - 24) * 0.45,
    },
    seat: 20,
  };
}
