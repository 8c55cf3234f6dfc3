"""`rum500 simulate`: many deals between bots in parallel, with the same results for any number of workers."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from rum500.cli import _progress
from rum500.cli._inputs import HouseRules, Profile, Variations, read_ruleset
from rum500.cli.user_error import UserError
from rum500.external_bots import split_names
from rum500.rules.ruleset import Ruleset
from rum500.sim import Simulation, SimulationError, simulate

_HOW_ENDED = {
    "out": "somebody went out",
    "stock": "the stock ran out",
    "passes": "all passed",
    "no_progress": "no progress",
    "target": "the target was reached",
}


def command(  # noqa: PLR0913 - every option is an argument
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
    workers: Annotated[int | None, Parameter(help="Worker processes; all cores if left out.")] = None,
    out: Annotated[Path | None, Parameter(help="Write one row a deal to this Parquet file.")] = None,
    as_json: Annotated[bool, Parameter(name="--json", help="The results as JSON.")] = False,
) -> None:
    """Play many deals between bots and print the totals.

    The checksum is the same for any number of workers, unless a bot has a time limit.
    """
    rules = read_ruleset(profile, house_rules, variations)
    seats = rules.players[0] if players is None else players
    names = split_names(bots)
    bar = _progress.bar(Console(stderr=True))
    try:
        with bar, redirect_stdout(sys.stderr):  # a bot's output is not part of the result
            task = bar.add_task(rules.title, total=max(deals, 0))
            done = simulate(
                rules,
                seats,
                deals,
                seed,
                names,
                _progress.cores() if workers is None else workers,
                progress=lambda count: bar.update(task, completed=count),
                out=out,
            )
    except SimulationError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(f"{out}: {error.strerror or error}") from None
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
    else:
        _tell(done, rules, out)


def _tell(done: Simulation, rules: Ruleset, out: Path | None) -> None:
    changes = f", with {' '.join(rules.changes)}" if rules.changes else ""
    print(f"{rules.title} ({rules.name}){changes}: ", end="")
    print(f"{done.deals:,} deals, {done.players} players, seed {done.seed}")
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
    workers = f"{done.workers_used} worker{'s' * (done.workers_used > 1)}"
    print(f"{done.actions:,} actions in {done.seconds:.2f} s of playing, {pace:,.0f} a second ({workers})")
    print(f"Checksum {done.checksum}")
    if out is not None:
        print(f"Written to {out}")
