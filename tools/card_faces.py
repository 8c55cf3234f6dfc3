"""Write drawing/card_faces.jsonl, the faces and colours of cards in pictures, from the page's own sources.

The first line has the colours, the second all paths, each further line one face: the card, the card for which
a joker stands, the layers (each with its class and the number of its path), and how many of these layers are
drawn if another card lies upon this one.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from tools import page
from tools.generate import ROOT

TARGET = ROOT / "src" / "rum500" / "drawing" / "card_faces.jsonl"
THEME = ROOT / "web" / "src" / "lib" / "app" / "theme.css"
COLOURS = (
    "ivory",
    "suit-s",
    "suit-h",
    "suit-d",
    "suit-c",
    "back",
    "back2",
    "felt",
    "ink",
    "mut",
    "acc",
    "line",
)
DARK = {"felt", "ink", "mut", "acc", "line"}
"""The colours of the table and the words on it. Pictures always have those of the dark theme."""
SCRIPT = """
import { runnerImport } from 'vite';
const { module } = await runnerImport('/src/lib/cards/faces.ts');
const pack = [...'SHDC'].flatMap((suit) =>
  ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'].map((rank) => rank + suit));
const face = (card, as) => ({
  card,
  as,
  covered: module.index(card, as, true).length,
  layers: module.index(card, as, false).map((l) => [l.as, l.d]),
});
const jokers = [null, ...pack].map((as) => face('JK', as));
// A picture's back has the stars; the page's other patterns follow them.
const stars = module.back(true).slice(0, 3);
const back = { card: '', as: null, covered: 3, layers: stars.map((l) => [l.as, l.d]) };
console.log(JSON.stringify([...pack.map((card) => face(card, null)), ...jokers, back]));
"""


def colours() -> dict[str, str]:
    """Return the colours of the page's style sheet."""
    css = THEME.read_text(encoding="utf-8")
    found = {}
    for name in COLOURS:
        value = re.search(rf"^  --{name}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", css, re.MULTILINE)
        if value is None:
            raise SystemExit(f"{THEME.name}: there is no colour --{name}")
        found[name] = value[3] or value[2 if name in DARK else 1]
    return found


def text() -> str:
    """Return the file."""
    page.install(checks=True)
    done = subprocess.run(
        [page.node()[0], "--input-type=module", "--eval", SCRIPT],
        cwd=page.WEB,
        capture_output=True,
        text=True,
        check=True,
    )
    paths: dict[str, int] = {}
    faces = [
        {**face, "layers": [[as_, paths.setdefault(d, len(paths))] for as_, d in face["layers"]]}
        for face in json.loads(done.stdout)
    ]
    return "".join(f"{json.dumps(line)}\n" for line in (colours(), list(paths), *faces))


def files() -> dict[Path, str]:
    """Return the file's text."""
    return {TARGET: text()}
