"""The file of a run: a stopped or killed run continues from it, and the files of shards can be merged.

The first line describes the run; each further line contains the rows of a job, in order. Lines are on disk
before they are used, and an incomplete last line is dropped. Since the numbers of a deal depend only on the
plan, an interrupted run ends with the same numbers as an uninterrupted one.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec

from rum500.sim.deals import SimulationError
from rum500.sim.jobs import WHOLE, DealBatch, PlayedDeals, RunPlan, RunTally, Shard, little_endian, unlike
from rum500.sim.output_files import open_locked
from rum500.sim.results import Notes

if TYPE_CHECKING:
    from typing import Self

PlanKind = TypeVar("PlanKind", bound=RunPlan)

FORMAT = 4
"""The version of the file. It changes if older files cannot be continued, or if reference players change."""
_BEGINS = b'{"format":'
MOST_LINE = 64 << 20
"""The largest size of a line, in bytes."""
MOST_MOVES = 512 << 20
"""The largest size of the unpacked moves of a line, in bytes."""
_Number = Annotated[int, msgspec.Meta(ge=-(1 << 31), lt=1 << 31)]
_Positive = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]


class _Version(msgspec.Struct):
    format: int


class _Head(_Version):
    command: str
    shard: str
    sources: dict[str, str]
    notes: dict[str, list[str]]
    about: dict[str, Any]
    rulesets: dict[str, str]
    plans: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]


class _Line(msgspec.Struct):
    contest: _Positive
    first: _Positive
    count: Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    worker: str
    rows: list[_Number]
    moves: str = ""


@dataclass(frozen=True, slots=True)
class RunHead(Generic[PlanKind]):
    """The plans of a run and everything else in the first line of its file."""

    command: str
    """The command: `simulate`, `arena`, `ladder` or `study`."""
    plans: Sequence[PlanKind]
    """The plans of all contests."""
    notes: Notes
    """The notes on players."""
    shard: Shard = WHOLE
    """The part that is played."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The command's own data that results need in addition to the plans."""

    def as_dict(self) -> dict[str, Any]:
        """Return the first line as data. Rule sets are stored separately, because plans share them."""
        plans = [plan.described() for plan in self.plans]
        rulesets = {_key(plan["rules"]): plan["rules"] for plan in plans}
        bots = dict.fromkeys(bot for plan in self.plans for bot in plan.bots)
        return {
            "format": FORMAT,
            "command": self.command,
            "shard": str(self.shard),
            "sources": self.plans[0].sources(bots),
            "notes": self.notes.as_dict(),
            "about": dict(self.about),
            "rulesets": rulesets,
            "plans": [plan | {"rules": _key(plan["rules"])} for plan in plans],
        }


def _key(rules: str) -> str:
    return blake2b(rules.encode(), digest_size=8).hexdigest()


class RunFile:
    """The file of a run, open for appending; without `path` nothing is stored.

    Raises `SimulationError` if the file belongs to another run or is in use by another process, and `OSError`
    if it cannot be written.
    """

    def __init__(self, path: Path | None, head: RunHead[Any]) -> None:
        self.path = path
        self.head = head
        self.file: IO[bytes] | None = None
        self._new = False

    def __enter__(self) -> Self:
        if self.path is not None:
            self._new = not self.path.exists()
            self.file = open_locked(self.path)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: TracebackType | BaseException | None) -> None:
        if self.file is None or self.path is None:
            return
        # A run that was refused before it began, for example because of another file, leaves none.
        unused = self._new and not os.fstat(self.file.fileno()).st_size
        if sys.platform == "win32":
            self.file.close()  # an open file cannot be removed
        if unused:
            self.path.unlink(missing_ok=True)
        self.file.close()

    def batches(self, tallies: Sequence[RunTally[Any]]) -> Iterator[tuple[int, DealBatch]]:
        """Yield the stored results in order, each with the number of its tally.

        Writes the first line of a new file.
        """
        if self.file is None or self.path is None:
            return
        head = self.head.as_dict()
        first = first_line(self.file)
        if not first.endswith(b"\n"):
            if not _BEGINS.startswith(first[: len(_BEGINS)]):
                raise SimulationError(f"{self.path}: is not the file of a run")
            self.file.truncate(0)
            self._write(head)
            return
        why = self._other(read_head(self.path, first, self.head.command), head)
        if why:
            raise SimulationError(f"{self.path}: {why}; take another file, or delete it")
        end = len(first)
        for line, number, batch in read_batches(self.path, self.file, tallies):
            yield number, batch
            end += len(line)
        self.file.truncate(end)

    def _other(self, was: dict[str, Any], head: dict[str, Any]) -> str:
        # The run may be made longer, but not if it has shards: a shard would then contain other items.
        sizes = self.head.plans[0].SIZES if self.head.shard.of == 1 else frozenset()
        return difference(was, head, sizes, "is the file of another run")

    def add(self, number: int, batch: DealBatch) -> None:
        """Append a batch of tally `number` to the file."""
        if self.file is not None:
            entry = {
                "contest": number,
                "first": batch.job.first,
                "count": batch.job.count,
                "seconds": round(batch.seconds, 3),
                "worker": batch.worker,
                "rows": list(batch.rows),
            }
            self._write(entry | ({"moves": _packed(batch.moves)} if batch.moves else {}))

    def _write(self, entry: dict[str, Any]) -> None:
        assert self.file is not None
        self.file.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())


