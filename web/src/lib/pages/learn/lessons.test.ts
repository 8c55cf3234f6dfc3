import { describe, expect, it } from 'vitest';

import { BLANK, SPECTATOR } from '$lib/net/blank';
import type { TableEvent, Snapshot, SuggestedPlay, You } from '$lib/net/protocol';
import { LESSONS, lessonFor, type Scene } from './lessons';

const TOLD = ['welcome', 'melds'];

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

const ALL = LESSONS.map(({ id }) => id);
const said = (now: Scene, seen: string[] = TOLD): string => lessonFor(now, seen).id;
const did = (kind: string): TableEvent => ({ kind, number: 1, seat: 0 });

describe('the guide', () => {
  it('begins with the hand, and goes on one sentence at a time', () => {
    expect(said(scene(), [])).toBe('welcome');
    expect(said(scene(), ['welcome'])).toBe('melds');
    expect(said(scene())).toBe('draw');
  });

  it('follows what the table asks for', () => {
    const { shared } = scene();
    const playing: Snapshot = { ...shared, phase: 'play' };
    const meld = { kind: 'meld', play: '1', cards: [], points: 21 } as SuggestedPlay;
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['lay', 'discard'] };
    expect(said(scene({ shared: { ...shared, waiting_for: 'draw' } }))).toBe('pick');
    expect(said(scene({ shared: { ...playing, must_use: '8C' }, you }))).toBe('must');
    expect(said(scene({ shared: playing, you, advice: [meld] }))).toBe('meld');
    expect(said(scene({ shared: playing, you }))).toBe('discard');
    expect(said(scene({ shared: playing, you, events: [did('meld')] }))).toBe('laid');
  });

  it('warns of who may go out soon, once', () => {
    const { shared } = scene();
    const seen = ALL.filter((id) => id !== 'near');
    expect(said(scene({ shared: { ...shared, hand_sizes: [7, 3] } }), seen)).not.toBe('near');
    expect(said(scene({ shared: { ...shared, hand_sizes: [1, 2] } }), seen)).toBe('near');
  });

  it('gives the tips of play where they apply', () => {
    const { shared } = scene();
    const large = { ...shared, pile: ['4S', '5H', '6D', '9C', 'KD'] };
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['draw', 'take'] };
    const seen = [...TOLD, 'draw', 'again', 'others', 'discard'];
    expect(said(scene({ shared: large, you }), seen)).toBe('risk');
    expect(said(scene({ shared, you }), seen)).not.toBe('risk');
    const throwing: You = { ...you, may: ['discard'] };
    expect(said(scene({ shared, you: throwing, events: [did('discard')] }), seen)).toBe('uses');
    const theirs: Snapshot = { ...shared, actor: 1 };
    expect(said(scene({ shared: theirs, events: [did('discard')] }), seen)).toBe('high');
    expect(said(scene({ shared: theirs }), seen)).not.toBe('high');
  });

  it('never falls silent: once all is said, it says what to do or to watch', () => {
    const { shared } = scene();
    const you: You = { ...SPECTATOR, seat: 0, hand: ['2C'], may: ['lay', 'discard'] };
    const meld = { kind: 'meld', play: '1', cards: [], points: 21 } as SuggestedPlay;
    const playing: Snapshot = { ...shared, phase: 'play' };
    expect(said(scene(), ALL)).toBe('draw');
    expect(said(scene({ you: { ...you, may: ['take', 'end'] } }), ALL)).toBe('stock');
    expect(said(scene({ shared: playing, you }), ALL)).toBe('discard');
    expect(said(scene({ shared: playing, you, advice: [meld] }), ALL)).toBe('meld');
    expect(said(scene({ shared: { ...playing, actor: 1 } }), ALL)).toBe('watch');
    expect(said(scene({ shared: { ...shared, waiting_for: 'shuffle' } }), ALL)).toBe('wait');
    expect(said(scene({ shared: { ...shared, waiting_for: 'next', sheet: {} as never } }), ALL)).toBe('done');
    for (const waiting of ['seats', 'draw', 'cut', 'shuffle', 'play', 'claim', 'next', 'over'] as const)
      for (const actor of [0, 1, null]) {
        const now = scene({ shared: { ...shared, waiting_for: waiting, actor } });
        expect(lessonFor(now, ALL).words(now)).not.toBe('');
      }
  });

  it('ends with the score sheet', () => {
    const { shared } = scene();
    const ended = scene({ shared: { ...shared, waiting_for: 'next', sheet: {} as never } });
    expect(said(ended)).toBe('sheet');
    expect(said(ended, [...TOLD, 'sheet'])).toBe('done');
  });
});
