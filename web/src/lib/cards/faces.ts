import { COURTS } from './courts';
import { RANKS, read, rankWidth, STAR, SUITS, type Suit } from './glyphs';
import { circle, placed, star } from './path';

/**
 * One stroke or area of a card's face. `as` is its class: what is filled and what is drawn as a line, and in which
 * of the card's colours, the style sheet says.
 */
export interface Layer {
  d: string;
  as: string;
}

const WIDTH = 100;
const HEIGHT = 140;

/** Where the pips of a rank lie: column and height; those below the middle are upside down. */
const [LEFT, MIDDLE, RIGHT] = [35.5, 50, 64.5];
const [TOP, BOTTOM] = [26, 114];
const THIRD = (BOTTOM - TOP) / 3;
const PIPS: Record<string, [number, number][]> = (() => {
  const corners = both(TOP).concat(both(BOTTOM));
  const six = corners.concat(both(70));
  const four = corners.concat(both(TOP + THIRD), both(BOTTOM - THIRD));
  return {
    '2': [mid(TOP), mid(BOTTOM)],
    '3': [mid(TOP), mid(70), mid(BOTTOM)],
    '4': corners,
    '5': [...corners, mid(70)],
    '6': six,
    '7': [...six, mid((TOP + 70) / 2)],
    '8': [...six, mid((TOP + 70) / 2), mid((BOTTOM + 70) / 2)],
    '9': [...four, mid(70)],
    '10': [...four, mid(TOP + THIRD / 2), mid(BOTTOM - THIRD / 2)],
  };
})();

function both(y: number): [number, number][] {
  return [
    [LEFT, y],
    [RIGHT, y],
  ];
}

function mid(y: number): [number, number] {
  return [MIDDLE, y];
}

/** Return path data moved to (x, y), together with a copy of it that is turned with the card by half a turn. */
function twice(data: string, x: number, y: number, scale: number): string {
  return placed(data, x, y, scale) + placed(data, WIDTH - x, HEIGHT - y, -scale);
}

const memory = new Map<string, Layer[]>();

function remembered(key: string, draw: () => Layer[]): Layer[] {
  let found = memory.get(key);
  if (!found) memory.set(key, (found = draw()));
  return found;
}

/** The full face in a box of 100 by 140. */
export function full(card: string, as: string | null = null): Layer[] {
  return remembered(`full ${card} ${as ?? ''}`, () => {
    const { rank, suit } = read(card);
    if (rank === 'JK') return joker(as);
    if (!suit) return [];
    return [...corner(rank, suit), ...(COURTS[rank] ? court(rank, suit) : pips(rank, suit))];
  });
}

/** The index in the corner: the rank, the suit under it. */
function corner(rank: string, suit: Suit): Layer[] {
  const scale = rank === '10' ? 1.12 : 1.22;
  const left = 13.5 - (rankWidth(rank) / 2) * scale;
  return [
    {
      d:
        placed(RANKS[rank] ?? '', left, 7, scale) +
        placed(RANKS[rank] ?? '', WIDTH - left, HEIGHT - 7, -scale),
      as: `rank ${suit}`,
    },
    { d: twice(SUITS[suit], 13.5, 42, 0.8), as: `ink ${suit}` },
  ];
}

function pips(rank: string, suit: Suit): Layer[] {
  const at = PIPS[rank];
  if (!at) return [{ d: placed(SUITS[suit], 50, 70, 2.7), as: `ink ${suit}` }];
  const data = at.map(([x, y]) => placed(SUITS[suit], x, y, y > 70 ? -0.95 : 0.95));
  return [{ d: data.join(''), as: `ink ${suit}` }];
}

const PANEL = 'M27 17H73V123H27Z';
const MEDALLION = circle(50, 70, 10.5);

