"""Makes corpora: plays the deals, counts them in order, and writes files and data card."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.sim.corpus.corpus import (
    DATA,
    FACTS,
    FORMAT,
    RUN,
    SPLITS,
    SUMS,
    TABLES,
    BotFacts,
    Corpus,
    CorpusError,
    CorpusFacts,
    data_file,
    open_corpus,
)
from rum500.sim.corpus.corpus_card import CARD, card, deal_columns
from rum500.sim.corpus.corpus_plan import MIX, TEST_EVERY, CorpusJob, CorpusPlan
from rum500.sim.data_card import Column, sha256
from rum500.sim.deals import checked_number, checked_workers, notes_on, seat_bot
from rum500.sim.job_queue import play
from rum500.sim.jobs import WHOLE, DealBatch, RunTally, little_endian, named_sources
from rum500.sim.moves import MOVE_WIDTH
from rum500.sim.output_files import atomic_file, write_atomic
from rum500.sim.parquet import DealFile, MoveFile
from rum500.sim.results import CLOCK, Notes
from rum500.sim.run_file import RunFile, RunHead
from rum500.sim.simulation_plan import LEAD, SimulationPlan

COMMAND = "corpus"


def make_corpus(  # noqa: PLR0913 - every option is an argument
    rules: Ruleset | str | PathLike[str],
    folder: str | PathLike[str],
    deals: int = 100_000,
    *,
    players: int | None = None,
    seed: int = 0,
    bots: Mapping[str, int] = MIX,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Corpus:
    """Play a corpus into a folder and return it. The bytes do not depend on the number of workers.

    `bots` has the names of bots and their shares of the seats. The fewest players of the game play unless
    `players` is given. What was played is kept in the folder until all is done: a stopped call continues, and
    a finished corpus is not played again. `workers`, `executor` and `progress` are as in
    `rum500.sim.simulate`.

    Raises `CorpusError` if the folder contains another corpus, `SimulationError` or `RulesetError` for an
    impossible one or a bot that fails, `OSError` for files that cannot be written, and `ModuleNotFoundError`
    without pyarrow.
    """
    import_module("pyarrow.parquet")
    found, folder = ruleset_of(rules), Path(folder)
    seats = found.players[0] if players is None else players
    plan, notes = _checked(SimulationPlan(found, seats, deals, seed, tuple(bots), moves=True), bots)
    checked_workers(workers)
    if (folder / FACTS).exists():
        return _finished(open_corpus(folder), plan)
    (folder / DATA[0]).parent.mkdir(parents=True, exist_ok=True)
    head = RunHead(COMMAND, [plan], notes)
    # First the run: a folder to which another process writes is refused before its files are opened.
    with RunFile(folder / RUN, head) as run, _files(folder, plan) as files:
        tally = _Tally(plan, files)
        play(
            [tally],
            run,
            None if progress is None else lambda tally: progress(tally.done),
            workers=workers,
            executor=executor,
        )
    facts = tally.facts()
    sums = "".join(f"{sha256(folder / name)}  {name}\n" for name in DATA)
    for name, text in (
        (SUMS, sums),
        (CARD, card(facts, found, folder)),
        (FACTS, msgspec.json.format(msgspec.json.encode(facts), indent=1).decode() + "\n"),
    ):
        write_atomic(folder / name, text)
    (folder / RUN).unlink()
    return Corpus(folder, facts, found)


def _checked(simulation: SimulationPlan, bots: Mapping[str, int]) -> tuple[CorpusPlan, Notes]:
    """Return the plan with the shares of its bots, and the notes on them."""
    if not bots:
        raise CorpusError("no bot is named; name at least one, such as club")
    shares = tuple(checked_number(f"the share of {name}", share) for name, share in bots.items())
    notes = {name: notes_on(seat_bot(name)) for name in bots}
    timed = [name for name, marks in notes.items() if CLOCK in marks]
    if timed:
        raise CorpusError(
            f"{timed[0]} thinks against the clock, and a corpus can be repeated: give it worlds, not seconds"
        )
    return CorpusPlan(simulation, shares), Notes(notes)


def _finished(corpus: Corpus, plan: CorpusPlan) -> Corpus:
    """Return a finished corpus. Raises `CorpusError` if it is not that of the plan."""
    facts, simulation = corpus.facts, plan.simulation
    shares = {name: bot.share for name, bot in facts.bots.items()}
    same = {
        "rules": corpus.rules == simulation.rules,
        "players": facts.players == simulation.players,
        "deals": facts.deals == simulation.deals,
        "seed": facts.seed == simulation.seed,
        "bots": shares == dict(zip(simulation.names, plan.shares, strict=True)),
        "code": facts.sources == named_sources(plan),
    }
    other = [name for name, equal in same.items() if not equal]
    if other:
        raise CorpusError(
            f"{corpus.folder}: contains another corpus (other {', '.join(other)}); take another folder"
        )
    return corpus


class _DealFile(DealFile):
    """A file of deals with the names of their bots."""

    GROUP = 10_000

    def __init__(self, path: Path | None, plan: CorpusPlan, metadata: dict[str, str]) -> None:
        super().__init__(path, plan.simulation, metadata)
        self.seated = plan.seated

    def columns(self) -> Sequence[Column]:
        """Return the columns of the file."""
        return deal_columns(self.plan.players)

    def taken(self, count: int) -> Mapping[str, Any]:
        """Remove the first `count` deals that are not yet written; return their values by column."""
        by_seat = zip(*map(self.seated, self.deals[:count]), strict=True)
        bots = {f"bot_{seat}": names for seat, names in enumerate(by_seat)}
        return {**super().taken(count), **bots}


class _Files:
    """The four Parquet files."""

    def __init__(self, deals: Mapping[str, DealFile], moves: Mapping[str, MoveFile]) -> None:
        self.deals = deals
        self.moves = moves

    def add(self, number: int, row: array[int], moves: array[int]) -> None:
        """Write a deal to the files of its split."""
        split = SPLITS[number % TEST_EVERY == TEST_EVERY - 1]
        self.deals[split].add([number], row)
        self.moves[split].add([number], row, moves)


@contextmanager
def _files(folder: Path, plan: CorpusPlan) -> Iterator[_Files]:
    simulation = plan.simulation
    metadata = {"rum500.ruleset": simulation.rules.to_toml(), "rum500.seed": str(simulation.seed)}
    with ExitStack() as stack:
        parts = {
            (table, split): stack.enter_context(atomic_file(folder / data_file(table, split)))
            for table in TABLES
            for split in SPLITS
        }
        deals = {
            split: stack.enter_context(_DealFile(parts["deals", split], plan, metadata)) for split in SPLITS
        }
        moves = {
            split: stack.enter_context(MoveFile(parts["moves", split], simulation, metadata))
            for split in SPLITS
        }
        yield _Files(deals, moves)


class _Tally(RunTally[CorpusPlan]):
    JOB = CorpusJob

    def __init__(self, plan: CorpusPlan, files: _Files) -> None:
        super().__init__(plan, WHOLE)
        self.width = LEAD + plan.simulation.players
        self.files = files
        self.moves = 0
        self.digest = hashlib.blake2b(digest_size=8)
        self.seats: Counter[str] = Counter()
        self.points: Counter[str] = Counter()

    def add(self, batch: DealBatch) -> None:
        """Add the next batch of results. Deals beyond the end of the corpus are left out."""
        rows, width, at = self.needed(batch, self.width), self.width, 0
        for place in range(0, len(rows), width):
            row = rows[place : place + width]
            moves = batch.moves[at : at + MOVE_WIDTH * row[0]]
            at += len(moves)
            self._count(row, moves)

    def _count(self, row: array[int], moves: array[int]) -> None:
        number = self.upcoming
        names = self.plan.seated(number)
        self.digest.update(little_endian(row) + little_endian(moves))
        self.moves += row[0]
        self.seats.update(names)
        for name, points in zip(names, row[LEAD:], strict=True):
            self.points[name] += points
        self.files.add(number, row, moves)
        self.done += 1

    def facts(self) -> CorpusFacts:
        """Return the facts about the finished corpus."""
        plan = self.plan.simulation
        shares = zip(plan.names, self.plan.shares, strict=True)
        bots = {
            name: BotFacts(share, self.seats[name], self.points[name] / max(self.seats[name], 1))
            for name, share in shares
        }
        return CorpusFacts(
            format=FORMAT,
            rules=plan.rules.to_toml(),
            players=plan.players,
            deals=self.done,
            moves=self.moves,
            seed=plan.seed,
            bots=bots,
            checksum=self.digest.hexdigest(),
            rum500=version("rum500"),
            pyarrow=version("pyarrow"),
            sources=named_sources(self.plan),
        )
