/** The table's keyboard shortcuts. Those of a single letter can be turned off. */
import { settings } from '$lib/app/settings.svelte';
import type { TableUi } from './tableUi.svelte';

type At = {
  ui: TableUi;
  /** Moves the focus to the hand, or to the first element of the table that this selects. */
  hand: () => void;
  focus: (selector: string) => void;
};

/** Return the handler for keys, wherever on the page they are pressed. */
export function pressing({ ui, hand, focus }: At): (event: KeyboardEvent) => void {
  const { controller } = ui;
  const letters: Record<string, () => void> = {
    d: () => void controller.plain('draw'),
    t: () => void controller.take(),
    m: () => void controller.meld(true),
    l: () => void controller.layOff(null, true),
    x: () => void controller.discard(),
    z: () => void controller.undo(),
    s: () => controller.nextSort(),
    r: () => void controller.call(),
    i: () => (ui.hinting = ui.mayHint && controller.mine && !ui.hinting),
    h: hand,
    p: () => focus('.pile [role=option][tabindex="0"]'),
    g: () => focus('.melds'),
    '/': () => (ui.typing = true),
    '?': () => (ui.panel = 'keys'),
  };

  function escape(): void {
    if (ui.hinting) ui.hinting = false;
    else if (controller.choice) controller.choice = null;
    else controller.clear();
  }

  /** Return whether a digit makes a choice: on the choice itself always, elsewhere if shortcuts are on. */
  function chooses(key: string, target: HTMLElement): boolean {
    const near = settings.keys || target.closest('[data-choice]') !== null;
    return controller.choice !== null && /^[1-9]$/.test(key) && near;
  }

  function actionOf(key: string, target: HTMLElement): (() => void) | undefined {
    if (chooses(key, target)) return () => void controller.choose(Number(key) - 1);
    if (!settings.keys || !ui.uncovered || !ui.seated) return undefined;
    return letters[key.toLowerCase()];
  }

  return (event) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ui.panel !== null || target.closest('input, textarea, select, [contenteditable]')) return;
    if (event.key === 'Escape') escape();
    else if (event.key === 'Enter' && target === document.body) void controller.primary();
    else {
      const action = actionOf(event.key, target);
      if (!action) return;
      event.preventDefault();
      action();
    }
  };
}
