/** Elements with their own scrolling, and signs of it. */

/** Up to this many hidden pixels count as none, because they are only the element's own edge. */
const PADDING = 6;

/**
 * Keep `data-more` of an element that scrolls up to date: `above`, `below`, `both` or empty says where more of it is
 * hidden. While it scrolls and contains nothing focusable, it is focusable itself, so that keys scroll it.
 */
export function edges(element: HTMLElement): { destroy: () => void } {
  function look(): void {
    const above = element.scrollTop > PADDING;
    const below = element.scrollTop + element.clientHeight < element.scrollHeight - PADDING;
    element.dataset.more = above && below ? 'both' : above ? 'above' : below ? 'below' : '';
    element.tabIndex = (above || below) && !element.querySelector('button, a, [tabindex="0"]') ? 0 : -1;
  }
  const sized = new ResizeObserver(look);
  function watch(): void {
    sized.disconnect();
    for (const each of [element, ...element.children]) sized.observe(each);
  }
  const filled = new MutationObserver(watch);
  watch();
  filled.observe(element, { childList: true });
  element.addEventListener('scroll', look, { passive: true });
  return {
    destroy: () => {
      sized.disconnect();
      filled.disconnect();
      element.removeEventListener('scroll', look);
    },
  };
}

/**
 * Scroll an item in such an element into view, with its focus ring; nothing around the element moves.
 * `covered` is the height that words about what is hidden cover at either end.
 */
export function reveal(item: Element | null | undefined, covered = 0): void {
  const room = PADDING + covered;
  let element = scrollerOf(item);
  for (; item && element; element = scrollerOf(element.parentElement)) {
    const around = element.getBoundingClientRect();
    element.scrollTop += Math.max(0, item.getBoundingClientRect().bottom - around.bottom + room);
    // Where there is no room for all of it, its upper end is what has to be seen.
    element.scrollTop -= Math.max(0, around.top - item.getBoundingClientRect().top + room);
  }
}

/** Return the scrolling element that contains this one, if any. */
export const scrollerOf = (item: Element | null | undefined): Element | null =>
  item?.closest('[data-more]') ?? null;
