/** The time as a reactive value. It ticks only while something on the page reads it. */
import { createSubscriber } from 'svelte/reactivity';

const EVERY_MS = 200;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** Return `performance.now()`. In an effect or a template this ticks. */
export function now(): number {
  subscribe();
  return performance.now();
}

/** Return the rest of a duration that was sent at `at`, in ms, at least 0. */
export function left(ms: number, at: number): number {
  return Math.max(0, ms - (now() - at));
}
