import { describe, expect, it } from 'vitest';

import type { TableEvent, ReplayFrame, Replay } from '$lib/net/protocol';
import { crowdedMarks, replaySteps, turnMarks, turnFrom } from './replaySteps';

const event = (kind: string, number: number): TableEvent => ({ kind, number, seat: 0 });
const frames: ReplayFrame[] = [
  { event: null, shared: { stock: 30, pile: ['4S'] }, hands: [['2C'], ['3C']] },
  { event: event('draw', 1), shared: { stock: 29 }, hands: [['2C', '5D'], ['3C']] },
  { event: event('meld', 2), shared: { laid: [9, 0] }, hands: [['2C'], ['3C']] },
  { event: event('discard', 3), shared: { pile: ['4S', '2C'] }, hands: [[], ['3C']] },
  { event: event('take', 4), shared: { pile: ['4S'] }, hands: [[], ['3C', '2C']] },
  { event: event('over', 5), shared: { phase: 'over' }, hands: [[], ['3C', '2C']] },
];
const replay = { names: ['Ann', 'Bo'], frames } as unknown as Replay;

describe('a replay', () => {
  it('carries on what a frame does not say', () => {
    const steps = replaySteps(replay);
    expect(steps.map(({ shared }) => shared.stock)).toEqual([30, 29, 29, 29, 29, 29]);
    expect(steps[4]?.shared.pile).toEqual(['4S']);
    expect(steps[5]?.shared.laid).toEqual([9, 0]);
    expect(steps[0]?.shared.seats?.map(({ name }) => name)).toEqual(['Ann', 'Bo']);
  });

  it('has a notch for each turn, taller where something was laid', () => {
    expect(turnMarks(replaySteps(replay))).toEqual([
      { at: 1, laid: true },
      { at: 4, laid: false },
    ]);
  });

  it('goes from turn to turn, and to the ends', () => {
    const turns = turnMarks(replaySteps(replay));
    expect([0, 1, 3, 4, 5].map((step) => turnFrom(turns, step, 1, 5))).toEqual([1, 4, 4, 5, 5]);
    expect([0, 1, 3, 4, 5].map((step) => turnFrom(turns, step, -1, 5))).toEqual([0, 0, 1, 1, 4]);
  });
});

describe('marks on the timeline', () => {
  const marks = [
    { at: 10, sign: 'doubtful' },
    { at: 12, sign: 'blunder' },
    { at: 15, sign: 'mistake' },
    { at: 40, sign: 'luck' },
    { at: 40, sign: 'doubtful' },
  ];
  it('are dots where one that weighs more is too near', () => {
    expect([...crowdedMarks(marks, 0, 4)].sort()).toEqual([0, 2, 3]);
    expect([...crowdedMarks(marks, 0, 0)]).toEqual([]);
  });
  it('are full at the step of the reader', () => {
    expect([...crowdedMarks(marks, 10, 4)].sort()).toEqual([1, 3]);
  });
});
