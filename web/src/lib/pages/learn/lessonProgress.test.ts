import { describe, expect, it } from 'vitest';

import type { LessonInfo, TableEvent } from '$lib/net/protocol';
import { progressOf } from './lessonProgress';

const card = (name: string) => ({ card: name, place: null, seat: 0, points: 0 });
const play = (kind: 'draw' | 'discard' | 'take' | 'meld', ...cards: string[]) => ({
  code: '1',
  kind,
  text: '',
  cards: cards.map(card),
});
const STEPS: LessonInfo['steps'] = [
  { say: 'intro', play: null },
  { say: 'draw', play: play('draw') },
  { say: 'throw', play: play('discard', '5H') },
  { say: 'seen', play: null },
  { say: 'take', play: play('take', '5H', '9C') },
  { say: 'meld', play: play('meld', '5H', '6H', '7H') },
];

const event = (number: number, kind: string, more: Partial<TableEvent> = {}): TableEvent => ({
  number,
  kind,
  seat: 0,
  ...more,
});
/** The deal before the lesson: all in one entry of the log. */
const BEFORE = [event(4, 'deal', { seat: 1 }), event(4, 'draw'), event(4, 'discard', { card: '2S' })];
const at = (events: TableEvent[], read: number[] = [], from = 0) =>
  progressOf(STEPS, from, [...BEFORE, ...events], 0, new Set(read));

describe('the progress of a lesson', () => {
  it('begins with the first step, whatever was played before', () => {
    expect(at([])).toEqual({ step: 0, wrong: false });
    expect(at([], [0])).toEqual({ step: 1, wrong: false });
  });

  it('follows the plays of the learner, and counts a play as having read what was before it', () => {
    const drawn = event(5, 'draw', { card: 'KD' });
    expect(at([drawn])).toEqual({ step: 2, wrong: false });
    const thrown = [drawn, event(6, 'discard', { card: '5H' }), event(7, 'draw', { seat: 1 })];
    expect(at(thrown)).toEqual({ step: 3, wrong: false });
    const taken = [...thrown, event(8, 'take', { cards: ['5H', '9C'] })];
    expect(at(taken)).toEqual({ step: 5, wrong: false });
    const laid = event(9, 'meld', { laid: ['7H', '6H', '5H'].map(card) });
    expect(at([...taken, laid, event(10, 'discard', { card: '9C' })])).toEqual({ step: 6, wrong: false });
  });

  it('sees another play than that of the step, until it is taken back', () => {
    const drawn = event(5, 'draw');
    const other = event(6, 'discard', { card: '6H' });
    expect(at([drawn, other])).toEqual({ step: 2, wrong: true });
    const again = event(8, 'draw');
    expect(at([drawn, other, event(7, 'undone', { taken_back: 6 })])).toEqual({ step: 2, wrong: false });
    expect(at([drawn, again])).toEqual({ step: 2, wrong: true });
  });

  it('continues from a later step', () => {
    expect(at([], [], 4)).toEqual({ step: 4, wrong: false });
    expect(at([event(5, 'take', { cards: ['5H', '9C'] })], [], 4)).toEqual({ step: 5, wrong: false });
  });
});
