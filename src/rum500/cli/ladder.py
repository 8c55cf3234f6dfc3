"""`rum500 ladder`: every level against every other in every game, written to a page with a picture."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from rum500.cli import _arena_tables
from rum500.cli._progress import cores
from rum500.cli.user_error import UserError
from rum500.sim import SimulationError
from rum500.sim.arena import Tally
from rum500.sim.arena.ladder import SEED, Ladder, games, ladder, levels, plans
from rum500.sim.arena.ladder_page import page
from rum500.sim.arena.ladder_svg import picture


def command(
    *,
    quick: Annotated[bool, Parameter(help="Fewer pairs and worlds: an hour in place of many.")] = False,
    games_asked: Annotated[
        tuple[str, ...],
        Parameter(
            name="--games",
            help="Profiles, or profile/players, separated by commas; all if left out.",
        ),
    ] = (),
    bots: Annotated[
        tuple[str, ...], Parameter(help="Levels, the weakest first, separated by commas; all if left out.")
    ] = (),
    pairs: Annotated[
        int | None, Parameter(help="Pairs for every contest, in place of the usual number of each.")
    ] = None,
    seed: Annotated[int, Parameter(help="The seed: the same cards, the same results.")] = SEED,
    workers: Annotated[int | None, Parameter(help="Worker processes; all cores if left out.")] = None,
    out: Annotated[
        Path, Parameter(help="The page; its picture (.svg) and figures (.json) lie beside it.")
    ] = Path("docs/ladder.md"),
    as_json: Annotated[bool, Parameter(name="--json", help="The results as JSON too.")] = False,
) -> None:
    """Play every level against every other and write a page with the results.

    Levels have a budget in worlds unless they are given seconds. If the command is stopped or killed, run it
    again to continue: its results so far are stored beside the page (.run).
    """
    console = Console(stderr=True)
    if out.is_dir():
        raise UserError(f"{out}: is a directory; --out names the page")
    run = out.with_suffix(".run")
    bar = _arena_tables.bar(console)
    try:
        tables, asked = games(_split(games_asked)), _split(bots) or levels(quick)
        whole = sum(plan.pairs for plan in plans(tables, asked, seed, quick, pairs))
        with bar, redirect_stdout(sys.stderr):  # a bot's output is not part of the result
            done = ladder(
                tables,
                asked,
                seed=seed,
                quick=quick,
                pairs=pairs,
                workers=cores() if workers is None else workers,
                run=run,
                progress=_Climb(bar, whole),
            )
        options = [f"--games {','.join(games_asked)}"] if games_asked else []
        options += [f"--bots {','.join(bots)}"] if bots else []
        options += [f"--pairs {pairs}"] if pairs is not None else []
        written_by = " ".join(["rum500 ladder", *["--quick"] * quick, *options, f"--seed {seed}"])
        write(done, out, written_by)
        run.unlink()
    except SimulationError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{error.filename or out}: {error.strerror or error}") from None
    except KeyboardInterrupt:
        console.print(f"Stopped. The same command goes on from {run}.", highlight=False)
        raise
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
    else:
        _tell(done, Console(highlight=False, markup=False))
        print(f"Written to {out}, with {out.with_suffix('.svg').name} and {out.with_suffix('.json').name}")


def _split(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for word in words for part in word.split(",") if part.strip())


def write(done: Ladder, out: Path, written_by: str) -> None:
    """Write the page, the picture and the figures."""
    drawing = out.with_suffix(".svg")
    out.write_text(page(done, drawing.name, written_by), encoding="utf-8")
    drawing.write_text(picture(done), encoding="utf-8")
    out.with_suffix(".json").write_text(json.dumps(done.as_dict(), indent=1) + "\n", encoding="utf-8")


class _Climb:
    """One progress bar for all contests, with the name of the current one."""

    def __init__(self, bar: Progress, whole: int) -> None:
        self.bar = bar
        self.task = bar.add_task("", total=whole, told="")
        self.done: dict[int, int] = {}

    def __call__(self, tally: Tally) -> None:
        """Update the progress."""
        self.done[id(tally)] = tally.done
        told = _arena_tables.so_far(tally)
        a, b = tally.plan.bots
        words = f"{tally.plan.rules.name}/{tally.plan.players}: {a} – {b}"
        self.bar.update(self.task, completed=sum(self.done.values()), description=words, told=told)


def _tell(done: Ladder, console: Console) -> None:
    """Print the steps of the ladder for people."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Over the level below", no_wrap=True)
    for level in done.levels[1:]:
        head = "\n".join(map(_arena_tables.in_lines, done.notes.marked(level).split(":", 1)))
        table.add_column(head, justify="right", no_wrap=True)
    for number, game in enumerate(done.games):
        cells = []
        for step in done.steps(number):
            told = _arena_tables.give_or_take(step.score.points, digits=0)
            cells.append(Text(told, _arena_tables.style(step.score.better)))
        table.add_row(f"{game.rules.name}/{game.players}", *cells)
    console.print(table)
    console.print()
    shown = sum(not done.failed(number) for number in range(len(done.games)))
    console.print("Points a deal; behind the profile the players.")
    for line in done.notes.footnotes():
        console.print(line)
    told = f"Every level beats the one below it, with 95 % confidence, in {shown} of {len(done.games)} games."
    console.print(told, style=_arena_tables.GOOD if shown == len(done.games) else _arena_tables.OPEN)
