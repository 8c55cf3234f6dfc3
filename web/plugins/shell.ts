import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const WORDS = 'virtual:notice-words';
/** The words of the messages that the worker shows while no page is open. */
const IN_NOTICES = /^(?:words_your_turn|pages_settings_push_body|game_profile_\w+_title)$/;
const LANGUAGES = ['en', 'de', 'es', 'fr', 'fa'];

/**
 * Writes into `sw.js` a version that changes with the page's files. Source: `src/sw.ts`, which holds the placeholder.
 * Gives it the few words that it needs, by language, from the catalogues in the folder `messages`.
 */
export function shell(messages: string): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    enforce: 'post',
    resolveId: (id) => (id === WORDS ? id : null),
    async load(id) {
      return id === WORDS ? `export default ${JSON.stringify(await noticeWords(messages))};` : null;
    },
    generateBundle(_, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('the build has no sw.js');
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .sort();
      const version = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
      worker.code = worker.code.replace('__VERSION__', version);
    },
  };
}

async function noticeWords(folder: string): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  for (const language of LANGUAGES) {
    found[language] = {};
    for (const name of ['game', 'pages', 'words']) {
      const text = await readFile(`${folder}/${language}/${name}.json`, 'utf8');
      for (const [key, words] of Object.entries(JSON.parse(text) as Record<string, string>))
        if (IN_NOTICES.test(key)) found[language][key] = words;
    }
  }
  return found;
}
