import { defineCustomClientStrategy, getLocale, isLocale, type Locale } from '$lib/paraglide/runtime';

const KEPT = 'rum500.locale';

// The language chosen, where this browser lets it be kept; Paraglide's own way fails where storage is forbidden.
defineCustomClientStrategy('custom-kept', {
  getLocale: () => {
    try {
      const kept = localStorage.getItem(KEPT);
      return isLocale(kept) ? kept : undefined;
    } catch {
      return undefined;
    }
  },
  setLocale: (locale) => {
    try {
      localStorage.setItem(KEPT, locale);
    } catch {
      /* Then the language of the browser stays. */
    }
  },
});

type Messages = Record<string, (inputs?: Record<string, unknown>) => string>;

/** The words of the language shown, as far as they are loaded. */
let loaded: Messages = {};

/** What stands for Paraglide's messages in the built page; plugins/messages.ts puts it there. */
export const m = new Proxy({} as Messages, {
  get: (_, name: string) => (inputs?: Record<string, unknown>) => loaded[name]?.(inputs ?? {}) ?? name,
  has: (_, name: string) => name in loaded,
});

const languages = import.meta.glob<Messages>('../paraglide/messages/{en,de,es,fr,fa}.js');
const lateLanguages = import.meta.glob<Messages>('../paraglide/messages/{en,de,es,fr,fa}.js', {
  query: '?late',
});

const file = (locale: Locale): string => `../paraglide/messages/${locale}.js`;

/** Loads the words of a language; to be awaited before the first of them is shown. */
export async function loadMessages(locale: Locale): Promise<void> {
  loaded = { ...loaded, ...(await languages[file(locale)]?.()) };
}

/** Loads the sentences of rules and refusals and the words of typed plays, in the language shown. */
export async function loadLate(): Promise<void> {
  loaded = { ...loaded, ...(await lateLanguages[file(getLocale())]?.()) };
}
