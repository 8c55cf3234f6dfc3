/** Places that scroll by themselves, and say so. */

/**
 * Keep `data-more` of a place that scrolls up to date: `above`, `below`, `both` or nothing, where more of it is out
 * of sight. While it scrolls, `focusable` puts it on the way of the keyboard.
 */
export function edges(place: HTMLElement, focusable = false): { destroy: () => void } {
  function look(): void {
    const above = place.scrollTop > 1;
    const below = place.scrollTop + place.clientHeight < place.scrollHeight - 1;
    place.dataset.more = above && below ? 'both' : above ? 'above' : below ? 'below' : '';
    if (focusable) place.tabIndex = above || below ? 0 : -1;
  }
  const sized = new ResizeObserver(look);
  const filled = new MutationObserver(() => requestAnimationFrame(look));
  sized.observe(place);
  filled.observe(place, { childList: true, subtree: true, attributes: true, attributeFilter: ['style'] });
  place.addEventListener('scroll', look, { passive: true });
  return {
    destroy: () => {
      sized.disconnect();
      filled.disconnect();
      place.removeEventListener('scroll', look);
    },
  };
}

/** Scroll what lies in such places into sight; nothing around them moves. */
export function reveal(item: Element | null | undefined): void {
  let place = placeOf(item);
  for (; item && place; place = placeOf(place.parentElement)) {
    const [own, around] = [item.getBoundingClientRect(), place.getBoundingClientRect()];
    if (own.bottom > around.bottom) place.scrollTop += own.bottom - around.bottom;
    if (own.top < around.top) place.scrollTop += own.top - around.top;
  }
}

/** The place that something scrolls with, if it lies in one. */
export const placeOf = (item: Element | null | undefined): Element | null =>
  item?.closest('[data-more]') ?? null;
