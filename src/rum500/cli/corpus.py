"""`rum500 corpus`: many deals of mixed bots as data for learners, and the check of such data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from rum500.cli import _console, _run_options
from rum500.cli._inputs import SEEDS, HouseRules, Players, Profile, Variations, default_of, read_ruleset
from rum500.cli.rules import named
from rum500.external_bots import split_names
from rum500.rules.profiles import STANDARD
from rum500.sim.corpus import MIX, Corpus, make_corpus, open_corpus

command = App(
    name="corpus",
    help_format="plaintext",
    help_epilogue="""\
Examples:
  rum500 corpus make corpora/500-rum
  rum500 corpus make corpora/persian --profile persian-rummy --deals 20000 --workers 4
  rum500 corpus make mine --deals 1000 --bots club,club,mybot.py
  rum500 corpus check corpora/500-rum""",
)

_Folder = Annotated[Path, Parameter(name="FOLDER", help="The folder of the corpus.")]


@command.command
def make(  # noqa: PLR0913 - every option is an argument
    folder: _Folder,
    /,
    *,
    profile: Profile = STANDARD,
    players: Players = None,
    deals: Annotated[int, Parameter(help="How many deals.")] = default_of(make_corpus, "deals"),
    seed: Annotated[int, Parameter(validator=SEEDS, help="The same seed, the same deals.")] = default_of(
        make_corpus, "seed"
    ),
    bots: Annotated[
        str | None,
        Parameter(
            help="Bots to draw from, separated by commas; one named twice is drawn twice as often. "
            "If left out: " + ", ".join(f"{name} {share} %" for name, share in MIX.items()) + "."
        ),
    ] = None,
    house_rules: HouseRules = (),
    variations: Variations = (),
    workers: _run_options.Workers = None,
    executor: _run_options.ExecutorAt = None,
) -> None:
    """Play deals between bots of mixed strength and write them, with all moves and a data card, to a folder.

    The same command continues when it was stopped. The bytes are the same for any number of workers.
    """
    rules = read_ruleset(profile, house_rules, variations)
    bar = _console.bar(Console(stderr=True))
    with _run_options.playing(executor, workers, bar, folder, folder) as (there, count):
        task = bar.add_task(rules.title, total=max(deals, 0))
        corpus = make_corpus(
            rules,
            folder,
            deals,
            players=players,
            seed=seed,
            bots=MIX if bots is None else Counter(split_names(bots)),
            workers=count,
            executor=there,
            progress=lambda played: bar.update(task, completed=played),
        )
    _print(corpus)


@command.command
def check(folder: _Folder, /) -> None:
    """Compare the checksums of a corpus, and replay every deal by the rules."""
    corpus = open_corpus(folder)
    corpus.check()
    _print(corpus)
    print("All checksums agree, and every deal replays.")


def _print(corpus: Corpus) -> None:
    facts = corpus.facts
    print(
        f"{named(corpus.rules)}: {facts.deals:,} deals, {facts.moves:,} moves, "
        f"{facts.players} players, seed {facts.seed}"
    )
    print(f"Checksum {facts.checksum}")
    print(f"In {corpus.folder}")
