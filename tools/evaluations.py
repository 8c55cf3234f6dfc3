"""Evaluate the levels by the quick protocol, and write the figures into docs/evaluations.

    python tools/evaluations.py [LEVEL ...]

Levels that search have a budget in worlds, because a clock would make the figures depend on the machine.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.bots import levels, numbered_levels
from rum500.sim.evaluation.evaluation_file import to_json
from rum500.sim.evaluation.protocol import QUICK
from rum500.sim.evaluation.run_evaluation import evaluate
from tools.generate import ROOT

FOLDER = ROOT / "docs" / "evaluations"
WORLDS = {"strong": 32, "expert": 64}
"""The budgets of the named levels that search."""
STAIR_WORLDS = 64
"""The budget of the levels with numbers, as far as they search."""


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("levels", nargs="*", default=bots(), help="all if none is named")
    options.add_argument("--workers", type=int, default=1)
    chosen = options.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for bot in chosen.levels:
        done = evaluate(bot, QUICK, workers=chosen.workers)
        name = re.sub(r"\W+", "-", bot)
        (FOLDER / f"{name}.json").write_text(to_json(done), encoding="utf-8")
        print(f"{bot}: {done.results.mean.value:+.1f} points a deal, {done.seconds:.0f} s", flush=True)


def bots() -> list[str]:
    """Return the levels with their budgets."""
    named = [f"{one.name}:worlds={WORLDS[one.name]}" if one.budget else one.name for one in levels()]
    return named + [
        f"{one.name}:worlds={STAIR_WORLDS}" if one.budget else one.name for one in numbered_levels()
    ]


if __name__ == "__main__":
    main()
