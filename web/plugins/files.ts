import type { Rolldown } from 'vite';

type Group = { name: Rolldown.CodeSplittingNameFunction };
type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/*
 * For `codeSplitting.groups`. Every file costs a browser a request, so what is always needed together is one file; what
 * earlier groups have taken stays theirs.
 */

/** The file `name` gets these modules and all that they import at once. */
export const withImports = (name: string, ...modules: string[]): Group =>
  group(name, (graph) => reached(modules, graph));

/** The file `name` gets what both of these modules import at once. */
export const inBoth = (name: string, one: string, other: string): Group =>
  group(name, (graph) => {
    const others = reached([other], graph);
    return new Set([...reached([one], graph)].filter((id) => others.has(id)));
  });

function group(name: string, find: (graph: Graph) => Set<string>): Group {
  let found: Set<string> | undefined;
  return { name: (id, graph) => ((found ??= find(graph)).has(id) ? name : null) };
}

function reached(modules: string[], graph: Graph): Set<string> {
  const found = new Set(modules);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}
