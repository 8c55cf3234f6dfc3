const EVERY_MS = 2_000;

/** Call `look` now and every two seconds while the page is visible, until the returned function is called. */
export function poll(look: () => Promise<void>): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const turn = async (): Promise<void> => {
    if (!document.hidden) await look();
    if (!stopped) timer = setTimeout(() => void turn(), EVERY_MS);
  };
  void turn();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Return seconds as minutes and seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
