/** Melds by their cards: "your 6–8♣", "Bruno's four eights", "your run of clubs". */
import { m } from '$lib/paraglide/messages';

import type { MeldPlate, PlacedCard } from '$lib/net/protocol';
import { cardShort, leftToRight, num, suitName } from './cards';
import { ownerOf } from './eventText';
import { nameOf, type TableData } from './seatNames';

const stands = ({ card, place }: PlacedCard): string => place ?? card;

/** The rank of a set, or `JK` for jokers. */
const rankOf = ({ cards }: MeldPlate): string =>
  cards.find(({ card }) => card !== 'JK')?.card.slice(0, -1) ?? 'JK';

/** Sets of queens and jacks have another gender in Spanish. */
const kindOf = (meld: MeldPlate): string =>
  meld.kind === 'set' && ['J', 'Q'].includes(rankOf(meld)) ? 'women' : 'cards';

/** "6–8♣", "four eights". */
function cardsOf(meld: MeldPlate): string {
  const [first, last] = [meld.cards[0], meld.cards.at(-1)];
  if (meld.kind === 'run' && first && last)
    return leftToRight(`${cardShort(stands(first)).slice(0, -1)}–${cardShort(stands(last))}`);
  const count = meld.cards.length;
  return m.table_set_of({ count, n: num(count), ranks: m.words_ranks({ rank: rankOf(meld) }) });
}

/** "your 6–8♣", "Bruno's four eights"; `what` stands for the cards. */
export const whoseCards = (data: TableData, meld: MeldPlate, what = cardsOf(meld)): string =>
  m.table_whose({ ...ownerOf(data, meld.owner), kind: kindOf(meld), what });

/** "your run of clubs", "Bruno's four eights". */
function spokenMeld(data: TableData, meld: MeldPlate): string {
  if (meld.kind !== 'run' || !meld.cards[0]) return whoseCards(data, meld);
  const what = m.table_run_of({ suit: suitName(stands(meld.cards[0]).slice(-1)) });
  return m.table_whose({ ...ownerOf(data, meld.owner), kind: 'run', what });
}

/** "laid off by Ada on your run of clubs". */
export const laidOffBy = (data: TableData, seat: number, meld: MeldPlate): string =>
  m.table_laid_off_by({
    who: seat === data.you.seat ? 'you' : 'other',
    name: nameOf(data, seat),
    on: spokenMeld(data, meld),
  });
