"""`rum500 simulate`: many deals between bots, with the same results however they are divided."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from rum500.cli import _console, _run_options
from rum500.cli._inputs import SEEDS, HouseRules, Players, Profile, Variations, default_of, read_ruleset
from rum500.cli.rules import named
from rum500.external_bots import split_names
from rum500.rules.profiles import STANDARD
from rum500.sim import Estimate, Shard, Simulation, merge_files, simulate

command = App(
    name="simulate",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 simulate --bots club,greedy --deals 10000 --seed 7
  rum500 simulate --bots club --deals 1000 --out deals.parquet --moves moves.parquet
  rum500 simulate --deals 1000000 --shard 2/4 --run part-2.run
  rum500 simulate merge part-1.run part-2.run part-3.run part-4.run --out deals.parquet
  rum500 simulate --deals 1000000 --executor dask://scheduler:8786""",
)


_Moves = Annotated[
    Path | None, Parameter(help="Write one row a move to this Parquet file, with a data card beside it.")
]

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
    profile: Profile = STANDARD,
    players: Players = None,
    deals: Annotated[int, Parameter(help="How many deals.")] = 1000,
    seed: Annotated[int, Parameter(validator=SEEDS, help="The same seed, the same deals.")] = default_of(
        simulate, "seed"
    ),
    bots: Annotated[
        str,
        Parameter(
            help="Bots by seat, separated by commas; repeated in turn if fewer. Levels think in worlds alone "
            "unless they are given seconds (strong:seconds=0.1)."
        ),
    ] = ",".join(default_of(simulate, "bots")),
    dealer: Annotated[
        int | None, Parameter(help="The seat that deals every deal; each in turn if left out.")
    ] = None,
    house_rules: HouseRules = (),
    variations: Variations = (),
    workers: _run_options.Workers = None,
    executor: _run_options.ExecutorAt = None,
    shard: _run_options.ShardText = None,
    run: _run_options.RunFile = None,
    out: _run_options.ParquetOut = None,
    moves: _Moves = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Play many deals between bots and print the totals.

    The checksum is the same for any number of workers, shards or machines, unless a bot has a time limit.
    """
    rules = read_ruleset(profile, house_rules, variations)
    seats = rules.players[0] if players is None else players
    part = _run_options.read_shard(shard, run)
    bar = _console.bar(Console(stderr=True))
    with _run_options.playing(executor, workers, bar, run, out or moves) as (there, count):
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
            dealer=dealer,
            out=out,
            moves=moves,
        )
    _show(done, (out, moves), as_json)
    if shard is not None and not as_json:
        print(_run_options.shard_line("simulate", part, run))


@command.command
def merge(
    files: _run_options.ShardFiles,
    /,
    *,
    out: _run_options.ParquetOut = None,
    moves: _Moves = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Merge the shards of a simulation; print totals and checksum, the same as without shards."""
    _show(merge_files(files, out, moves), (out, moves), as_json)


def _show(done: Simulation, written: Sequence[Path | None], as_json: bool) -> None:
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
        return
    _print(done)
    for path in written:
        if path is not None:
            print(f"Written to {path}")


def _print(done: Simulation) -> None:
    rules, part = done.rules, "" if done.shard == str(Shard()) else f", shard {done.shard}"
    print(f"{named(rules)}: ", end="")
    dealt = "" if done.dealer is None else f", dealt by seat {done.dealer}"
    print(f"{done.deals:,} deals, {done.players} players, seed {done.seed}{dealt}{part}")
    table = _console.plain_table("Seat", "Bot", ">Points a deal", ">±", ">Went out", gap=1)
    for seat, bot in enumerate(done.bots):
        row = _points(done.points[seat])
        table.add_row(str(seat), done.notes.marked(bot), *row, f"{done.went_out[seat]:.1%}")
    console = Console(markup=False)
    console.print(table)
    table = _console.plain_table("Position", ">Points a deal", ">±", gap=1)
    for place, found in enumerate(done.points_by_position):
        name = "first to play" if not place else "dealer" if place == done.players - 1 else str(place + 1)
        table.add_row(name, *_points(found))
    console.print(table)
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


def _points(found: Estimate) -> tuple[str, str]:
    """Return as texts the mean, and half the width of its 95 % interval ("" for a single deal)."""
    half = found.high - found.value
    return f"{found.value:.2f}", f"{half:.2f}" if isfinite(half) else ""
