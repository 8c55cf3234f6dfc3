"""The results of an arena as tables for people: values with intervals, and the matrix of many bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from textwrap import wrap

from rich.console import Console
from rich.progress import Progress, TextColumn
from rich.table import Table
from rich.text import Text

from rum500.cli import _console
from rum500.sim.arena import FEWEST, Arena, Estimate, PairScore, Tally

GOOD, BAD, OPEN = "bold green", "red", "yellow"
WIDEST_NAME = 21
"""The largest number of characters of a name on one line of a table."""


def signed(number: float, digits: int = 1) -> str:
    """Return a difference with its sign, as a true minus; infinity as ∞."""
    if not isfinite(number):
        return "+∞" if number > 0 else "−∞"
    text = f"{number:+,.{digits}f}".replace("-", "−")
    return text if float(f"{number:.{digits}f}") else f"{0:.{digits}f}"


def percent(number: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{number:.1%}".replace("%", " %")


def in_lines(name: str) -> str:
    """Return a player's name for a table. A long name is broken at blanks and after colons."""
    lines = wrap(name.replace(":", ": "), WIDEST_NAME, break_on_hyphens=False)
    return "\n".join(lines).replace(": ", ":")


def give_or_take(estimate: Estimate, sign: int = 1, digits: int = 1) -> str:
    """Return an estimate times `sign` (1 or -1), with half the width of its interval if that is finite."""
    reach = (estimate.high - estimate.low) / 2
    text = signed(sign * estimate.value, digits)
    return f"{text} ±{reach:.{digits}f}" if isfinite(reach) else text


def span(estimate: Estimate, say: Callable[[float], str]) -> str:
    """Return an interval in words; `say` formats its ends."""
    if not isfinite(estimate.low) and not isfinite(estimate.high):
        return "unknown"
    if not isfinite(estimate.high):
        return f"more than {say(estimate.low)}"
    if not isfinite(estimate.low):
        return f"less than {say(estimate.high)}"
    return f"{say(estimate.low)} to {say(estimate.high)}"


def verdict(score: PairScore, name: Callable[[str], str] = str) -> Text:
    """Return a sentence on which bot is stronger."""
    stop = score.stop
    if stop is not None:
        unit = "Elo" if stop.bounds.measure == "elo" else "points a deal"
        text = f"llr {stop.ratio:+.2f} in [{stop.bounds.accept_lower:.2f}, {stop.bounds.accept_upper:.2f}]"
        if stop.verdict is None:
            early = f"; it takes {FEWEST} pairs at least" if score.pairs < FEWEST else ""
            return Text(f"The test is undecided: {text}{early}.", OPEN)
        taken, left = _bound(stop.bounds.upper), _bound(stop.bounds.lower)
        if stop.verdict == "lower":
            taken, left = left, taken
        shown = f"The test takes {taken} {unit} for {name(score.a)} rather than {left}: {text}."
        return Text(shown, style(stop.verdict == "upper"))
    if score.pairs == 1:
        return Text("Neither is shown to be the stronger: one pair alone has no interval.", OPEN)
    if score.better is None:
        return Text("Neither is shown to be the stronger: the interval of points holds zero.", OPEN)
    strong = score.a if score.better else score.b
    return Text(f"{name(strong)} is the stronger, with 95 % confidence.", GOOD)


def _bound(number: float) -> str:
    return f"{number:+g}".replace("-", "−") if number else "0"


def of_two(score: PairScore, name: Callable[[str], str]) -> Table:
    """Return the table with the figures of one contest."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("", no_wrap=True)
    table.add_column(in_lines(name(score.a)), justify="right", style="bold", no_wrap=True)
    table.add_column("95 % interval", no_wrap=True)
    table.add_column("from", style="dim", no_wrap=True)
    points = score.points
    deals = f"{score.deals:,} deals"
    table.add_row("Points a deal", signed(points.value), span(points, signed), deals)
    if score.match_win is not None and score.elo is not None:
        matches = f"{score.matches:,} matches"
        table.add_row("Matches won", percent(score.match_win.value), span(score.match_win, percent), matches)
        elo = score.elo
        table.add_row("Elo", signed(elo.value, 0), span(elo, lambda at: signed(at, 0)), "")
    return table


def of_many(done: Arena, name: Callable[[str], str]) -> list[Table]:
    """Return a matrix of points a deal, each row's bot against each column's; if known, also of wins."""
    scores = dict(zip(done.plan.contests, done.scores, strict=True))
    tables = [_matrix(done.bots, name, "Points a deal", lambda a, b: _points_cell(scores, a, b))]
    if all(score.match_win is not None and score.fair == 0.5 for score in done.scores):
        tables.append(_matrix(done.bots, name, "Matches won", lambda a, b: _match_cell(scores, a, b)))
    return tables


def _matrix(
    bots: Sequence[str], name: Callable[[str], str], title: str, cell: Callable[[int, int], Text]
) -> Table:
    table = _console.plain_table(title, *(f">{in_lines(name(bot))}" for bot in bots), gap=3)
    for a, bot in enumerate(bots):
        table.add_row(
            Text(in_lines(name(bot)), "bold"),
            *(Text("·", "dim") if a == b else cell(a, b) for b in range(len(bots))),
        )
    return table


def _points_cell(scores: dict[tuple[int, int], PairScore], a: int, b: int) -> Text:
    score, sign = (scores[a, b], 1) if a < b else (scores[b, a], -1)
    points = score.points
    better = score.better if sign > 0 else (None if score.better is None else not score.better)
    return Text(give_or_take(points, sign), style(better))


def _match_cell(scores: dict[tuple[int, int], PairScore], a: int, b: int) -> Text:
    won = (scores[a, b] if a < b else scores[b, a]).match_win
    assert won is not None
    value, low, high = (won.value, won.low, won.high) if a < b else (1 - won.value, 1 - won.high, 1 - won.low)
    return Text(percent(value), style(True if low > 0.5 else False if high < 0.5 else None))


def style(better: bool | None) -> str:
    """Return the style for a bot that is ahead (True), behind (False) or undecided (None)."""
    return OPEN if better is None else GOOD if better else BAD


def bar(console: Console) -> Progress:
    """Return the progress bar of a run, which also shows the state of its contest."""
    return _console.bar(console, TextColumn("[dim]{task.fields[state]}"))


def so_far(tally: Tally) -> str:
    """Return a contest's state for the progress bar: points a deal and, in a test, the likelihood ratio."""
    if tally.done < 2:
        return ""
    points = tally.score().points
    text = f"{give_or_take(points)} points a deal"
    return text if tally.sprt is None else f"{text}, llr {tally.sprt.ratio:+.2f}"
