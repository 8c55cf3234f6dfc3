"""Play the studies of studies/ and write their figures and pages to docs/studies/.

    python -m tools.studies [NAME ...] [--workers 2] [--check]

`--check` writes nothing: it compares the file of each study with the one that was played, and plays its first
cell, whose checksum must be the same. tools/study_pages.py compares pages and charts with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator

from rum500.sim import run_job, study
from rum500.sim.study import CellJob, CellPlan, CellTally, StudyResult
from tools.generated import ROOT

STUDIES, DOCS = ROOT / "studies", ROOT / "docs" / "studies"


def stale(name: str) -> Iterator[str]:
    """Yield what is stale about a study's figures."""
    figures = DOCS / name / "figures.json"
    if not figures.is_file():
        yield f"docs/studies/{name}: has not been played"
        return
    done = StudyResult.from_dict(json.loads(figures.read_text("utf-8")))
    if done.study.text != (STUDIES / f"{name}.toml").read_text("utf-8"):
        yield f"studies/{name}.toml: has changed since it was played"
        return
    plan = CellPlan(study.cells(done.study)[0][0].plan.simulation)  # the checksum leaves luck out
    tally = CellTally(plan)
    tally.add(run_job(CellJob(plan, 0, plan.total, plan.sources([]))))
    if tally.checksum() != done.cells[0].checksum:
        yield f"docs/studies/{name}: its first cell has another checksum now"


def main() -> int:
    """Play or check the studies: 1 if one is stale."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("names", nargs="*", help="studies; all if none is named")
    options.add_argument("--workers", type=int, default=2, help="worker processes")
    options.add_argument("--check", action="store_true", help="write nothing; fail if a study is stale")
    asked = options.parse_args()
    os.chdir(ROOT)  # bots are named by their path from here
    faults: list[str] = []
    for name in asked.names or sorted(path.stem for path in STUDIES.glob("*.toml")):
        if asked.check:
            faults += stale(name)
            continue
        print(name, flush=True)
        done = study.study(STUDIES / f"{name}.toml", workers=asked.workers)
        assert done is not None
        study.write(done, DOCS / name, data=False)
    for fault in faults:
        sys.stderr.write(f"{fault}; play it again with make studies\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
