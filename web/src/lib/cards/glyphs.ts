import { circle, star } from './path';

export type Suit = 'S' | 'H' | 'D' | 'C';

/** Ranks as lines of one width in a box 14 wide and 20 high; the ten needs 17. */
export const RANKS: Record<string, string> = {
  A: 'M1.6 18.5L7 1.5L12.4 18.5M3.7 12.6H10.3',
  '2': 'M1.8 5.9C2 3.2 4.2 1.5 7 1.5C10 1.5 12.1 3.4 12.1 6.1C12.1 8.3 10.8 9.9 8.9 11.8L1.9 18.5H12.5',
  '3': 'M1.9 4.7C2.7 2.7 4.6 1.5 6.9 1.5C9.8 1.5 11.8 3.1 11.8 5.4C11.8 8 9.7 9.4 6.2 9.4C10.1 9.4 12.5 11.1 12.5 13.9C12.5 16.7 10.1 18.5 7 18.5C4.3 18.5 2.3 17.2 1.5 15',
  '4': 'M9.6 18.5V1.5L1.5 13.3H12.8',
  '5': 'M11.6 1.5H3.4L2.6 9.1C3.7 8.1 5.3 7.5 7 7.5C10.2 7.5 12.5 9.8 12.5 13C12.5 16.2 10.1 18.5 6.9 18.5C4.5 18.5 2.4 17.3 1.5 15.2',
  '6':
    'M10.4 1.5C5.4 3.6 1.5 7.8 1.5 13' +
    circle(7, 13, 5.5)
      .replace(/^M[^C]*/, 'M7 7.5')
      .replace('Z', ''),
  '7': 'M1.6 1.5H12.5C9 6.4 6.6 11.8 5.6 18.5',
  '8': circle(7, 5.6, 4.2, 4.1) + circle(7, 14, 5.4, 4.5),
  '9': 'M3.6 18.5C8.6 16.4 12.5 12.2 12.5 7' + circle(7, 7, 5.5),
  '10': 'M1.5 4.2L4.4 1.5V18.5' + circle(11.7, 10, 3.9, 8.5),
  J: 'M5.4 1.5H10.6V13.2C10.6 16.5 8.8 18.5 6 18.5C3.7 18.5 2.1 17.2 1.6 14.9',
  Q: circle(7, 10, 5.5, 8.5) + 'M8.2 13.9L12.9 18.9',
  K: 'M2.2 1.5V18.5M12.2 1.5L2.2 12.2M5.9 8.4L12.6 18.5',
};

export const rankWidth = (rank: string): number => (rank === '10' ? 17 : 14);

/** The suits, filled, around (0, 0), about 20 across. */
export const SUITS: Record<Suit, string> = {
  S: 'M0 -9.8C2.2 -5.9 9.2 -2.5 9.2 2.6C9.2 5.5 7.1 7.1 5 7.1C3.4 7.1 2 6.3 1.2 5C1.4 7.1 2.3 8.6 3.9 9.6H-3.9C-2.3 8.6 -1.4 7.1 -1.2 5C-2 6.3 -3.4 7.1 -5 7.1C-7.1 7.1 -9.2 5.5 -9.2 2.6C-9.2 -2.5 -2.2 -5.9 0 -9.8Z',
  H: 'M0 9.4C-1.8 6 -9.3 2.4 -9.3 -3.3C-9.3 -6.7 -7 -8.8 -4.5 -8.8C-2.5 -8.8 -.8 -7.6 0 -5.6C.8 -7.6 2.5 -8.8 4.5 -8.8C7 -8.8 9.3 -6.7 9.3 -3.3C9.3 2.4 1.8 6 0 9.4Z',
  D: 'M0 -10.2C1.9 -6.4 4.7 -2.8 7.7 0C4.7 2.8 1.9 6.4 0 10.2C-1.9 6.4 -4.7 2.8 -7.7 0C-4.7 -2.8 -1.9 -6.4 0 -10.2Z',
  C:
    circle(0, -5, 4.5) +
    circle(-4.9, 2.4, 4.5) +
    circle(4.9, 2.4, 4.5) +
    'M-2.6 -2.2H2.6L3.2 2.6L1.1 4.4C1.3 6.8 2.2 8.5 3.9 9.6H-3.9C-2.2 8.5 -1.3 6.8 -1.1 4.4L-3.2 2.6Z',
};

/** The joker's sign: a star of eight points, as in Persian tiles, pointed enough to be one at 8 pixels. */
export const STAR = star(0, 0, 10.4, 5.9);

export interface Drawn {
  rank: string;
  /** Empty for a joker. */
  suit: Suit | '';
}

/** Rank and suit of a card's code or of a place: `QD`, `10S`, `1S` for the ace below the two, `JK` for a joker. */
export function read(card: string): Drawn {
  const [rank, suit] = [card.slice(0, -1), card.slice(-1)];
  if (!(suit in SUITS)) return { rank: card, suit: '' };
  return { rank: rank === '1' ? 'A' : rank, suit: suit as Suit };
}
