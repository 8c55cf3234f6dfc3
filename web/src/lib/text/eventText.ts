/** The table in words: phrases for screen readers, and plays as text. */
import { m } from '$lib/paraglide/messages';

import type {
  ReactionShown,
  TableEvent,
  CardGroup,
  MeldPlate,
  SuggestedPlay,
  Reason,
  Snapshot,
} from '$lib/net/protocol';
import { chosenQuery, type Chosen } from '$lib/net/api';
import type { Sound } from '$lib/app/sound';
import { capitalized } from './graphemes';
import {
  cardCount,
  cardName,
  cardShort,
  leftToRight,
  listAnd,
  meldName,
  num,
  plainText,
  points,
  possessive,
  reasonParts,
  type Context,
  type Part,
} from './sentences';
import { namesOf, nameOf, seatCount, type TableData } from './seatNames';

export const number = num;

/** A number of points with its sign, as the present language writes it: `+21`. */
export const gain = (value: number): string => leftToRight(value < 0 ? num(value) : `+${num(value)}`);

/** Digits of the present language in a text such as a clock's. */
export function digits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => num(Number(digit)));
}

/** A card's short name, kept from being mirrored. */
export const short = (card: string): string => leftToRight(cardShort(card));

/** A quick phrase or an emoji that a seat shows. */
export type Reaction = ReactionShown['reaction'];

const REACTION_TEXTS: Readonly<Record<Reaction, () => string>> = {
  hello: m.table_reaction_hello,
  'good-luck': m.table_reaction_good_luck,
  'well-played': m.table_reaction_well_played,
  thanks: m.table_reaction_thanks,
  wow: m.table_reaction_wow,
  oops: m.table_reaction_oops,
  laugh: m.table_reaction_laugh,
  hurry: m.table_reaction_hurry,
};

export const REACTIONS = Object.keys(REACTION_TEXTS) as Reaction[];

export const reactionText = (reaction: Reaction): string => REACTION_TEXTS[reaction]();

/** Return what the sentences in `$lib/text` need to know about the table. */
export function contextOf(data: TableData, spoken = false): Context {
  return {
    names: namesOf(data.shared),
    you: data.you.seat,
    melds: data.shared.melds,
    sides: data.options.sides,
    attempt: !!data.options.tried?.day && !data.options.tried.practice,
    spoken,
  };
}

export function meldWord(kind: CardGroup['kind'] | string): string {
  return kind === 'run' || kind === 'set' || kind === 'jokers'
    ? capitalized(meldName(kind))
    : kind === 'lay'
      ? m.table_lay_off()
      : '';
}

// --- spoken -----------------------------------------------------------------------------------------

type HandFacts = { must: boolean; known: boolean; drawn: boolean; group: CardGroup | null };

/** "8 of clubs, card 3 of 11, must be used now, with others a run of clubs, 21 points." */
export function handPhrase(card: string, index: number, count: number, facts: HandFacts): string {
  const said = [m.table_say_card({ card: cardName(card), index: num(index), count: num(count) })];
  if (facts.must) said.push(m.table_say_must());
  if (facts.drawn) said.push(m.table_say_drawn());
  if (facts.known) said.push(m.table_say_known());
  if (facts.group && facts.group.points > 0) {
    const { kind } = facts.group;
    const gained = { points: points(facts.group.points) };
    said.push(
      kind === 'lay' ? m.table_say_lay(gained) : m.table_say_group({ what: meldName(kind), ...gained }),
    );
  }
  return said.join(m.words_comma());
}

/** "8 of diamonds, 12 of 17. Taking it takes 6 cards." */
export function stripPhrase(card: string, index: number, count: number, open: boolean): string {
  const said = m.table_say_strip({ card: cardName(card), index: num(index), count: num(count) });
  return open
    ? `${said} ${m.table_say_taking({ count: count - index + 1, shown: num(count - index + 1) })}`
    : said;
}

type SeatFacts = {
  name: string;
  role: string;
  size: number;
  known: string[];
  dealer: boolean;
  turn: boolean;
  away: boolean;
  bot: boolean;
};

/** "West, opponent, 5 cards; holds the queen of diamonds." */
export function seatPhrase(facts: SeatFacts): string {
  const said = [facts.name];
  if (facts.role) said.push(facts.role);
  if (facts.bot) said.push(m.table_bot());
  if (facts.dealer) said.push(m.table_dealer());
  if (facts.turn) said.push(m.table_say_turn());
  if (facts.away) said.push(m.words_away());
  said.push(cardCount(facts.size));
  const holds = facts.known.length
    ? m.table_say_holds({ cards: listAnd(facts.known.map((card) => cardName(card))) })
    : '';
  return said.join(m.words_comma()) + (holds && `; ${holds}`);
}

/** "West's run: 9 of clubs, 10 of clubs; queen of clubs by East". */
export function meldPhrase(data: TableData, meld: MeldPlate): string {
  const cards = meld.cards.map((placed) => {
    const name = cardName(placed.card, standsFor(placed));
    return placed.seat === meld.owner
      ? name
      : m.table_say_laid({ card: name, name: nameOf(data, placed.seat), points: points(placed.points) });
  });
  return `${m.words_whose_meld({ ...ownerOf(data, meld.owner), kind: meld.kind })}: ${listAnd(cards)}`;
}

