import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Writes into `sw.js` a version that changes with the page's files. Source: `src/sw.ts`, which holds the placeholder.
 */
export function shell(): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    enforce: 'post',
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
