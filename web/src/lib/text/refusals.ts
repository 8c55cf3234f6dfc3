/** The sentences of refusals, by code. A separate chunk, loaded once a table is shown. */

import { m } from '$lib/paraglide/messages';
import type { ReasonParts, Reason } from '$lib/net/protocol';
import { listOr, num, rankName, suitName, type Filler } from './cards';
import { named, type Inputs } from './named';
import { inOwnWords } from './plays';

/** The largest number of cards that a sentence lists. */
const ROW = 7;

/** Return why something is refused. */
export function explain(reason: Reason, fill: Filler): string {
  const say = named('game_reason_', reason.code) ?? named('game_reason_', reason.code.split('.')[0] ?? '');
  return say ? say(inputs(reason, reason.parts ?? {}, fill)) : m.words_refused();
}

function inputs({ rule = '', card }: Reason, parts: ReasonParts, fill: Filler): Inputs<'game_reason_'> {
  const cards = (row: string[] = []): string[] => row.map((each) => fill.put(laid(each)));
  const row = (all: string[] = []): string =>
    all.length > ROW ? `${cards(all.slice(0, ROW - 1)).join(' ')} …` : cards(all).join(' ');
  const number = (value: number | null = 0): string => num(value ?? 0);
  return {
    rule,
    card: card ? fill.put({ card }) : '?',
    cards: row(parts.cards),
    set: row(parts.set),
    run: row(parts.run),
    missing: row(parts.missing),
    takes: listOr(cards(parts.takes)),
    place: parts.place ? fill.put({ card: parts.place }) : '?',
    rank: rankName(parts.rank ?? ''),
    ranks: m.words_ranks({ rank: parts.ranks ?? '' }),
    suit: suitName(parts.suit ?? ''),
    meld: number(parts.meld),
    melds: number(parts.melds),
    melds_count: parts.melds ?? 0,
    held: number(parts.held),
    times: number(parts.times),
    times_count: parts.times ?? 0,
    count: number(parts.count),
    most: number(parts.most),
    most_count: parts.most ?? 0,
    players: listOr((parts.players ?? []).map(num)),
    advice: m.game_advice({ advice: parts.advice ?? '' }),
    kind: parts.kind ?? '',
    found: parts.found ? m.words_typed_text({ text: fill.put({ typed: parts.found }) }) : m.words_typed_end(),
    wanted: parts.wanted ?? '',
    verb: m.words_typed_text({ text: fill.put({ typed: inOwnWords(parts.verb ?? '') }) }),
    plays: listOr((parts.plays ?? []).map((play) => fill.put({ typed: inOwnWords(play) }))),
  };
}

/** A card, and for a joker the card that it represents: `8C`, `JK=6S`. */
function laid(text: string): { card: string; as: string | null } {
  const [card = '', as = null] = text.split('=');
  return { card, as };
}
