import { describe, expect, it } from 'vitest';

import { BLANK, SPECTATOR } from '../../net/blank';
import type { TableEvent, Snapshot, SuggestedPlay, You } from '../../net/protocol';
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

const said = (now: Scene, seen: string[] = TOLD): string | undefined => lessonFor(now, seen)?.id;
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

  it('says nothing about plays of others that the server has not sent', () => {
    const { shared } = scene();
    const seen = LESSONS.map(({ id }) => id).filter((id) => id !== 'near');
    expect(said(scene({ shared: { ...shared, hand_sizes: [7, 3] } }), seen)).toBeUndefined();
    expect(said(scene({ shared: { ...shared, hand_sizes: [1, 2] } }), seen)).toBe('near');
  });

  it('ends with the score sheet', () => {
    const { shared } = scene();
    const ended = scene({ shared: { ...shared, waiting_for: 'next', sheet: {} as never } });
    expect(said(ended)).toBe('sheet');
    expect(said(ended, [...TOLD, 'sheet'])).toBe('done');
  });
});
