"""Comparison of plays in the same worlds, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Timer
from typing import SupportsIndex

from rum500.ai.known_deal import known_deal
from rum500.ai.resampling import Belief, believed_worlds
from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots import halving
from rum500.bots.match_value import set_match_value
from rum500.bots.search_bot import MOST_SECONDS, MOST_THREADS
from rum500.intervals import Z_OF_LOOKS, standard_error
from rum500.rng import Rng
from rum500.rules.actions import Action
from rum500.rules.notation import TableText
from rum500.search.playouts import MOST_WORLDS, codes_of_candidates, legal_codes
from rum500.values import whole_number
from rum500.view import View


@dataclass(frozen=True, slots=True)
class ComparedPlay:
    """A play that was compared with others. All results are points ahead of the others, near the end of a
    match with the value of winning it.
    """

    action: Action
    """The play."""
    points: float
    """The mean result of the play."""
    lead: float
    """The mean lead over the first candidate in the same worlds; 0 for the first candidate."""
    low: float
    """The lower end of the 95 % interval of the lead."""
    high: float
    """The upper end."""
    worlds: int
    """The number of worlds in which the play was tried. Weaker plays are dropped early."""


@dataclass(frozen=True, slots=True)
class PlayComparison:
    """Plays of one decision, compared in the same worlds."""

    best: Action
    """The first candidate, or another one if it is clearly better. Of `pimc` it is the play with the best
    mean result.
    """
    plays: tuple[ComparedPlay, ...]
    """All candidates in their order."""
    solved: int = 0
    """The number of worlds that `pimc` solved exactly."""

    def __getitem__(self, action: Action) -> ComparedPlay:
        """Return the result of a play. Raises `KeyError` if it was not compared."""
        return {play.action: play for play in self.plays}[action]


def compare(
    view: View,
    plays: Iterable[Action | str | int] | None = None,
    worlds: SupportsIndex = 512,
    *,
    rng: Rng | None = None,
    belief: Belief = "even",
    seconds: float = 0.0,
    threads: SupportsIndex = 1,
) -> PlayComparison:
    """Compare plays of a view in up to `worlds` worlds, as the level `strong` does.

    `plays` are up to 64 legal actions, by default `candidates(view)`. After each round the weaker half is
    dropped, but never the first. In every second world the opponents lay all they can. `seconds` is a time
    limit, 0 for none. Without it, the result depends only on the arguments, and not on `threads`. Raises
    `ValueError` if a play is not legal, or if a number is out of range.
    """
    count = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    check_time(seconds)
    codes = codes_of_candidates(view) if plays is None else legal_codes(view, plays)
    seed = (Rng(0) if rng is None else rng).next64()
    drawn = believed_worlds(known_deal(view), belief, count, seed)
    return compared(
        view,
        codes,
        drawn,
        lambda task: halving.worker(task, view.rules, view.players),
        seed,
        count,
        seconds,
        whole_number("the number of threads", threads, 1, MOST_THREADS),
    )


def check_time(seconds: float) -> None:
    """Raise `ValueError` for a time limit that is out of range."""
    if not 0 <= seconds <= MOST_SECONDS:
        raise ValueError(f"the seconds of a comparison are 0 to {MOST_SECONDS:,}, not {seconds}")


def compared(
    view: View,
    codes: list[int],
    drawn: Worlds,
    worker: Callable[[Search], SearchWorker],
    seed: int,
    worlds: int,
    seconds: float,
    threads: int,
) -> PlayComparison:
    """Compare plays in these worlds by sequential halving. `worker` makes a worker for each thread."""
    assert view.seat is not None
    task = Search(drawn, view.seat, codes)
    set_match_value(task, view)
    workers = [worker(task) for _ in range(threads)]
    alarm = Timer(seconds, task.stop)
    if seconds:
        alarm.start()
    try:
        best = halving.search(task, workers, seed, worlds, halving.gate(worlds))
    finally:
        alarm.cancel()
    actions = TableText(view).actions(codes)
    unit = 1 if view.rules.sides else view.players - 1
    return PlayComparison(
        actions[best], tuple(_compared(task, at, action, unit) for at, action in enumerate(actions))
    )


def _compared(task: Search, at: int, action: Action, unit: int) -> ComparedPlay:
    """Return the sums of a candidate as means; `unit` is the number of the task's units in a point."""
    total, _, lead, squares = task.statistics(at)
    count = task.worlds_of(at)
    mean = lead / max(count, 1) / unit
    reach = Z_OF_LOOKS * standard_error(lead, squares, count) / unit if at else 0.0
    return ComparedPlay(action, total / max(count, 1) / unit, mean, mean - reach, mean + reach, count)
