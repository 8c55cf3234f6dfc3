/** How the table is laid out in this window. */
import { innerHeight, innerWidth } from 'svelte/reactivity/window';

import { frameOf, LEAST_STAGE, modeOf, type Content, type Frame, type Mode, type View } from './frameLayout';

/** The content of a table that was not described, such as that of a replay. */
export const UNKNOWN: Content = {
  seated: false,
  others: 3,
  bySide: false,
  melds: 0,
  hand: 0,
  pile: 0,
  lesson: 0,
  open: 0,
  recap: false,
};

/** The least heights of phones, in units of text size, at whose foot there is room for controls. */
const FOOTED = { phone: 540, land: 260 };

/** A command line narrower than this has little room for status and actions. */
const LEAST_LINE = 900;

class Layout {
  /** Text set larger makes the whole table larger: a window of 1,440 at 200 % is laid out like one of 720. */
  scale = $state(1);
  #content = $state.raw<() => Content>(() => UNKNOWN);
  readonly #view = $derived({
    width: innerWidth.current ?? 1280,
    height: innerHeight.current ?? 800,
    scale: this.scale,
  });

  /** The part of the window that the table has; by default all of it. */
  #room = $state.raw<() => number>(() => 0);

  readonly mode: Mode = $derived(modeOf(this.#view));
  readonly frame: Frame = $derived(frameOf(this.#part, this.#content()));
  /** A phone, upright or sideways. */
  readonly narrow = $derived(this.mode !== 'stage');
  /** Whether status and actions have little room beside each other: a phone, or a small or upright stage. */
  readonly brief = $derived(this.narrow || this.frame.upright || this.frame.line < LEAST_LINE * this.scale);
  /** The width of the window in units of text size. */
  readonly width = $derived(this.#view.width / this.scale);
  /** The height of the window in units of text size. */
  readonly height = $derived(this.#view.height / this.scale);
  /** Whether a page's controls stay at the foot of the window, below what scrolls; else they lie in the page. */
  readonly footed = $derived(this.mode !== 'stage' && this.height >= FOOTED[this.mode]);
  /** The space beside the stage, on either side. */
  readonly margin = $derived((this.#view.width - this.frame.width) / 2);

  /** The part of the window for the table: on a desktop `#room` of its width, but at least a tablet's width. */
  get #part(): View {
    const room = this.#room();
    if (!room || this.mode !== 'stage') return this.#view;
    const width = Math.max(LEAST_STAGE * this.scale, Math.min(room, this.#view.width));
    return { ...this.#view, width, height: Math.min(this.#view.height, width) };
  }

  /** What is followed now. The end of an effect reads the state from before the change, so these are no states. */
  readonly #now: { content?: () => Content; room?: () => number } = {};

  /** Lay out the table in a part of the window with this width. Return a function that stops this. */
  within(room: () => number): () => void {
    this.#room = this.#now.room = room;
    return () => {
      if (this.#now.room === room) this.#room = () => 0;
    };
  }

  /** Lay out the table by what lies on it. Return a function that stops this. */
  follow(content: () => Content): () => void {
    this.#content = this.#now.content = content;
    return () => {
      // A board that takes another one's place follows before the other one stops.
      if (this.#now.content === content) this.#content = () => UNKNOWN;
    };
  }

  constructor() {
    this.#measure();
    new MutationObserver(() => this.#measure()).observe(document.documentElement, {
      attributeFilter: ['style'],
    });
  }

  /** Read the size of text that the page is set to. */
  #measure(): void {
    this.scale = Math.max(0.75, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1);
  }
}

export const layout = new Layout();

/** A hand that grows by more cards than this within a turn may get more rows at once. */
const GROWN = 3;

type Counts = Pick<Content, 'hand' | 'pile' | 'melds'>;

/** Keeps the counts on which sizes depend during a turn, so that nothing moves when a card is drawn, taken or laid. */
export class TurnStart {
  #turn = '';
  #kept: Counts = { hand: 0, pile: 0, melds: 0 };

  /** Return the counts by which this turn is laid out. */
  at(turn: string, now: Counts): Counts {
    const { hand, pile, melds } = turn === this.#turn ? this.#kept : now;
    this.#turn = turn;
    this.#kept = { hand: now.hand > hand + GROWN ? now.hand : hand, pile: Math.max(pile, now.pile), melds };
    return this.#kept;
  }
}
