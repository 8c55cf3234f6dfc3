/** Makes the Python blocks of the page "rum500 in the browser" editable, and runs them by the pack beside this file. */
const PACK = new URL('offline/', import.meta.url);
const blocks = document.querySelectorAll('#rum500-in-the-browser .highlight-python');

/** Python with rum500, loaded by the first run. */
let python;

async function load() {
  const answer = await fetch(new URL('pack.json', PACK));
  if (!answer.ok) throw new Error('this site was built without the pack: make offline, then make docs');
  const { python: program, files } = await answer.json();
  const { loadPyodide } = await import(new URL(program, PACK));
  const loaded = await loadPyodide({ indexURL: new URL('.', new URL(program, PACK)).href });
  const extractDir = loaded.runPython('import site; site.getsitepackages()[0]');
  for (const { name, role } of files)
    if (role === 'wheel' || role === 'rum500') {
      const archive = await (await fetch(new URL(name, PACK))).arrayBuffer();
      loaded.unpackArchive(archive, 'zip', { extractDir });
    }
  return loaded;
}

/** Return what the code prints, or its error. */
async function run(code) {
  const lines = [];
  try {
    python ??= load();
    const loaded = await python;
    loaded.setStdout({ batched: (line) => lines.push(line) });
    await loaded.runPythonAsync(code);
  } catch (error) {
    lines.push(error.message);
  }
  return lines.join('\n');
}

for (const block of blocks) {
  const code = document.createElement('textarea');
  code.value = block.textContent.trimEnd();
  code.rows = code.value.split('\n').length;
  code.spellcheck = false;
  code.setAttribute('aria-label', 'Python');
  code.style.cssText = 'width: 100%; box-sizing: border-box; font: 0.9em monospace';
  const button = document.createElement('button');
  button.textContent = 'Run';
  const output = document.createElement('pre');
  output.setAttribute('role', 'status');
  output.style.whiteSpace = 'pre-wrap';
  button.addEventListener('click', async () => {
    button.disabled = true;
    output.textContent = 'Running; the first time it takes a while.';
    output.textContent = await run(code.value);
    button.disabled = false;
  });
  block.replaceWith(code, button, output);
}
