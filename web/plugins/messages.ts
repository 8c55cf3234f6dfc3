import type { Plugin } from 'vite';

const MESSAGES = /[\\/]paraglide[\\/]messages\.js$/;
const LANGUAGE = /[\\/]paraglide[\\/]messages[\\/][a-z]{2}\.js(\?late)?$/;
/** The messages of rules, refusals and typed plays, and of pages other than the lobby and the table. */
const LATE =
  /^(?:game_(?:advice$|(?:heading|reason|rule)_)|pages_(?:about_(?!clock_nobank$|deals$|target$)|end_|guide_|history_|level_\w+_line$|new_|own_(?!title$)|replay_|rules_(?:any$|differs|play$|reveal$|scorer$)|settings_|sheet_|tips_|verify_|wait_(?!bot$))|device_|day_(?!card_title$)|drills_|identity_(?!\w+_title$)|lessons_|mistakes_|network_|pad_(?!title$)|people_|practice_|progress_(?!title$)|referee_(?!title$)|review_|pages_(?:none|private)$|table_(?:abandon(?:_sure)?|all_settings|for_me|replace(?:_until)?|resign(?:_sure)?|the_match|votes|asked_for_seat|take_seat)$|words_(?:(?:fair|rule|say|typed)_|(?:deal_title|game|next|not_best|points_head|seats)$))/;

/**
 * Paraglide's messages import every language. The page loads only the current one: this plugin replaces them by the
 * `m` of `src/lib/app/locale.ts`, which looks up what is loaded, and splits each language in two modules; the second
 * has the query `?late`. Tests use Paraglide's own modules.
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

/** Return the messages of a language's module that are loaded late, or the others. */
export function part(code: string, late: boolean): string {
  const [head = '', ...messages] = code.split(/^(?=export (?:const \w|\{ \w))/m);
  const name = (message: string): string => /^export (?:const |\{ )(\w+)/.exec(message)?.[1] ?? '';
  return head + messages.filter((message) => LATE.test(name(message)) === late).join('');
}
