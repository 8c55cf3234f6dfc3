import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const WORDS = 'virtual:notice-words';
const FORMAT = 'virtual:offline-format';
const LANGUAGE = /[\\/]paraglide[\\/]messages[\\/]([a-z]{2})\.js(?:\?late)?$/;
/** The words of the messages that the worker shows while no page is open. */
const IN_NOTICES = /^(?:words_your_turn|pages_settings_push_body|people_push_\w+|game_profile_\w+_title)$/;
const LANGUAGES = ['en', 'de', 'es', 'fr', 'fa'];

/**
 * Writes into `sw.js` a version that changes with the page's files, and the names of these files, those of each language
 * apart. Source: `src/sw.ts`, which holds the placeholders. Gives it the few words that it needs, by language, from the
 * catalogues in the folder `messages`, and the format of stored answers from `protocol`.
 */
export function shell(messages: string, protocol: string): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    enforce: 'post',
    resolveId: (id) => (id === WORDS || id === FORMAT ? id : null),
    async load(id) {
      if (id === WORDS) return `export default ${JSON.stringify(await noticeWords(messages))};`;
      // The worker is one file: it must share no module with the page.
      const format = /OFFLINE_FORMAT = ("\w+")/;
      return id === FORMAT ? `export default ${format.exec(await readFile(protocol, 'utf8'))?.[1]};` : null;
    },
    generateBundle(_, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('the build has no sw.js');
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .sort();
      const languages: Record<string, string[]> = {};
      for (const part of Object.values(bundle)) {
        const modules = part.type === 'chunk' ? part.moduleIds : [];
        const language = modules.map((id) => LANGUAGE.exec(id)?.[1]).find(Boolean);
        if (language) (languages[language] ??= []).push(part.fileName);
      }
      const named = new Set(Object.values(languages).flat());
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      worker.code = worker.code
        .replaceAll('__VERSION__', version)
        .replaceAll(/(["'`])__FILES__\1/g, JSON.stringify(files.filter((file) => !named.has(file))))
        .replaceAll(/(["'`])__LANGUAGES__\1/g, JSON.stringify(languages));
    },
  };
}

async function noticeWords(folder: string): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  for (const language of LANGUAGES) {
    found[language] = {};
    for (const name of ['game', 'pages', 'people', 'words']) {
      const text = await readFile(`${folder}/${language}/${name}.json`, 'utf8');
      for (const [key, words] of Object.entries(JSON.parse(text) as Record<string, string>))
        if (IN_NOTICES.test(key)) found[language][key] = words;
    }
  }
  return found;
}
