import type { Plugin } from 'vite';

const MESSAGES = /[\\/]paraglide[\\/]messages\.js$/;
const LANGUAGE = /[\\/]paraglide[\\/]messages[\\/][a-z]{2}\.js(\?late)?$/;
/** The sentences of rules and refusals and the words of typed plays, loaded when the first of them is wanted. */
const LATE = /^(?:game_(?:advice$|(?:heading|reason|rule)_)|words_(?:rule|say|typed)_)/;

/**
 * Paraglide's messages import every language. The page loads the one it shows: this puts in their place the `m` of
 * `src/lib/app/locale.ts`, which looks into what is loaded, and parts each language in two, the second of them with the
 * query `?late`. Tests keep Paraglide's own modules.
 */
export function oneLanguage(): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    transform(code, id) {
      if (MESSAGES.test(id)) return { code: "export { m } from '../app/locale';", map: null };
      const language = LANGUAGE.exec(id);
      return language ? { code: part(code, language[1] === '?late'), map: null } : null;
    },
  };
}

/** The late messages of a language's module, or the others. */
export function part(code: string, late: boolean): string {
  const [head = '', ...messages] = code.split(/^(?=export (?:const \w|\{ \w))/m);
  const name = (message: string): string => /^export (?:const |\{ )(\w+)/.exec(message)?.[1] ?? '';
  return head + messages.filter((message) => LATE.test(name(message)) === late).join('');
}
