import { describe, expect, it } from 'vitest';

import { meldFit, type MeldBox, type MeldRoom } from './meldLayout';

const room: MeldRoom = {
  width: 300,
  height: 400,
  gap: 20,
  loose: 40,
  close: 30,
  tags: 20,
  overlap: 0.5,
  stacked: false,
};
const melds = (count: number, more: Partial<MeldBox> = {}): MeldBox[] =>
  Array.from({ length: count }, () => ({ cards: 3, caption: 40, tagged: false, ...more }));

describe('melds in the room there is', () => {
  it('are as large as can be while they fit', () => {
    // Two of 120 px lie in a row; a row is 84 px of cards and 60 px more.
    expect(meldFit([melds(4)], room, 60, 28)).toEqual({ width: 60, height: 288, dense: false });
  });

  it('move together, then shrink, before they scroll', () => {
    expect(meldFit([melds(6)], room, 60, 28)).toEqual({ width: 60, height: 3 * 114, dense: true });
    const many = meldFit([melds(12)], room, 60, 28);
    expect(many.width).toBeLessThan(60);
    expect(many.height).toBeLessThanOrEqual(400);
    const most = meldFit([melds(60)], room, 60, 28);
    expect(most.width).toBe(28);
    expect(most.height).toBeGreaterThan(400);
  });

  it('keep room for the tags that hang, and for what stands over narrow cards', () => {
    expect(meldFit([melds(6, { tagged: true })], room, 60, 28).width).toBeLessThan(60);
    expect(meldFit([melds(4, { caption: 200 })], room, 60, 28).height).toBeGreaterThan(288);
  });

  it('of two sides share the height only where these lie under one another', () => {
    const sides = [melds(4), melds(2)];
    expect(meldFit(sides, room, 60, 28).height).toBe(288);
    expect(meldFit(sides, { ...room, stacked: true, height: 500 }, 60, 28).height).toBe(432);
  });
});
