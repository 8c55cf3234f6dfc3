/** Where the focus goes when its element is removed. */
import { tick } from 'svelte';

/**
 * Keep the focus within `home`. When the focused element is removed, `next` is called with whether it was one of the
 * actions, and moves the focus to what the player needs next. An element that is only moved, such as a card when the
 * hand is sorted, gets the focus back. Return a function that stops this.
 */
export function keepFocus(home: HTMLElement, next: (action: boolean) => void): () => void {
  let last: { element: Element; action: boolean } | null = null;
  /** Whether it was an action whose focus has no other place yet, as long as that is loading. */
  let pending: boolean | null = null;
  const came = (event: FocusEvent): void => {
    pending = null;
    const element = event.target as Element;
    last = { element, action: element.closest('[data-action]') !== null };
  };
  let left: Element | null = null;
  const went = (event: FocusEvent): void => {
    left = event.target as Element;
    queueMicrotask(() => {
      if (last?.element.isConnected && nowhere()) last = null;
    });
  };
  const kept = new MutationObserver((changes) => {
    const moved = left?.isConnected && nowhere() && changes.some((change) => takes(change, left));
    if (moved) (left as HTMLElement).focus();
    left = null;
    if (last && !last.element.isConnected) {
      pending = last.action;
      last = null;
    }
    if (pending === null) return;
    const action = pending;
    // After the page has been updated.
    void tick().then(() => {
      if (!nowhere()) pending = null;
      else if (pending !== null) next(action);
    });
  });
  home.addEventListener('focusin', came);
  home.addEventListener('focusout', went);
  kept.observe(home, { childList: true, subtree: true });
  return () => {
    kept.disconnect();
    home.removeEventListener('focusin', came);
    home.removeEventListener('focusout', went);
  };
}

/** Return whether this mutation removed or moved the element or one of its ancestors. */
const takes = ({ removedNodes }: MutationRecord, element: Element | null): boolean =>
  [...removedNodes].some((node) => node.contains(element));

const nowhere = (): boolean => !document.activeElement || document.activeElement === document.body;

/** Focus the first element that matches the selector. Of one higher than half the window the beginning is shown. */
export function focusOn(home: HTMLElement | undefined, selector: string): void {
  const element = home?.querySelector<HTMLElement>(selector);
  element?.focus();
  if (element && element.offsetHeight > innerHeight / 2)
    element.scrollIntoView({ block: 'start', inline: 'nearest' });
}

/** Focus the primary action, or else the first one that is open. Return whether there was one. */
export function focusAction(home: HTMLElement): boolean {
  const open = [...home.querySelectorAll<HTMLElement>('.act [data-action][aria-disabled="false"]')];
  const action = open.find((each) => each.classList.contains('primary')) ?? open[0];
  action?.focus();
  return action !== undefined;
}

/** Focus the table itself, or the heading of what is shown in its place once that is there. */
export function focusTable(home: HTMLElement): void {
  const main = home.querySelector('main');
  const target = main?.matches('.after') ? main.querySelector<HTMLElement>('h1') : main;
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}