function court(rank: string, suit: Suit): Layer[] {
  const halves = (COURTS[rank] ?? []).map(({ d, as }) => ({
    d: d + placed(d, WIDTH, HEIGHT, -1),
    as: `${as} ${suit}`,
  }));
  return [
    { d: PANEL, as: `ground ${suit}` },
    ...halves,
    { d: 'M27 70H73', as: `edge ${suit}` },
    { d: MEDALLION, as: 'paper' },
    { d: MEDALLION, as: `edge ${suit}` },
    { d: placed(SUITS[suit], 50, 70, 0.68), as: `ink ${suit}` },
    { d: PANEL, as: `frame ${suit}` },
  ];
}

/** A joker: the star with all four suits in it; one that represents a card shows that card's index. */
function joker(as: string | null): Layer[] {
  const named = as ? read(as) : null;
  const head = named?.suit
    ? [...corner(named.rank, named.suit), { d: twice(STAR, 13.5, 60, 0.7), as: 'ink J' }]
    : [{ d: twice(STAR, 14.5, 19, 1.05), as: 'ink J' }];
  return [
    ...head,
    { d: star(50, 70, 40, 30.6), as: 'edge J' },
    { d: star(50, 70, 36, 27.5), as: 'ink J' },
    { d: star(50, 70, 29, 22.2), as: 'white-line J' },
    { d: circle(50, 70, 18.5), as: 'paper' },
    ...fourSuits(50, 70, 0.56, 9),
  ];
}

/** The index face in a box of 100 by 140: made for 20 to 71 pixels. A covered card keeps what still shows. */
export function index(card: string, as: string | null, covered: boolean): Layer[] {
  return remembered(`index ${card} ${as ?? ''} ${covered}`, () => {
    const { rank, suit } = read(card);
    if (rank === 'JK') return jokerIndex(as, covered);
    if (!suit) return [];
    const layers = indexCorner(rank, suit);
    if (!covered) layers.push({ d: placed(SUITS[suit], 70, 110, 2.35), as: `ink ${suit}` });
    return layers;
  });
}

function indexCorner(rank: string, suit: Suit): Layer[] {
  const scale = rank === '10' ? 2.2 : 2.45;
  return [
    {
      d: placed(RANKS[rank] ?? '', 25 - (rankWidth(rank) / 2) * scale, 10 + (2.45 - scale) * 10, scale),
      as: `rank big ${suit}`,
    },
    { d: placed(SUITS[suit], 25, 80, 1.5), as: `ink ${suit}` },
  ];
}

function jokerIndex(as: string | null, covered: boolean): Layer[] {
  const named = as ? read(as) : null;
  const layers = named?.suit
    ? [...indexCorner(named.rank, named.suit), { d: placed(STAR, 25, 116, 1.25), as: 'ink J' }]
    : [{ d: placed(STAR, 26, 32, 2.1), as: 'ink J' }];
  if (covered) return layers;
  const [x, y, size] = named?.suit ? [70, 110, 2.35] : [64, 98, 3];
  return [
    ...layers,
    { d: star(x, y, size * 10, size * 7.65), as: 'ink J' },
    { d: circle(x, y, size * 5.6), as: 'paper' },
    ...fourSuits(x, y, size * 0.19, size * 2.9),
  ];
}

function fourSuits(x: number, y: number, scale: number, away: number): Layer[] {
  return [
    { d: placed(SUITS.S, x, y - away, scale), as: 'ink S' },
    { d: placed(SUITS.H, x + away, y, scale), as: 'ink H' },
    { d: placed(SUITS.C, x, y + away, scale), as: 'ink C' },
    { d: placed(SUITS.D, x - away, y, scale), as: 'ink D' },
  ];
}

