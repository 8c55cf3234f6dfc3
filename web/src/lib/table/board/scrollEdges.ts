/** Places that scroll by themselves, and say so. */

/** So little out of sight is nothing but the place's own edge. */
const PADDING = 6;

/**
 * Keep `data-more` of a place that scrolls up to date: `above`, `below`, `both` or nothing, where more of it is out
 * of sight. While it scrolls and nothing in it takes the focus, it does itself, so that keys can scroll it.
 */
export function edges(place: HTMLElement): { destroy: () => void } {
  function look(): void {
    const above = place.scrollTop > PADDING;
    const below = place.scrollTop + place.clientHeight < place.scrollHeight - PADDING;
    place.dataset.more = above && below ? 'both' : above ? 'above' : below ? 'below' : '';
    place.tabIndex = (above || below) && !place.querySelector('button, a, [tabindex="0"]') ? 0 : -1;
  }
  const sized = new ResizeObserver(look);
  function watch(): void {
    sized.disconnect();
    for (const each of [place, ...place.children]) sized.observe(each);
  }
  const filled = new MutationObserver(watch);
  watch();
  filled.observe(place, { childList: true });
  place.addEventListener('scroll', look, { passive: true });
  return {
    destroy: () => {
      sized.disconnect();
      filled.disconnect();
      place.removeEventListener('scroll', look);
    },
  };
}

/** Scroll what lies in such places into sight, with the ring it may have; nothing around them moves. */
export function reveal(item: Element | null | undefined): void {
  let place = placeOf(item);
  for (; item && place; place = placeOf(place.parentElement)) {
    const [own, around] = [item.getBoundingClientRect(), place.getBoundingClientRect()];
    place.scrollTop += Math.max(0, own.bottom - around.bottom + PADDING);
    place.scrollTop -= Math.max(0, around.top - own.top + PADDING);
  }
}

/** The place that something scrolls with, if it lies in one. */
export const placeOf = (item: Element | null | undefined): Element | null =>
  item?.closest('[data-more]') ?? null;
