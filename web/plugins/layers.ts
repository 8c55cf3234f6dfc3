/**
 * Check that the page's folders form layers. A file imports only from its own folder and from layers before its own in
 * `LAYERS`; type-only and lazy imports count. Run by `make check-page`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** Folders of one layer do not import one another; `*` is every other folder there. */
const LAYERS = [
  ['lib/icons', 'lib/net'],
  ['lib/app', 'lib/cards', 'lib/fairness', 'offline'],
  ['lib/text'],
  ['lib/components'],
  ['lib/rules', 'lib/felt/layout'],
  ['lib/felt/hand', 'lib/felt/verdicts'],
  ['lib/felt/board'],
  ['lib/felt/sheets'],
  ['lib/table/state'],
  ['lib/table/waiting'],
  ['lib/table/controls'],
  ['lib/table/panels'],
  ['lib/table'],
  ['lib/pages'],
  ['lib/pages/*'],
  ['lib/pages/lobby', 'lib/pages/replay'],
  ['lib/pages/progress'],
  ['.', 'dev'],
];

const SOURCE = 'src';
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

function layerOf(folder: string): number {
  const named = LAYERS.findIndex((layer) => layer.includes(folder));
  return named < 0 ? LAYERS.findIndex((layer) => layer.includes(join(dirname(folder), '*'))) : named;
}

/** Return the file that an import names; null for packages and generated messages. */
function imported(file: string, name: string): string | null {
  if (!/^(?:\.|\$lib\/)/.test(name) || name.includes('/paraglide/')) return null;
  const path = name.startsWith('.') ? join(dirname(file), name) : join(SOURCE, name.slice(1));
  const found = [path, `${path}.ts`, join(path, 'index.ts')].map(normalize);
  return found.find((one) => /\.\w+$/.test(one) && existsSync(one)) ?? path;
}

const faults: string[] = [];
const files = globSync(`${SOURCE}/**/*.{ts,svelte}`).filter(
  (file) => !/\.test\.ts$|\.d\.ts$|^src.(?:testing|lib.paraglide).|^src.sw\.ts$/.test(file),
);
for (const file of files) {
  const folder = relative(SOURCE, dirname(file)) || '.';
  if (layerOf(folder) < 0) faults.push(`${folder} is in no layer of plugins/layers.ts`);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const target = imported(file, name);
    const from = target && (relative(SOURCE, dirname(target)) || '.');
    if (from && from !== folder && layerOf(from) >= layerOf(folder))
      faults.push(`${file} imports ${target}, which is not in a layer before its own`);
  }
}
for (const fault of new Set(faults)) console.error(fault);
process.exit(faults.length ? 1 : 0);
