/** How the table is laid out in the window: which grid, and how large its cards are. */
import { innerHeight, innerWidth } from 'svelte/reactivity/window';

export type Mode = 'wide' | 'desk' | 'tablet' | 'phone' | 'land';

/** Widths of cards in pixels; `step` is how far one card of the hand lies from the next. */
export type Sizes = {
  hand: number;
  step: number;
  gap: number;
  meld: number;
  overlap: number;
  seat: number;
  stock: number;
};

const SIZES: Record<Mode, Sizes> = {
  wide: { hand: 92, step: 49, gap: 16, meld: 62, overlap: 0.34, seat: 38, stock: 55 },
  desk: { hand: 72, step: 36, gap: 10, meld: 44, overlap: 0.33, seat: 30, stock: 46 },
  tablet: { hand: 104, step: 54, gap: 12, meld: 66, overlap: 0.34, seat: 40, stock: 54 },
  phone: { hand: 60, step: 27, gap: 6, meld: 36, overlap: 0.38, seat: 24, stock: 36 },
  land: { hand: 50, step: 27, gap: 6, meld: 36, overlap: 0.38, seat: 20, stock: 30 },
};
const SHORT: Partial<Record<Mode, Partial<Sizes>>> = {
  wide: { hand: 76, step: 42, gap: 12, meld: 48, stock: 38, seat: 30 },
  desk: { hand: 66, step: 34, gap: 8, meld: 42, stock: 36, seat: 28 },
  phone: { hand: 52, step: 27, meld: 32, seat: 20 },
};
const SHORT_BELOW: Record<Mode, number> = { wide: 820, desk: 720, tablet: 0, phone: 701, land: 0 };

/** The heights of windows in the layout of a phone on its side; a lower one scrolls as a page. */
const LAND = [280, 560] as const;
const SLIM_BELOW = 330;
const TINY_BELOW = 480;
/** The window size from which cards grow with it, and the largest factor. */
const ROOMY = [1440, 900] as const;
const MOST_GROWTH = 1.6;

class Layout {
  /** Text set larger makes the whole table larger: a window of 1,440 at 200 % is laid out like one of 720. */
  scale = $state(1);
  readonly width = $derived((innerWidth.current ?? 1280) / this.scale);
  readonly height = $derived((innerHeight.current ?? 800) / this.scale);

  readonly mode: Mode = $derived.by(() => {
    const { width, height } = this;
    if (height >= LAND[0] && height < LAND[1] && width > height * 1.25 && width < 1100) return 'land';
    if (width < 600) return 'phone';
    if (width < 900 || height > width * 1.15) return 'tablet';
    return width < 1280 ? 'desk' : 'wide';
  });
  /** One column, as on a phone. */
  readonly narrow = $derived(this.mode !== 'wide' && this.mode !== 'desk');
  /** Narrower than any phone: large text on a phone. */
  readonly slim = $derived(this.width < SLIM_BELOW);
  /** How much larger cards are than usual: with the text, less where it is narrow, more on a large screen. */
  readonly cards = $derived.by(() => {
    if (this.slim) return Math.max(1, (this.scale * this.width) / SLIM_BELOW);
    if (this.mode !== 'wide') return this.scale;
    return this.scale * Math.max(1, Math.min(this.width / ROOMY[0], this.height / ROOMY[1], MOST_GROWTH));
  });
  readonly short = $derived(this.height < SHORT_BELOW[this.mode]);
  /** Whether there is so little room that the table scrolls as a page. */
  readonly tiny = $derived(['phone', 'tablet'].includes(this.mode) && this.height < TINY_BELOW);

  readonly sizes: Sizes = $derived.by(() => {
    const base = { ...SIZES[this.mode], ...(this.short ? SHORT[this.mode] : {}) };
    const scaled = (size: number) => Math.round(size * this.cards * 10) / 10;
    return {
      hand: scaled(base.hand),
      step: scaled(base.step),
      gap: scaled(base.gap),
      meld: scaled(base.meld),
      overlap: base.overlap,
      seat: scaled(base.seat),
      stock: scaled(base.stock),
    };
  });

  /** Read the size of text that the page is set to. */
  measure(): void {
    this.scale = Math.max(0.75, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1);
  }
}

export const layout = new Layout();

/** Width and height of a strip of the pile, by how many there are and how wide the pile may be. */
export function stripSize(
  mode: Mode,
  count: number,
  width: number,
  scale: number,
  short: boolean,
): [number, number] {
  const sized = (w: number, h: number): [number, number] => [w * scale, h * scale];
  if (mode === 'wide') {
    if (short) return count <= 24 ? sized(38, 54) : sized(32, 48);
    if (count <= 19) return fitting(sized(46, 76), count, width, 40 * scale);
    if (count <= 24) return fitting(sized(40, 76), count, width, 36 * scale);
    return count <= 50 ? sized(40, 62) : sized(32, 48);
  }
  if (mode === 'desk') {
    if (count <= 24) return fitting(sized(34, short ? 52 : 64), count, width, 27 * scale);
    return short || count > 50 ? sized(28, 44) : sized(30, 50);
  }
  if (mode === 'tablet')
    return count <= 48 ? fitting(sized(39, 68), count, width, 35 * scale) : sized(34, 50);
  if (mode === 'land') return sized(25, 34);
  if (count > 30) return [Math.max(24, width / Math.floor(width / (24 * scale)) - 0.02), 32 * scale];
  return sized(28.5, short ? 38 : 46);
}

function fitting([w, h]: [number, number], count: number, width: number, least: number): [number, number] {
  return [Math.max(least, Math.min(w, width / count)), h];
}