def difference(was: dict[str, Any], head: dict[str, Any], sizes: frozenset[str], message: str) -> str:
    """Return in words how two first lines differ; empty if they do not.

    Differences in the keys `sizes` of plans are ignored.
    """
    if len(was["plans"]) != len(head["plans"]):
        return f"{message} (other contests)"
    found = {
        key
        for old, new in zip(was["plans"], head["plans"], strict=True)
        for key in unlike(old, new)
        if key not in sizes
    }
    found |= {"shard"} if was["shard"] != head["shard"] else set()
    if found:
        return f"{message} (other {', '.join(sorted(found))})"
    changed = unlike(was["sources"], head["sources"])
    return f"{' and '.join(changed)} changed since that run began" if changed else ""


def read_head(path: Path, line: bytes, command: str) -> dict[str, Any]:
    """Return the first line of a run's file as data. Raises `SimulationError` if it is not such a line."""
    try:
        version = msgspec.json.decode(line, type=_Version).format
        head: dict[str, Any] = (
            msgspec.to_builtins(msgspec.json.decode(line, type=_Head)) if version == FORMAT else {}
        )
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise SimulationError(f"{path}: is not the file of a run") from None
    if version != FORMAT:
        raise SimulationError(
            f"{path}: was written by another version of rum500; take another file, or delete it"
        )
    if head["command"] != command:
        raise SimulationError(
            f"{path}: is the file of a run of rum500 {head['command']}, not of rum500 {command}"
        )
    return head


def first_line(file: IO[bytes]) -> bytes:
    """Return the first line of a file, cut off after the largest size of a line."""
    file.seek(0)
    return file.readline(MOST_LINE)


def read_batches(
    path: Path, file: IO[bytes], tallies: Sequence[RunTally[Any]]
) -> Iterator[tuple[bytes, int, DealBatch]]:
    """Yield (line, number of its tally, results) for the lines after the first.

    Stops at an incomplete line. Raises `SimulationError` for a line that cannot be read or does not continue
    its contest.
    """
    upcoming = [tally.items.start for tally in tallies]
    for place in count(2):
        line = file.readline(MOST_LINE)
        if not line.endswith(b"\n") and len(line) < MOST_LINE:
            return
        try:
            number, batch = _read(msgspec.json.decode(line, type=_Line), tallies, upcoming)
        except (msgspec.MsgspecError, ValueError, LookupError, RecursionError):
            raise SimulationError(
                f"{path}: line {place} is damaged; take another file, or delete it"
            ) from None
        upcoming[number] = batch.items.stop
        yield line, number, batch


def _read(line: _Line, tallies: Sequence[RunTally[Any]], upcoming: Sequence[int]) -> tuple[int, DealBatch]:
    tally = tallies[line.contest]
    job = tally.JOB(tally.plan, line.first, line.count, {}, tally.contest)
    played = PlayedDeals(array("i", line.rows), _unpacked(line.moves))
    batch = DealBatch(job, played.rows, line.seconds, line.worker, played.moves)
    if job.first != upcoming[line.contest] or not job.plan.holds(played, batch.items):
        raise ValueError("jobs do not follow each other")
    return line.contest, batch


def _packed(moves: array[int]) -> str:
    """Return the values of moves as text; it is compressed because there are many values."""
    return base64.b64encode(zlib.compress(little_endian(moves))).decode("ascii")


def _unpacked(text: str) -> array[int]:
    """Return the values that `_packed` compressed. Raises `ValueError` for other text or too many values."""
    moves = array("Q")
    if text:
        packed = zlib.decompressobj()
        try:
            moves.frombytes(packed.decompress(base64.b64decode(text, validate=True), MOST_MOVES))
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if not packed.eof:
            raise ValueError("the moves are cut off, or too many")
        if sys.byteorder == "big":
            moves.byteswap()
    return moves
