"""`rum500 ladder`: every level against every other in every game, written to a page with a picture."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from rum500.cli import _arena_tables, _console, _run_options
from rum500.cli._inputs import SEEDS
from rum500.cli.user_error import UserError
from rum500.rules.english import counted
from rum500.sim.arena import PairScore, Tally
from rum500.sim.arena.ladder_page import keep_stairs, page, with_stairs
from rum500.sim.arena.ladder_svg import picture
from rum500.sim.arena.run_ladder import (
    SEED,
    STAIR_WORLDS,
    Ladder,
    games,
    is_even,
    ladder,
    levels,
    merge_files,
    neighbour_pairs,
    neighbours,
    plans,
    stairs,
)
from rum500.sim.arena.score_and_verdict import as_data
from rum500.sim.output_files import check_folder, write_atomic

command = App(
    name="ladder",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 ladder --quick
  rum500 ladder --games persian-rummy,500-rum/3 --out persian.md
  rum500 ladder --shard 1/2 --run part-1.run
  rum500 ladder merge part-1.run part-2.run --out ladder.md
  rum500 ladder neighbours --games 500-rum --pairs 100
  rum500 ladder neighbours --games 500-rum/2,500-rum/4 --run neighbours --out docs/ladder.md""",
)

_Out = Annotated[Path, Parameter(help="The page; its picture (.svg) and figures (.json) lie beside it.")]
_AsJson = Annotated[bool, Parameter(name="--json", help="The results as JSON too.")]
_Games = Annotated[
    tuple[str, ...],
    Parameter(name="--games", help="Profiles, or profile/players, separated by commas; all if left out."),
]
PAGE = Path("docs/ladder.md")


@command.default
def play(  # noqa: PLR0913 - every option is an argument
    *,
    quick: Annotated[bool, Parameter(help="Fewer pairs and worlds: an hour in place of many.")] = False,
    games_asked: _Games = (),
    bots: Annotated[
        tuple[str, ...], Parameter(help="Levels, the weakest first, separated by commas; all if left out.")
    ] = (),
    pairs: Annotated[
        int | None, Parameter(help="Pairs for every contest, in place of the usual number of each.")
    ] = None,
    seed: Annotated[
        int, Parameter(validator=SEEDS, help="The seed: the same cards, the same results.")
    ] = SEED,
    workers: _run_options.Workers = None,
    executor: _run_options.ExecutorAt = None,
    shard: _run_options.ShardText = None,
    run: Annotated[
        Path | None, Parameter(help="Keep what was played in this file; beside the page (.run) if left out.")
    ] = None,
    out: _Out = PAGE,
    as_json: _AsJson = False,
) -> None:
    """Play every level against every other and write a page with the results.

    Levels have a budget in worlds unless they are given seconds. If the command is stopped or killed, run it
    again to continue: its results so far are stored beside the page (.run). A shard writes no page; merge
    does.
    """
    part = _run_options.read_shard(shard, run)
    _check_page(out)
    kept = out.with_suffix(".run") if run is None else run
    bar = _arena_tables.bar(Console(stderr=True))
    options = [f"--games {','.join(games_asked)}"] if games_asked else []
    options += [f"--bots {','.join(bots)}"] if bots else []
    options += [f"--pairs {pairs}"] if pairs is not None else []
    tables, asked = games(_split(games_asked)), _split(bots) or levels(quick)
    whole = sum(len(part.items(plan.pairs)) for plan in plans(tables, asked, seed, quick, pairs))
    with _run_options.playing(executor, workers, bar, kept, out) as (there, count):
        done = ladder(
            tables,
            asked,
            seed=seed,
            quick=quick,
            pairs=pairs,
            workers=count,
            executor=there,
            shard=part,
            run=kept,
            written_by=" ".join(["rum500 ladder", *["--quick"] * quick, *options, f"--seed {seed}"]),
            progress=_Climb(bar, whole),
        )
    if shard is not None:
        print(_run_options.shard_line("ladder", part, run))
        return
    _finish(done, out, as_json)
    if run is None:
        kept.unlink()


@command.command
def merge(files: _run_options.ShardFiles, /, *, out: _Out = PAGE, as_json: _AsJson = False) -> None:
    """Merge the shards of a ladder and write its page, the same as without shards."""
    _check_page(out)
    _finish(merge_files(files), out, as_json)


