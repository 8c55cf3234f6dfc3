"""Measure the judge of reviews: whether it agrees with itself, whether its intervals hold, and its time.

    python bench/review.py [--decisions 40] [--workers 2] [--seed 1]

Decisions are sampled from deals of `greedy`, `casual` and `club` in five games, forced ones left out.
Each is judged twice with every budget, by seeds that share no world, and once in 65,536 worlds, after a
first stage of 8,192. An interval holds if the loss found there lies within it. Times are processor time of
one thread: of a decision times the decisions that a deal of its game has. Ctrl-C ends it with the table of
what is done.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import bots, deal, ruleset
from rum500.review.judge import Judge
from rum500.review.stakes import deviation
from rum500.review.verdict import BUDGETS, CLASSES, Budget, Mark, Verdict
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.state import State

GAMES = (
    ("500-rum", 2),
    ("500-rum", 4),
    ("rummy-500", 3),
    ("partnership-500-rum", 4),
    ("persian-rummy", 4),
)
LEVELS = ("greedy", "casual", "club")
NAMES = ("usual", "deep")
REFERENCE = Budget("reference", 65_536, 8_192, whole=True)


@dataclass(frozen=True, slots=True)
class Task:
    """A decision of a deal, by its place among the decisions with a choice."""

    game: tuple[str, int]
    deal: int
    share: float
    """From 0, the first decision, to 1, the last."""
    reference: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, judged."""

    game: tuple[str, int]
    verdicts: dict[str, tuple[Verdict, Verdict]]
    seconds: dict[str, float]
    """By budget, of one verdict."""
    decisions: int
    """The decisions with a choice that its deal has."""
    reference: Verdict | None


def decisions(game: tuple[str, int], number: int) -> list[tuple[State, int]]:
    """Play a deal and return its states at which there was a choice, with what was played."""
    name, players = game
    rng, found = Rng(number), []
    state = deal(ruleset(name), players, seed=number, dealer=number % players)
    minds = [bots.get(LEVELS[(seat + number) % len(LEVELS)]) for seat in range(players)]
    while not state.is_over:
        code = code_of(minds[state.actor].choose(state.view(state.actor), rng))
        if len(state.legal_ints()) > 1:
            found.append((state.copy(), code))
        state.apply_int(code)
    return found


def judged(task: Task) -> Judged:
    """Judge a decision in all ways."""
    found = decisions(task.game, task.deal)
    state, played = found[min(int(task.share * len(found)), len(found) - 1)]
    view = state.view(state.actor)
    deviation(view.rules, view.players)  # computed once in a game, not for each decision
    verdicts, seconds = {}, {}
    for name in NAMES:
        began = time.process_time()
        one, two = (Judge(BUDGETS[name], seed=seed).judge(view, played, task.deal) for seed in (1, 2))
        seconds[name] = (time.process_time() - began) / 2
        assert one is not None
        assert two is not None
        verdicts[name] = (one, two)
    reference = Judge(REFERENCE, seed=3).judge(view, played, task.deal) if task.reference else None
    return Judged(task.game, verdicts, seconds, len(found), reference)


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    """Yield the decisions to judge, the games in turn."""
    rng = Rng(given.seed)
    for number in range(given.decisions):
        seed, share = 1000 * given.seed + number, rng.random()
        yield Task(GAMES[number % len(GAMES)], seed, share, number < given.references)


def share_of(number: int, whole: int) -> str:
    """Return a share in percent with its standard error."""
    if not whole:
        return "–"
    part = number / whole
    return f"{100 * part:.0f} ± {100 * (part * (1 - part) / whole) ** 0.5:.0f} %"


def table(rows: Sequence[Judged]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| {len(rows)} decisions, {platform.machine()} | {' | '.join(NAMES)} |"
    yield "|---|" + "---|" * len(NAMES)
    pairs = {name: [row.verdicts[name] for row in rows] for name in NAMES}
    same = [share_of(sum(a.mark is b.mark for a, b in pairs[name]), len(rows)) for name in NAMES]
    yield f"| the same mark from two seeds | {' | '.join(same)} |"
    close = [share_of(sum(_apart(a, b) > 1 for a, b in pairs[name]), len(rows)) for name in NAMES]
    yield f"| marks two classes apart | {' | '.join(close)} |"
    held = [share_of(*_held(rows, name)) for name in NAMES]
    yield f"| the 95 % interval holds the loss of 65,536 worlds | {' | '.join(held)} |"
    for number, words in enumerate(("lies above it", "lies below it")):
        past = [share_of(*_past(rows, name, number)) for name in NAMES]
        yield f"| that loss {words} | {' | '.join(past)} |"
    for game in GAMES:
        own = [row for row in rows if row.game == game]
        if own:
            told = [f"{_mean([row.seconds[name] * row.decisions for row in own]):.1f} s" for name in NAMES]
            yield f"| a deal of {game[0]}, {game[1]} players | {' | '.join(told)} |"


def _apart(a: Verdict, b: Verdict) -> int:
    if Mark.DECIDED in (a.mark, b.mark):
        return 0 if a.mark is b.mark else 1
    return abs(CLASSES.index(a.mark) - CLASSES.index(b.mark))


def _held(rows: Sequence[Judged], name: str) -> tuple[int, int]:
    """Return how many intervals hold, and of how many."""
    known = [(row.reference, verdict) for row in rows if row.reference for verdict in row.verdicts[name]]
    return sum(verdict.low <= reference.loss <= verdict.high for reference, verdict in known), len(known)


def _past(rows: Sequence[Judged], name: str, below: int) -> tuple[int, int]:
    """Return how many references lie above, or `below`, the interval, and of how many."""
    known = [(row.reference, verdict) for row in rows if row.reference for verdict in row.verdicts[name]]
    past = [(one.loss > verdict.high, one.loss < verdict.low)[below] for one, verdict in known]
    return sum(past), len(past)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def main() -> int:
    """Judge, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--references", type=int, default=None, help="so many are judged in 65,536 worlds")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.references = given.decisions if given.references is None else given.references
    rows: list[Judged] = []
    with ProcessPoolExecutor(given.workers) as pool:
        try:
            for row in pool.map(judged, list(tasks(given))):
                rows.append(row)
                sys.stderr.write(f"\r{len(rows)} of {given.decisions}")
        except KeyboardInterrupt:  # the table of what is done
            pool.shutdown(wait=False, cancel_futures=True)
    sys.stderr.write("\n")
    print("\n".join(table(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
