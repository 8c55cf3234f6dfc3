"""Failing bots are reported in one line, with the deal; what they print is not part of the results."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.support.depth import depth
from tests.support.waiting import PATIENCE

BOT = """
import os, sys
class Bot:
    name = "poor"

    def choose(self, view, rng):
        if len(view.past) > 5:
            {does}
        return view.legal[0]
"""
FAILURES = {
    'raise RuntimeError("no\\nidea")': "poor failed: RuntimeError: no idea (poor.py:8)",
    "return 99_999_999": "poor played 99999999, which is not legal: there is no play of that number "
    "(R-TURN-1)",
    "return None": "poor played None, which is not a play: choose returns one of view.legal_actions(), or "
    "its number, one of view.legal",
    "import statistics; statistics.mean([])": "poor failed: StatisticsError: mean requires at least one data "
    "point (poor.py:8)",
    "sys.exit(0)": "poor failed: SystemExit: 0 (poor.py:8)",
}


ASKED = depth([*zip(FAILURES, "11211", strict=True)], [*product(FAILURES, "12")])


def run(place: Path, *words: str, does: str) -> subprocess.CompletedProcess[str]:
    """A command on a bot that does this in mid-deal."""
    (place / "poor.py").write_text(BOT.format(does=does))
    command = [sys.executable, "-m", "rum500", *words]
    return subprocess.run(command, check=False, cwd=place, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("does", "workers"), ASKED)
def test_failing_bot_in_the_arena_is_reported_with_its_deal(tmp_path: Path, does: str, workers: str):
    words = f"arena --bots poor.py,greedy --unit deal --pairs 4 --workers {workers} --out deals.parquet"
    done = run(tmp_path, *words.split(), does=does)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"rum500 arena: {FAILURES[does]} (500-rum, 2 players, dealer ")
    assert done.stderr.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} <= {"poor.py", "__pycache__"}, (
        "nothing half done is left"
    )


def test_failing_bot_in_a_simulation_is_reported_with_its_deal(tmp_path: Path):
    done = run(
        tmp_path,
        *["simulate", "--bots", "poor.py,greedy", "--deals", "4", "--workers", "2"],
        does="return None",
    )
    assert done.returncode == 2 and done.stderr.startswith(
        "rum500 simulate: poor played None, which is not a play"
    )


def test_choose_with_other_parameters_is_reported_with_the_right_ones(tmp_path: Path):
    (tmp_path / "short.py").write_text("class Short:\n    name = 'short'\n    def choose(self, view): ...\n")
    done = run(tmp_path, *["simulate", "--bots", "short.py,greedy", "--deals", "1"], does="pass")
    assert done.returncode == 2
    assert "takes 2 positional arguments but 3 were given; it is called as choose(view, rng)" in done.stderr


@pytest.mark.whole
def test_failing_external_bot_is_reported_with_its_deal_and_output(tmp_path: Path):
    """The deal by the arena, the words by the engine's info."""
    engine = f"cmd:{sys.executable} -m rum500 engine --bot poor.py"
    words = ["arena", "--bots", f"{engine},greedy", "--unit", "deal", "--pairs", "2", "--workers", "1"]
    done = run(tmp_path, *words, does="return None")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "bestplay none: that is no legal play here (as info: poor played None, " in done.stderr
    assert "(500-rum, 2 players, dealer " in done.stderr


@pytest.mark.whole
@pytest.mark.parametrize("beside", depth(["statistics"], ["string", "statistics", "random"]))
def test_local_file_does_not_shadow_a_module(tmp_path: Path, beside: str):
    """Python's own, which the worker processes import too."""
    (tmp_path / f"{beside}.py").write_text("raise RuntimeError('not this one')")
    words = "simulate --bots poor.py,greedy --deals 4 --workers 2"
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (tmp_path / "poor.py").write_text(BOT.format(does="pass"))
    command = [sys.executable, "-m", "rum500", *words.replace("poor.py", "../poor.py").split()]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize("asked", ["the server", "its worker"])
def test_bot_module_is_found_in_the_current_folder(tmp_path: Path, asked: str):
    """Behind all others: a file named like a module of Python's takes nothing's place."""
    (tmp_path / "string.py").write_text("raise RuntimeError('not this one')")
    (tmp_path / "mine.py").write_text(
        "import string\nfrom rum500 import bots\nbots.register('mine', type(bots.get('greedy')))"
    )
    code = "from rum500.server.app import _import_bots; _import_bots(['mine'])"
    words = (
        ["-c", code] if asked == "the server" else ["-m", "rum500.server.thinking.bot_worker", "10", "mine"]
    )
    command = [sys.executable, "-P", *words]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr


def test_bot_that_exits_its_process_is_reported(tmp_path: Path):
    words = "arena --bots poor.py,greedy --unit deal --pairs 4 --workers 2"
    done = run(tmp_path, *words.split(), does="os._exit(7)")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "a worker process ended in mid-work" in done.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words",
    [
        "arena --bots poor.py,greedy --unit deal --pairs 2 --workers 2 --json",
        "simulate --bots poor.py,greedy --deals 2 --workers 1 --json",
        *depth(
            [],
            [
                "arena --bots poor.py,greedy --unit deal --pairs 2 --workers 1 --json",
                "bot test poor.py --deals 1 --profile michigan-rum --json",
            ],
        ),
    ],
)
def test_output_of_a_bot_is_not_a_result(tmp_path: Path, words: str):
    done = run(tmp_path, *words.split(), does='print("thinking aloud")')
    assert json.loads(done.stdout)
    assert "thinking aloud" in done.stderr


@pytest.mark.whole
def test_output_of_a_bot_is_not_part_of_the_protocol(tmp_path: Path):
    does = 'print("bestplay none")\n        print("bestplay draw")'
    engine = f"cmd:{sys.executable} -m rum500 engine --bot poor.py"
    done = run(tmp_path, "bot", "test", engine, "--deals", "1", "--profile", "michigan-rum", does=does)
    assert done.returncode == 0, done.stdout
