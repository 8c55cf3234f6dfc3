import { describe, expect, it } from 'vitest';

import { hang } from './tagLayout';

describe('tags below a meld', () => {
  it('hang in the middle below their card', () => {
    expect(hang([{ wide: 40, cards: [60] }], 100)).toEqual([{ left: 40, lines: [20] }]);
  });

  it('stay within the meld, and their line goes up to the card all the same', () => {
    expect(hang([{ wide: 40, cards: [10] }], 100)).toEqual([{ left: 0, lines: [10] }]);
    expect(hang([{ wide: 40, cards: [92] }], 100)).toEqual([{ left: 60, lines: [32] }]);
  });

  it('have a line for each of their cards', () => {
    expect(hang([{ wide: 40, cards: [60, 80] }], 100)).toEqual([{ left: 50, lines: [10, 30] }]);
  });

  it('make room for one another', () => {
    const [first, second] = hang(
      [
        { wide: 40, cards: [60] },
        { wide: 40, cards: [80] },
      ],
      100,
    );
    expect([first!.left, second!.left]).toEqual([16, 60]);
    expect([first!.lines, second!.lines]).toEqual([[34], [20]]);
  });
});
