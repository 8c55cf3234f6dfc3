/** The draw for deal, as the engine makes it (R-DEAL-1, D15); tests/draw_vectors.json has its draws. */
import { JOKER, RANKS, type Rules } from './scoring';

const SUITS = ['S', 'H', 'D', 'C'];

/** Return a pack, shuffled by the random numbers of this device. */
export function shuffledPack(rules: Rules): string[] {
  const pack = [
    ...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)),
    ...Array<string>(rules.jokers).fill(JOKER),
  ];
  for (let at = pack.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [pack[at], pack[other]] = [pack[other]!, pack[at]!];
  }
  return pack;
}

/** Return a random number from 0 to `end - 1`, all equally likely. */
function below(end: number): number {
  const most = 2 ** 32 - (2 ** 32 % end);
  for (;;) {
    const value = crypto.getRandomValues(new Uint32Array(1))[0]!;
    if (value < most) return value % end;
  }
}

export interface Draw {
  /** The cards that each player drew; more than one where players had to draw again. */
  drawn: string[][];
  /** The seat of the player who deals. */
  dealer: number;
  /** For each seat, the former seat of the player who sits there after the draw. */
  seating: number[];
}

/** Draw for deal from the top of a pack. With `partners` the two of four players that draw lowest are partners. */
export function drawForDeal(players: number, partners: boolean, pack: readonly string[]): Draw {
  const drawn = Array.from({ length: players }, (): string[] => []);
  const pairs = partners && players === 4;
  const left = [...pack];
  const rank = (card: string): number =>
    card === JOKER ? RANKS.length : RANKS.indexOf(card.slice(0, -1) as (typeof RANKS)[number]);
  /** The order of two players by all their cards: a later card decides only between equal earlier ones. */
  const compare = (one: number, other: number): number => {
    const at = drawn[one]!.findIndex(
      (card, each) => drawn[other]![each] !== undefined && rank(card) !== rank(drawn[other]![each]!),
    );
    if (at >= 0) return rank(drawn[one]![at]!) - rank(drawn[other]![at]!);
    return drawn[one]!.length - drawn[other]!.length;
  };
  const order = (): number[] =>
    drawn.map((_, seat) => seat).sort((one, other) => compare(one, other) || one - other);
  let waiting = order();
  while (waiting.length && waiting.length <= left.length) {
    for (const seat of waiting) drawn[seat]!.push(left.shift()!);
    const now = order();
    const cut = (pairs ? [1, 2] : [1]).find((at) => compare(now[at - 1]!, now[at]!) === 0);
    waiting = cut === undefined ? [] : now.filter((seat) => compare(seat, now[cut]!) === 0);
    waiting.sort((one, other) => one - other);
  }
  const [dealer = 0, partner = 0, ...others] = order();
  const seating = drawn.map((_, seat) => seat);
  if (pairs) {
    if (compare(others[0]!, others[1]!) === 0)
      others.sort((one, other) => ((one - dealer + 4) % 4) - ((other - dealer + 4) % 4));
    [dealer, others[0]!, partner, others[1]!].forEach(
      (player, step) => (seating[(dealer + step) % 4] = player),
    );
  }
  return { drawn, dealer, seating };
}
