/** The mark of each player: shape, colour and initial, each of which distinguishes the players. */
import { graphemes, initial } from '$lib/text/graphemes';
import { accountName, accountsInOrder, isOurs, nameOf, seatCount, type TableData } from '$lib/text/seatNames';

export const SHAPES = ['disc', 'square', 'hexagon', 'arch'] as const;

export type OwnerMark = {
  shape: (typeof SHAPES)[number];
  /** The colour: of a seat as the viewer sees it, or of a side. */
  tone: 0 | 1 | 2 | 3 | 'they';
  /** Whether only the outline is drawn: the fifth to eighth players, and the opponents of partners. */
  outlined: boolean;
  letter: string;
};

/** Return the seat as the viewer sees it: 0 is the viewer's own, or the first seat for a spectator. */
export function seenFrom(data: TableData, seat: number): number {
  const count = seatCount(data.shared);
  return (seat - (data.you.seat ?? 0) + count) % count;
}

/** Return the marks of all seats. */
export function marksOf(data: TableData): OwnerMark[] {
  const seats = data.shared.seats.map((_, seat) => seat);
  const inOrder = [...seats].sort((a, b) => seenFrom(data, a) - seenFrom(data, b));
  const letters = new Map<number, string>();
  const taken = new Set<string>();
  for (const seat of inOrder) {
    const name = nameOf(data, seat).trim();
    const one = initial(name) || '?';
    const letter = taken.has(one) ? one + (graphemes(name)[1] ?? '') : one;
    taken.add(letter);
    letters.set(seat, letter);
  }
  return seats.map((seat) => {
    const letter = letters.get(seat)!;
    if (data.options.sides > 0)
      return isOurs(data, seat)
        ? { shape: 'disc', tone: 0, outlined: false, letter }
        : { shape: 'square', tone: 'they', outlined: true, letter };
    const seen = seenFrom(data, seat);
    const tone = (seen % 4) as 0 | 1 | 2 | 3;
    return { shape: SHAPES[tone], tone, outlined: seen >= 4, letter };
  });
}

/** Return the marks by account, as the score sheet shows them: those of the seats, or one for each side. */
export function accountMarks(data: TableData): OwnerMark[] {
  if (data.options.sides === 0) return marksOf(data);
  const own = accountsInOrder(data)[0];
  return Array.from({ length: data.options.sides }, (_, account) => {
    const letter = initial(accountName(data, account));
    return account === own
      ? { shape: 'disc', tone: 0, outlined: false, letter }
      : { shape: 'square', tone: 'they', outlined: true, letter };
  });
}
