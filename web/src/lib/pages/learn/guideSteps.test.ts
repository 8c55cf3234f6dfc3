import { describe, expect, it } from 'vitest';

import { BLANK, SPECTATOR } from '$lib/net/blank';
import { settings } from '$lib/app/settings.svelte';
import type { TableEvent, Snapshot, SuggestedPlay, You } from '$lib/net/protocol';
import { STEPS, stepFor, type Scene } from './guideSteps';

const GIVEN = ['welcome', 'melds'];

function scene(changes: Partial<Scene> = {}): Scene {
  return {
    shared: {
      ...BLANK,
      status: 'playing',
      waiting_for: 'play',
      actor: 0,
      phase: 'draw',
      pile: ['4S'],
      hand_sizes: [7, 7],
    },
    you: { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['draw'] },
    events: [],
    advice: [],
    name: (seat) => `seat ${seat}`,
    ...changes,
  };
}

const ALL = STEPS.map(({ id }) => id);
const stepId = (now: Scene, seen: string[] = GIVEN): string => stepFor(now, seen).id;
const did = (kind: string): TableEvent => ({ kind, number: 1, seat: 0 });

describe('the guide', () => {
  it('begins with the hand, and continues one sentence at a time', () => {
    expect(stepId(scene(), [])).toBe('welcome');
    expect(stepId(scene(), ['welcome'])).toBe('melds');
    expect(stepId(scene())).toBe('draw');
  });

  it('follows what the table asks for', () => {
    const { shared } = scene();
    const playing: Snapshot = { ...shared, phase: 'play' };
    const meld = { kind: 'meld', play: '1', cards: [], points: 21 } as SuggestedPlay;
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['lay', 'discard'] };
    expect(stepId(scene({ shared: { ...shared, waiting_for: 'draw' } }))).toBe('pick');
    expect(stepId(scene({ shared: { ...playing, must_use: '8C' }, you }))).toBe('must');
    expect(stepId(scene({ shared: playing, you, advice: [meld] }))).toBe('meld');
    expect(stepId(scene({ shared: playing, you }))).toBe('discard');
    expect(stepId(scene({ shared: playing, you, events: [did('meld')] }))).toBe('laid');
  });

  it('warns once of a player that may go out soon', () => {
    const { shared } = scene();
    const seen = ALL.filter((id) => id !== 'near');
    expect(stepId(scene({ shared: { ...shared, hand_sizes: [7, 3] } }), seen)).not.toBe('near');
    expect(stepId(scene({ shared: { ...shared, hand_sizes: [1, 2] } }), seen)).toBe('near');
  });

  it('gives the tips of play where they apply', () => {
    const { shared } = scene();
    const large = { ...shared, pile: ['4S', '5H', '6D', '9C', 'KD'] };
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['draw', 'take'] };
    const seen = [...GIVEN, 'draw', 'again', 'others', 'discard'];
    expect(stepId(scene({ shared: large, you }), seen)).toBe('risk');
    expect(stepId(scene({ shared, you }), seen)).not.toBe('risk');
    const throwing: You = { ...you, may: ['discard'] };
    expect(stepId(scene({ shared, you: throwing, events: [did('discard')] }), seen)).toBe('uses');
    const theirs: Snapshot = { ...shared, actor: 1 };
    expect(stepId(scene({ shared: theirs, events: [did('discard')] }), seen)).toBe('high');
    expect(stepId(scene({ shared: theirs }), seen)).not.toBe('high');
  });

  it('always has a step: after all others, what to do or to watch', () => {
    const { shared } = scene();
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['lay', 'discard'] };
    const meld = { kind: 'meld', play: '1', cards: [], points: 21 } as SuggestedPlay;
    const playing: Snapshot = { ...shared, phase: 'play' };
    expect(stepId(scene(), ALL)).toBe('draw');
    expect(stepId(scene({ you: { ...you, may: ['take', 'end'] } }), ALL)).toBe('stock');
    expect(stepId(scene({ shared: playing, you }), ALL)).toBe('discard');
    expect(stepId(scene({ shared: playing, you, advice: [meld] }), ALL)).toBe('meld');
    expect(stepId(scene({ shared: { ...playing, actor: 1 } }), ALL)).toBe('watch');
    expect(stepId(scene({ shared: { ...shared, waiting_for: 'shuffle' } }), ALL)).toBe('wait');
    expect(stepId(scene({ shared: { ...shared, waiting_for: 'next', sheet: {} as never } }), ALL)).toBe(
      'done',
    );
    for (const waiting of ['seats', 'draw', 'cut', 'shuffle', 'play', 'claim', 'next', 'over'] as const)
      for (const actor of [0, 1, null]) {
        const now = scene({ shared: { ...shared, waiting_for: waiting, actor } });
        expect(stepFor(now, ALL).words(now)).not.toBe('');
      }
  });

  it('ends with the score sheet', () => {
    const { shared } = scene();
    const ended = scene({ shared: { ...shared, waiting_for: 'next', sheet: {} as never } });
    expect(stepId(ended)).toBe('sheet');
    expect(stepId(ended, [...GIVEN, 'sheet'])).toBe('done');
  });
});

describe('the end of the first lesson', () => {
  it('turns the shortcut off once; the player may turn it on again', () => {
    expect(settings.suggestions).toBe(true);
    settings.finishGuide();
    expect([settings.suggestions, settings.guide.done]).toEqual([false, true]);
    settings.suggestions = true;
    settings.finishGuide();
    expect(settings.suggestions).toBe(true);
  });
});
