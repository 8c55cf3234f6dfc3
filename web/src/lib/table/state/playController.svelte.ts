/**
 * The viewer's side of the game: what is selected, how the hand is arranged, and what the server advises.
 *
 * The server answers every question about the game (`ask`, and the plays in `you`); this class knows no rules.
 */
import { untrack } from 'svelte';

import type { Advice, Reply, Request, TableLink } from '$lib/net/connection.svelte';
import type { TableStore } from '$lib/net/tableStore.svelte';
import type { HintInfo, SuggestedPlay, You, Reason, ReviewPlay, Snapshot } from '$lib/net/protocol';
import { loadReasons, type Part } from '$lib/text/sentences';
import { arranged, held, holds, keysOf, type Held, type Row, type Sort } from '$lib/felt/hand/handSort';
import { cardsOf, sameTarget, suggested } from './suggestedPlays';

/** Several plays to choose between, shown instead of the banner. */
export type Choice = {
  about: 'meld' | 'lay' | 'joker' | 'fourth' | 'call' | 'take' | 'sure';
  options: SuggestedPlay[];
};

/** The settings that matter here. */
export type PlayPreferences = { suggestions: boolean; cutMyself: boolean };

const ASK_PAUSE_MS = 60;
const SORTS: Sort[] = ['melds', 'rank', 'suit', 'hand'];

/** Return whether a player has something to decide. Drawing and cutting count only if the player does them by hand. */
export function decides(
  shared: Snapshot,
  you: You,
  { cutMyself }: Pick<PlayPreferences, 'cutMyself'>,
): boolean {
  const choosing =
    shared.actor === you.seat && (shared.waiting_for === 'draw' || shared.waiting_for === 'cut');
  return you.seat !== null && ((choosing && cutMyself) || you.may.length > 0);
}

export class PlayController {
  readonly connection: TableLink;
  readonly table: TableStore;
  readonly #preferences: PlayPreferences;

  sort = $state<Sort>('melds');
  /** The player's own order, as keys. */
  order = $state.raw<string[]>([]);
  selected = $state.raw<ReadonlySet<string>>(new Set());
  /** The card of the hand that the keyboard is at. */
  at = $state<string | null>(null);
  /** The size of the take that the player looks at; null if none. */
  count = $state<number | null>(null);
  taking = $state.raw<Advice | null>(null);
  turn = $state.raw<Advice | null>(null);
  /** The number of the update after which `turn` was requested; null while the answer is pending. */
  turnOf = $state<number | null>(null);
  cards = $state.raw<Advice | null>(null);
  /** The hints about the present decision, by depth. */
  hints = $state.raw<Partial<Record<HintInfo['depth'], HintInfo>>>({});
  choice = $state.raw<Choice | null>(null);
  refusal = $state.raw<Reason | null>(null);
  /** A sentence of the status slot that is shown in full, with the address of its rule. */
  whole = $state.raw<{ parts: Part[]; rule: string | null } | null>(null);
  /** The column of the error in a typed play, from 1. */
  column = $state<number | null>(null);
  busy = $state(false);

  #advised: Promise<void> = Promise.resolve();
  #askedFor = '';
  #askedAt = -1;
  #asking: Promise<void> = Promise.resolve();
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when the answer about the take that is looked at has arrived. */
  #looking: Promise<void> = Promise.resolve();

  constructor(connection: TableLink, table: TableStore, preferences: PlayPreferences) {
    this.connection = connection;
    this.table = table;
    this.#preferences = preferences;
  }

  // --- state ----------------------------------------------------------------------------------------

  get seat(): number | null {
    return this.table.you.seat;
  }

  /** Whether this is a practice position, without a server table: no suggestions and no other players. */
  get practised(): boolean {
    return this.connection.id === '';
  }

  get hand(): string[] {
    return this.table.you.hand;
  }

  readonly rows: Row[] = $derived.by(() =>
    arranged(this.hand, this.sort, this.turn?.groups ?? [], this.order),
  );
  readonly cardsInOrder: Held[] = $derived(this.rows.flatMap((row) => row.cards));

  /** Whether the page is connected to the table. */
  get live(): boolean {
    return this.connection.link.state === 'live';
  }

