"""`rum500 arena`: measure how strong bots are against each other, with the same cards in exchanged seats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress, TaskID

from rum500.cli import _arena_tables, _run_options
from rum500.cli._inputs import SEEDS, HouseRules, Players, Profile, Variations, default_of, read_ruleset
from rum500.cli.rules import named
from rum500.external_bots import split_names
from rum500.rules.profiles import STANDARD
from rum500.sim import Shard
from rum500.sim.arena import Arena, Tally, arena, entrant_name, merge_files
from rum500.sim.arena import bounds as test_bounds
from rum500.sim.arena.clusters import LONGEST
from rum500.sim.arena.sprt import CHANCE, ELO, POINTS

command = App(
    name="arena",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 arena --bots club,greedy --pairs 100 --seed 7
  rum500 arena --bots club,casual --profile persian --sprt --run p.run
  rum500 arena --bots club,sees-hands,sees-stock --unit deal --json
  rum500 arena --bots answers:club,club --unit deal
  rum500 arena --bots club,greedy --pairs 1000 --shard 1/2 --run part-1.run
  rum500 arena merge part-1.run part-2.run""",
)


PAIRS = default_of(arena, "pairs")
"""The default number of pairs."""
MOST_PAIRS = 50_000
"""The largest number of pairs in a sequential test."""


