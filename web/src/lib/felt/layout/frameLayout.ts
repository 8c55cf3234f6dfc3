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
  /** Whether the seats show what was done since the viewer's turn. */
  recap: boolean;
};

/** The place of the hand. Cards are `card` wide; `rows` is the least number of rows. */
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
  /** The height of the cards; `raise` is the space above them for raised cards. */
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
  /** The height of a phone's actions below the hand. */
  actions: number;
  /** The largest width of a card in the hand, also for a spectator: cards on the felt are measured by it. */
  largest: number;
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
/** The narrowest distance at which a card can be touched. */
export const TOUCH = 24;
/** Return how a window is divided; this does not depend on the cards on the table. */
export function modeOf({ width, height, scale }: View): Mode {
  const [wide, high] = [width / scale, height / scale];
  const sideways = high >= SIDEWAYS.low && high < SIDEWAYS.high && wide > high * SIDEWAYS.ratio;
  if (sideways && wide < SIDEWAYS.width) return 'land';
  return wide < LEAST_STAGE ? 'phone' : 'stage';
}

/** Return the sizes of all parts of a window, given what lies on the table. */
export function frameOf(view: View, content: Content): Frame {
  const mode = modeOf(view);
  const unscaled = { width: view.width / view.scale, height: view.height / view.scale, scale: 1 };
  const inUnits = { ...content, lesson: content.lesson / view.scale };
  const make = { stage: stageFrame, phone: phoneFrame, land: landFrame }[mode];
  return scaled(make(unscaled, inUnits), view.scale);
}

function scaled(frame: Frame, by: number): Frame {
  const lengths = [
    'width',
    'header',
    'felt',
    'command',
    'line',
    'tray',
    'actions',
    'largest',
    'seat',
  ] as const;
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
  // A very large window keeps room for the last plays on either side.
  const stage = Math.min(width - 32, 1560 * Math.max(1, grow), Math.max(1888, width - 420));
  // The hand shrinks with the height, and with a narrow window.
  const byHeight = upright ? (height < 1100 ? 88 : 100) : 116 * cards - 28 * first - 24 * (low - first);
  const card = Math.round(Math.min(byHeight, width / (upright ? 8 : 9)));
  const raise = 16;
  const bracket = 26 - 4 * first;
  const header = (52 - 6 * first) * text;
  const command = content.seated ? 58 - 12 * first : 44 * text;
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
    actions: 0,
    largest: card,
    hand: {
      card,
      step: card * 0.64,
      least: TOUCH,
      gap: 16 * grow,
      rows: 1,
      drop: 0.5,
      height: card * 1.4,
      raise,
      margin: upright ? 8 : (width < 1200 ? 212 : 230) * text,
    },
    seat: 34 * grow,
  };
}

// --- a phone held upright ---------------------------------------------------------------------------

export const PHONE = { header: 44, status: 44, actions: 56, gap: 6, inset: 10 };
/** The actions and the header of a low window, and of a narrow one with large text: two rows of buttons. */
const LOW_ACTIONS = 50;
const LOW_HEADER = 40;
const SLIM_ACTIONS = 116;
const RAISE = 12;
/** Two rows of a hand: how far the lower one lies below the upper one, as a part of a card's height. */
const DROP = 0.74;
/** The least height for melds and pile. */
const LEAST_ROOM = 190;

/** Return how a phone’s seats are arranged, and the height of the strip below them with one seat’s turn in words. */
export function phoneSeats(
  { others, open, recap }: Content,
  low: boolean,
  slim: boolean,
): { columns: number; high: number; strip: number } {
  const columns = Math.max(1, slim ? Math.min(2, others) : others > 3 ? 4 : others);
  // With more than three seats the plates have no line for points.
  const high = (others > 3 ? (low ? 47 : 58) : 66) + (open > 0 ? 36 : 0);
  return { columns, high, strip: recap && !low && !slim && open === 0 ? 52 : 0 };
}

