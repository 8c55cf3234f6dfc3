/**
 * Compile Python files with Pyodide's Python, without docstrings: node compile.mjs PYODIDE SOURCES TARGET
 *
 * Of Python's own library, in the folder `stdlib`, only those modules are compiled that rum500 loads at its start: that
 * saves most of the time of a start, and the others are smaller as text.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [pyodide, sources, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')));
// Without a fixed seed, sets of strings among the constants have another order each time.
const python = await loadPyodide({ indexURL: pyodide, env: { PYTHONHASHSEED: '0' } });
python.mountNodeFS('/sources', sources);
python.mountNodeFS('/target', target);
python.runPython(`
import py_compile
import sys
from pathlib import Path

SOURCES = Path("/sources")
STDLIB = SOURCES / "stdlib"

def compile(file):
    name = file.relative_to(SOURCES)
    target = Path("/target", name).with_suffix(".pyc")
    py_compile.compile(
        file, target, dfile="/".join(name.parts[1:]), doraise=True, optimize=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )

for file in sorted(SOURCES.rglob("*.py")):
    if STDLIB not in file.parents:
        compile(file)
sys.dont_write_bytecode = True
sys.path += [str(folder) for folder in SOURCES.iterdir() if folder != STDLIB]
import rum500.local

loaded = {module.__spec__.name for module in [*sys.modules.values()] if getattr(module, "__spec__", None)}
for file in sorted(STDLIB.rglob("*.py")):
    name = ".".join(file.relative_to(STDLIB).with_suffix("").parts).removesuffix(".__init__")
    if name in loaded and sys.modules[name].__spec__.origin != "frozen":
        compile(file)
`);
process.exit();
