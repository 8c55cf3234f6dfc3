/** All sentences about cards, plays, events and refusals, in the current language. */

import { loadLate } from '$lib/app/locale';
import { m } from '$lib/paraglide/messages';
import type { TableEvent, MeldPlate, You, Reason, Snapshot } from '$lib/net/protocol';
import { Filler, listAnd, num, plainText, type Part } from './cards';

export {
  cardCount,
  cardInText,
  cardName,
  cardShort,
  leftToRight,
  listAnd,
  listOr,
  meldName,
  num,
  plainText,
  points,
  rankName,
  suitName,
  type Part,
} from './cards';

/**
 * The reader and the table: `names` by seat, `you` the reader's seat, `sides` 2 if partners play.
 * `players`: the names that `MatchEnd.winners` go by.
 * `spoken`: cards by their names, for a screen reader.
 */
export interface Context {
  names: string[];
  you: number | null;
  melds?: MeldPlate[];
  sides?: number;
  players?: string[];
  /** Whether the match is the attempt at a deal of the day. */
  attempt?: boolean;
  spoken?: boolean;
}

// --- events --------------------------------------------------------------------------------------------

type Say = (event: TableEvent, fill: Filler, ctx: Context) => string;
type ByWho = (inputs: { who: string; name: string }) => string;

/** Return an event as a sentence in parts; empty if the event is not worth a line. */
export function eventParts(event: TableEvent, ctx: Context): Part[] {
  const fill = new Filler();
  const say = EVENTS[event.kind];
  return say ? fill.parts(say(event, fill, ctx)) : [];
}

/** Return an event as a sentence. */
export const eventSentence = (event: TableEvent, ctx: Context): string =>
  plainText(eventParts(event, ctx), ctx.spoken);

/** Return who did it: `you`, or a name. A bot that plays for an absent person is named as such. */
function who(
  event: TableEvent,
  fill: Filler,
  ctx: Context,
  seat = event.seat,
): { who: string; name: string } {
  const seated = seat == null ? null : ctx.names[seat];
  const name = fill.put({ name: event.name ?? seated ?? '?' });
  if (event.for_person) return { who: 'other', name: m.words_bot_for({ name }) };
  const you = seat != null && seat === ctx.you && (event.name == null || event.name === seated);
  return { who: you ? 'you' : 'other', name };
}

const plain =
  (message: ByWho): Say =>
  (event, fill, ctx) =>
    message(who(event, fill, ctx));

const withCard =
  (message: (inputs: { who: string; name: string; card: string }) => string): Say =>
  (event, fill, ctx) =>
    message({ ...who(event, fill, ctx), card: fill.put({ card: event.card ?? '' }) });

const withCards =
  (message: (inputs: { who: string; name: string; cards: string }) => string): Say =>
  (event, fill, ctx) =>
    message({ ...who(event, fill, ctx), cards: fill.cards((event.cards ?? []).map((card) => ({ card }))) });

const laid = (event: TableEvent, fill: Filler): string =>
  fill.cards(
    (event.laid ?? []).map(({ card, place }) => ({
      card,
      as: card === 'JK' && place !== 'JK' ? place : null,
    })),
  );

/** Return `21 points for We.`, and whether it counted double. */
function gained(event: TableEvent, ctx: Context): string {
  if (event.points == null) return '';
  const ours = ctx.sides === 2 && ctx.you != null && event.seat != null;
  const side = ours ? ((event.seat! - ctx.you!) % 2 === 0 ? 'we' : 'they') : 'none';
  const gain = m.words_gain({ side, count: event.points, n: num(event.points) });
  return event.doubled ? ` ${m.words_doubled()} ${gain}` : ` ${gain}`;
}

/** Return the form of a possessive: `you`, `own` for the player who acts, `elided` before a vowel or h, else `other`. */
export function possessive(
  owner: number | null,
  name: string,
  you: number | null,
  actor: number | null = null,
): string {
  if (owner !== null && owner === you) return 'you';
  if (owner !== null && owner === actor) return 'own';
  return /^[aeiouyhàâæéèêëîïôœùûü]/i.test(name) ? 'elided' : 'other';
}

