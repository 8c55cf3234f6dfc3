/** The table's keys. Those of a single letter can be turned off. */
import { settings } from '../app/settings.svelte';
import type { Shown } from './tableUi.svelte';

type At = {
  shown: Shown;
  /** Moves the focus to the hand, or to the first element of the table that this selects. */
  hand: () => void;
  focus: (selector: string) => void;
};

/** What to do with a key, wherever on the page it is pressed. */
export function pressing({ shown, hand, focus }: At): (event: KeyboardEvent) => void {
  const { place } = shown;
  const letters: Record<string, () => void> = {
    d: () => void place.plain('draw'),
    t: () => void place.take(),
    m: () => void place.meld(),
    l: () => void place.layOff(),
    x: () => void place.discard(),
    z: () => void place.undo(),
    s: () => place.nextSort(),
    r: () => void place.call(),
    h: hand,
    p: () => focus('.pile [role=option][tabindex="0"]'),
    g: () => focus('.melds'),
    '/': () => (shown.typing = true),
    '?': () => (shown.panel = 'keys'),
  };

  function escape(): void {
    if (place.choice) place.choice = null;
    else place.clear();
  }

  /** Whether a digit chooses: on the choice itself it always does. */
  function chooses(key: string, target: HTMLElement): boolean {
    const near = settings.keys || target.closest('[data-choice]') !== null;
    return place.choice !== null && /^[1-9]$/.test(key) && near;
  }

  function actionOf(key: string, target: HTMLElement): (() => void) | undefined {
    if (chooses(key, target)) return () => void place.choose(Number(key) - 1);
    if (!settings.keys || !shown.uncovered || !shown.seated) return undefined;
    return letters[key.toLowerCase()];
  }

  return (event) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (shown.panel !== null || target.closest('input, textarea, select, [contenteditable]')) return;
    if (event.key === 'Escape') escape();
    else if (event.key === 'Enter' && target === document.body) void place.primary();
    else {
      const action = actionOf(event.key, target);
      if (!action) return;
      event.preventDefault();
      action();
    }
  };
}
