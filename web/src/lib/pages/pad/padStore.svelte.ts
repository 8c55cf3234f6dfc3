/**
 * The score sheet of this browser. What was entered is a list of saved deals, of which the sheet follows; taking back
 * removes the last one. Everything, the unfinished entry too, is stored after each tap, and read again before the next
 * one, so that several tabs have one sheet.
 */
import {
  accountOf,
  dealPoints,
  handPoints,
  JOKER,
  leader,
  RANKS,
  rulesOf,
  score,
  type Entry,
  type Game,
  type Rules,
} from './scoring';

export interface Setup extends Game {
  /** The names in seat order, clockwise. */
  names: string[];
  /** The seat that deals first. */
  dealer: number;
}

export type Mode = 'totals' | 'laid' | 'cards';

/** A deal as it was entered. */
export interface Deal extends Entry {
  mode: Mode;
  /** The ranks left in each hand, if they were tapped. */
  cards?: string[][];
  /** The points of stock and pile, if they were counted. */
  rest?: number | null;
  /** Whether a count that does not add up is right all the same. */
  accepted?: boolean;
}

/** A deal that is being entered, or changed. */
export interface Draft {
  /** The deal, from 0. */
  at: number;
  mode: Mode;
  /** The seat that went out; null: nobody; undefined: not said yet. */
  out?: number | null;
  /** The cell that the keys fill. */
  cell: number;
  /** The tens that were tapped for it, and whether it is to be negative. */
  tens: number | null;
  minus: boolean;
  points: (number | null)[];
  laid: (number | null)[];
  held: (number | null)[];
  cards: string[][];
  rest: number | null;
}

/** What this device needs to change a sheet that others watch. */
export interface Live {
  id: string;
  token: string;
}

export interface Sheet {
  setup: Setup;
  saved: { at: number; deal: Deal }[];
}

interface Stored {
  version: 1;
  /** The form of a new sheet, while it is filled in. */
  form?: Setup | null;
  sheet: Sheet | null;
  draft: Draft | null;
  /** Drafts before each tap. */
  before: Draft[];
  /** The sheets before this one, the last at the end. */
  earlier: Sheet[];
  /** The sheet that was deleted last, which can be brought back, and its place. */
  deleted?: { at: number; sheet: Sheet } | null;
  /** How others watch the sheet, if they do. */
  live?: Live | null;
}

export const STORE = 'rum500.pad';
const ASIDE = 'rum500.pad.damaged';
const MOST_EARLIER = 20;
const MOST_BEFORE = 500;

const EMPTY: Stored = { version: 1, sheet: null, draft: null, before: [], earlier: [] };

export type Trouble = 'full' | 'blocked' | 'damaged';

const whole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) < 1e6;
const list = <T>(value: unknown, each: (one: unknown) => one is T, length?: number): value is T[] =>
  Array.isArray(value) && value.every(each) && (length === undefined || value.length === length);
const text = (value: unknown): value is string => typeof value === 'string' && value.length <= 60;

/** Return a sheet that was stored or linked, checked to the last number; null if it is none. */
export function readSheet(found: unknown): Sheet | null {
  try {
    const { setup, saved } = found as Sheet;
    const rules = rulesOf(setup);
    const players = setup.names.length;
    const lengths = Object.entries(setup.options);
    const sound =
      list(setup.names, text) &&
      rules.players.includes(players) &&
      list(setup.choices, (id): id is string => rules.choices.includes(id as string)) &&
      lengths.every(
        ([key, value]) => ['target', 'deals', 'max_deals'].includes(key) && whole(value) && value > 0,
      ) &&
      whole(setup.dealer) &&
      setup.dealer >= 0 &&
      setup.dealer < players &&
      Array.isArray(saved);
    if (!sound) return null;
    let count = 0;
    for (const { at, deal } of saved) {
      if (!whole(at) || at < 0 || at > count || !isDeal(deal, rules, players)) return null;
      count = Math.max(count, at + 1);
    }
    return { setup, saved };
  } catch {
    return null;
  }
}

