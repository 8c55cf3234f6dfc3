"""The ladder as a page: the steps, the matrices, and the commands that reproduce it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import isfinite

from rum500.bots import levels
from rum500.bots.search_bot import MORE
from rum500.sim.arena.clusters import Plan
from rum500.sim.arena.run_ladder import Ladder, is_even
from rum500.sim.arena.score_and_verdict import PairScore
from rum500.sim.estimates import Estimate

_INTRODUCTION = """\
Every level against every other, the same cards in exchanged seats. A figure is the difference in points a
deal, by side where there are sides, with its 95 % interval; the interval counts shuffles, not deals.
`{command}` writes this page; [the arena](arena.md) describes the measurement.
"""


_STAIRS = "## The levels with numbers"
_STAIRS_TEXT = """\
How many of its matches each level with a number wins against the next one, with 95 % intervals. On an even
staircase these are 25 to 40 %; other shares are in bold type.
`{command}` measures a game and writes its row here.
"""
_STAIRS_COMMAND = "rum500 ladder neighbours --games 500-rum/2 --out docs/ladder.md"


def page(ladder: Ladder, picture: str, written_by: str) -> str:
    """Return the page as Markdown; `picture` is the picture's file name, `written_by` the command."""
    return "\n".join(_lines(ladder, picture, written_by)).rstrip() + "\n"


def _lines(ladder: Ladder, picture: str, written_by: str) -> Iterator[str]:
    yield "# The ladder"
    yield ""
    yield _INTRODUCTION.format(command=written_by)
    yield from _budgets(ladder)
    if ladder.quick:
        yield "This is the quick ladder: fewer pairs, wider intervals."
        yield ""
    yield f"![What each level gains on the one below it]({picture})"
    yield ""
    yield "## Does each level beat the one below it?"
    yield ""
    for number, game in enumerate(ladder.games):
        yield f"- **{game.name}**: {_judgement(ladder, number)}"
    yield ""
    yield from _steps(ladder)
    for line in ladder.notes.footnotes():
        yield line
        yield ""
    for number, game in enumerate(ladder.games):
        yield f"## {game.name}"
        yield ""
        yield "Points a deal, the row's level against the column's:"
        yield ""
        yield from _matrix(ladder, number, lambda score: score.points, _points)
        if any(score.match_win for score in ladder.scores[number]):
            yield "Matches won:"
            yield ""
            yield from _matrix(ladder, number, lambda score: score.match_win, _won)
    yield from _commands(ladder)


def _budgets(ladder: Ladder) -> Iterator[str]:
    """Yield lines that compare the levels' numbers of worlds in the ladder with those at live tables."""
    usual = {level.name: level.budget["worlds"] for level in levels() if "worlds" in level.budget}
    asked = [re.fullmatch(r"(\w+):worlds=(\d+)", level) for level in ladder.levels]
    here = {found[1]: int(found[2]) for found in asked if found and found[1] in usual}
    if not here:
        return
    parts = [
        f"`{name}` tries {worlds:,} worlds here and {usual[name]:,} at a table"
        for name, worlds in here.items()
    ]
    yield f"{', '.join(parts)}, {MORE} times as many with more than two players;"
    yield "at a table each also has a clock."
    for lower, upper in pairwise(here):
        yield (
            f"**So `{upper}` has {here[upper] / here[lower]:g} times the worlds of `{lower}` here, and "
            f"{usual[upper] / usual[lower]:g} times at a table: beating it here is not beating it there.**"
        )
    yield "As they are seated they are measured [apart](../bench/README.md#how-strong-the-levels-are)."
    yield ""


def _judgement(ladder: Ladder, game: int) -> str:
    failed, name = ladder.failed(game), ladder.notes.marked
    if not failed:
        return "every level beats the one below it with 95 % confidence."
    parts = [
        f"{name(step.upper)} {'loses to' if step.score.better is False else 'is not shown to beat'} "
        f"{name(step.lower)} ({_points(step.score.points)})"
        for step in failed
    ]
    return f"not shown for every level: {'; '.join(parts)}."


