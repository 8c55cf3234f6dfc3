"""Every script of bench/ starts, and the short ones measure something."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parent.parent / "bench"
SCRIPTS = sorted(path.name for path in BENCH.glob("*.py") if '__name__ == "__main__"' in path.read_text())


def started(script: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a script in this process, which has loaded what most of them import, and return its exit code."""
    monkeypatch.setattr(sys, "argv", [script, *words])
    monkeypatch.setattr(sys, "path", [str(BENCH), *sys.path])
    try:
        runpy.run_path(str(BENCH / script), run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("script", SCRIPTS)
def test_benchmark_describes_itself(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert started(script, ["--help"], monkeypatch) == 0
    usage, _, description = capsys.readouterr().out.partition("\n\n")
    assert usage.startswith(f"usage: {script}") and description


@pytest.mark.whole
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("asan.py engine 1", r"rummy-500 H2 H3 H4 H5 H6: \d+ actions"),
        ("exploit.py --toys small --bots random --worlds 8 --rounds 1", r"small +random .* 17\.951"),
        ("search.py 1 --kit", r"The kit in Python plays \d\.\d\d of strong's own worlds"),
        ("search_methods.py template --pairs 2", r"template .*'against': 'club', 'pairs': 2"),
    ],
)
def test_short_benchmark_measures(
    command: str, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = BENCH.parent / "docs" / "search-methods.json"
    shipped = figures.read_bytes()
    script, *words = command.split()
    assert started(script, words, monkeypatch) == 0
    assert re.search(printed, capsys.readouterr().out)
    assert figures.read_bytes() == shipped, "other numbers of pairs are no figures of the page"
