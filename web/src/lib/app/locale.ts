import { defineCustomClientStrategy, getLocale, isLocale, type Locale } from '$lib/paraglide/runtime';

const KEPT = 'rum500.locale';

// Store the chosen language if this browser allows it. Paraglide's own strategy fails if storage is forbidden.
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
      /* Without storage the browser's language is used. */
    }
  },
});

type Messages = Record<string, (inputs?: Record<string, unknown>) => string>;

/** The messages of the current language that are loaded. */
let loaded: Messages = {};

/** The replacement for Paraglide's messages in the built page; plugins/messages.ts inserts it. */
export const m = new Proxy({} as Messages, {
  get: (_, name: string) => (inputs?: Record<string, unknown>) => loaded[name]?.(inputs ?? {}) ?? name,
  has: (_, name: string) => name in loaded,
});

const languages = import.meta.glob<Messages>('../paraglide/messages/{en,de,es,fr,fa}.js');
const lateLanguages = import.meta.glob<Messages>('../paraglide/messages/{en,de,es,fr,fa}.js', {
  query: '?late',
});

const file = (locale: Locale): string => `../paraglide/messages/${locale}.js`;

/** Load the messages of a language. Await this before the first message is shown. */
export async function loadMessages(locale: Locale): Promise<void> {
  loaded = { ...loaded, ...(await languages[file(locale)]?.()) };
}

/** Load the messages of rules, refusals, typed plays and most pages in the current language. */
export async function loadLate(): Promise<void> {
  loaded = { ...loaded, ...(await lateLanguages[file(getLocale())]?.()) };
}

/** Load a component together with the messages that are loaded late. */
export async function withWords<T>(component: Promise<T>): Promise<T> {
  return (await Promise.all([component, loadLate()]))[0];
}
