"""The page and the picture of an evaluation, and tables of many evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rum500.drawing import ChartGroup, ChartRow, interval_chart
from rum500.sim.evaluation.evaluation_file import Evaluation, Figure, MeanResult
from rum500.sim.results import CLOCK

_TITLE = "Points a deal ahead of the opponents"


def page(done: Evaluation, picture: str, repeat: str) -> str:
    """Return the page as Markdown. `picture` is the picture's file, `repeat` the command of the run."""
    return "\n".join(_lines(done, picture, repeat)) + "\n"


def _lines(done: Evaluation, picture: str, repeat: str) -> Iterator[str]:
    found, name = done.results, cell(done.bot)
    yield f"# Evaluation of {name}"
    yield ""
    yield f"{name} is **{points(found.mean)}** points a deal ahead of the opponents, on average over"
    yield f"{len(found.games)} games and {len(found.opponents)} opponents; {_span(found.mean)}."
    yield "The seats are exchanged on the same cards, and intervals (95 %) count shuffles, not deals."
    yield ""
    yield f"![{_TITLE}]({picture})"
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| protocol | {cell(done.protocol)}, opponents `{cell(done.opponents)}` |"
    yield f"| digest | `{cell(done.digest)}` |"
    yield f"| rum500 | {cell(done.version)} |"
    for source, held in done.sources.items():
        yield f"| digest of {cell(source)} | `{cell(held)}` |"
    yield ""
    yield "## Points a deal, by game and opponent"
    yield ""
    yield from _matrix(done)
    yield ""
    yield "## Exploitability"
    yield ""
    yield "What a player who knows the bot gains in a toy game, in points a deal; 0 for a perfect bot."
    yield "The values are exact."
    yield ""
    yield "| toy game | points |"
    yield "|---|---|"
    for toy in found.toys:
        yield f"| {cell(toy.toy)} | {toy.points:.2f} |"
    yield ""
    yield "## Time of a choice"
    yield ""
    yield f"Half of {done.times.choices:,} choices took {_ms(done.times.median_ms)} or less, 95 of 100"
    yield f"{_ms(done.times.p95_ms)} or less, and the longest {_ms(done.times.longest_ms)}, on the machine"
    yield "of the evaluation. Times are not part of the digest."
    yield ""
    yield "## Repeat it"
    yield ""
    yield "```text"
    yield repeat
    yield "```"
    yield ""
    if done.by_the_clock:
        yield f"The bot {CLOCK.sentence}. Another run has another digest."
    else:
        yield "The same bot has the same digest, on any machine and with any number of workers."


def _matrix(done: Evaluation) -> Iterator[str]:
    found = done.results
    by_place = {(one.game, one.opponent): one.points for one in found.contests}
    opponents = [one.name for one in found.opponents]
    yield f"| | {' | '.join(map(short, opponents))} | all |"
    yield "|---|" + "---|" * (len(opponents) + 1)
    for game in found.games:
        cells = [by_place.get((game.name, opponent)) for opponent in opponents]
        row = [*("" if one is None else points(one) for one in cells), points(game.points)]
        yield f"| {cell(game.name)} | {' | '.join(row)} |"
    yield f"| all | {' | '.join(points(one.points) for one in found.opponents)} | {points(found.mean)} |"


def picture(done: Evaluation) -> str:
    """Return the picture as SVG: the mean, the means by game and by opponent, with their intervals."""
    found = done.results
    groups = [
        ChartGroup("", [_row("all", found.mean)]),
        ChartGroup("by game", _rows(found.games)),
        ChartGroup("by opponent", _rows(found.opponents)),
    ]
    return interval_chart(
        f"{_TITLE}: {done.bot}",
        f"protocol {done.protocol}, digest {done.digest[:12]}; 95 % intervals",
        groups,
        lambda value: f"{value:+g}".replace("-", "−") if value else "0",
        with_zero=True,
    )


def _rows(means: Sequence[MeanResult]) -> list[ChartRow]:
    return [_row(short(one.name), one.points) for one in means]


def _row(label: str, figure: Figure) -> ChartRow:
    clear = not figure.low <= 0 <= figure.high
    return ChartRow(label, figure.value, figure.low, figure.high, points(figure), clear)


def board(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Yield the lines of a Markdown table of evaluations on one basis, the best bot first."""
    ranked = sorted(evaluations, key=lambda one: (-one.results.mean.value, one.bot))
    games = list(dict.fromkeys(game.name for one in ranked for game in one.results.games))
    toys = list(dict.fromkeys(toy.toy for one in ranked for toy in one.results.toys))
    heads = ["", "bot", "points a deal", *games, *(f"toy {toy}" for toy in toys), "ms a choice", "digest"]
    yield f"| {' | '.join(map(cell, heads))} |"
    yield "|---" * len(heads) + "|"
    for place, one in enumerate(ranked, 1):
        by_game = {game.name: points(game.points) for game in one.results.games}
        by_toy = {toy.toy: f"{toy.points:.2f}" for toy in one.results.toys}
        row = [
            str(place),
            cell(one.bot) + CLOCK.mark * one.by_the_clock,
            points(one.results.mean),
            *(by_game.get(game, "") for game in games),
            *(by_toy.get(toy, "") for toy in toys),
            f"{one.times.median_ms:.3g}",
            f"`{cell(one.digest[:12])}`",
        ]
        yield f"| {' | '.join(row)} |"


def points(figure: Figure) -> str:
    """Return a figure with half the width of its interval: `+12.3 ± 4.5`."""
    text = f"{figure.value:+.1f}".replace("-", "−") if abs(figure.value) >= 0.05 else "0.0"
    return f"{text} ± {(figure.high - figure.low) / 2:.1f}"


def _span(figure: Figure) -> str:
    low, high = (f"{end:+.1f}".replace("-", "−") for end in (figure.low, figure.high))
    return f"the 95 % interval is {low} to {high}"


def _ms(value: float) -> str:
    return f"{value:,.2f} ms"


def short(name: str) -> str:
    """Return the name of a class or a game without its module, for tables."""
    where, colon, kind = name.rpartition(":")
    return cell(kind.lower() if colon and where.startswith("rum500.") else name)


def cell(text: str) -> str:
    """Return a text of a file as the content of a cell: on one line, without Markdown of its own."""
    return " ".join(text.split()).translate({ord(sign): f"\\{sign}" for sign in "\\|<>[]*`"})
