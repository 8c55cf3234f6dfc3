/** The text of a review: plays, costs and reasons, in the current language. */

import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';

import type {
  DealReviewInfo,
  EventRate,
  LossReasonInfo,
  LossWhy,
  ReviewPlan,
  ReviewPlay,
  ReviewVerdict,
} from '$lib/net/protocol';
import { leftToRight, listAnd, listOr, num, points as pointsOf, type Part } from '$lib/text/sentences';
import { Filler } from '$lib/text/cards';
import { named, type Inputs } from '$lib/text/named';
import { explain } from '$lib/text/refusals';
import { plainText } from '$lib/text/sentences';
import type { Sign } from './reviewData';

/** The look of each mark. Shape, sign and word differ, so that each alone is enough. */
export const SIGNS: Readonly<Record<Sign, string>> = {
  blunder: '??',
  mistake: '?',
  doubtful: '?!',
  depends: '⇄',
  found: '!',
  luck: '★',
};

export const markName = (sign: Sign): string => m.review_mark({ mark: sign });

/** Return points with their sign, without decimals from 10 on: `+12`, `−3.4`. */
export function signed(value: number): string {
  const rounded = round(value);
  return leftToRight(rounded > 0 ? `+${amount(rounded)}` : amount(rounded));
}

/** Return points without a sign, without decimals from 10 on. */
export function amount(value: number): string {
  const rounded = round(value);
  return Number.isInteger(rounded) ? num(rounded) : withDecimals(rounded, 1);
}