/** Return the owner of a meld, and the form of a possessive for it. */
export function ownerOf(data: TableData, owner: number): { who: string; name: string } {
  const name = nameOf(data, owner);
  return { who: possessive(owner, name, data.you.seat), name };
}

// --- plays in words ---------------------------------------------------------------------------------

/** A play with its cards as chips: "6♣ 7♣ 8♣", "8♣ on West's run". */
export function optionParts(data: TableData, option: SuggestedPlay): Part[] {
  const cards: Part[] = option.cards.flatMap(({ card, place }, index) => {
    const chip: Part = { card, as: standsFor({ card, place }) };
    return index ? [' ', chip] : [chip];
  });
  if (option.kind === 'lay' && option.meld != null) {
    const meld = data.shared.melds[option.meld];
    const kind = meld?.kind ?? option.meld_kind ?? 'run';
    return [...cards, ` ${m.words_target({ ...ownerOf(data, meld?.owner ?? option.owner ?? 0), kind })}`];
  }
  return cards;
}

/** A play as text: "6♣ 7♣ 8♣", "8♣ on West's run". */
export function optionText(data: TableData, option: SuggestedPlay): string {
  return plainText(optionParts(data, option));
}

/** The card that a wild joker represents; null for other cards and for a joker without one. */
export function standsFor({ card, place }: { card: string; place: string | null }): string | null {
  return card === 'JK' && place !== 'JK' ? place : null;
}

/** The page's own reasons, by code. */
const OWN_REASONS: Readonly<Record<string, () => string>> = {
  'page.select': m.table_why_select,
  'page.one': m.table_why_one,
  'page.select_card': m.table_why_select_card,
  'page.no_meld': m.table_why_no_meld,
  'page.no_lay': m.table_why_no_lay,
  'page.closed': m.table_why_closed,
  'page.offline': m.table_lost,
  'connection.lost': m.table_why_lost,
};

/** Return why something is refused, in parts. */
export function whyParts(reason: Reason): Part[] {
  const own = OWN_REASONS[reason.code];
  return own ? [own()] : reasonParts(reason);
}

/** Split a message at a placeholder and put a part there. */
export function around(text: string, mark: string, part: Part): Part[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), part, text.slice(at + mark.length)];
}

/** The sound that goes with an event. */
export function soundOf(event: TableEvent): Sound | null {
  switch (event.kind) {
    case 'draw':
    case 'take':
    case 'meld':
    case 'lay':
    case 'discard':
      return event.kind;
    case 'call':
      return 'take';
    default:
      return null;
  }
}

/** Return whether an event is a play rather than an action of the table. */
export function isPlay(event: TableEvent): boolean {
  return ['draw', 'take', 'call', 'meld', 'lay', 'discard', 'pass', 'end', 'float', 'undone'].includes(
    event.kind,
  );
}

/** Return the last play of the current deal; null once the next deal is being prepared. */
export function lastPlay(events: readonly TableEvent[]): TableEvent | null {
  const last = events.findLast((event) => isPlay(event) || event.kind === 'shuffle' || event.kind === 'deal');
  return last && isPlay(last) ? last : null;
}

/** Return the number of the deal, of how many at most, and the goal of the match: "to 500", or the number of deals. */
export function goalTexts({ options, shared }: TableData): { deal: string; goal: string; dotted: boolean } {
  const { tried } = options;
  if (tried) {
    const deal = tried.lesson
      ? m.table_lesson()
      : tried.day
        ? m.day_card_title()
        : m.table_tried_short({ deal: num(tried.deal) });
    return { deal, goal: '', dotted: false };
  }
  const deal = m.table_deal({ deal: num(shared.deal) });
  if (options.match === 'deals') {
    return { deal, goal: m.table_of({ deals: num(options.deals) }), dotted: false };
  }
  return {
    deal: options.max_deals ? `${deal} ${m.table_of({ deals: num(options.max_deals) })}` : deal,
    goal: m.table_to({ target: num(options.target) }),
    dotted: true,
  };
}

/** Return the house rules, variations and length that a table has chosen; the address of its rules contains them. */
export const chosenAt = (options: TableData['options'], players: number): Chosen => ({
  choices: [...options.house_rules, ...options.variations],
  players,
  target: options.match === 'target' ? options.target : null,
  deals: options.match === 'target' ? options.max_deals : options.deals,
});

/** Return the address of this table's rules, at `rule` if it is given. */
export function rulesPath({ shared, options }: TableData, rule?: string): string {
  return `/rules/${options.profile}${chosenQuery(chosenAt(options, seatCount(shared)))}${rule ? `#${rule}` : ''}`;
}

/** Points of an account before this deal. */
export function totalOf(shared: Snapshot, options: TableData['options'], account: number): number {
  return options.sides > 0
    ? (shared.accounts[account] ?? 0)
    : (shared.totals[account] ?? shared.accounts[account] ?? 0);
}
