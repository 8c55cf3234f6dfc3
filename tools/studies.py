"""Play the studies of studies/ and write their pages to docs/studies/, or (--check) report stale ones.

It also writes the table of measures in docs/studies.md.

    python tools/studies.py [NAME ...] [--workers 2] [--render | --check]

`--render` plays nothing, and writes pages and charts from the figures that are there.
`--check` renders every page and chart from its figures again and compares them, compares the file of the
study with the one that was played, and plays the first cell of each study, whose checksum must be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from rum500.sim import run_job, study
from rum500.sim.study import CellPlan, CellTally, StudyResult

ROOT = Path(__file__).resolve().parent.parent
STUDIES, DOCS, OVERVIEW = ROOT / "studies", ROOT / "docs" / "studies", ROOT / "docs" / "studies.md"
_BLOCK = re.compile(r"(<!-- generated: measures -->\n).*?(<!-- end -->)", re.DOTALL)


def overview() -> str:
    """Return docs/studies.md with the table of measures."""
    rows = [
        f"| `{name}` | {measure.title} | {measure.meaning} |\n" for name, measure in study.MEASURES.items()
    ]
    table = "| measure | heading | what it is |\n|---|---|---|\n" + "".join(rows)
    return _BLOCK.sub(lambda block: block[1] + table + block[2], OVERVIEW.read_text(encoding="utf-8"))


def played(name: str) -> StudyResult:
    """Return the results that are in docs/."""
    return StudyResult.from_dict(json.loads((DOCS / name / "figures.json").read_text(encoding="utf-8")))


def stale(name: str) -> Iterator[str]:
    """Yield what is stale about a study's page."""
    if not (DOCS / name / "figures.json").is_file():
        yield f"docs/studies/{name}: has not been played"
        return
    done = played(name)
    if done.study.text != (STUDIES / f"{name}.toml").read_text(encoding="utf-8"):
        yield f"studies/{name}.toml: has changed since it was played"
        return
    for file, text in study.texts(done, data=False):
        path = DOCS / name / file
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield f"docs/studies/{name}/{file}: is not what its figures give"
    plan = CellPlan(study.cells(done.study)[0][0].plan.simulation)  # the checksum leaves luck out
    tally = CellTally(plan)
    tally.add(run_job(tally.job(0, plan.total, plan.sources([]))))
    if tally.checksum() != done.cells[0].checksum:
        yield f"docs/studies/{name}: its first cell has another checksum now"


def main() -> int:
    """Play or check the studies: 1 if one is stale."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("names", nargs="*", help="studies; all if none is named")
    options.add_argument("--workers", type=int, default=2, help="worker processes")
    options.add_argument("--render", action="store_true", help="play nothing; write pages from their figures")
    options.add_argument("--check", action="store_true", help="change nothing; fail if a page is stale")
    asked = options.parse_args()
    os.chdir(ROOT)  # bots are named by their path from here
    faults: list[str] = []
    for name in asked.names or sorted(path.stem for path in STUDIES.glob("*.toml")):
        if asked.check:
            faults += stale(name)
            continue
        if asked.render:
            study.write(played(name), DOCS / name, data=False)
            continue
        print(name, flush=True)
        done = study.study(STUDIES / f"{name}.toml", workers=asked.workers)
        assert done is not None
        study.write(done, DOCS / name, data=False)
    if asked.check and OVERVIEW.read_text(encoding="utf-8") != overview():
        faults.append("docs/studies.md: its table of measures is stale")
    if not asked.check:
        OVERVIEW.write_text(overview(), encoding="utf-8")
    for fault in faults:
        sys.stderr.write(f"{fault}; run `make studies`\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
