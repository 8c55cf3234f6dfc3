"""The load test itself: its players really play, and its table has the measured figures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.depth import depth
from tests.support.waiting import PATIENCE

BENCH = Path(__file__).resolve().parent.parent / "bench"
ROUNDS = depth(1, 2)


@pytest.mark.whole
def test_a_small_crowd_plays_and_is_measured() -> None:
    few = [
        "--ours",
        "--tables=2",
        "--rate=20",
        "--fast-tables=2",
        "--seconds=1",
        "--processes=1",
        f"--rounds={ROUNDS}",
    ]
    done = subprocess.run(
        [sys.executable, str(BENCH / "load.py"), *few],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    rows = re.findall(
        r"^\| rum500 \| 2, 8 \| (.+?) \| ([\d,]+) \| ([\d.]+) ms \| ([\d.]+) ms \|", done.stdout, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["20 moves/s", "all it can"], done.stdout
    assert all(int(rate.replace(",", "")) > 0 for _, rate, *_ in rows)
    assert "refused: nothing" in done.stdout
    measured = re.findall(r"p99 / loop held in ms: (.+)\.$", done.stdout, re.MULTILINE)
    assert [re.sub(r"[\d.]+ / \d+", "x", each) for each in measured] == [", ".join("x" * ROUNDS)] * 2