/** Return the meld that was laid off on, by its owner. */
function target(event: TableEvent, fill: Filler, ctx: Context): string {
  const meld = ctx.melds?.find((plate) => plate.number === event.meld);
  const owner = event.owner ?? meld?.owner ?? null;
  const kind = event.meld_kind ?? meld?.kind ?? 'run';
  const name = (owner == null ? null : ctx.names[owner]) ?? '?';
  const who = possessive(owner, name, ctx.you, event.seat ?? null);
  return m.words_target({ who, kind, name: fill.put({ name }) });
}

function over(event: TableEvent, fill: Filler, ctx: Context): string {
  switch (event.reason) {
    case 'out':
      return m.words_over_out(who(event, fill, ctx));
    case 'target':
      return m.words_over_target(who(event, fill, ctx));
    case 'stock':
      return m.words_over_stock();
    case 'passes':
      return m.words_over_passes();
    default:
      return m.words_over_no_progress();
  }
}

function matchOver(event: TableEvent, fill: Filler, ctx: Context): string {
  const players = ctx.players ?? ctx.names;
  const winners = (event.seats ?? []).map((player) => players[player] ?? '?');
  if (!winners.length) return event.seats ? m.words_match_drawn() : m.words_match_over();
  if (ctx.you != null && winners.includes(ctx.names[ctx.you] ?? ''))
    return winners.length > 1 ? m.words_match_won_by_us() : m.words_match_won_by_you();
  return m.words_match_won({ names: listAnd(winners.map((name) => fill.put({ name }))) });
}

const names = (seats: number[], fill: Filler, ctx: Context): string =>
  listAnd(
    seats.map((seat) => fill.put({ name: seat === ctx.you ? m.words_you() : (ctx.names[seat] ?? '?') })),
  );

const EVENTS: Record<string, Say> = {
  sat: plain(m.words_event_sat),
  stood: plain(m.words_event_stood),
  bot: (event, fill, ctx) => m.words_event_bot({ name: who(event, fill, ctx).name }),
  began: () => m.words_event_began(),
  hinted: plain(m.words_event_hinted),
  spread: () => m.words_event_spread(),
  draw_for_deal: withCard(m.words_event_draw_for_deal),
  draw_again: (event, fill, ctx) => m.words_event_draw_again({ names: names(event.seats ?? [], fill, ctx) }),
  seated: (event, fill, ctx) => m.words_event_seated(who(event, fill, ctx, event.dealer ?? event.seat)),
  shuffle: plain(m.words_event_shuffle),
  cut: (event, fill, ctx) => {
    const count = event.position ?? event.count ?? 0;
    return m.words_event_cut({ ...who(event, fill, ctx), count, n: num(count) });
  },
  deal: withCard(m.words_event_deal),
  draw: (event, fill, ctx) =>
    event.card ? withCard(m.words_event_drew)(event, fill, ctx) : plain(m.words_event_draw)(event, fill, ctx),
  restock: (event) => {
    const count = event.cards?.length ?? event.count ?? 0;
    return m.words_event_restock({ count, n: num(count) });
  },
  take: withCards(m.words_event_take),
  call: withCards(m.words_event_call),
  meld: (event, fill, ctx) =>
    m.words_event_meld({ ...who(event, fill, ctx), cards: laid(event, fill) }) + gained(event, ctx),
  lay: (event, fill, ctx) =>
    m.words_event_lay({
      ...who(event, fill, ctx),
      cards: laid(event, fill),
      target: target(event, fill, ctx),
    }) + gained(event, ctx),
  discard: withCard(m.words_event_discard),
  pass: plain(m.words_event_pass),
  let_go: plain(m.words_event_let_go),
  end: plain(m.words_event_end),
  float: plain(m.words_event_float),
  undone: plain(m.words_event_undone),
  over,
  match_over: matchOver,
  resign: plain(m.words_event_resign),
  paused: () => m.words_event_paused(),
  replaced: (event, fill, ctx) => m.words_event_replaced({ name: who(event, fill, ctx).name }),
  stand_in: (event, fill, ctx) => m.words_event_stand_in({ name: who(event, fill, ctx).name }),
  nudged: (event, fill, ctx) =>
    m.words_event_nudged({ name: who(event, fill, ctx).name, other: event.name ?? '' }),
  resumed: () => m.words_event_resumed(),
  abandoned: (_event, _fill, ctx) => abandoned(ctx),
  rematch: () => m.words_event_rematch(),
};

