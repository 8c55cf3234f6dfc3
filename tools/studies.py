"""Play the studies of studies/ and write their figures and pages to docs/studies/.

    python -m tools.studies [NAME ...] [--workers 2]

`make check` compares the file of each study with the one that was played, and plays its first cell, whose
checksum must be the same. tools/study_pages.py compares pages and charts with the figures.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator

from rum500.sim import run_job, study
from rum500.sim.study import CellJob, CellPlan, CellTally, StudyResult
from tools.generate import ROOT

STUDIES, DOCS = ROOT / "studies", ROOT / "docs" / "studies"


def stale(name: str) -> Iterator[str]:
    """Yield what is stale in a study's figures."""
    figures = DOCS / name / "figures.json"
    if not figures.is_file():
        yield f"docs/studies/{name}: has not been played"
        return
    done = StudyResult.from_dict(json.loads(figures.read_text("utf-8")))
    if done.study.text != (STUDIES / f"{name}.toml").read_text("utf-8"):
        yield f"studies/{name}.toml: has changed since it was played"
        return
    plan = CellPlan(study.cells(done.study)[0][0].plan.simulation)  # the checksum does not include luck
    tally = CellTally(plan)
    tally.add(run_job(CellJob(plan, 0, plan.total, plan.sources([]))))
    if tally.checksum() != done.cells[0].checksum:
        yield f"docs/studies/{name}: its first cell has another checksum now"


def faults() -> list[str]:
    """Return what is stale in the figures of all studies."""
    os.chdir(ROOT)  # paths of bots are relative to it
    return [f"{fault}; play it again with make studies" for name in names() for fault in stale(name)]


def names() -> list[str]:
    """Return the names of all studies."""
    return sorted(path.stem for path in STUDIES.glob("*.toml"))


def main() -> None:
    """Play studies."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("names", nargs="*", help="studies; all if none is named")
    options.add_argument("--workers", type=int, default=2, help="worker processes")
    asked = options.parse_args()
    os.chdir(ROOT)
    for name in asked.names or names():
        print(name, flush=True)
        done = study.study(STUDIES / f"{name}.toml", workers=asked.workers)
        assert done is not None
        study.write(done, DOCS / name, data=False)


if __name__ == "__main__":
    main()
