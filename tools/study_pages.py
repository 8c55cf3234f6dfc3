"""Write the pages and charts of docs/studies from their figures, which `make studies` plays."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rum500.sim import study
from rum500.sim.study import StudyResult
from tools.generated import ROOT, write_or_check


def main() -> int:
    """Write the pages, or check them: 1 if one is stale."""
    files: dict[Path, str] = {}
    for figures in sorted((ROOT / "docs" / "studies").glob("*/figures.json")):
        done = StudyResult.from_dict(json.loads(figures.read_text("utf-8")))
        files |= {figures.with_name(name): text for name, text in study.texts(done, data=False)}
    return write_or_check(__doc__, files)


if __name__ == "__main__":
    sys.exit(main())
