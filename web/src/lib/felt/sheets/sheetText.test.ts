import { describe, expect, it } from 'vitest';

import type { ScoreSheetLine } from '$lib/net/protocol';
import { note } from './sheetText';

const naming = { name: (seat: number) => ['Ada', 'Bo'][seat]!, you: 0 };
const line = (
  kind: ScoreSheetLine['kind'],
  each: number[],
  more: Partial<ScoreSheetLine> = {},
): ScoreSheetLine => ({
  kind,
  cards: each.map((points) => ({ card: '8C', place: null, seat: 0, points })),
  each,
  points: each.reduce((all, one) => all + one, 0),
  doubled: false,
  owner: null,
  meld_kind: null,
  ...more,
});
/** Without the signs that keep a sum in its order among words of the other direction. */
const read = (line: ScoreSheetLine, seat = 0): string =>
  note(line, seat, naming).replace(/[\u2066\u2069]/g, '');

describe('the note on a line of the sheet', () => {
  it("gives every card's points", () => {
    expect(read(line('meld', [6, 7, 8]))).toBe('6 + 7 + 8');
    expect(read(line('meld', [8, 8, 8, 8], { doubled: true, points: 64 }))).toBe(
      'four at once, (8 + 8 + 8 + 8) × 2',
    );
    expect(read(line('lay', [10, 15], { owner: 1, meld_kind: 'run' }))).toBe('on Bo’s run · 10 + 15');
    expect(read(line('hand', [15, 10, 3], { points: -28 }))).toBe('in hand · 15 + 10 + 3');
  });

  it("leaves one card's points to the line, and what has no cards to its words", () => {
    expect(read(line('lay', [3], { owner: 0, meld_kind: 'set' }))).toBe('on your set');
    expect(read(line('lay', [3], { owner: 1, meld_kind: 'set' }), 1)).toBe('on their own set');
    expect(read(line('hand', [15], { points: -15 }))).toBe('in hand');
    expect(read(line('collected', [], { points: 40 }))).toBe('from the others’ hands');
    expect(read(line('bonus', [], { points: 25 }))).toBe('Going out');
  });

  it('keeps the order of the cards whichever way the words run', () => {
    expect(note(line('hand', [15, 10], { points: -25 }), 0, naming)).toContain('\u206615 + 10\u2069');
  });
});
