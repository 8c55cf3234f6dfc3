/** The layout of a hand: cards side by side, closer if there are many, in several rows if there are very many. */
import type { Held, Row } from './handSort';

/** A card's position in pixels from the upper left, its z-index, and how it is covered. */
export type Lying = Held & { x: number; y: number; z: number; covered: boolean; row: number };

/** The extent of a group of cards, and its row. */
export type Span = { row: Row; left: number; right: number; line: number };

/** `width` and `height` are those of a card, `all` the height of the whole hand. */
export type Fan = {
  cards: Lying[];
  spans: Span[];
  width: number;
  height: number;
  all: number;
  /** How far a row lies below the one before. */
  drop: number;
  lines: number;
};

export type Measure = {
  room: number;
  width: number;
  height: number;
  step: number;
  least: number;
  gap: number;
  /** The least number of rows. */
  lines?: number;
  /** How far a second row lies below the first. */
  drop: number;
  middle: boolean;
  mirrored: boolean;
};

type Line = { parts: { row: Row; cards: Held[] }[]; count: number };

/** Return the layout of a hand in the space there is. */
export function fan(rows: readonly Row[], m: Measure): Fan {
  const count = rows.reduce((sum, row) => sum + row.cards.length, 0);
  const gaps = Math.max(0, rows.length - 1) * m.gap;
  const fits = (step: number): boolean => step * (count - 1) + gaps + m.width <= m.room;
  const single = count === 0 || ((m.lines ?? 1) < 2 && fits(m.least));
  const lines = single ? [wholeLine(rows)] : split(rows, m);
  const cards: Lying[] = [];
  const spans: Span[] = [];
  lines.forEach((line, index) => lay(line, index, m, cards, spans));
  const all = m.height + (lines.length - 1) * m.drop;
  return { cards, spans, width: m.width, height: m.height, all, drop: m.drop, lines: lines.length };
}

function wholeLine(rows: readonly Row[]): Line {
  const parts = rows.map((row) => ({ row, cards: row.cards }));
  return { parts, count: parts.reduce((sum, part) => sum + part.cards.length, 0) };
}

/** Split the hand into as few lines as possible, filled evenly; a group is broken only if it must be. */
function split(rows: readonly Row[], m: Measure): Line[] {
  const all = rows.flatMap((row) => row.cards.map((card) => ({ row, card })));
  const perLine = Math.max(2, Math.floor((m.room - m.width - 2 * m.gap) / m.least) + 1);
  const wanted = Math.max(m.lines ?? 1, Math.ceil(all.length / perLine));
  const each = Math.ceil(all.length / wanted);
  const lines: Line[] = [];
  for (let start = 0; start < all.length; start += each) {
    const parts: Line['parts'] = [];
    for (const { row, card } of all.slice(start, start + each)) {
      const last = parts.at(-1);
      if (last?.row === row) last.cards.push(card);
      else parts.push({ row, cards: [card] });
    }
    lines.push({ parts, count: Math.min(each, all.length - start) });
  }
  return lines;
}

function lay(line: Line, index: number, m: Measure, cards: Lying[], spans: Span[]): void {
  const parts = m.mirrored ? [...line.parts].reverse() : line.parts;
  const gap = gapOf(parts.length, line.count, m);
  const gaps = Math.max(0, parts.length - 1) * gap;
  const most = line.count > 1 ? (m.room - m.width - gaps) / (line.count - 1) : m.step;
  const step = Math.max(8, Math.min(m.step, most));
  const wide = step * Math.max(0, line.count - 1) + gaps + m.width;
  const spare = Math.max(0, m.room - wide);
  let x = m.middle ? spare / 2 : m.mirrored ? spare : 0;
  let z = 0;
  for (const { row, cards: held } of parts) {
    const left = x;
    for (const card of held) {
      z += 1;
      const clear = card === held.at(-1) && step + gap >= m.width;
      cards.push({ ...card, x, y: index * m.drop, z, covered: z < line.count && !clear, row: index });
      x += step;
    }
    const over = z < line.count ? Math.min(step + gap - 4, m.width) : m.width;
    spans.push({ row, left, right: x - step + over, line: index });
    x += gap;
  }
}

/** Return the gap between groups: the usual one if there is space, else what is left. */
function gapOf(parts: number, count: number, m: Measure): number {
  if (parts < 2) return 0;
  const clear = m.width - m.step + m.gap;
  const most = (m.room - m.width - m.step * (count - 1)) / (parts - 1);
  return Math.max(m.gap, Math.min(clear, most));
}
