/** A swipe downwards over an element. */

/** The distance that is a swipe, in pixels. */
const FAR = 24;

/** Call `then` when a finger or the mouse swipes down over the element; the click that would follow does nothing. */
export function swipedDown(element: HTMLElement, then: () => void): { destroy: () => void } {
  let from: number | null = null;
  let swiped = false;
  const down = ({ clientY }: PointerEvent): void => {
    from = clientY;
    swiped = false;
  };
  const move = ({ clientY }: PointerEvent): void => {
    if (from === null || clientY - from < FAR) return;
    from = null;
    swiped = true;
    then();
  };
  const up = (): void => {
    from = null;
  };
  const click = (event: Event): void => {
    if (swiped) event.stopPropagation();
    swiped = false;
  };
  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('click', click, true);
  return {
    destroy(): void {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('click', click, true);
    },
  };
}
