/** Where the focus goes when what had it is taken away. */
import { tick } from 'svelte';

/**
 * What had the focus and is taken away leaves it to what the player needs next, never to nothing: `next` is then
 * called, and told whether one of the actions had it. What is only moved, as a card of a hand that is sorted anew,
 * gets it back. Returns what ends this.
 */
export function keepFocus(home: HTMLElement, next: (action: boolean) => void): () => void {
  let last: { element: Element; action: boolean } | null = null;
  const came = (event: FocusEvent): void => {
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
    if (!last || last.element.isConnected) return;
    const { action } = last;
    last = null;
    // Once all is shown as it now is.
    void tick().then(() => nowhere() && next(action));
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

/** Whether this change took the element, or what it lies in, from its place. */
const takes = ({ removedNodes }: MutationRecord, element: Element | null): boolean =>
  [...removedNodes].some((node) => node.contains(element));

const nowhere = (): boolean => !document.activeElement || document.activeElement === document.body;

/** The first element that this selects gets the focus. */
export function focusOn(home: HTMLElement | undefined, selector: string): void {
  home?.querySelector<HTMLElement>(selector)?.focus();
}

/** Of the actions that are open the primary one gets the focus, or the first; whether there was one. */
export function focusAction(home: HTMLElement): boolean {
  const open = [...home.querySelectorAll<HTMLElement>('.act [data-action][aria-disabled="false"]')];
  const action = open.find((each) => each.classList.contains('primary')) ?? open[0];
  action?.focus();
  return action !== undefined;
}

/** The table itself gets the focus. */
export function focusTable(home: HTMLElement): void {
  const main = home.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus({ preventScroll: true });
}
