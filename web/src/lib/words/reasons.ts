/** The sentences of refusals, by code: a chunk of its own, loaded once a table is shown. */

import { m } from '$lib/paraglide/messages';
import type { ReasonParts, Reason } from '$lib/protocol';
import { listOr, num, rankName, suitName, type Filler } from '$lib/words/cards';
import { inOwnWords } from '$lib/words/plays';

type Every<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never;
/** Whatever any of the sentences asks for, by the names of `Parts`; a number also bare, for the plural. */
type Inputs = Every<NonNullable<Parameters<(typeof REASONS)[keyof typeof REASONS]>[0]>>;

/** Every code there is, and families of codes; `tests/test_words.py` holds them against the server's. */
const REASONS = {
  'deal.over': m.words_reason_deal_over,
  'turn.draw_first': m.words_reason_turn_draw_first,
  'turn.drawn': m.words_reason_turn_drawn,
  'play.unknown': m.words_reason_play_unknown,
  'play.illegal': m.words_reason_play_illegal,
  'card.unknown': m.words_reason_card_unknown,
  'card.not_held': m.words_reason_card_not_held,
  'card.too_often': m.words_reason_card_too_often,
  'card.on_table': m.words_reason_card_on_table,
  'card.place': m.words_reason_card_place,
  'draw.no_stock': m.words_reason_draw_no_stock,
  'draw.no_restock': m.words_reason_draw_no_restock,
  'pass.not_played': m.words_reason_pass_not_played,
  'pass.drawn': m.words_reason_pass_drawn,
  'pass.stock_left': m.words_reason_pass_stock_left,
  'pass.restock': m.words_reason_pass_restock,
  'end.drawn': m.words_reason_end_drawn,
  'end.stock_left': m.words_reason_end_stock_left,
  'end.restock': m.words_reason_end_restock,
  'end.not_played': m.words_reason_end_not_played,
  'take.no_pile': m.words_reason_take_no_pile,
  'take.count': m.words_reason_take_count,
  'take.useless': m.words_reason_take_useless,
  'take.stranding': m.words_reason_take_stranding,
  'use.first': m.words_reason_use_first,
  'call.count': m.words_reason_call_count,
  'call.useless': m.words_reason_call_useless,
  'claim.open': m.words_reason_claim_open,
  'claim.not_played': m.words_reason_claim_not_played,
  'claim.not_now': m.words_reason_claim_not_now,
  'claim.from_hand': m.words_reason_claim_from_hand,
  'discard.floater': m.words_reason_discard_floater,
  'discard.taken': m.words_reason_discard_taken,
  'play.stranding': m.words_reason_play_stranding,
  'meld.nothing': m.words_reason_meld_nothing,
  'meld.too_few': m.words_reason_meld_too_few,
  'meld.no_natural': m.words_reason_meld_no_natural,
  'meld.mixed': m.words_reason_meld_mixed,
  'set.rank': m.words_reason_set_rank,
  'set.suit': m.words_reason_set_suit,
  'set.too_many': m.words_reason_set_too_many,
  'run.suit': m.words_reason_run_suit,
  'run.suits': m.words_reason_run_suits,
  'run.gap': m.words_reason_run_gap,
  'run.corner': m.words_reason_run_corner,
  'run.ace_high': m.words_reason_run_ace_high,
  'run.ace_end': m.words_reason_run_ace_end,
  'run.ace_twice': m.words_reason_run_ace_twice,
  'run.repeated': m.words_reason_run_repeated,
  'joker.none': m.words_reason_joker_none,
  'joker.unnamed': m.words_reason_joker_unnamed,
  'joker.named': m.words_reason_joker_named,
  'joker.place': m.words_reason_joker_place,
  'joker.own_rank': m.words_reason_joker_own_rank,
  'lay.nothing': m.words_reason_lay_nothing,
  'lay.no_melds': m.words_reason_lay_no_melds,
  'lay.no_meld': m.words_reason_lay_no_meld,
  'lay.kind': m.words_reason_lay_kind,
  'lay.no_fit': m.words_reason_lay_no_fit,
  'lay.not_a_joker': m.words_reason_lay_not_a_joker,
  'lay.complete': m.words_reason_lay_complete,
  'lay.full': m.words_reason_lay_full,
  'lay.one_place': m.words_reason_lay_one_place,
  'lay.lies': m.words_reason_lay_lies,
  'lay.joker': m.words_reason_lay_joker,
  'notation.expected': m.words_reason_notation_expected,
  'notation.rest': m.words_reason_notation_rest,
  'notation.meld': m.words_reason_notation_meld,
  'notation.not_in_pile': m.words_reason_notation_not_in_pile,
  'notation.not_there': m.words_reason_notation_not_there,
  'notation.ambiguous': m.words_reason_notation_ambiguous,
  'notation.target': m.words_reason_notation_target,
  'notation.no_reading': m.words_reason_notation_no_reading,
  'notation.no_place': m.words_reason_notation_no_place,
  'notation.no_target': m.words_reason_notation_no_target,
  'match.answer': m.words_reason_match_answer,
  'match.cut': m.words_reason_match_cut,
  'match.draw': m.words_reason_match_draw,
  'match.order': m.words_reason_match_order,
  'match.over': m.words_reason_match_over,
  'match.resign': m.words_reason_match_resign,
  'match.restock': m.words_reason_match_restock,
  'match.undo': m.words_reason_match_undo,
  'table.stale': m.words_reason_table_stale,
  'table.turn': m.words_reason_table_turn,
  'table.not_asked': m.words_reason_table_not_asked,
  'table.position': m.words_reason_table_position,
  'table.cut': m.words_reason_table_cut,
  'table.claimed': m.words_reason_table_claimed,
  'table.undo': m.words_reason_table_undo,
  'table.card': m.words_reason_table_card,
  'table.begun': m.words_reason_table_begun,
  'table.robot': m.words_reason_table_robot,
  'table.no_token': m.words_reason_table_no_token,
  'table.not_begun': m.words_reason_table_not_begun,
  'table.paused': m.words_reason_table_paused,
  'table.over': m.words_reason_table_over,
  'table.host': m.words_reason_table_host,
  'table.no_seat': m.words_reason_table_no_seat,
  'table.full': m.words_reason_table_full,
  'table.seat_taken': m.words_reason_table_seat_taken,
  'table.not_seated': m.words_reason_table_not_seated,
  'table.seed_given': m.words_reason_table_seed_given,
  'table.vote': m.words_reason_table_vote,
  'table.chat': m.words_reason_table_chat,
  'table.join': m.words_reason_table_join,
  'table.busy': m.words_reason_table_busy,
  'table.failed': m.words_reason_table_failed,
  'table.unknown': m.words_reason_table_unknown,
  'table.closed': m.words_reason_table_closed,
  'table.unreadable': m.words_reason_table_unreadable,
  'table.options': m.words_reason_table_options,
  'option.house_rules': m.words_reason_option_house_rules,
  'option.players': m.words_reason_option_players,
  'option.target': m.words_reason_option_target,
  'option.bots': m.words_reason_option_bots,
  'bot.unknown': m.words_reason_bot_unknown,
  'profile.unknown': m.words_reason_profile_unknown,
  'rules.invalid': m.words_reason_rules_invalid,
  'deal.unknown': m.words_reason_deal_unknown,
  'guest.name': m.words_reason_guest_name,
  'guest.unknown': m.words_reason_guest_unknown,
  limit: m.words_reason_limit,
  message: m.words_reason_message,
  request: m.words_reason_request,
  server: m.words_reason_server,
  store: m.words_reason_store,
  'store.full': m.words_reason_store_full,
};

/** How many cards a sentence shows in a row. */
const ROW = 7;

/** Why something is refused. */
export function explain(reason: Reason, fill: Filler): string {
  const codes: Record<string, ((inputs: Inputs) => string) | undefined> = REASONS;
  const say = codes[reason.code] ?? codes[reason.code.split('.')[0] ?? ''];
  return say ? say(inputs(reason, reason.parts ?? {}, fill)) : m.words_refused();
}

function inputs({ rule = '', card }: Reason, parts: ReasonParts, fill: Filler): Inputs {
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
    advice: m.words_advice({ advice: parts.advice ?? '' }),
    kind: parts.kind ?? '',
    found: parts.found ? m.words_typed_text({ text: fill.put({ typed: parts.found }) }) : m.words_typed_end(),
    wanted: parts.wanted ?? '',
    verb: m.words_typed_text({ text: fill.put({ typed: inOwnWords(parts.verb ?? '') }) }),
    plays: listOr((parts.plays ?? []).map((play) => fill.put({ typed: inOwnWords(play) }))),
  };
}

/** A card, with what it stands for where that is said: `8C`, `JK=6S`. */
function laid(text: string): { card: string; as: string | null } {
  const [card = '', as = null] = text.split('=');
  return { card, as };
}
