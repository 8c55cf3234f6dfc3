import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

const LANGUAGE = /[\\/]paraglide[\\/]messages[\\/]([a-z]{2})\.js$/;

type Chunk = Rolldown.OutputChunk;

/** A page of `src/pages.ts`: the first part of its address, and its component. */
const PAGE = /\bpath: '\/([\w-]*)[^']*',\s+view: \(\) => import\('\.([^']+)'\)/g;

/**
 * Write `early.json`: by the first part of an address the files of the page shown there, and by language those of its
 * messages. The server answers these addresses, and names the files in a header, so that the browser requests all of
 * them at once. `pages` is the file that declares the pages.
 */
export function early(pages: string): Plugin {
  const views = new Map<string, string>();
  for (const [, part = '', module = ''] of readFileSync(pages, 'utf8').matchAll(PAGE))
    if (!views.has(part)) views.set(part, module);
  return {
    name: 'early',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
        const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
        const index = chunks.find((chunk) => chunk.isEntry && chunk.name === 'index');
        if (!index) throw new Error('the build has no index');
        const first = withImports(index, named);
        const files = (chunk: Chunk): string[] => {
          const parts = [...withImports(chunk, named)].filter((part) => !first.has(part));
          const styles = parts.flatMap((part) => [...(part.viteMetadata?.importedCss ?? [])]);
          return [...parts.map((part) => part.fileName), ...styles];
        };
        const shown = [...views].map(([address, module]) => {
          const chunk = chunks.find((part) => part.facadeModuleId?.endsWith(module));
          if (!chunk) throw new Error(`no chunk of the build has ${module}`);
          return [address, files(chunk)] as const;
        });
        const words = chunks.flatMap((chunk) => {
          const language = chunk.moduleIds.map((id) => LANGUAGE.exec(id)?.[1]).find(Boolean);
          return language ? [[language, files(chunk)] as const] : [];
        });
        const source = { views: Object.fromEntries(shown), languages: Object.fromEntries(words) };
        this.emitFile({ type: 'asset', fileName: 'early.json', source: JSON.stringify(source) });
      },
    },
  };
}

/** A chunk and all that it imports at once. */
function withImports(chunk: Chunk, named: Map<string, Chunk>): Set<Chunk> {
  const found = new Set([chunk]);
  for (const { imports } of found) {
    for (const name of imports) {
      const imported = named.get(name);
      if (imported) found.add(imported);
    }
  }
  return found;
}