@command.default
def play(  # noqa: PLR0913 - every option is an argument
    *,
    bots: Annotated[
        tuple[str, ...],
        Parameter(
            help="Two bots or more, separated by commas: names (strong), names with options "
            "(expert:worlds=512; strong:seconds=0.1, else there is no clock), your own (mybot.py, "
            "module:Mine), a learned network (learned:FILE), a program (cmd:./engine), the references that "
            "see hidden cards (sees-hands, sees-stock), or the best response to a bot (answers:club)."
        ),
    ],
    profile: Profile = STANDARD,
    players: Players = None,
    pairs: Annotated[
        int | None,
        Parameter(help=f"Shuffles for each two bots, each played in every seating; {PAIRS} if left out."),
    ] = None,
    seed: Annotated[
        int, Parameter(validator=SEEDS, help="The same seed, the same cards and results.")
    ] = default_of(arena, "seed"),
    unit: Annotated[
        Literal["match", "deal"], Parameter(help="Play whole matches, or deals alone (quicker).")
    ] = default_of(arena, "unit"),
    seating: Annotated[
        Literal["alternate", "lone"], Parameter(help="Every other seat, or the first alone among the others.")
    ] = default_of(arena, "seating"),
    sprt: Annotated[
        bool,
        Parameter(
            help="Stop as soon as a sequential test has a verdict; --pairs is the most. Its options imply it."
        ),
    ] = False,
    elo0: Annotated[
        float | None, Parameter(help=f"The test's lower hypothesis in Elo; {ELO[0]} if left out.")
    ] = None,
    elo1: Annotated[
        float | None, Parameter(help=f"Its upper hypothesis in Elo; {ELO[1]} if left out.")
    ] = None,
    points0: Annotated[
        float | None, Parameter(help=f"The lower in points a deal instead; {POINTS[0]} if left out.")
    ] = None,
    points1: Annotated[
        float | None, Parameter(help=f"The upper in points a deal; {POINTS[1]} if left out.")
    ] = None,
    alpha: Annotated[
        float | None,
        Parameter(help=f"The chance to accept the upper although the lower is true; {CHANCE} if left out."),
    ] = None,
    beta: Annotated[
        float | None,
        Parameter(help=f"The chance to accept the lower although the upper is true; {CHANCE} if left out."),
    ] = None,
    house_rules: HouseRules = (),
    variations: Variations = (),
    workers: _run_options.Workers = None,
    executor: _run_options.ExecutorAt = None,
    shard: _run_options.ShardText = None,
    run: _run_options.RunFile = None,
    out: _run_options.ParquetOut = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Measure bots against each other: the same cards, the seats exchanged, whole matches.

    Every shuffle is played in every seating, and intervals (95 %) count shuffles, not deals. The same seed
    gives the same numbers for any number of workers, shards or machines, unless a bot has a time limit.
    """
    rules = read_ruleset(profile, house_rules, variations)
    entrants = [bot for words in bots for bot in split_names(words)]
    asked = sprt or any(at is not None for at in (elo0, elo1, points0, points1, alpha, beta))
    part = _run_options.read_shard(shard, run)
    bounds = None
    if asked:
        bounds = test_bounds(unit, elo=(elo0, elo1), points=(points0, points1), alpha=alpha, beta=beta)
    bar = _arena_tables.bar(Console(stderr=True))
    with _run_options.playing(executor, workers, bar, run, run or out) as (there, count):
        done = arena(
            rules,
            entrants,
            pairs if pairs is not None else MOST_PAIRS if asked else PAIRS,
            seed,
            players=players,
            unit=unit,
            seating=seating,
            sprt=bounds,
            workers=count,
            executor=there,
            shard=part,
            run=run,
            out=out,
            progress=ArenaProgress(bar),
        )
    _show(done, out, as_json)
    if shard is not None and not as_json:
        print(_run_options.shard_line("arena", part, run))


@command.command
def merge(
    files: _run_options.ShardFiles,
    /,
    *,
    out: _run_options.ParquetOut = None,
    as_json: _run_options.AsJson = False,
) -> None:
    """Merge the shards of an arena's run and print the results, the same as without shards."""
    _show(merge_files(files, out), out, as_json)


def _show(done: Arena, out: Path | None, as_json: bool) -> None:
    if as_json:
        print(json.dumps(done.as_dict(), indent=2))
        return
    print_arena(done, Console(highlight=False, markup=False))
    if out is not None:
        print(f"Written to {out}")


class ArenaProgress:
    """The line of each current contest in the progress bar."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.lines: dict[int, TaskID] = {}

    def __call__(self, tally: Tally) -> None:
        """Update the line of this contest."""
        if self.lines and not tally.done:
            return
        contest = tally.contest
        if contest not in self.lines:
            a, b = (entrant_name(tally.plan.bots[bot]) for bot in tally.plan.contests[contest])
            self.lines[contest] = self.progress.add_task(f"{a} – {b}", total=len(tally.items), state="")
        self.progress.update(self.lines[contest], completed=tally.done, state=_arena_tables.so_far(tally))


def print_arena(done: Arena, console: Console) -> None:
    """Print the results for people."""
    plan, rules = done.plan, done.plan.rules
    name = done.notes.marked
    against = " against " if len(done.bots) == 2 else ", "
    console.print(f"{named(rules)}, {plan.players} players: ", end="")
    console.print(against.join(name(bot) for bot in done.bots), style="bold")
    console.print(_what_was_played(done), style="dim")
    console.print()
    if len(done.scores) == 1:
        score = done.scores[0]
        console.print(_arena_tables.of_two(score, name))
        console.print()
        console.print(_arena_tables.verdict(score, name))
    else:
        for table in _arena_tables.of_many(done, name):
            console.print(table)
            console.print()
        console.print("Rows against columns. ", end="")
        console.print("Green", style=_arena_tables.GOOD, end=" is ahead and ")
        console.print("red", style=_arena_tables.BAD, end=" behind with 95 % confidence, ")
        console.print("yellow", style=_arena_tables.OPEN, end=" is open.\n")
    if any(score.match_win is not None and score.fair != 0.5 for score in done.scores):
        console.print(
            f"Equals would win {_arena_tables.percent(done.scores[0].fair)} of the matches in these seats."
        )
    cut = sum(score.cut_short for score in done.scores)
    if cut:
        console.print(f"{cut:,} matches got nowhere in {LONGEST} deals and went to the leader.")
    for line in done.notes.footnotes():
        console.print(line)


def _what_was_played(done: Arena) -> str:
    plan = done.plan
    pairs = {score.pairs for score in done.scores}
    number = f"{min(pairs):,}" if len(pairs) == 1 else f"{min(pairs):,} to {max(pairs):,}"
    what = "matches" if plan.unit == "match" else "deals"
    seats = len(plan.seatings)
    shuffled = "shuffle" if plan.unit == "deal" else "row of shuffles"
    how = "the seats exchanged" if seats == 2 else f"in all {seats} seatings"
    if plan.rules.sides:
        how = "the sides exchanged"
    part = "" if done.shard == Shard() else f"; shard {done.shard}"
    sets = ("pair" if seats == 2 else "set") + "s" * (number != "1")
    return f"{number} {sets} of {what}, each on one {shuffled}, {how}; seed {plan.seed}{part}"