@command.command(name="neighbours")
def steps(  # noqa: PLR0913 - every option is an argument
    *,
    games_asked: _Games = (),
    bots: Annotated[
        tuple[str, ...],
        Parameter(help="Levels, the weakest first, separated by commas; level1, level2 … if left out."),
    ] = (),
    pairs: Annotated[int, Parameter(help="Pairs of matches for each two neighbours.")] = 200,
    search_pairs: Annotated[
        int | None, Parameter(help="Pairs where one of two neighbours searches; as many if left out.")
    ] = None,
    worlds: Annotated[
        int, Parameter(help="Worlds that the levels with numbers try, if they search.")
    ] = STAIR_WORLDS,
    seed: Annotated[
        int, Parameter(validator=SEEDS, help="The seed: the same cards, the same results.")
    ] = SEED,
    workers: _run_options.Workers = None,
    run: Annotated[
        Path | None,
        Parameter(help="A folder that keeps what was played; the same command continues from it."),
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="A page of the ladder, into which the results are written.")
    ] = None,
    as_json: _AsJson = False,
) -> None:
    """Show how many matches each level wins against the next level.

    If the steps between levels are even, each level wins between 25 and 40 % of its matches. With --out, the
    results of each game are written when it is done, and those of other games stay. With --run, a stopped run
    continues where it was, and games that are done are not played again.
    """
    if out is not None and not out.is_file():
        raise UserError(f"{out}: is no page; rum500 ladder writes one")
    tables, asked = games(_split(games_asked)), _split(bots) or stairs(worlds)
    measured = f"{_pairs(pairs, search_pairs)}, searches of {worlds} worlds"
    bar = _arena_tables.bar(Console(stderr=True))
    with _run_options.playing(None, workers, bar, run, None) as (_, count):
        pairs_of = [
            neighbour_pairs(game, two, pairs, search_pairs) for game in tables for two in pairwise(asked)
        ]
        climb = _Climb(bar, sum(pairs_of))
        done = []
        for game in tables:
            (scores,) = neighbours(
                [game],
                asked,
                pairs=pairs,
                search_pairs=search_pairs,
                seed=seed,
                workers=count,
                run=run,
                progress=climb,
            )
            done.append(scores)
            if out is not None:
                old = out.read_text(encoding="utf-8")
                write_atomic(out, with_stairs(old, game.name, scores, measured))
    if as_json:
        found = [
            {
                "profile": table.rules.name,
                "players": table.players,
                "steps": [as_data(score) for score in scores],
            }
            for table, scores in zip(tables, done, strict=True)
        ]
        print(json.dumps({"seed": seed, "levels": list(asked), "games": found}, indent=2))
        return
    table = _console.plain_table(
        "Wins of", "against", *(f">{one.rules.name}/{one.players}" for one in tables)
    )
    for number, (lower, upper) in enumerate(pairwise(asked)):
        table.add_row(lower, upper, *(_share(scores[number]) for scores in done))
    console = Console(highlight=False, markup=False)
    console.print(table)
    console.print(
        f"Matches won by the weaker of two neighbours, with 95 % intervals; {_pairs(pairs, search_pairs)}."
    )


def _pairs(pairs: int, search_pairs: int | None) -> str:
    fewer = "" if search_pairs is None else f" ({search_pairs} where a level searches)"
    return counted(pairs, "pair") + fewer


def _share(score: PairScore) -> Text:
    won = score.match_win
    assert won is not None
    text = f"{won.value:.0%} ({won.low:.0%} to {won.high:.0%})".replace("%", " %")
    return Text(text, _arena_tables.GOOD if is_even(score) else _arena_tables.OPEN)


def _check_page(out: Path) -> None:
    if out.is_dir():
        raise UserError(f"{out}: is a directory; --out names the page")
    check_folder(out.parent)


def _finish(done: Ladder, out: Path, as_json: bool) -> None:
    try:
        write(done, out)
    except OSError as error:
        raise UserError(f"{error.filename or out}: {error.strerror or error}") from None
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
    else:
        _print(done, Console(highlight=False, markup=False))
        print(f"Written to {out}, with {out.with_suffix('.svg').name} and {out.with_suffix('.json').name}")


def _split(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for word in words for part in word.split(",") if part.strip())


def write(done: Ladder, out: Path) -> None:
    """Write the page, the picture and the figures; their folder is created if it is missing."""
    out.parent.mkdir(parents=True, exist_ok=True)
    drawing = out.with_suffix(".svg")
    old = out.read_text(encoding="utf-8") if out.exists() else ""
    new = page(done, drawing.name, done.written_by)
    write_atomic(out, keep_stairs(old, new))
    write_atomic(drawing, picture(done))
    write_atomic(out.with_suffix(".json"), json.dumps(done.as_dict(), indent=1) + "\n")


class _Climb:
    def __init__(self, bar: Progress, whole: int) -> None:
        self.bar = bar
        self.task = bar.add_task("", total=whole, state="")
        self.done: dict[int, int] = {}

    def __call__(self, tally: Tally) -> None:
        """Update the progress bar with the state of a contest."""
        self.done[id(tally)] = tally.done
        text = _arena_tables.so_far(tally)
        a, b = tally.plan.bots
        words = f"{tally.plan.rules.name}/{tally.plan.players}: {a} – {b}"
        self.bar.update(self.task, completed=sum(self.done.values()), description=words, state=text)


def _print(done: Ladder, console: Console) -> None:
    names = (
        "\n".join(map(_arena_tables.in_lines, done.notes.marked(level).split(":", 1)))
        for level in done.levels[1:]
    )
    table = _console.plain_table("Over the level below", *(f">{name}" for name in names))
    for number, game in enumerate(done.games):
        cells = []
        for step in done.steps(number):
            text = _arena_tables.give_or_take(step.score.points, digits=0)
            cells.append(Text(text, _arena_tables.style(step.score.better)))
        table.add_row(f"{game.rules.name}/{game.players}", *cells)
    console.print(table)
    console.print()
    shown = sum(not done.failed(number) for number in range(len(done.games)))
    console.print("Points a deal; behind the profile the players.")
    for line in done.notes.footnotes():
        console.print(line)
    text = f"Every level beats the one below it, with 95 % confidence, in {shown} of {len(done.games)} games."
    console.print(text, style=_arena_tables.GOOD if shown == len(done.games) else _arena_tables.OPEN)