type HandShape = Pick<HandRoom, 'card' | 'step' | 'rows' | 'drop'>;

/** Return how a phone holds a hand: in one row while half of each card is in sight, else in two of equal length. */
function phoneHand(count: number, inner: number, low: boolean, many: boolean, grow: number): HandShape {
  const one = (low ? (many ? 54 : 60) : 66) * grow;
  if (one * (1 + 0.5 * (count - 1)) <= inner) return { card: one, rows: 1, step: one * 0.62, drop: 1 };
  const perRow = (card: number): number => Math.floor((inner - card) / TOUCH) + 1;
  const two = (low ? 54 : 64) * grow;
  if (count <= 2 * perRow(two)) return { card: two, rows: 2, step: two * 0.8, drop: DROP };
  const small = 44;
  return { card: small, rows: Math.ceil(count / perRow(small)), step: small * 0.8, drop: 0.6 };
}

function phoneFrame({ width, height: window }: View, content: Content): Frame {
  const low = window < PHONE_LOW;
  const slim = width < SLIM_BELOW;
  const grow = between(1, width / 390, 1.4);
  const scrolls = window < LEAST_HEIGHT;
  const height = Math.max(window, LEAST_HEIGHT);
  const inner = width - 2 * PHONE.inset;
  const seats = phoneSeats(content, low, slim);
  const header = slim ? 88 : low ? LOW_HEADER : PHONE.header;
  // Large text makes the buttons of a narrow window two rows.
  const actions = content.seated ? (slim ? SLIM_ACTIONS : low ? LOW_ACTIONS : PHONE.actions) : 0;
  const command = PHONE.status * (width < STACKED_BELOW ? STACKED : 1);
  const shape = phoneHand(content.hand, inner, low, content.others > 3, grow);
  const tray = content.seated
    ? RAISE + Math.round(shape.card * 1.4 * (1 + (shape.rows - 1) * shape.drop))
    : 0;
  const free = height - header - command - actions - tray - PHONE.gap - content.lesson;
  const seatRows = Math.ceil(content.others / seats.columns);
  const least = seatRows * seats.high + seats.strip + LEAST_ROOM;
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
    felt: Math.max(free, least),
    command,
    line: inner,
    tray,
    actions,
    largest: content.seated ? shape.card : 66 * grow,
    hand: {
      ...shape,
      least: TOUCH,
      gap: 0,
      height: tray - RAISE,
      raise: RAISE,
      margin: 0,
    },
    seat: 20,
  };
}

// --- a phone held sideways --------------------------------------------------------------------------

/** The least height of the felt, and that of a seat beside it. */
const LEAST_LAND = 150;
const LEAST_SEAT = 27;
const LAND_CARD = 72;

function landFrame({ width, height }: View, content: Content): Frame {
  const header = 40;
  const raise = 10;
  // Status and actions are beside the hand; many cards are smaller and take several rows.
  const line = between(220, width * 0.336, 284);
  const inner = width - line - 32;
  const tall = height < 340 ? 60 : LAND_CARD;
  const perRow = (card: number): number => Math.floor((inner - card) / TOUCH) + 1;
  const drop = 0.55;
  let rows = 1;
  let card = tall;
  while (content.hand > rows * perRow(card)) {
    rows += 1;
    card = tall / (1 + (rows - 1) * drop);
  }
  const cards = Math.round(tall * 1.4);
  const tray = content.seated ? raise + cards : 0;
  const command = content.seated ? 46 : 44;
  const felt = height - header - (content.seated ? tray + 4 : command) - content.lesson;
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
    line,
    tray,
    actions: 0,
    largest: tall,
    hand: {
      card,
      step: card * 0.7,
      least: TOUCH,
      gap: 0,
      rows,
      drop,
      height: cards,
      raise,
      margin: line + 10,
    },
    seat: 20,
  };
}
