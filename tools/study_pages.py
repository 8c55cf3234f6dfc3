"""Write the pages and charts of docs/studies from their figures, and the table of measures in
docs/studies.md.

`make studies` plays the studies and writes the figures.
"""

from __future__ import annotations

import json
import re
import sys

from rum500.sim import study
from rum500.sim.study import StudyResult
from tools.generated import ROOT, write_or_check

DOCS, OVERVIEW = ROOT / "docs" / "studies", ROOT / "docs" / "studies.md"
_BLOCK = re.compile(r"(<!-- generated: measures -->\n).*?(<!-- end -->)", re.DOTALL)


def overview() -> str:
    """Return docs/studies.md with the table of measures."""
    rows = [
        f"| `{name}` | {measure.title} | {measure.meaning} |\n" for name, measure in study.MEASURES.items()
    ]
    table = "| measure | heading | what it is |\n|---|---|---|\n" + "".join(rows)
    return _BLOCK.sub(lambda block: block[1] + table + block[2], OVERVIEW.read_text("utf-8"))


def main() -> int:
    """Write the pages, or check them: 1 if one is stale."""
    files = {OVERVIEW: overview()}
    for figures in sorted(DOCS.glob("*/figures.json")):
        done = StudyResult.from_dict(json.loads(figures.read_text("utf-8")))
        files |= {figures.with_name(name): text for name, text in study.texts(done, data=False)}
    return write_or_check(__doc__, files)


if __name__ == "__main__":
    sys.exit(main())
