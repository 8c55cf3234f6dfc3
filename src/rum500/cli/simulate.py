"""`rum500 simulate`: many deals between bots, with the same results however they are divided."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table

from rum500.cli import _progress
from rum500.cli._inputs import HouseRules, Profile, Variations, read_ruleset
from rum500.cli._scale import (
    ExecutorAt,
    RunFile,
    ShardFiles,
    ShardText,
    Workers,
    read_shard,
    told_shard,
    workers_at,
)
from rum500.cli.user_error import UserError
from rum500.external_bots import split_names
from rum500.sim import Shard, Simulation, SimulationError, merge_files, simulate

command = App(
    name="simulate",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 simulate --bots club,greedy --deals 10000 --seed 7
  rum500 simulate --deals 1000000 --shard 2/4 --run part-2.run
  rum500 simulate merge part-1.run part-2.run part-3.run part-4.run --out deals.parquet
  rum500 simulate --deals 1000000 --executor dask://scheduler:8786""",
)

_Out = Annotated[Path | None, Parameter(help="Write one row a deal to this Parquet file.")]
_AsJson = Annotated[bool, Parameter(name="--json", help="The results as JSON.")]

_HOW_ENDED = {
    "out": "somebody went out",
    "stock": "the stock ran out",
    "passes": "all passed",
    "no_progress": "no progress",
    "target": "the target was reached",
}


@command.default
def play(  # noqa: PLR0913 - every option is an argument
    *,
    profile: Profile = "500-rum",
    players: Annotated[
        int | None, Parameter(help="How many play; the fewest of the profile if left out.")
    ] = None,
    deals: Annotated[int, Parameter(help="How many deals.")] = 1000,
    seed: Annotated[int, Parameter(help="The seed: the same deals, the same results.")] = 0,
    bots: Annotated[
        str,
        Parameter(
            help="Bots by seat, separated by commas; repeated in turn if fewer. Levels think in worlds alone "
            "unless they are given seconds (strong:seconds=0.1)."
        ),
    ] = "random",
    house_rules: HouseRules = (),
    variations: Variations = (),
    workers: Workers = None,
    executor: ExecutorAt = None,
    shard: ShardText = None,
    run: RunFile = None,
    out: _Out = None,
    as_json: _AsJson = False,
) -> None:
    """Play many deals between bots and print the totals.

    The checksum is the same for any number of workers, shards or machines, unless a bot has a time limit.
    """
    rules = read_ruleset(profile, house_rules, variations)
    seats = rules.players[0] if players is None else players
    part = read_shard(shard, run)
    bar = _progress.bar(Console(stderr=True))
    try:
        # A bot's output is not part of the result.
        with workers_at(executor, workers) as (there, count), bar, redirect_stdout(sys.stderr):
            task = bar.add_task(rules.title, total=len(part.items(max(deals, 0))))
            done = simulate(
                rules,
                seats,
                deals,
                seed,
                split_names(bots),
                count,
                executor=there,
                shard=part,
                run=run,
                progress=lambda played: bar.update(task, completed=played),
                out=out,
            )
    except SimulationError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{error.filename or out}: {error.strerror or error}") from None
    _show(done, out, as_json)
    if shard is not None and not as_json:
        print(told_shard("simulate", part, run))


@command.command
def merge(files: ShardFiles, /, *, out: _Out = None, as_json: _AsJson = False) -> None:
    """Put the shards of a simulation together and print the totals and the checksum: those of one process."""
    try:
        done = merge_files(files, out)
    except SimulationError as error:
        raise UserError(str(error)) from None
    _show(done, out, as_json)


def _show(done: Simulation, out: Path | None, as_json: bool) -> None:
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
    else:
        _tell(done, out)


def _tell(done: Simulation, out: Path | None) -> None:
    rules, part = done.rules, "" if done.shard == str(Shard()) else f", shard {done.shard}"
    changes = f", with {' '.join(rules.changes)}" if rules.changes else ""
    print(f"{rules.title} ({rules.name}){changes}: ", end="")
    print(f"{done.deals:,} deals, {done.players} players, seed {done.seed}{part}")
    table = Table("Seat", "Bot", box=None, pad_edge=False)
    for heading in ("Points a deal", "±", "Went out"):
        table.add_column(heading, justify="right")
    for seat, bot in enumerate(done.bots):
        spread = 1.96 * done.sd_points[seat] / done.deals**0.5
        row = (f"{done.mean_points[seat]:.2f}", f"{spread:.2f}", f"{done.went_out[seat]:.1%}")
        table.add_row(str(seat), done.notes.marked(bot), *row)
    Console(markup=False).print(table)
    for line in done.notes.footnotes():
        print(line)
    ends = ", ".join(f"{_HOW_ENDED[reason]} {count / done.deals:.1%}" for reason, count in done.ends.items())
    print(f"Ends: {ends}")
    least, mean, median, most = (done.lengths[key] for key in ("least", "mean", "median", "most"))
    print(f"Actions in a deal: {least} to {most}, mean {mean:.1f}, median {median}")
    pace = done.actions / done.seconds if done.seconds else 0
    workers = f"{done.workers} worker{'s' * (done.workers > 1)}"
    print(f"{done.actions:,} actions in {done.seconds:.2f} s of playing, {pace:,.0f} a second ({workers})")
    print(f"Checksum {done.checksum}")
    if out is not None:
        print(f"Written to {out}")
