import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Change } from '$lib/net/tableStore.svelte';
import type { Snapshot, TableEvent } from '$lib/net/protocol';
import { OWN, SHARED } from '../../../testing/table';
import { Moments } from './moments.svelte';

const event = (kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number: 9,
  kind,
  seat: 0,
  ...more,
});
const DISCARD = event('discard', { seat: 1 });
const MELD = event('meld', { points: 36 });
const FOUR = event('meld', { points: 64, doubled: true });
const OUT = event('over', { reason: 'out' });

/** Follow a change of these events, after one of another player and of this turn. */
function follow(moments: Moments, events: TableEvent[], speed: Snapshot['speed'] = null): number {
  const after = { ...SHARED, speed };
  const change: Change = { events, before: SHARED, after, youBefore: OWN, youAfter: OWN, whole: false };
  return moments.follow(change, [event('deal'), MELD, DISCARD, MELD, ...events]);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a moment', () => {
  test.each([
    ['four at once', [FOUR], null, 1_600],
    ['four at once where bots are fast', [FOUR], 'fast', 800],
    ['going out', [FOUR, OUT, event('settle', { seat: 2 })], 'normal', 2_000],
    ['going out where bots play at once', [OUT], 'at_once', 1_000],
  ] as const)('of %s ends by itself', (_, events, speed, ms) => {
    const moments = new Moments();
    expect(follow(moments, [...events], speed)).toBe(ms);
    vi.advanceTimersByTime(ms - 1);
    expect(moments.shown).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(moments.shown).toBeNull();
  });

  test('of going out counts what was laid in this turn', () => {
    const moments = new Moments();
    follow(moments, [FOUR, OUT, event('settle', { seat: 2 })]);
    expect(moments.shown).toMatchObject({ kind: 'out', now: 100 });
  });

  test('is no set that grew to four, and ends if its play is taken back', () => {
    const moments = new Moments();
    expect(follow(moments, [MELD])).toBe(0);
    follow(moments, [FOUR]);
    follow(moments, [event('undone')]);
    expect(moments.shown).toBeNull();
  });
});
