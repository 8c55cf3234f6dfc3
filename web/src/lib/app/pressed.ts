/** Presses of a finger or a mouse button. While one lasts, nothing should move away from it: its click would miss. */

/** A press that lasts longer is no click. */
const LONGEST_MS = 2_000;
const ENDS = ['pointerup', 'pointercancel', 'blur'] as const;

let press: Promise<void> | null = null;

function begin({ button }: PointerEvent): void {
  if (button !== 0) return;
  const begun = new Promise<void>((resolve) => {
    // The click that follows is handled first.
    const end = (): void => void setTimeout(resolve);
    for (const name of ENDS) addEventListener(name, end, { capture: true, once: true });
    setTimeout(resolve, LONGEST_MS);
  });
  press = begun;
  void begun.then(() => {
    if (press === begun) press = null;
  });
}

if (typeof addEventListener === 'function') addEventListener('pointerdown', begin, { capture: true });

/** Wait until no pointer is down. */
export const released = async (): Promise<void> => {
  while (press) await press;
};