/** A strip of the pile: the rank over the suit, in a box of the strip's own size. */
export function strip(card: string, as: string | null, width: number, height: number): Layer[] {
  return remembered(`strip ${card} ${as ?? ''} ${width} ${height}`, () => {
    const [shown, joker] = [read(as || card), card === 'JK'];
    const size = Math.min((width * 0.6) / 14, (height * 0.41) / 20);
    const pip = Math.min(width * 0.52, height * 0.34) / 20;
    if (!shown.suit) {
      return joker
        ? [{ d: placed(STAR, width / 2, height / 2, Math.min(width, height) / 28), as: 'ink J' }]
        : [];
    }
    const scale = shown.rank === '10' ? size * 0.93 : size;
    const head: Layer = {
      d: placed(
        RANKS[shown.rank] ?? '',
        width / 2 - (rankWidth(shown.rank) / 2) * scale,
        height * 0.3 - 10 * scale,
        scale,
      ),
      as: `rank strip ${shown.suit}`,
    };
    if (!joker)
      return [head, { d: placed(SUITS[shown.suit], width / 2, height * 0.74, pip), as: `ink ${shown.suit}` }];
    return [
      head,
      { d: placed(SUITS[shown.suit], width * 0.3, height * 0.74, pip * 0.62), as: `ink ${shown.suit}` },
      { d: placed(STAR, width * 0.7, height * 0.74, pip * 0.62), as: 'ink J' },
    ];
  });
}

/** A card in running text, in a box 34 by 20: the rank, the suit after it. */
export function chip(card: string, as: string | null): Layer[] {
  return remembered(`chip ${card} ${as ?? ''}`, () => {
    const [shown, joker] = [read(as || card), card === 'JK'];
    if (!shown.suit) return joker ? [{ d: placed(STAR, 17, 10, 0.8), as: 'ink J' }] : [];
    const scale = 0.66;
    const left = 10 - (rankWidth(shown.rank) / 2) * scale;
    return [
      { d: placed(RANKS[shown.rank] ?? '', left, 3.4, scale), as: `rank chip ${shown.suit}` },
      { d: placed(SUITS[shown.suit], 24, 10, 0.62), as: `ink ${shown.suit}` },
      ...(joker ? [{ d: placed(STAR, 40, 10, 0.62), as: 'ink J' }] : []),
    ];
  });
}

/** Diagonal lines both ways over a back, this far apart. */
function lattice(step: number): string {
  const lines: string[] = [];
  for (let at = 10; at <= 220; at += step) {
    const [x, y] = [Math.min(90, at), Math.max(10, at - 80)];
    const [left, low] = [Math.max(10, at - 120), Math.min(130, at)];
    if (y > low) continue;
    lines.push(`M${x} ${y}L${left} ${low}`, `M${100 - x} ${y}L${100 - left} ${low}`);
  }
  return lines.join('');
}

/** Waves across a back, this far apart. */
function waves(step: number): string {
  const lines: string[] = [];
  for (let y = 14; y <= 126; y += step) lines.push(`M10 ${y}Q20 ${y - 8} 30 ${y}T50 ${y}T70 ${y}T90 ${y}`);
  return lines.join('');
}

/**
 * The card back. It contains all four patterns, and the style shows one: stars and crosses like Persian tiles, a
 * lattice, waves, or a plain frame. A small card has one star where a large one has four.
 */
export function back(small: boolean): Layer[] {
  return remembered(`back ${small}`, () => {
    const [columns, rows] = small ? [2, 3] : [4, 6];
    const [step, left, top] = [84 / columns, 8, (140 - (84 / columns) * rows) / 2];
    const centres = Array.from({ length: columns * rows }, (_, i): [number, number] => [
      left + step * ((i % columns) + 0.5),
      top + step * (Math.floor(i / columns) + 0.5),
    ]);
    const stars = (size: number): string =>
      centres.map(([x, y]) => star(x, y, step * size, step * size * 0.765)).join('');
    return [
      { d: 'M5 5H95V135H5Z', as: 'back-ground' },
      { d: stars(0.5), as: 'tile' },
      { d: stars(0.27), as: 'tile-heart' },
      { d: lattice(small ? 30 : 15), as: 'lattice' },
      { d: waves(small ? 21 : 13), as: 'waves' },
      { d: `M15 15H85V125H15Z${star(50, 70, 18, 14)}`, as: 'plain' },
    ];
  });
}
