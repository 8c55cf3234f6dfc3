"""Runs studies: plays all cells, counts results in order, and compares them."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict

from rum500.sim import job_queue
from rum500.sim.deals import SimulationError, checked_workers, notes_on
from rum500.sim.estimates import columns_of
from rum500.sim.jobs import WHOLE, DealBatch, RunTally, Shard, little_endian
from rum500.sim.results import Note, Notes, Result
from rum500.sim.run_file import RunFile, RunHead
from rum500.sim.shards import Shards
from rum500.sim.simulation_plan import seat_bots
from rum500.sim.study.cell_plan import CellJob, CellPlan
from rum500.sim.study.measures import MEASURES, CellDifference, CellFigure, difference, estimates, measured
from rum500.sim.study.study_definition import Cell, SkippedCell, Study, StudyError, Value, cells

COMMAND = "study"


@dataclass(frozen=True, slots=True)
class CellResult:
    """The figures of a cell."""

    values: Mapping[str, Value]
    """The value of each factor."""
    checksum: str
    """The checksum that `rum500 simulate` has for the same deals."""
    figures: Mapping[str, CellFigure]
    """The measures, by name."""
    differences: Mapping[str, CellDifference]
    """The measures less those of the cell with the first value of the compared factor; empty if the cell is
    compared with none.
    """


@dataclass(frozen=True, slots=True, repr=False)
class StudyResult(Result):
    """The results of a study."""

    study: Study
    """The study."""
    cells: tuple[CellResult, ...]
    """The cells, in order."""
    skipped: tuple[SkippedCell, ...]
    """The combinations that a game does not allow."""
    checksum: str
    """A digest of all rows."""
    version: str
    """The version of rum500."""
    sources: Mapping[str, str]
    """Digests of the code that played, by name."""
    notes: Notes
    """The notes on bots, for example on those with a time limit."""
    rows: tuple[array[int], ...] = ()
    """The rows of each cell; empty if the result was read from its figures."""

    @property
    def title(self) -> str:
        """One line: the study, its numbers of cells and deals, and the seed."""
        study = self.study
        return f"{study.title}: {len(self.cells):,} cells of {study.deals:,} deals, seed {study.seed}"

    def table(self) -> dict[str, list[Any]]:
        """Return the results by cell as columns: varied factors, and measures with their intervals."""
        columns: dict[str, list[Any]] = {
            name: [cell.values[name] for cell in self.cells] for name in self.study.varied
        }
        for name in self.study.measures:
            columns |= columns_of(name, (cell.figures[name] for cell in self.cells))
        return columns

    def cell(self, **values: Value) -> CellResult:
        """Return the only cell with these values of factors, such as `house_rules="H2"`.

        Raises `LookupError` if no cell or several cells have them.
        """
        found = [cell for cell in self.cells if values.items() <= cell.values.items()]
        if len(found) != 1:
            asked = ", ".join(f"{factor} = {value}" for factor, value in values.items())
            raise LookupError(f"{len(found)} of {len(self.cells)} cells have {asked or 'no values'}")
        return found[0]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON; `from_dict` reads it."""
        return {
            "study": self.study.name,
            "text": self.study.text,
            "rum500": self.version,
            "sources": dict(self.sources),
            "checksum": self.checksum,
            **self.notes.as_dict(),
            "cells": [
                {
                    "values": dict(cell.values),
                    "checksum": cell.checksum,
                    "figures": {name: [of.value, of.half] for name, of in cell.figures.items()},
                    "differences": {
                        name: [of.value, of.half, of.unpaired] for name, of in cell.differences.items()
                    },
                }
                for cell in self.cells
            ],
            "skipped": [{"values": dict(cell.values), "reason": cell.reason} for cell in self.skipped],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StudyResult:
        """Return the results from the data of `as_dict`, without their rows."""
        found = tuple(
            CellResult(
                cell["values"],
                cell["checksum"],
                {name: CellFigure(*of) for name, of in cell["figures"].items()},
                {name: CellDifference(*of) for name, of in cell["differences"].items()},
            )
            for cell in data["cells"]
        )
        study = Study.from_text(data["text"], data["study"], with_bots=False)
        skipped = tuple(SkippedCell(cell["values"], cell["reason"]) for cell in data["skipped"])
        names = [name for key in ("references", "responses", "by_the_clock") for name in data[key]]
        return cls(
            study,
            found,
            skipped,
            data["checksum"],
            data["rum500"],
            data["sources"],
            Notes.from_dict(names, data),
        )


class CellTally(RunTally[CellPlan]):
    """The rows that have been played of a cell, or of a shard of the cell."""

    JOB = CellJob

    def __init__(self, plan: CellPlan, shard: Shard = WHOLE) -> None:
        super().__init__(plan, shard)
        self.rows = array("i")

    def add(self, batch: DealBatch) -> None:
        """Add the next batch of results. Deals beyond the end of the cell are left out."""
        self.rows += self.needed(batch, self.plan.width)
        self.done = len(self.rows) // self.plan.width

    def checksum(self) -> str:
        """Return the checksum that `simulate` returns for the same deals.

        The values that a study adds to rows are left out.
        """
        import numpy as np  # noqa: PLC0415 - in the extra lab

        own = np.asarray(self.rows, dtype="<i4").reshape(-1, self.plan.width)[:, : self.plan.simulated]
        return hashlib.blake2b(own.tobytes(), digest_size=8).hexdigest()


def study(
    asked: Study | str | PathLike[str],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    shard: Shard = WHOLE,
    run: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> StudyResult | None:
    """Play all cells of a study, given as a `Study` or as its file, and return the results.

    `workers`, `executor`, `shard` and `run` are as in `simulate`; `progress` is called with the number of
    deals done. For a shard, None is returned, because its figures alone would mislead; `merge_files` returns
    the results of all shards.

    Before the first deal, raises `StudyError` for a mistake in the file or a cell that cannot be played,
    `OSError` for a file that cannot be read or written, and `ModuleNotFoundError` if numpy is not installed.
    Later raises `SimulationError` if a bot fails.
    """
    import_module("numpy")  # report a missing package before the first deal
    made = asked if isinstance(asked, Study) else Study.read(asked)
    found, skipped = cells(made)
    plans = [cell.plan for cell in found]
    checked_workers(workers)
    shard.check(plans[0])
    about = {"study": made.name, "text": made.text}
    head = RunHead(COMMAND, plans, _notes(plans), shard, about)
    tallies = [CellTally(plan, shard) for plan in plans]
    done: dict[int, int] = {}

    def data(tally: CellTally) -> None:
        done[id(tally)] = tally.done
        if progress is not None:
            progress(sum(done.values()))

    with RunFile(None if run is None else Path(run), head) as kept:
        job_queue.play(tallies, kept, data, workers=workers, executor=executor)
    if shard != WHOLE:
        return None
    sources = plans[0].sources(dict.fromkeys(bot for plan in plans for bot in plan.bots))
    return _result(made, found, skipped, tallies, (head.notes, sources))


class _About(TypedDict):
    study: str
    text: str


def merge_files(paths: Sequence[str | PathLike[str]]) -> StudyResult:
    """Return the results of a study from the files of all its shards, which `study(run=…)` wrote.

    The results equal those of a run without shards. The bots are not needed. Raises `SimulationError` if a
    shard is missing, unfinished, given twice, or of another study, and `OSError` for a file that cannot be
    read.
    """
    import_module("numpy")
    shards = Shards(list(map(Path, paths)), COMMAND, CellPlan.from_described, _About)
    about = shards.head.about
    try:
        made = Study.from_text(about["text"], about["study"], with_bots=False)
        found, skipped = cells(made)
    except StudyError as error:
        raise SimulationError(f"{paths[0]}: {error}") from None
    if [cell.plan.described() for cell in found] != [plan.described() for plan in shards.head.plans]:
        raise SimulationError(f"{paths[0]}: its study has other cells in this version of rum500")
    tallies = [CellTally(cell.plan) for cell in found]
    for number, batch in shards.batches(lambda shard: [CellTally(cell.plan, shard) for cell in found]):
        tallies[number].add(batch)
    return _result(made, found, skipped, tallies, (shards.head.notes, shards.sources))


def _notes(plans: Iterable[CellPlan]) -> Notes:
    found: dict[str, tuple[Note, ...]] = {}
    for plan in plans:
        simulation = plan.simulation
        seated = seat_bots(simulation.bots, simulation.players)
        found |= {name: notes_on(bot) for name, bot in zip(simulation.names, seated, strict=True)}
    return Notes(found)


def _result(
    made: Study,
    found: Sequence[Cell],
    skipped: Sequence[SkippedCell],
    tallies: Sequence[CellTally],
    of_bots: tuple[Notes, Mapping[str, str]],
) -> StudyResult:
    names, digest = made.measures, hashlib.blake2b(digest_size=8)
    by_values: dict[tuple[Value, ...], dict[str, tuple[float, Any]]] = {}
    results = []
    for cell, tally in zip(found, tallies, strict=True):
        digest.update(little_endian(tally.rows))
        own = by_values[tuple(cell.values.values())] = estimates(cell.plan, tally.rows, names)
        base = by_values.get(_base(made, cell.values), {}) if made.compare else {}
        results.append(
            CellResult(
                cell.values,
                tally.checksum(),
                {name: measured(MEASURES[name], *own[name]) for name in names},
                {} if base is own else {name: difference(own[name], base[name]) for name in base},
            )
        )
    notes, sources = of_bots
    return StudyResult(
        study=made,
        cells=tuple(results),
        skipped=tuple(skipped),
        checksum=digest.hexdigest(),
        version=version("rum500"),
        sources=sources,
        notes=notes,
        rows=tuple(tally.rows for tally in tallies),
    )


def _base(made: Study, values: Mapping[str, Value]) -> tuple[Value, ...]:
    return tuple(
        made.factors[factor][0] if factor == made.compare else value for factor, value in values.items()
    )


__all__ = ["COMMAND", "MEASURES", "CellResult", "CellTally", "StudyResult", "merge_files", "study"]
