/** Dragging a card of the hand: how far it is moved, over which target, and where it is dropped. */

/** How many pixels a card is moved before it counts as dragged rather than tapped. */
const FROM_PX = 6;

/** The time in which a card that was not dropped on a target moves back to the hand. */
export const RETURN_MS = 160;

/** Every target for cards names itself in `data-drop`: `hand`, `pile`, `melds`, `meld:3`, `felt`. */
function spotUnder(event: PointerEvent): HTMLElement | null {
  for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
    const spot = element.closest<HTMLElement>('[data-drop]');
    if (spot) return spot;
  }
  return null;
}

export class Drag {
  /** The card that is dragged, or null. */
  key = $state<string | null>(null);
  /** How far the card has been moved, in pixels. */
  x = $state(0);
  y = $state(0);
  /** Where the card was when it was lifted, in pixels of the window. */
  left = $state(0);
  top = $state(0);
  /** Whether the card is moving back to its place. */
  returning = $state(false);

  #held: { key: string; x: number; y: number } | null = null;
  #over: HTMLElement | null = null;
  #ended = false;
  #outside = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ondrop: (key: string, where: string, event: PointerEvent) => void;
  readonly #onleave: (key: string) => void;

  /** `onleave` is called when a card leaves the hand for the first time in a drag. */
  constructor(
    ondrop: (key: string, where: string, event: PointerEvent) => void,
    onleave: (key: string) => void,
  ) {
    this.#ondrop = ondrop;
    this.#onleave = onleave;
  }

  down(event: PointerEvent, key: string): void {
    this.#ended = false;
    if (event.button !== 0) return;
    this.#end();
    this.#held = { key, x: event.clientX, y: event.clientY };
    this.#outside = false;
    ({ left: this.left, top: this.top } = (event.currentTarget as HTMLElement).getBoundingClientRect());
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.#held) return;
    this.x = event.clientX - this.#held.x;
    this.y = event.clientY - this.#held.y;
    if (this.key === null && Math.hypot(this.x, this.y) <= FROM_PX) return;
    this.key = this.#held.key;
    const spot = spotUnder(event);
    this.#point(spot);
    if (this.#outside || spot?.dataset.drop === 'hand') return;
    this.#outside = true;
    this.#onleave(this.key);
  }

  up(event: PointerEvent): void {
    const { key } = this;
    if (key === null) return this.#end();
    this.#ended = true;
    const where = spotUnder(event)?.dataset.drop;
    if (where) this.#end();
    else this.cancel();
    if (where) this.#ondrop(key, where, event);
  }

  /** Let the card go back to its place. */
  cancel(): void {
    if (this.key === null || this.returning) return this.#end();
    this.#held = null;
    this.#point(null);
    this.returning = true;
    this.x = this.y = 0;
    this.#timer = setTimeout(() => this.#end(), RETURN_MS);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#held = this.key = null;
    this.returning = false;
    this.#point(null);
  }

  /** Return whether the current click only ends a drag, and forget it. */
  ended(): boolean {
    const ended = this.#ended;
    this.#ended = false;
    return ended;
  }

  /** Mark the target under the card. */
  #point(spot: HTMLElement | null): void {
    const over = spot?.dataset.drop === 'hand' ? null : spot;
    if (over === this.#over) return;
    this.#over?.removeAttribute('data-over');
    over?.setAttribute('data-over', '');
    this.#over = over;
  }
}
