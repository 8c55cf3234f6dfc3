"""Measure the judge of reviews: whether it agrees with itself, whether its intervals hold, and its time.

    python bench/review.py [--decisions 40] [--references 40] [--workers 2] [--seed 1] [--rows FILE]
        [--write PAGE]

Decisions are sampled from deals of `greedy`, `casual` and `club` in five games, forced ones left out.
Each is judged twice with every budget, by seeds that share no world, and once in 65,536 worlds, after a
first stage of 8,192. An interval holds if the loss found there lies within it. Times are processor time of
one thread: of a decision times the decisions that a deal of its game has. Ctrl-C ends it with the table of
what is done. With `--rows` each decision is appended to a file when it is judged; those in the file already
are not judged again, so that a long run can be ended and continued. With `--write` the table replaces the one
in a page, such as docs/review.md.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import bots, deal, ruleset
from rum500.review.judge import VERSION, Judge
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
BEGIN, END = "<!-- measured: judge -->\n", "<!-- end -->"
"""The lines around the table in a page."""
REFERENCE = Budget("reference", 65_536, 8_192, whole=True)


@dataclass(frozen=True, slots=True)
class Task:
    """A decision of a deal, by its place among the decisions with a choice."""

    number: int
    """The task's number in the run, from 0."""
    game: tuple[str, int]
    deal: int
    share: float
    """Where the decision is in the deal: 0 is the first decision, 1 the last."""
    reference: bool
    seed: int
    """The seed of the run."""


class Found(NamedTuple):
    """The numbers of a verdict."""

    mark: Mark
    loss: float
    low: float
    high: float

    @classmethod
    def of(cls, verdict: Verdict | None) -> Found:
        """Return the numbers of a verdict on a decision with a choice."""
        assert verdict is not None
        return cls(verdict.mark, verdict.loss, verdict.low, verdict.high)


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its verdicts."""

    number: int
    """The task's number in the run."""
    game: tuple[str, int]
    verdicts: dict[str, tuple[Found, Found]]
    seconds: dict[str, float]
    """For each budget, the seconds of one verdict."""
    decisions: int
    """The number of decisions with a choice in the deal."""
    reference: Found | None
    seed: int = 0
    """The seed of the run."""
    judge: int = 0
    """The version of the judge."""


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
    """Judge a decision with each budget and with the reference."""
    found = decisions(task.game, task.deal)
    state, played = found[min(int(task.share * len(found)), len(found) - 1)]
    view = state.view(state.actor)
    deviation(view.rules, view.players)  # computed once in a game, not for each decision
    verdicts, seconds = {}, {}
    for name in NAMES:
        began = time.process_time()
        one, two = (
            Found.of(Judge(BUDGETS[name], seed=seed).judge(view, played, task.deal)) for seed in (1, 2)
        )
        seconds[name] = (time.process_time() - began) / 2
        verdicts[name] = (one, two)
    reference = Found.of(Judge(REFERENCE, seed=3).judge(view, played, task.deal)) if task.reference else None
    return Judged(task.number, task.game, verdicts, seconds, len(found), reference, task.seed, VERSION)


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    """Yield the decisions to judge, the games in turn."""
    rng = Rng(given.seed)
    for number in range(given.decisions):
        seed, share = 1000 * given.seed + number, rng.random()
        yield Task(number, GAMES[number % len(GAMES)], seed, share, number < given.references, given.seed)


def share_of(number: int, whole: int) -> str:
    """Return a share in percent with its standard error."""
    if not whole:
        return "–"
    part = number / whole
    return f"{100 * part:.0f} ± {100 * (part * (1 - part) / whole) ** 0.5:.0f} %"


def table(rows: Sequence[Judged]) -> Iterator[str]:
    """Yield the lines of the table; none without decisions."""
    if not rows:
        return
    yield f"| {len(rows):,} decisions, judge {VERSION}, {platform.machine()} | {' | '.join(NAMES)} |"
    yield "|---|" + "---|" * len(NAMES)
    pairs = {name: [row.verdicts[name] for row in rows] for name in NAMES}
    same = [share_of(sum(a.mark is b.mark for a, b in pairs[name]), len(rows)) for name in NAMES]
    yield f"| the same mark from two seeds | {' | '.join(same)} |"
    close = [share_of(sum(_apart(a, b) > 1 for a, b in pairs[name]), len(rows)) for name in NAMES]
    yield f"| marks two classes apart | {' | '.join(close)} |"
    held = [share_of(*_count(rows, name, _holds)) for name in NAMES]
    yield f"| the 95 % interval holds the loss of 65,536 worlds | {' | '.join(held)} |"
    for words, past in (
        ("lies above it", lambda loss, verdict: loss > verdict.high),
        ("lies below it", lambda loss, verdict: loss < verdict.low),
    ):
        cells = [share_of(*_count(rows, name, past)) for name in NAMES]
        yield f"| that loss {words} | {' | '.join(cells)} |"
    for game in GAMES:
        own = [row for row in rows if row.game == game]
        if own:
            cells = [f"{mean([row.seconds[name] * row.decisions for row in own]):.1f} s" for name in NAMES]
            yield f"| a deal of {game[0]}, {game[1]} players | {' | '.join(cells)} |"


def _apart(a: Found, b: Found) -> int:
    if Mark.DECIDED in (a.mark, b.mark):
        return 0 if a.mark is b.mark else 1
    return abs(CLASSES.index(a.mark) - CLASSES.index(b.mark))


def _holds(loss: float, verdict: Found) -> bool:
    return verdict.low <= loss <= verdict.high


def _count(rows: Sequence[Judged], name: str, met: Callable[[float, Found], bool]) -> tuple[int, int]:
    """Return for how many verdicts this is true, given the reference's loss, and for how many it is known."""
    known = [met(row.reference.loss, one) for row in rows if row.reference for one in row.verdicts[name]]
    return sum(known), len(known)


def main() -> int:
    """Judge the decisions and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--references", type=int, default=None, help="so many are judged in 65,536 worlds")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, default=None, help="the file of the decisions that are judged")
    parser.add_argument("--write", type=Path, default=None, help="the page whose table is replaced")
    given = parser.parse_args()
    given.references = given.decisions if given.references is None else given.references
    rows = kept(given.rows)
    if any((row.seed, row.judge) != (given.seed, VERSION) for row in rows):
        parser.error(f"{given.rows} is of another seed or judge; name another file for judge {VERSION}")
    done = {row.number for row in rows}
    left = [task for task in tasks(given) if task.number not in done]
    # Ctrl-C reaches all processes of a terminal; only this one handles it.
    with multiprocessing.Pool(given.workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            for row in pool.imap(judged, left):
                rows.append(row)
                keep(given.rows, row)
                sys.stderr.write(f"\r{len(rows)} of {given.decisions}")
        except KeyboardInterrupt:
            pool.terminate()
    sys.stderr.write("\n")
    lines = "\n".join(table(rows))
    print(lines)
    if given.write is not None and lines:
        before, begin, rest = given.write.read_text("utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        given.write.write_text(f"{before}{begin}{lines}\n{end}{after}", "utf-8")
    return 0


def kept(path: Path | None) -> list[Judged]:
    """Return the decisions of a file; none if there is no such file."""
    lines = path.read_bytes().splitlines() if path is not None and path.exists() else []
    return [msgspec.json.decode(line, type=Judged) for line in lines]


def keep(path: Path | None, row: Judged) -> None:
    """Append a decision to a file."""
    if path is not None:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