def _steps(ladder: Ladder) -> Iterator[str]:
    names = _names(ladder)
    rungs = list(zip(names[1:], names, strict=False))
    yield f"| points a deal | {' | '.join(f'{upper} over {lower}' for upper, lower in rungs)} |"
    yield "|---|" + "---|" * len(rungs)
    for number, game in enumerate(ladder.games):
        cells = [_points(step.score.points) for step in ladder.steps(number)]
        yield f"| {game.name} | {' | '.join(cells)} |"
    yield ""


def _names(ladder: Ladder) -> list[str]:
    return [ladder.notes.marked(level) for level in ladder.levels]


def _matrix(
    ladder: Ladder,
    game: int,
    of: Callable[[PairScore], Estimate | None],
    say: Callable[[Estimate, bool], str],
) -> Iterator[str]:
    names = _names(ladder)
    yield f"| | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    for a, row in enumerate(ladder.levels):
        cells = []
        for b, column in enumerate(ladder.levels):
            if a == b:
                cells.append("·")
                continue
            score = ladder.score(game, *((row, column) if a > b else (column, row)))
            figure = of(score)
            cells.append("" if figure is None else say(figure, a < b))
        yield f"| {names[a]} | {' | '.join(cells)} |"
    yield ""


def _points(estimate: Estimate, turned: bool = False) -> str:
    value = -estimate.value if turned else estimate.value
    reach = (estimate.high - estimate.low) / 2
    text = f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"
    return text.replace("-", "−") + (f" ± {reach:.1f}" if isfinite(reach) else "")


def _won(estimate: Estimate, turned: bool = False) -> str:
    low, high = (1 - estimate.high, 1 - estimate.low) if turned else (estimate.low, estimate.high)
    value = 1 - estimate.value if turned else estimate.value
    return f"{value:.1%} ({low:.1%} to {high:.1%})".replace("%", " %")


def _commands(ladder: Ladder) -> Iterator[str]:
    yield "## Any of it again"
    yield ""
    yield "The command of each contest, with the same numbers; all contests of a game have the same cards."
    yield ""
    yield "```text"
    for plan in ladder.plans:
        yield command(plan)
    yield "```"


def command(plan: Plan) -> str:
    """Return the command that plays a contest of the ladder again."""
    options = [
        f"--bots {','.join(str(bot) for bot in plan.bots)}",
        f"--profile {plan.rules.name}",
        f"--players {plan.players}",
        f"--unit {plan.unit}",
        f"--pairs {plan.pairs}",
        f"--seed {plan.seed}",
    ]
    return f"rum500 arena {' '.join(options)}"


# --- the levels with numbers -------------------------------------------------------------------------


def keep_stairs(old: str, new: str) -> str:
    """Return the page `new` with the section about numbered levels of the page `old`, if `old` has one."""
    _, found, section = old.partition(f"\n{_STAIRS}\n")
    return f"{new}{found}{section}" if found else new


def with_stairs(old: str, game: str, scores: Sequence[PairScore], measured: str) -> str:
    """Return the page `old` with the row of this game replaced or added in the section on numbered levels.

    `scores` are of each level against the next one, the weakest first; `measured` describes the measurement.
    """
    start, _, section = old.partition(f"\n{_STAIRS}\n")
    rows = [line for line in section.splitlines() if line.startswith("| ") and " % " in line]
    rows = [row for row in rows if not row.startswith(f"| {game} |")]
    shares = [_share(score) for score in scores]
    rows.append(f"| {game} | {measured} | {' | '.join(shares)} |")
    heads = [f"{score.a.partition(':')[0].removeprefix('level')} against the next" for score in scores]
    lines = [
        _STAIRS,
        "",
        _STAIRS_TEXT.format(command=_STAIRS_COMMAND),
        f"| matches won | measured | {' | '.join(heads)} |",
        "|---" * (len(heads) + 2) + "|",
        *rows,
    ]
    return start.rstrip() + "\n\n" + "\n".join(lines) + "\n"


def _share(score: PairScore) -> str:
    won = score.match_win
    assert won is not None
    text = f"{won.value:.0%} ({won.low:.0%} to {won.high:.0%})".replace("%", " %")
    return text if is_even(score) else f"**{text}**"
