/** The time, as something that the page follows: it ticks only while somebody looks at it. */
import { createSubscriber } from 'svelte/reactivity';

const EVERY_MS = 200;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, EVERY_MS);
  return () => clearInterval(timer);
});

/** Milliseconds by `performance.now()`; in an effect or a template this ticks. */
export function now(): number {
  subscribe();
  return performance.now();
}

/** What is left of a time that was told at `at`, never below 0. */
export function left(ms: number, at: number): number {
  return Math.max(0, ms - (now() - at));
}