function isDeal(deal: Deal, rules: Rules, players: number): boolean {
  const seat = deal.out === null || (whole(deal.out) && deal.out >= 0 && deal.out < players);
  const known = (rank: unknown): rank is string =>
    rank === JOKER || RANKS.includes(rank as (typeof RANKS)[number]);
  const hand = (cards: unknown): cards is string[] => list(cards, known) && cards.length < 120;
  return (
    seat &&
    ['totals', 'laid', 'cards'].includes(deal.mode) &&
    (deal.mode === 'totals'
      ? list(deal.points, whole, rules.sides || players)
      : list(deal.laid, whole, players) && list(deal.held, whole, players)) &&
    (deal.cards === undefined || list(deal.cards, hand, players)) &&
    (deal.rest === undefined || deal.rest === null || whole(deal.rest))
  );
}

class Pad {
  #stored = $state.raw<Stored>(EMPTY);
  /** What went wrong with storing, if anything. */
  trouble = $state<Trouble | null>(null);

  /** A sheet that somebody else writes, which is shown in place of one's own and cannot be changed. */
  watched = $state.raw<Sheet | null>(null);

  sheet = $derived(this.watched ?? this.#stored.sheet);
  draft = $derived(this.watched ? null : this.#stored.draft);
  earlier = $derived(this.#stored.earlier);
  deleted = $derived(this.#stored.deleted ?? null);
  live = $derived(this.watched ? null : (this.#stored.live ?? null));
  setup = $derived(this.sheet?.setup ?? null);
  form = $derived(this.#stored.form ?? null);
  /** The setup of the sheet before, offered again. */
  last = $derived(this.#stored.earlier.at(-1)?.setup ?? null);
  rules = $derived(this.setup && rulesOf(this.setup));
  deals = $derived.by(() => {
    const found: Deal[] = [];
    for (const { at, deal } of this.sheet?.saved ?? []) found[at] = deal;
    return found;
  });
  result = $derived(
    this.rules
      ? score(this.rules, this.setup!.names.length, this.deals)
      : { rows: [], end: null, deciding: false },
  );
  totals = $derived(this.result.rows.at(-1)?.totals ?? []);
  leader = $derived(this.totals.length ? leader(this.totals) : null);
  canUndo = $derived(this.#stored.before.length > 0 || this.draft !== null || this.sheet !== null);

  /** Read what is stored, and again when another tab changes it. Return a function that stops this. */
  listen(): () => void {
    this.#read();
    const changed = (event: StorageEvent) => {
      if (event.key === STORE || event.key === null) this.#read();
    };
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  }

  #read(): void {
    let found: string | null;
    try {
      found = localStorage.getItem(STORE);
    } catch {
      this.trouble = 'blocked';
      return;
    }
    // What could not be stored is newer than what is.
    if (this.trouble === 'full' || this.trouble === 'blocked') return;
    if (found === null) {
      this.#stored = EMPTY;
      return;
    }
    const { whole, stored } = parsed(found);
    this.#stored = stored;
    if (whole) return;
    this.trouble = 'damaged';
    try {
      putAside();
      localStorage.setItem(STORE, JSON.stringify(stored));
    } catch {
      /* It stays where it is until there is space. */
    }
  }

  #change(make: (now: Stored) => Partial<Stored>): void {
    this.#read();
    const before = this.#stored;
    this.#stored = { ...before, ...make(before) };
    // Those who watch a sheet do not see the next one.
    if (this.#stored.sheet?.setup !== before.sheet?.setup) this.#stored.live = null;
    try {
      putAside();
      localStorage.setItem(STORE, JSON.stringify(this.#stored));
      this.trouble = null;
    } catch (reason) {
      this.trouble = (reason as DOMException).name === 'QuotaExceededError' ? 'full' : 'blocked';
    }
  }

  /** Keep what is filled in for a new sheet. */
  fill(form: Setup): void {
    this.#change(() => ({ form }));
  }

  start(setup: Setup): void {
    void navigator.storage?.persist?.().catch(() => undefined);
    this.open({ setup, saved: [] });
  }

  /** Show another sheet; the one before is kept. */
  open(sheet: Sheet): void {
    this.#change(({ sheet: old, earlier }) => ({
      form: null,
      sheet,
      draft: null,
      before: [],
      earlier: old ? [...earlier, old].slice(-MOST_EARLIER) : earlier,
    }));
  }

  /** Put the sheet away and begin another; taking back returns to it. */
  close(): void {
    this.#change(({ sheet, earlier }) => ({
      form: null,
      sheet: null,
      draft: null,
      before: [],
      earlier: sheet ? [...earlier, sheet].slice(-MOST_EARLIER) : earlier,
    }));
  }

  /** Show an earlier sheet again; the one that is shown is kept. */
  reopen(at: number): void {
    this.#change(({ sheet, earlier }) => ({
      sheet: earlier[at] ?? sheet,
      earlier: [...earlier.filter((_, one) => one !== at), ...(sheet ? [sheet] : [])],
    }));
  }

  /** Delete an earlier sheet. */
  delete(at: number): void {
    this.#change(({ earlier }) => ({
      deleted: { at, sheet: earlier[at]! },
      earlier: earlier.filter((_, one) => one !== at),
    }));
  }

  /** Bring back the sheet that was deleted last. */
  restore(): void {
    this.#change(({ deleted, earlier }) =>
      deleted ? { deleted: null, earlier: earlier.toSpliced(deleted.at, 0, deleted.sheet) } : {},
    );
  }

  /** Note how others watch the sheet; null if they no longer do. */
  beWatched(live: Live | null): void {
    this.#change(() => ({ live }));
  }

  /** Begin to enter a deal, or to change one. */
  enter(at: number): void {
    const { rules, setup, deals } = this;
    if (!rules || !setup || this.watched) return;
    const players = setup.names.length;
    const deal = deals[at];
    const blank = (count: number): null[] => Array<null>(count).fill(null);
    const draft: Draft = {
      at,
      mode: deal?.mode ?? deals.at(-1)?.mode ?? 'totals',
      out: deal?.out,
      cell: 0,
      tens: null,
      minus: false,
      points: deal ? [...this.result.rows[at]!.points] : blank(rules.sides || players),
      laid: deal?.laid ?? blank(players),
      held: deal?.held ?? blank(players),
      cards: deal?.cards ?? blank(players).map(() => []),
      rest: deal?.rest ?? null,
    };
    this.#change(() => ({ draft, before: [] }));
  }

  /** Change what is being entered. */
  edit(change: Partial<Draft>): void {
    this.#change(({ draft, before }) =>
      draft ? { draft: { ...draft, ...change }, before: [...before, draft].slice(-MOST_BEFORE) } : {},
    );
  }

  /** Leave the entry without saving. */
  leave(): void {
    this.#change(() => ({ draft: null, before: [] }));
  }

  save(): void {
    const [draft, deal] = [this.draft, this.entered];
    if (draft && deal) this.#save(draft.at, deal);
  }

  /** Say that a deal's count is right all the same. */
  accept(at: number): void {
    const deal = this.deals[at];
    if (deal) this.#save(at, { ...deal, accepted: true });
  }

  #save(at: number, deal: Deal): void {
    this.#change(({ sheet }) => ({
      sheet: sheet && { ...sheet, saved: [...sheet.saved, { at, deal }] },
      draft: null,
      before: [],
    }));
  }

  /** Take back the last tap of the entry, else the last deal or correction, else the sheet. */
  undo(): void {
    this.#change(({ sheet, draft, before, earlier }) => {
      if (before.length) return { draft: before.at(-1)!, before: before.slice(0, -1) };
      if (draft) return { draft: null };
      if (sheet?.saved.length) return { sheet: { ...sheet, saved: sheet.saved.slice(0, -1) } };
      return sheet ? { sheet: null, earlier: [...earlier, sheet].slice(-MOST_EARLIER) } : {};
    });
  }

  /** The points that a player laid: with cards tapped, none if nothing is typed. */
  laid(draft: Draft, seat: number): number | null {
    return draft.laid[seat] ?? (draft.mode === 'cards' ? 0 : null);
  }

  /** The points held in a hand that is being entered: tapped as cards or typed; 0 for the player who is out. */
  held(draft: Draft, seat: number): number | null {
    if (draft.out === seat) return 0;
    return draft.mode === 'cards' ? handPoints(this.rules!, draft.cards[seat] ?? []) : draft.held[seat]!;
  }

  /** The deal that is being entered; null while something is missing. */
  get entered(): Deal | null {
    const [draft, rules] = [this.draft, this.rules];
    if (!draft || !rules) return null;
    const { mode, out, cards, rest } = draft;
    if (mode === 'totals') {
      const points = full(draft.points);
      return points && (out !== undefined || !rules.going_out_bonus)
        ? { mode, out: out ?? null, points }
        : null;
    }
    const laid = full(draft.laid.map((_, seat) => this.laid(draft, seat)));
    const held = full(draft.laid.map((_, seat) => this.held(draft, seat)));
    if (!laid || !held || out === undefined) return null;
    return { mode, out, laid, held, rest, ...(mode === 'cards' ? { cards } : {}) };
  }

  /** The points of each seat in the deal that is being entered; null where something is missing. */
  dealOf(draft: Draft, seat: number): number | null {
    const rules = this.rules!;
    const before = this.result.rows[draft.at - 1]?.totals ?? [];
    const laid = this.laid(draft, seat);
    const held = this.held(draft, seat);
    if (laid === null || held === null) return null;
    const entry = {
      out: draft.out ?? null,
      laid: draft.laid.map((points) => points ?? 0),
      held: draft.laid.map((_, other) => this.held(draft, other) ?? 0),
    };
    return dealPoints(rules, entry, before)[seat]!;
  }

  /** The sheet as it would be with the deal that is being entered. */
  get after() {
    const [draft, deal, rules] = [this.draft, this.entered, this.rules];
    if (!draft || !deal || !rules) return null;
    const deals = [...this.deals];
    deals[draft.at] = deal;
    return score(rules, this.setup!.names.length, deals);
  }

  /** Who deals a deal, and who plays first in it. */
  dealer(at: number): number {
    return (this.setup!.dealer + at) % this.setup!.names.length;
  }
  first(at: number): number {
    return (this.dealer(at) + 1) % this.setup!.names.length;
  }

  /** The name of an account: a player, or both partners. */
  account(at: number): string {
    const { names } = this.setup!;
    return names.filter((_, seat) => accountOf(this.rules!, seat) === at).join(', ');
  }
}

