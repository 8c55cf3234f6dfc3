/**
 * Run Python code in the pack for play without a network: node in_pyodide.mjs PACK ROOT CODE
 *
 * The pack is loaded as the page's worker loads it; modules of the tests are imported from the repository's root.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [pack, root, code] = process.argv.slice(2);
const { python: program, files } = JSON.parse(readFileSync(join(pack, 'pack.json'), 'utf8'));
const { loadPyodide } = await import(pathToFileURL(join(pack, program)));
const python = await loadPyodide({ indexURL: join(pack, program, '..') });
const site = python.runPython('import site; site.getsitepackages()[0]');
for (const { name, role } of files)
  if (role === 'wheel' || role === 'rum500')
    python.unpackArchive(new Uint8Array(readFileSync(join(pack, name))), 'zip', { extractDir: site });
python.mountNodeFS('/repository', root);
python.runPython(`
import sys, warnings
sys.dont_write_bytecode = True
sys.path.append("/repository")
warnings.simplefilter("error")
`);
let status = 0;
try {
  await python.runPythonAsync(code);
} catch (error) {
  console.error(error.message);
  status = 1;
}
process.exit(status);
