"""Write the pages and charts of docs/studies from their figures, which `make studies` plays."""

from __future__ import annotations

import json
from pathlib import Path

from rum500.sim import study
from rum500.sim.study import StudyResult
from tools.generate import ROOT


def files() -> dict[Path, str]:
    """Return the pages and charts of all studies."""
    texts: dict[Path, str] = {}
    for figures in sorted((ROOT / "docs" / "studies").glob("*/figures.json")):
        done = StudyResult.from_dict(json.loads(figures.read_text("utf-8")))
        texts |= {figures.with_name(name): text for name, text in study.texts(done, data=False)}
    return texts