function full(numbers: (number | null)[]): number[] | null {
  return numbers.every((each) => each !== null) ? numbers : null;
}

/** Keep a damaged text in storage that would be overwritten, beside earlier ones. Throws if there is no space. */
function putAside(): void {
  const found = localStorage.getItem(STORE);
  if (found === null || parsed(found).whole) return;
  let key = ASIDE;
  for (let at = 2; ![null, found].includes(localStorage.getItem(key)); at++) key = `${ASIDE}.${at}`;
  localStorage.setItem(key, found);
}

/** Return what is stored, as far as it can be read, and whether that is all. */
function parsed(found: string): { whole: boolean; stored: Stored } {
  try {
    const read = JSON.parse(found) as Stored;
    const { sheet, draft, before, earlier } = read;
    if (read.version !== 1 || !Array.isArray(earlier) || !Array.isArray(before))
      return { whole: false, stored: EMPTY };
    const form = readSheet({ setup: read.form, saved: [] })?.setup ?? null;
    const kept = earlier.filter((one) => readSheet(one));
    const deleted = read.deleted && readSheet(read.deleted.sheet) ? read.deleted : null;
    const readable = !sheet || readSheet(sheet) !== null;
    const live = isLive(read.live) ? read.live : null;
    const rest = { version: 1 as const, form, earlier: kept, deleted, live };
    if (!readable) return { whole: false, stored: { ...EMPTY, ...rest, live: null } };
    const drafts = soundDrafts(sheet, [...before, ...(draft ? [draft] : [])]);
    return {
      whole: drafts && kept.length === earlier.length,
      stored: { ...rest, sheet, draft: drafts ? draft : null, before: drafts ? before : [] },
    };
  } catch {
    return { whole: false, stored: EMPTY };
  }
}

function isLive(found: Live | null | undefined): found is Live {
  return !!found && [found.id, found.token].every((one) => /^[\w-]{22}$/.test(one));
}

/** Whether entries that were stored fit their sheet. */
function soundDrafts(sheet: Sheet | null, drafts: Draft[]): boolean {
  const rules = sheet && rulesOf(sheet.setup);
  const players = sheet?.setup.names.length ?? 0;
  const cell = (value: unknown): value is number | null => value === null || whole(value);
  return drafts.every(
    ({ at, points, laid, held, cards }) =>
      rules &&
      whole(at) &&
      list(points, cell, rules.sides || players) &&
      list(laid, cell, players) &&
      list(held, cell, players) &&
      Array.isArray(cards) &&
      cards.length === players,
  );
}

export const pad = new Pad();