  /** Whether this player has something to decide; without a connection, as far as this page knows. */
  readonly deciding: boolean = $derived.by(() => {
    const { you, shared } = this.table;
    return shared.status === 'playing' && decides(shared, you, this.#preferences);
  });

  /** Whether this player has something to decide and is connected. */
  readonly mine: boolean = $derived.by(() => this.deciding && this.live);

  /** The kinds of plays whose buttons are shown. */
  readonly offered: ReadonlySet<string> = $derived.by(() => new Set(this.deciding ? this.table.you.may : []));

  /** The kinds of plays that are open now. */
  readonly may: ReadonlySet<string> = $derived.by(() => (this.mine ? this.offered : new Set()));

  get phase(): string | null {
    return this.table.shared.phase;
  }

  get mustUse(): string | null {
    const { shared, you } = this.table;
    return this.mine && shared.turn === you.seat ? shared.must_use : null;
  }

  /** Whether the coach's advice on the present decision was shown. Then no other play is suggested. */
  readonly advised: boolean = $derived.by(() =>
    Boolean(this.mine && (this.hints.reason ?? this.hints.numbers)),
  );

  /** The play that the coach advises without reserve, once its hint was shown; null if there is none. */
  readonly plan: ReviewPlay | null = $derived.by(() => {
    const hint = this.advised ? (this.hints.numbers ?? this.hints.reason) : null;
    return hint?.choice && (hint.evidence ?? 'none') !== 'none' ? hint.choice : null;
  });

  /** The coach's plan, or else the play with the most points if the player wants that. */
  readonly suggestion: SuggestedPlay | null = $derived.by(() => {
    if (this.advised) return this.plan && suggested(this.plan);
    if (!this.#preferences.suggestions || !this.mine) return null;
    return this.turn?.options[0] ?? null;
  });

  readonly suggestedKeys: ReadonlySet<string> = $derived.by(() => {
    const option = this.plan?.kind === 'discard' ? { cards: this.plan.cards ?? [] } : this.suggestion;
    if (!option || ('kind' in option && (option.kind === 'take' || option.kind === 'call')))
      return new Set<string>();
    return new Set(this.keysFor(cardsOf(option)));
  });

  /** Return the keys of these cards of the hand. */
  keysFor(cards: readonly string[]): string[] {
    return keysOf(this.cardsInOrder, cards, this.selected);
  }

  readonly selectedCards: string[] = $derived(
    this.cardsInOrder.filter(({ key }) => this.selected.has(key)).map(({ card }) => card),
  );

  readonly melds: SuggestedPlay[] = $derived(
    (this.cards?.options ?? []).filter(({ kind }) => kind === 'meld'),
  );
  readonly lays: SuggestedPlay[] = $derived((this.cards?.options ?? []).filter(({ kind }) => kind === 'lay'));

  /** The plays of the button Meld: those of the selected cards, or else the suggested ones. */
  readonly meldOptions: SuggestedPlay[] = $derived(this.selected.size > 0 ? this.melds : this.#best('meld'));
  readonly layOptions: SuggestedPlay[] = $derived(this.selected.size > 0 ? this.lays : this.#best('lay'));

  #best(kind: 'meld' | 'lay'): SuggestedPlay[] {
    if (this.advised) return this.suggestion?.kind === kind ? [this.suggestion] : [];
    if (!this.#preferences.suggestions) return [];
    const options = this.turn?.options ?? [];
    const best = options.find((option) => option.kind === kind && holds(this.hand, cardsOf(option)));
    if (!best) return [];
    const same = cardsOf(best).sort().join();
    return options.filter((option) => option.kind === kind && cardsOf(option).sort().join() === same);
  }

  /** The card that the button Discard would discard: the selected one, or else the coach's. */
  readonly discardCard: string | null = $derived.by(() => {
    if (this.selectedCards.length > 0) return this.selectedCards.length === 1 ? this.selectedCards[0]! : null;
    return this.plan?.kind === 'discard' ? (this.plan.cards?.[0]?.card ?? null) : null;
  });

  /** The one chosen card, if it may be discarded now. */
  readonly discardable: string | null = $derived.by(() => {
    const card = this.may.has('discard') ? this.discardCard : null;
    return card !== null && this.table.you.discards[card] ? card : null;
  });

  // --- selecting ------------------------------------------------------------------------------------

  toggle(key: string): void {
    const next = new Set(this.selected);
    if (!next.delete(key)) next.add(key);
    this.select(next);
  }

  select(keys: Iterable<string>): void {
    this.selected = new Set(keys);
    this.choice = null;
    this.refusal = null;
    this.count = null;
    this.#askCards();
  }

  clear(): void {
    this.select([]);
    this.taking = null;
  }

  /** Wait until the advice about the selected cards has arrived. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  #askCards(): void {
    clearTimeout(this.#askTimer);
    this.cards = null;
    this.#asking = Promise.resolve();
    const cards = this.selectedCards;
    if (cards.length === 0) return;
    const keys = this.selected;
    this.#asking = new Promise((answered) => {
      this.#askTimer = setTimeout(async () => {
        const advice = await this.connection.ask('cards', { cards });
        if (this.selected === keys) this.cards = advice;
        answered();
      }, ASK_PAUSE_MS);
    });
  }

  /** Look at a take of `count` cards. */
  async look(count: number | null): Promise<void> {
    if (this.count === count && this.taking) return;
    this.count = count;
    this.taking = null;
    this.choice = null;
    this.refusal = null;
    if (count === null) return;
    this.selected = new Set();
    this.cards = null;
    // The advice about the take, and the sentences of refusals.
    const asked = Promise.all([
      this.connection.ask('take', { count }),
      loadReasons().catch(() => undefined),
    ]).then(([advice]) => {
      if (this.count === count) this.taking = advice;
    });
    this.#looking = asked;
    await asked;
  }

  // --- arranging ------------------------------------------------------------------------------------

  nextSort(): void {
    const wanted = this.sort === 'hand' ? 'melds' : SORTS[(SORTS.indexOf(this.sort) + 1) % SORTS.length]!;
    if (wanted === 'hand') this.order = this.cardsInOrder.map(({ key }) => key);
    this.sort = wanted;
  }

  /** Move a card by hand: `to` is its new index. */
  move(key: string, to: number): void {
    const keys = this.cardsInOrder.map((card) => card.key).filter((other) => other !== key);
    keys.splice(Math.max(0, Math.min(to, keys.length)), 0, key);
    this.order = keys;
    this.sort = 'hand';
  }

  /** Move the one selected card by one position; the hand then keeps the player's own order. */
  nudge(step: 1 | -1): void {
    const [key] = this.selected;
    const keys = this.cardsInOrder.map((card) => card.key);
    if (key !== undefined) this.move(key, keys.indexOf(key) + step);
  }

  // --- following the table --------------------------------------------------------------------------

  /** Follow a change of the table: keep what is selected if it is still there, and ask for new advice. */
  async refresh(): Promise<void> {
    untrack(() => {
      const keys = new Set(held(this.hand).map(({ key }) => key));
      if (this.sort === 'hand') {
        const kept = this.order.filter((key) => keys.has(key));
        this.order = [...kept, ...[...keys].filter((key) => !kept.includes(key))];
      } else if (!this.turn) {
        this.order = [...keys];
      }
      const still = [...this.selected].filter((key) => keys.has(key));
      if (still.length !== this.selected.size) this.select(still);
      else if (still.length > 0) this.#askCards();
      if (this.count !== null && this.phase !== 'draw' && !this.may.has('call')) {
        this.count = null;
        this.taking = null;
      }
      const asked = this.table.shared.asked;
      if (asked !== this.#askedAt) {
        this.choice = null;
        this.refusal = null;
        this.hints = {};
      }
      this.#askedAt = asked;
    });
    if (this.seat === null || !this.phase || this.phase === 'over') {
      this.turn = null;
      this.turnOf = this.table.number;
      return;
    }
    const number = this.table.number;
    const hand = this.hand.join();
    if (!untrack(() => this.mine) && this.turn && hand === this.#askedFor) {
      this.turn = { ...this.turn, options: [], refused: {} };
      this.turnOf = number;
      return;
    }
    this.#askedFor = hand;
    this.turnOf = null;
    this.#advised = this.connection.ask('turn').then((advice) => {
      if (this.table.number !== number) return;
      if (advice) this.turn = advice;
      this.turnOf = number;
    });
    await this.#advised;
  }

  /** Why plays are not open, by name or by card; known a moment after the turn begins. */
  get refused(): Record<string, Reason> {
    return (this.turnOf === this.table.number && this.turn?.refused) || {};
  }

  // --- playing --------------------------------------------------------------------------------------

  async #send(request: Request): Promise<Reply> {
    if (this.busy) return { ok: true };
    this.busy = true;
    this.choice = null;
    this.refusal = null;
    this.column = null;
    const reply = await this.connection.send(request);
    this.busy = false;
    if (!reply.ok) {
      // Until the sentences of refusals are loaded, all refusals have the same text.
      await loadReasons().catch(() => undefined);
      this.refusal = reply.reason;
      this.column = reply.column ?? null;
    }
    return reply;
  }

  /** Make a play by its code. */
  async play(code: string): Promise<boolean> {
    const reply = await this.#send({
      type: 'play',
      asked: this.table.shared.asked,
      play: code,
    });
    if (reply.ok) {
      this.selected = new Set();
      this.cards = null;
      this.count = null;
      this.taking = null;
    }
    return reply.ok;
  }

  /** Make a play as it was typed. */
  async playTyped(text: string): Promise<boolean> {
    return (await this.#send({ type: 'say', asked: this.table.shared.asked, text })).ok;
  }

  async undo(): Promise<void> {
    if (!this.mine) await this.#deny('undo');
    else await this.#send({ type: 'undo', asked: this.table.shared.asked });
  }

  async pick(position: number): Promise<boolean> {
    return (await this.#send({ type: 'pick', asked: this.table.shared.asked, position })).ok;
  }

  async next(): Promise<void> {
    await this.#send({ type: 'next' });
  }

  /** Make a play without cards: `draw`, `pass`, `end` or `let_go`. If it is not open, show why. */
  async plain(name: string): Promise<boolean> {
    const code = this.table.you.plays[name];
    if (!this.may.has(name) || !code) return this.#deny(name);
    return this.play(code);
  }

  async #deny(name: string, reason?: Reason | null): Promise<false> {
    this.choice = null;
    await Promise.all([this.#advised, loadReasons().catch(() => undefined)]);
    // A new object for each press, so that the same reason is announced again.
    const closed = { code: this.live ? 'page.closed' : 'page.offline' };
    this.refusal = { ...(this.live ? (reason ?? this.refused[name] ?? closed) : closed) };
    return false;
  }

  async take(): Promise<boolean> {
    const count = this.count ?? this.suggestedCount;
    const code = count !== null && this.may.has('take') ? this.table.you.takes[String(count)] : undefined;
    if (code) return this.play(code);
    await this.#looking; // a press before the answer gets its reason, too
    return this.#deny('take', this.taking?.reason);
  }

  async call(): Promise<boolean> {
    const count = this.claimCount;
    const code = count === null ? null : this.table.you.calls[String(count)];
    return code && this.may.has('call') ? this.play(code) : this.#deny('call');
  }

  /** The take that the best suggestion makes. */
  get suggestedCount(): number | null {
    return this.suggestion?.kind === 'take' ? (this.suggestion.count ?? null) : null;
  }

  /** The call that would be made: the one that the player looks at, or else the best. */
  get claimCount(): number | null {
    const calls = Object.keys(this.table.you.calls).map(Number);
    if (calls.length === 0) return null;
    if (this.count !== null && calls.includes(this.count)) return this.count;
    const plays = this.suggestion ? [this.suggestion] : (this.turn?.options ?? []);
    const best = plays.find(({ kind }) => kind === 'call')?.count;
    return best ?? Math.min(...calls);
  }

  /** Do what the button Meld does; `key`: by a single key, which is easily pressed by mistake. */
  async meld(key = false): Promise<boolean> {
    await this.settled();
    return this.#layDown('meld', this.meldOptions, key);
  }

  /** Do what the button Lay off does; `meld` is the meld that the player chose, if any. */
  async layOff(meld: number | null = null, key = false): Promise<boolean> {
    await this.settled();
    const options = this.layOptions.filter((option) => meld === null || option.meld === meld);
    return this.#layDown('lay', options, key);
  }

  /** Whether others see each play at once, so that it cannot be taken back. */
  readonly #watched: boolean = $derived.by(() => {
    const { seats, watching } = this.table.shared;
    const people = seats.filter(({ kind, here }, seat) => kind === 'person' && here && seat !== this.seat);
    return watching > 0 || people.length > 0;
  });

  async #layDown(kind: 'meld' | 'lay', options: SuggestedPlay[], key: boolean): Promise<boolean> {
    if (!this.may.has('lay') && !this.may.has('discard')) return this.#deny('lay');
    if (options.length === 0) {
      if (this.selected.size === 0) return this.#deny('lay', { code: 'page.select' });
      const why = this.cards?.refused?.[kind] ?? this.cards?.reason;
      return this.#deny('lay', why ?? { code: kind === 'meld' ? 'page.no_meld' : 'page.no_lay' });
    }
    const only = options[0]!;
    if (options.length > 1) {
      this.choice = { about: sameTarget(options) ? 'joker' : kind, options };
      return false;
    }
    const four = only.fourth ? this.#withFourth(only) : null;
    if (only.fourth) {
      this.choice = { about: 'fourth', options: four ? [four, only] : [only] };
      return false;
    }
    // Cards that the player did not select are laid by a key only where that can be undone.
    if (key && this.selected.size === 0 && this.#watched) {
      this.choice = { about: 'sure', options };
      return false;
    }
    return this.play(only.play);
  }

  /** Return the suggested play that lays the same cards and one more. */
  #withFourth(three: SuggestedPlay): SuggestedPlay | null {
    const cards = cardsOf(three);
    return (
      (this.turn?.options ?? []).find(
        (option) =>
          option.kind === 'meld' &&
          option.doubled &&
          option.cards.length === cards.length + 1 &&
          holds(cardsOf(option), cards),
      ) ?? null
    );
  }

  async discard(): Promise<boolean> {
    if (!this.may.has('discard')) return this.#deny('discard');
    const card = this.discardCard;
    if (card === null)
      return this.#deny('discard', { code: this.selected.size ? 'page.one' : 'page.select_card' });
    const code = this.table.you.discards[card];
    if (code) return this.play(code);
    await this.#advised;
    return this.#deny('discard', this.refused[card]);
  }

  /**
   * Make the one use of a card: a lay-off before a discard. Where several melds take it, the player chooses; where
   * nothing does, it is no longer selected.
   */
  async use(key: string): Promise<void> {
    if (!this.selected.has(key) || this.selected.size !== 1) this.select([key]);
    await this.settled();
    if (this.selected.size !== 1 || !this.selected.has(key)) return;
    if (this.may.has('lay') && this.lays.length > 0) await this.layOff();
    else if (this.discardable) await this.discard();
    else {
      const why = this.refused[this.discardCard ?? ''] ?? this.refused.discard;
      this.clear();
      await this.#deny('discard', why);
    }
  }

  /** Handle cards dropped on the `pile`, on a meld such as `meld:3`, or elsewhere on the felt. */
  async drop(where: string, keys: string[]): Promise<void> {
    this.select(keys);
    if (where === 'pile') {
      await this.discard();
      return;
    }
    await this.settled();
    const meld = where.startsWith('meld:') ? Number(where.slice('meld:'.length)) : null;
    const fits = this.lays.some((option) => option.meld === meld);
    if (meld !== null && (fits || this.melds.length === 0)) await this.layOff(meld);
    else if (meld === null && this.melds.length === 0 && this.lays.length > 0) await this.layOff();
    else await this.meld();
  }

  /** Choose the n-th of the plays offered. */
  async choose(index: number): Promise<boolean> {
    const option = this.choice?.options[index];
    return option ? this.play(option.play) : false;
  }

  /** Do what the key Enter does: the play of the primary button. */
  async primary(): Promise<boolean> {
    await this.settled();
    switch (this.primaryName) {
      case 'take':
        return this.take();
      case 'draw':
        return this.plain('draw');
      case 'meld':
        return this.meld(true);
      case 'lay':
        return this.layOff(null, true);
      case 'discard':
        return this.discard();
      case 'call':
        return this.call();
      case null:
        return false;
      default:
        return this.plain(this.primaryName);
    }
  }

  /** The name of the gold button: of the play of Enter, unless the coach advised another one. */
  get goldName(): string | null {
    if (!this.advised) return this.primaryName;
    const { kind, cards = [] } = this.plan ?? {};
    const chosen = this.count ?? (this.selected.size > 0 ? this.selectedCards.toSorted().join() : null);
    const planned = kind === 'take' || kind === 'call' ? cards.length : cardsOf({ cards }).sort().join();
    return kind === this.primaryName && (chosen === null || chosen === planned) ? this.primaryName : null;
  }

  /** The name of the button that Enter presses. */
  readonly primaryName: string | null = $derived.by(() => {
    if (!this.mine) return null;
    if (this.advised && this.selected.size === 0 && this.count === null) return this.plan?.kind ?? null;
    if (this.may.has('call')) return 'call';
    if (this.may.has('take') || this.may.has('draw')) {
      if (this.count !== null) return this.table.you.takes[String(this.count)] ? 'take' : null;
      if (this.suggestedCount !== null) return 'take';
      if (this.may.has('draw')) return 'draw';
    }
    if (this.may.has('lay') || this.may.has('discard')) {
      if (this.selected.size === 0 && this.suggestion) return this.suggestion.kind === 'lay' ? 'lay' : 'meld';
      if (this.melds.length > 0) return 'meld';
      if (this.lays.length > 0) return 'lay';
      if (this.discardCard !== null && this.table.you.discards[this.discardCard]) return 'discard';
      return null;
    }
    return ['pass', 'end', 'let_go'].find((name) => this.may.has(name)) ?? null;
  });
}
