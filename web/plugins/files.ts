import type { Rolldown } from 'vite';

/**
 * For `codeSplitting.groups`: the file `name` gets these modules and all that they import at once, save what
 * earlier groups have taken. Every file costs a browser a request, so what is always needed together is one file.
 */
export function withImports(
  name: string,
  ...modules: string[]
): { name: Rolldown.CodeSplittingNameFunction } {
  let found: Set<string> | undefined;
  return { name: (id, graph) => ((found ??= reached(modules, graph)).has(id) ? name : null) };
}

function reached(
  modules: string[],
  graph: { getModuleInfo(id: string): { importedIds: readonly string[] } | null },
): Set<string> {
  const found = new Set(modules);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
