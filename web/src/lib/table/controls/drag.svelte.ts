/** Dragging a card of the hand: how far it is moved, over which target, and where it is dropped. */

/** How many pixels a card is moved before it counts as dragged rather than tapped. */
const FROM_PX = 6;

/** Every target for cards names itself in `data-drop`: `hand`, `pile`, `melds`, `meld:3`. */
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
  /** How far it has been moved, in pixels. */
  x = $state(0);
  y = $state(0);

  #held: { key: string; x: number; y: number } | null = null;
  #over: HTMLElement | null = null;
  #ended = false;
  readonly #ondrop: (key: string, where: string, event: PointerEvent) => void;

  constructor(ondrop: (key: string, where: string, event: PointerEvent) => void) {
    this.#ondrop = ondrop;
  }

  down(event: PointerEvent, key: string): void {
    this.#ended = false;
    if (event.button !== 0) return;
    this.#held = { key, x: event.clientX, y: event.clientY };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (!this.#held) return;
    this.x = event.clientX - this.#held.x;
    this.y = event.clientY - this.#held.y;
    if (this.key === null && Math.hypot(this.x, this.y) <= FROM_PX) return;
    this.key = this.#held.key;
    this.#point(spotUnder(event));
  }

  up(event: PointerEvent): void {
    const { key } = this;
    this.cancel();
    if (key === null) return;
    this.#ended = true;
    const where = spotUnder(event)?.dataset.drop;
    if (where) this.#ondrop(key, where, event);
  }

  cancel(): void {
    this.#held = this.key = null;
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