function abandoned({ attempt }: Context): string {
  return attempt ? m.words_event_attempt_over() : m.words_event_abandoned();
}

const TURNS: Record<string, Say> = {
  draw: () => m.words_turn_drew(),
  take: (event, fill) =>
    m.words_turn_took({ cards: fill.cards((event.cards ?? []).map((card) => ({ card }))) }),
  meld: (event, fill) => m.words_turn_melded({ cards: laid(event, fill) }),
  lay: (event, fill, ctx) =>
    m.words_turn_laid({ cards: laid(event, fill), target: target(event, fill, ctx) }),
  discard: (event, fill) => m.words_turn_discarded({ card: fill.put({ card: event.card ?? '' }) }),
  pass: () => m.words_turn_passed(),
};
TURNS.call = TURNS.take!;

/** Return what a player did in a turn, in one line without the name. */
export function turnParts(events: readonly TableEvent[], ctx: Context): Part[] {
  const fill = new Filler();
  const said = events.flatMap((event) => TURNS[event.kind]?.(event, fill, ctx) ?? []);
  return fill.parts(said.join(m.words_comma()));
}

// --- the turn ------------------------------------------------------------------------------------------

/** Return whose turn it is, and in which phase. */
export function phaseParts(shared: Snapshot, you: You | null, ctx: Context): Part[] {
  const fill = new Filler();
  return fill.parts(phase(shared, you, fill, ctx));
}

/** Return whose turn it is, and in which phase, as a sentence. */
export const phaseSentence = (shared: Snapshot, you: You | null, ctx: Context): string =>
  plainText(phaseParts(shared, you, ctx), ctx.spoken);

function phase(shared: Snapshot, you: You | null, fill: Filler, ctx: Context): string {
  if (shared.status === 'paused') return m.words_event_paused();
  if (shared.status === 'abandoned') return abandoned(ctx);
  if (shared.status === 'over') return m.words_match_over();
  const actor = {
    who: shared.actor !== null && shared.actor === ctx.you ? 'you' : 'other',
    name: fill.put({ name: (shared.actor === null ? null : ctx.names[shared.actor]) ?? '?' }),
  };
  switch (shared.waiting_for) {
    case 'seats':
      return m.words_phase_seats();
    case 'draw':
      return m.words_phase_draw_for_deal(actor);
    case 'cut':
      return m.words_phase_cut(actor);
    case 'play':
      return playing(shared, you, actor, fill);
    case 'claim':
      return m.words_phase_claim({
        who: ctx.you != null && shared.claim?.seats.includes(ctx.you) ? 'you' : 'other',
        names: names(shared.claim?.seats ?? [], fill, ctx),
      });
    case 'next':
      return m.words_phase_next();
    case 'over':
      return m.words_match_over();
    default:
      return m.words_phase_shuffle();
  }
}

function playing(
  shared: Snapshot,
  you: You | null,
  actor: { who: string; name: string },
  fill: Filler,
): string {
  switch (shared.phase) {
    case 'draw':
      return shared.stock === 0 && !you?.may.includes('draw')
        ? m.words_phase_no_stock(actor)
        : m.words_phase_draw(actor);
    case 'use':
      return m.words_phase_use({ ...actor, card: fill.put({ card: shared.must_use ?? '' }) });
    default:
      return shared.floater && shared.hand_sizes[shared.actor ?? -1] === 1
        ? m.words_phase_floater(actor)
        : m.words_phase_play(actor);
  }
}

// --- refusals ------------------------------------------------------------------------------------------

type Explain = (reason: Reason, fill: Filler) => string;

let explain: Explain | null = null;

/** Load the sentences of refusals, once. Until then `reasonParts` returns one general sentence. */
export async function loadReasons(): Promise<void> {
  const [module] = await Promise.all([import('./refusals'), loadLate()]);
  explain = module.explain;
}

/** Return why something is refused, in parts. */
export function reasonParts(reason: Reason): Part[] {
  const fill = new Filler();
  return fill.parts(explain ? explain(reason, fill) : m.words_refused());
}

/** Return why something is refused, as a sentence; `spoken`: with the cards' names. */
export const reasonSentence = (reason: Reason, ctx?: { spoken?: boolean }): string =>
  plainText(reasonParts(reason), ctx?.spoken);