/** Return a number with this many decimals, with a true minus. */
function withDecimals(value: number, decimals: number): string {
  const format = new Intl.NumberFormat(getLocale() === 'en' ? 'en-GB' : getLocale(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(value).replace('-', '−');
}

/** Round a number so that a loss and an equal gain get the same digits. */
function round(value: number): number {
  const size = Math.abs(value);
  return Math.sign(value) * (size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size)) || 0;
}

/**
 * Return `14 ± 9`: points with half the width of their interval, both with as many decimals as the points. A
 * half-width of zero at that precision is left out. Rounding never makes an interval beside zero reach it.
 */
export const withHalf = (value: number, half: number | null): string => leftToRight(halfBeside(value, half));

/** Return `−14 ± 9` or `+14 ± 9`, as `withHalf`. */
export const signedWithHalf = (value: number, half: number | null): string =>
  leftToRight((round(value) > 0 ? '+' : '') + halfBeside(value, half));

function halfBeside(value: number, half: number | null): string {
  const decimals = Math.abs(value) < 9.95 ? 1 : 0;
  if (half === null) return amount(value);
  const unit = decimals ? 0.1 : 1;
  const size = Math.abs(round(value));
  const shown = Math.round(half / unit) * unit;
  const reach = half < Math.abs(value) && shown >= size - unit / 2 ? size - unit : shown;
  if (reach < unit / 2) return amount(value);
  const points = withDecimals(round(value), decimals);
  return m.review_points_half({ points, half: withDecimals(reach, decimals) });
}

/** Return `14 ± 9 points`, in words. */
export function pointsWithHalf(value: number, half: number | null): string {
  const n = withHalf(value, half);
  // The plural of 1.0, which is shown beside an interval, is that of 1.1.
  const count = round(value) === 1 && n !== amount(value) ? 1.1 : round(value);
  return m.words_points({ count, n });
}

/** Return what a decision cost, in the unit of its mark: only if it differs clearly from zero. */
export function costText(verdict: ReviewVerdict, bounds: readonly number[]): string {
  const { loss, low, mark, exact } = verdict;
  if (mark === 'decided') return '–';
  if (loss <= 0) return m.review_cost_none();
  if (mark !== 'good' || exact || low > 0) return markedLossWords(verdict);
  if (loss < (bounds[0] ?? Infinity)) return m.review_cost_near();
  return m.review_cost_unsure({ points: pointsWithHalf(loss, halfOf(verdict)) });
}

/** Return what the points of a decision's bars are: in a match to a target, those at its start. */
export const barsLabel = ({ chance }: Pick<ReviewVerdict, 'chance'>): string =>
  m.review_bars({ start: chance === null ? 'no' : 'yes' });

/**
 * Return half the width of the interval of a loss, as it is shown after the loss. An interval above zero is never shown
 * as one with zero: if the loss is not in its middle, this is the distance to its lower end.
 */
export function halfOf({ loss, low, high }: Pick<ReviewVerdict, 'loss' | 'low' | 'high'>): number {
  const half = (high - low) / 2;
  return half >= loss && low > 0 ? loss - low : half;
}

/** Return a share of 1 as a percentage: 0 % only for never, and 100 % only for always. */
export function percent(share: number): string {
  const shown = share > 0 && share < 1 ? Math.min(0.99, Math.max(0.01, share)) : share;
  return new Intl.NumberFormat(getLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}

/** How often something happens after the play that was made and after the best one, 0 to 1. */
type Shares = Pick<EventRate, 'played' | 'best'>;

/** Return how often something happens, at the end of a sentence: `in 26%`, `never`. */
const inShare = (share: number): string =>
  share > 0 ? m.review_in_share({ share: percent(share) }) : m.review_never();

/** How a play is named: alone (`Discard K♦`), or as the subject of a sentence (`Discarding K♦`). */
type Form = 'name' | 'doing';

/** Return a share of 1 that a chance fell by in hundredths, as it is shown: at least 0.1. */
const hundredths = (share: number): number => round(Math.max(0.1, 100 * share));

/** Return by how much a chance fell: `5.7 percentage points`. */
function percentagePoints(share: number): string {
  const count = hundredths(share);
  return m.review_percentage_points({ count, n: amount(count) });
}

/** What the story of a decision depends on. */
type Story = Pick<ReviewVerdict, 'why' | 'plan' | 'change' | 'best' | 'played'>;

/** Return the plan by which another play is better, or else the rate that the play changed most; empty without both. */
export function storyParts(
  { plan, change, why, best, played }: Partial<Story>,
  name: string | null = null,
): Part[] {
  const rates = ({ played, best }: Shares): { played: string; best: string; then: string } => ({
    played: percent(played),
    best: percent(best),
    then: inShare(best),
  });
  const fill = new Filler();
  if (!plan) {
    if (!change) return [];
    const others = why?.others ?? 'others';
    const what = changeName(change);
    const cards = { card: thrown(fill, best), other: thrown(fill, played) };
    return fill.parts(m.review_change({ what, others, ...whoIn(fill, name), ...cards, ...rates(change) }));
  }
  const cards = plan.cards.map((card) => fill.put({ card }));
  const words = { plan: planName(plan), others: plan.others ?? 'others' };
  const [card = '', other = ''] = cards;
  const named = { cards: listAnd(cards), any: listOr(cards), card, other };
  return fill.parts(m.review_plan({ ...words, ...named, ...rates(plan) }));
}

/** Return the card that a play discards; empty for another play. */
const thrown = (fill: Filler, play?: ReviewPlay): string =>
  play?.kind === 'discard' ? fill.cards(play.cards ?? []) : '';

/** Return the words for the player of a decision: `name`, or null for the viewer. */
const whoIn = (fill: Filler, name: string | null): { who: string; name: string } => ({
  who: name === null ? 'you' : 'other',
  name: name === null ? '' : fill.put({ name }),
});

/**
 * Return the name of the sentence for a change. If the event always follows one play and never the other, no rates are
 * given; if only the best play makes it possible, only its rate is given.
 */
function changeName({ name, played, best }: EventRate): string {
  if ((name === 'out' || name === 'other_out') && Math.abs(played - best) === 1) return `${name}_sure`;
  return ['out', 'took_back', 'at_once'].includes(name) && played < 0.005 ? `${name}_only` : name;
}

/**
 * Return which sentence says a plan: if going out, or the end of the stock, is possible only with it, the other rate is
 * left out, and what always or never happens has no rate; some stored plans do not name the other card.
 */
function planName({ name, played, best, cards }: ReviewPlan): string {
  if (name === 'wait' && played < 0.005) return 'wait_only';
  if ((name === 'hold' || name === 'race') && played < 0.005)
    return `${name}_${best === 1 ? 'sure' : 'only'}`;
  if (name === 'bury' && cards.length === 1) return 'bury_one';
  const sure = name === 'lay' ? played === 1 : (name === 'deny' || name === 'bury') && best === 0;
  return sure ? `${name}_sure` : name;
}

/**
 * Return the way of playing on for which a mark holds; empty if it holds for both, or if only one was judged. `name`:
 * that of the player, or null for the viewer.
 */
export function conditionParts(
  {
    ways = [],
    why = null,
    loss = 0,
  }: Pick<ReviewVerdict, 'ways'> & Partial<Pick<ReviewVerdict, 'why' | 'loss'>>,
  name: string | null = null,
): Part[] {
  const [ours, other] = ways;
  if (!ours || !other || ours.mark === other.mark || ours.mark === 'decided') return [];
  const cost = pointsWithHalf(other.loss, other.half);
  const atStart = why !== null && (why.code === 'why.match' || isWorthOther(why, loss));
  const points = atStart ? m.review_as_at_start({ points: cost }) : cost;
  const fill = new Filler();
  const good = ours.mark === 'good' ? 'yes' : 'no';
  return fill.parts(m.review_condition({ good, way: ours.way, ...whoIn(fill, name), points }));
}

/** Return a play as parts: `Discard K♦`. */
export function playParts(play: ReviewPlay, form: Form = 'name'): Part[] {
  const fill = new Filler();
  return fill.parts(playWords(play, fill, form));
}

/** Return a sentence as parts, with a play as its subject. */
export function aboutPlay(say: (inputs: { play: string }) => string, play: ReviewPlay): Part[] {
  const fill = new Filler();
  return fill.parts(say({ play: playWords(play, fill, 'doing') }));
}

export const playSpoken = (play: ReviewPlay): string => plainText(playParts(play), true);

function playWords(play: ReviewPlay, fill: Filler, form: Form): string {
  const all = (play.cards ?? []).map(({ card, place }) => ({
    card,
    as: card === 'JK' && place && place !== 'JK' ? place : null,
  }));
  const cards = (): string => fill.cards(all);
  switch (play.kind) {
    case 'draw':
      return m.review_play_draw({ form });
    case 'take': {
      const count = all.length;
      const first = count ? fill.put(all[0]!) : '';
      return m.review_play_take({
        form,
        count,
        more: count - 1,
        n: num(count - 1),
        cards: first,
        card: first,
      });
    }
    case 'call':
      return m.review_play_call({ form, cards: cards() });
    case 'let_go':
      return m.review_play_let_go({ form });
    case 'pass':
      return m.review_play_pass({ form });
    case 'end':
      return m.review_play_end({ form });
    case 'meld':
      return m.review_play_meld({ form, cards: cards() });
    case 'lay': {
      const laid = cards();
      if (!play.on?.length) return m.review_play_lay({ form, cards: laid });
      return m.review_play_lay_on({ form, cards: laid, meld: meldWords(play.on, fill) });
    }
    case 'discard':
      return m.review_play_discard({ form, cards: cards() });
  }
}

/** Return a meld by its cards: all of them, or the first and the last of a long run. */
function meldWords(cards: readonly string[], fill: Filler): string {
  if (cards.length <= 4) return fill.cards(cards.map((card) => ({ card })));
  return `${fill.put({ card: cards[0]! })} … ${fill.put({ card: cards.at(-1)! })}`;
}

/** What a play cost and the parts of the loss, largest first. Only measured parts are named. */
export interface ReasonText {
  fact: Part[];
  parts: Part[][];
}

/**
 * Return why a play loses points, or would have lost them if it had been `made`; null without a loss. `name`: that of
 * the player, or null for the viewer.
 */
export function reasonText(
  {
    why,
    loss,
    played,
    chance,
    plan,
    change,
    best,
  }: Pick<ReviewVerdict, 'why' | 'loss' | 'played' | 'chance'> & Partial<Story>,
  { made = true, name = null }: { made?: boolean; name?: string | null } = {},
): ReasonText | null {
  if (!why || loss <= 0) return null;
  const lost = why.chance ?? chance ?? 0;
  const cost = pointsWithHalf(why.points, why.half);
  const done = made ? 'yes' : 'no';
  /** Whether the text says "in this deal": the mark of a match to a target uses points at the match's start. */
  const deal = why.chance === null && chance === null ? 'no' : 'yes';
  const fact =
    isOfChance(why, lost) || why.points <= 0
      ? aboutPlay((play) => m.review_why_chance({ ...play, done, chance: percentagePoints(lost) }), played)
      : aboutPlay((play) => m.review_why_costs({ ...play, done, deal, points: cost }), played);
  const named = change && isNamed(change, why);
  const story = named ? storyParts({ plan }, name) : storyParts({ plan, change, why, best, played }, name);
  const reasons = story.length && GENERAL.has(why.code) ? [] : whyParts(why, lost, plan);
  const parts = [story, ...reasons, ...worthParts({ why, loss, chance })];
  return { fact, parts: parts.filter((one) => one.length > 0) };
}

/**
 * Return whether a loss is given in chance: its points may be none at all, as their interval reaches 0. Some reviews that
 * are stored have another code for it.
 */
const isOfChance = ({ code, points, half }: LossWhy, chance: number): boolean =>
  code === 'why.match' || (chance > 0 && points > 0 && half >= points);

/** The codes of losses without a reason of their own; a plan or the change of a rate says more. */
const GENERAL: ReadonlySet<LossWhy['code']> = new Set(['why.small', 'why.mixed']);

/** For the change of a rate, and for a plan, the reasons that give these rates too. */
const SAYS: Readonly<Record<string, readonly string[]>> = {
  next_takes: ['why.gift', 'why.pile_given'],
  other_gets: ['why.gift'],
  other_out: ['why.slow'],
  deny: ['why.gift', 'why.pile_given'],
  bury: ['why.gift'],
  lay: ['why.caught'],
};

/** Return whether a reason of a loss names the change of a rate. */
const isNamed = ({ name }: EventRate, { reasons }: LossWhy): boolean =>
  reasons.some(({ code }) => SAYS[name]?.includes(code));

/** The least share at which the text says how much more or less points count than at the start of a match. */
const OTHER_WORTH = 0.25;

/** Return whether the points of a loss count for clearly more or less than at the start of a match. */
export const isWorthOther = ({ points, code }: LossWhy, loss: number): boolean =>
  code !== 'why.match' && points > 0 && Math.abs(loss - points) > OTHER_WORTH * points;

type Lost = { points: number; half: number } | { chance: number };

/**
 * Return the loss of a decision: in points of its deal where they are worth clearly more or less at that score; in
 * chance to win the match, where it cost no points that are sure.
 */
function lossOf({ why, loss, low, high, chance }: ReviewVerdict): Lost {
  const lost = why?.chance ?? chance ?? 0;
  if (why && isOfChance(why, lost)) return { chance: lost };
  return why && isWorthOther(why, loss)
    ? { points: why.points, half: why.half }
    : { points: loss, half: halfOf({ loss, low, high }) };
}

/**
 * Return the loss of a decision in the unit of its mark, for lists of marks: in chance to win the match where points of
 * the deal are worth clearly more or less at that score.
 */
function markedLoss(verdict: ReviewVerdict): Lost {
  const { why, loss, chance } = verdict;
  return why && isWorthOther(why, loss) && chance !== null && chance > 0 ? { chance } : lossOf(verdict);
}

/** A cost below zero, and its unit if that is not points. */
export interface CostText {
  value: string;
  unit: string;
}

function lostText(lost: Lost): CostText {
  if (!('chance' in lost)) return { value: signedWithHalf(-lost.points, lost.half), unit: '' };
  const count = hundredths(lost.chance);
  return { value: signed(-count), unit: m.review_percentage_unit({ count }) };
}

/** Return what a decision cost. */
export const lossText = (verdict: ReviewVerdict): CostText => lostText(lossOf(verdict));

/** Return what a decision cost in the unit of its mark. */
export const markedLossText = (verdict: ReviewVerdict): CostText => lostText(markedLoss(verdict));

/** Return what a decision cost in the unit of its mark, in words. */
export function markedLossWords(verdict: ReviewVerdict): string {
  const lost = markedLoss(verdict);
  return 'chance' in lost
    ? m.review_cost_chance({ chance: percentagePoints(lost.chance) })
    : m.review_cost({ points: pointsWithHalf(lost.points, lost.half) });
}

/** A cost or gain is clear if its interval, as it is shown, begins beyond this number of points. */
const CLEAR = 5;

/** Return how sure a cost is, from the interval that is shown beside it, or its own where none is shown. */
export function sureOfLoss(verdict: ReviewVerdict): 'clear' | 'likely' {
  const lost = markedLoss(verdict);
  return ('chance' in lost ? verdict.low : lost.points - lost.half) > CLEAR ? 'clear' : 'likely';
}

/** Return how sure the gain of a find is. */
export const sureOfGain = ({ gain, gain_half: half }: ReviewVerdict): 'clear' | 'likely' =>
  gain - half > CLEAR ? 'clear' : 'likely';

/** Return what a loss is worth where that is clearly more or less than its points. */
export function worthParts({ why, loss, chance }: Pick<ReviewVerdict, 'why' | 'loss' | 'chance'>): Part[][] {
  if (!why || !isWorthOther(why, loss) || isOfChance(why, why.chance ?? chance ?? 0)) return [];
  const known = chance !== null && chance > 0;
  const share = known ? percentagePoints(chance) : '';
  return [
    [m.review_why_even({ known: known ? 'yes' : 'no', chance: share, points: pointsOf(Math.round(loss)) })],
  ];
}

/** Return the spoken text of a marked decision: mark, play, cost with its interval, and reason. */
export function markSpoken(sign: Sign, verdict: ReviewVerdict, name: string | null = null): string {
  if (sign === 'depends')
    return `${markName(sign)}. ${playSpoken(verdict.played)}. ${plainText(conditionParts(verdict, name), true)}`;
  if (sign === 'found') return `${markName(sign)}. ${playSpoken(verdict.played)}. ${m.review_moment_found()}`;
  const reason = reasonText(verdict, { name });
  const sentences = reason ? [reason.fact, ...reason.parts].map((parts) => plainText(parts, true)) : [];
  return [`${markName(sign)}.`, ...sentences].join(' ');
}

/**
 * Return the reasons of a loss, the largest first. `chance`: the loss in chance to win the match, or 0. Beside a `plan`,
 * reasons leave out the rates that the plan gives.
 */
export function whyParts(why: LossWhy, chance = 0, plan: ReviewPlan | null = null): Part[][] {
  const { reasons, others, gained, points } = why;
  switch (isOfChance(why, chance) ? 'why.match' : why.code) {
    case 'why.exact':
    case 'why.costs': {
      const back = gained ? [[m.review_why_back({ count: round(gained), points: amount(gained) })]] : [];
      const said = plan ? (SAYS[plan.name] ?? []) : [];
      const named = reasons.map((one) =>
        said.includes(one.code) ? { ...one, code: `${one.code}_alone` } : one,
      );
      const known = why.code === 'why.exact' ? [[m.review_why_exact()]] : [];
      return [...named.map((one) => partOf(one, others)), ...back, ...known];
    }
    case 'why.match':
      return [[points > 0 ? m.review_why_match_close() : m.review_why_match()]];
    case 'why.small':
      return [[m.review_why_small()]];
    case 'why.mixed':
      return [[m.review_why_mixed()]];
  }
}

function partOf(reason: LossReasonInfo, others: string): Part[] {
  const say = named('review_why_', reason.code.replace(/^why\./, ''));
  if (!say) return [];
  const fill = new Filler();
  const cards = reason.cards.map((card) => fill.put({ card }));
  const inputs = {
    others,
    cards: listAnd(cards),
    any: listOr(cards),
    played: percent((reason.played ?? 0) / 100),
    then: inShare((reason.best ?? 0) / 100),
  };
  const text = say(inputs as unknown as Inputs<'review_why_'>);
  return fill.parts(`${m.review_why_part({ points: amount(reason.points) })} ${text}`);
}

/** Return how far a review is, or why there is none; empty once it is ready. */
export function progressText(state: DealReviewInfo): string {
  if (state.marks === 'unavailable' || state.breakdown === 'unavailable')
    return state.why ? whyNot(state) : m.review_unavailable();
  if (state.marks === 'failed' || state.breakdown === 'failed')
    return state.why ? whyNot(state) : m.review_failed();
  if (state.marks === 'done') return '';
  if (state.marks === 'running') return m.review_running({ n: num(state.judged), of: num(state.decisions) });
  return state.breakdown === 'done' || state.breakdown === 'running'
    ? m.review_waiting()
    : m.review_sum_wait();
}

function whyNot(state: DealReviewInfo): string {
  const fill = new Filler();
  return plainText(fill.parts(explain(state.why!, fill)));
}

/** Return points in words: `21 points`. */
export const inPoints = (value: number): string => pointsOf(Math.round(value));
