import type { Plugin, Rolldown } from 'vite';

/**
 * The page's first view is imported late, so that its words load beside it; this names its files in `index.html`,
 * and the browser asks for them at once rather than a round trip later.
 */
export function preload(view: string): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((part) => part.type === 'chunk');
        const first = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(view));
        if (!first) throw new Error(`no chunk of the build begins with ${view}`);
        const scripts = withImports(first, new Map(chunks.map((chunk) => [chunk.fileName, chunk])));
        const styles = [...scripts].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]);
        const absent = (name: string): boolean => !html.includes(`/${name}"`);
        return [
          ...[...scripts]
            .map((chunk) => chunk.fileName)
            .filter(absent)
            .map(script),
          ...styles.filter(absent).map(style),
        ];
      },
    },
  };
}

function withImports(
  chunk: Rolldown.OutputChunk,
  chunks: Map<string, Rolldown.OutputChunk>,
  found = new Set<Rolldown.OutputChunk>(),
): Set<Rolldown.OutputChunk> {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) {
    const imported = chunks.get(name);
    if (imported) withImports(imported, chunks, found);
  }
  return found;
}

const script = (name: string) => ({
  tag: 'link',
  attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
  injectTo: 'head' as const,
});

const style = (name: string) => ({
  tag: 'link',
  attrs: { rel: 'stylesheet', crossorigin: true, href: `/${name}` },
  injectTo: 'head' as const,
});
