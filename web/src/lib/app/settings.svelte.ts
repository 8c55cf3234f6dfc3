/** The visitor's settings, stored in this browser, or kept until the page is closed if storage is forbidden. */

import { getLocale, getTextDirection, setLocale, type Locale } from '$lib/paraglide/runtime';

import { newTableFields, type TableInfo } from '$lib/net/protocol';

export type Theme = 'auto' | 'dark' | 'light';
export type Deck = 'four' | 'two';
/** The sizes of cards on the felt, as parts of the largest size that fits. */
export const CARD_SIZES = { small: 0.6, medium: 0.8, large: 1 } as const;
export type TextSize = 100 | 112 | 125 | 150 | 200;
export type Animation = 'auto' | 'off';

/** The progress of the first-deal guide, its table and the steps that were given; and the finished lessons. */
export interface GuideProgress {
  table: string | null;
  seen: string[];
  done: boolean;
  lessons: string[];
}

/** The game played last, offered again with one press; null means the usual value. */
export interface LastPlay {
  profile: string;
  players: number | null;
  /** The level of bots that was chosen instead of the next opponent; null: the next opponent. */
  level: string | null;
  /** House rules and variations by id. */
  choices: string[];
  target: number | null;
  deals: number | null;
  /** How deep hints may go where one plays with bots alone. */
  hints: TableInfo['hints'];
  /** The number of decisions of a deal for which hints are allowed; null: all. */
  hintsADeal: number | null;
}

const STORE = 'rum500.settings';
/** The settings that are stored. */
const STORED = [
  'theme',
  'deck',
  'felt',
  'back',
  'cards',
  'lays',
  'sound',
  'suggestions',
  'brackets',
  'keys',
  'textSize',
  'animation',
  'cutMyself',
  'privateChat',
  'openChat',
  'ownBots',
  'last',
  'guide',
] as const;
type Stored = Pick<Settings, (typeof STORED)[number]>;

/** The languages of the page, each with its own name. */
export const LANGUAGES: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  fa: 'فارسی',
};

/** Return the default settings of a game. */
export const usualPlay = (profile = '500-rum'): LastPlay => ({
  profile,
  players: null,
  level: null,
  choices: [],
  target: null,
  deals: null,
  hints: newTableFields.hints.usual,
  hintsADeal: null,
});

/** Return text from this browser's storage; null if there is none or storage is forbidden. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Write text to this browser's storage if it is allowed. */
export function remember(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    /* Without storage the settings are lost when the page is closed. */
  }
}

/** Whether this browser shows the page for the first time: later its settings are stored. */
export const isFirstVisit = (): boolean => recall(STORE) === null;

/** Return the stored settings, and the defaults of all others. */
function stored(known: Stored): Stored {
  try {
    const found: unknown = JSON.parse(recall(STORE) ?? '{}');
    if (typeof found !== 'object' || found === null) return known;
    for (const [key, value] of Object.entries(found)) {
      const usual: unknown = known[key as keyof Stored];
      if (key in known && typeof value === typeof usual)
        Object.assign(known, { [key]: merged(usual, value) });
    }
  } catch {
    /* Settings that cannot be read are replaced by the defaults. */
  }
  return known;
}

function merged(usual: unknown, value: unknown): unknown {
  const both = [usual, value].every((part) => typeof part === 'object' && part !== null);
  return both ? { ...(usual as object), ...(value as object) } : value;
}

class Settings {
  theme = $state<Theme>('auto');
  deck = $state<Deck>('four');
  felt = $state<'sage' | 'baize' | 'claret' | 'night'>('sage');
  back = $state<'stars' | 'lattice' | 'waves' | 'plain'>('stars');
  cards = $state<keyof typeof CARD_SIZES>('large');
  /** Where laid-off cards lie: at the meld, or in front of the player who laid them (R-LAY-3). */
  lays = $state<'meld' | 'front'>('meld');
  sound = $state(false);
  suggestions = $state(true);
  /** Whether the melds that a hand has are marked and named. */
  brackets = $state(true);
  keys = $state(true);
  textSize = $state<TextSize>(100);
  animation = $state<Animation>('auto');
  cutMyself = $state(false);
  /** Whether chat is shown at private tables, and at open ones. */
  privateChat = $state(true);
  openChat = $state(false);
  /** Whether the table's menu offers a seat to a bot that the player wrote. */
  ownBots = $state(false);
  last = $state<LastPlay>(usualPlay());
  guide = $state<GuideProgress>({ table: null, seen: [], done: false, lessons: [] });

  constructor() {
    Object.assign(this, stored(this.all()));
  }

  /** The current language; setting it reloads the page. */
  get locale(): Locale {
    return getLocale();
  }

  set locale(locale: Locale) {
    void setLocale(locale);
  }

  /** The writing direction of the current language. */
  get dir(): 'ltr' | 'rtl' {
    return getTextDirection(this.locale);
  }

  /** All settings that are stored. */
  all(): Stored {
    return Object.fromEntries(STORED.map((key) => [key, this[key]])) as Stored;
  }

  /** Note that the guide is finished. Then the play with the most points is no longer suggested. */
  finishGuide(): void {
    if (!this.guide.done) this.suggestions = false;
    this.guide = { ...this.guide, done: true };
  }

  /** Note that a lesson is finished. */
  finishLesson(name: string): void {
    const { lessons } = this.guide;
    if (!lessons.includes(name)) this.guide = { ...this.guide, lessons: [...lessons, name] };
  }

  /** Store all settings. Call this from an effect, so that each change is stored. */
  save(): void {
    remember(STORE, JSON.stringify(this.all()));
  }

  /** Show theme, deck, felt, back, text size and motion on the document; to be called from an effect. */
  show(root: HTMLElement): void {
    root.dataset.deck = this.deck;
    root.dataset.felt = this.felt;
    root.dataset.back = this.back;
    if (this.theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    if (this.animation === 'off') root.dataset.motion = 'none';
    else delete root.dataset.motion;
    root.style.fontSize = this.textSize === 100 ? '' : `${this.textSize}%`;
  }
}

/** The settings of this browser, reactive. */
export const settings = new Settings();
