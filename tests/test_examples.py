"""The examples, each for a few steps: they run, write what they say, and what they teach can play.

They need packages that `make test` does not install. Where these are missing a test is skipped and says so;
`make test-whole` runs them in the environment of `make examples`.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from rum500 import ruleset
from rum500.external_bots import LearnedBot, open_bot
from rum500.sim import simulate
from tests.support.depth import whole_tests

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
APART = ROOT / "build" / "examples" / "bin" / "python"


def python_with(*packages: str) -> str:
    """A Python that has these packages: this one, or that of `make examples`."""
    missing = [name for name in packages if find_spec(name) is None]
    if not missing:
        return sys.executable
    if APART.exists():
        return str(APART)
    if whole_tests():
        pytest.fail(f"{', '.join(missing)} not installed: `make examples` creates the environment")
    pytest.skip(f"{', '.join(missing)} not installed: `make examples` creates the environment")


def run(python: str, script: str, *words: object, folder: Path) -> str:
    """Run an example in a folder of its own; what it printed."""
    done = subprocess.run(
        [python, str(EXAMPLES / script), *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.compiled
@pytest.mark.parametrize(
    "words", [(), ("--imitate", 0), ("--profile", "rummy-500", "--players", 3, "--imitate", 0)], ids=str
)
def test_ppo(tmp_path: Path, words: tuple[object, ...]) -> None:
    """Imitation, and PPO from the start; the network that it writes plays."""
    few = ("--rounds", 2, "--itself", 4, "--club", 4, "--past", 4, "--steps", 8, "--deals", 4, "--width", 16)
    run(python_with("torch"), "ppo.py", *few, *words, "--out", "net.npz", folder=tmp_path)
    with (tmp_path / "net.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows and {"minutes", "choices", "club", "club_95", "casual"} <= set(rows[-1])
    assert (tmp_path / "net.svg").read_text().startswith("<svg")
    bot = open_bot(f"learned:{tmp_path / 'net.npz'}")
    assert isinstance(bot, LearnedBot) and "examples/ppo.py, seed 1" in bot.header.trained
    more = (*few, *words, "--begin", "net.npz", "--out", "on.npz")
    run(python_with("torch"), "ppo.py", *more, folder=tmp_path)
    assert LearnedBot(tmp_path / "on.npz").header.rules == bot.header.rules
    rules = ruleset(bot.header.profile)
    played = simulate(rules, bot.header.players, deals=2, seed=1, bots=[bot, "club"], workers=1)
    assert played.deals == 2


@pytest.mark.compiled
@pytest.mark.parametrize("algorithm", ["cfr+", "deep"])
def test_toy_cfr(tmp_path: Path, algorithm: str) -> None:
    """One round each; after the first, CFR+ has the exploitability that OpenSpiel finds for it."""
    python = python_with("pyspiel", *(["torch", "tree"] if algorithm == "deep" else []))
    few = (
        "--algorithms",
        algorithm,
        "--rounds",
        1,
        "--deep-rounds",
        1,
        "--traversals",
        2,
        "--train-steps",
        1,
    )
    run(python, "toy_cfr.py", "--algorithms", algorithm, *few, "--out", "toy.csv", folder=tmp_path)
    with (tmp_path / "toy.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["algorithm"], row["round"]) == (algorithm, "1")
    assert 0 < float(row["exploitability"]) < 40
    if algorithm == "cfr+":
        assert float(row["exploitability"]) == pytest.approx(17.9514, abs=1e-3)


@pytest.mark.compiled
def test_ismcts(tmp_path: Path) -> None:
    shown = run(
        python_with("pyspiel"),
        "ismcts.py",
        "--deals",
        2,
        "--simulations",
        4,
        "--against",
        "random",
        folder=tmp_path,
    )
    assert shown.startswith("IS-MCTS, 4 simulations, playouts of club, against random: ")
    assert " 2 deals, " in shown


def test_curve() -> None:
    """Its marks are round, and every point lies in the picture."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        from curve import HIGH, WIDE, curve, marks
    finally:
        sys.path.remove(str(EXAMPLES))
    assert marks(-60, 50) == [-60, -40, -20, 0, 20, 40]
    assert marks(0, 0.02) == [0, 0.005, 0.01, 0.015, 0.02]
    drawn = curve({"a < b": [(0, -60, 5), (10, 20, 4)], "c": [(0, 3, 0)]}, "minutes", "points")
    assert "a &lt; b" in drawn and "prefers-color-scheme: dark" in drawn
    for line in drawn.split('points="')[1:]:
        for point in line.partition('"')[0].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDE and 0 <= y <= HIGH
