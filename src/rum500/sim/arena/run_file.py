"""The file of a run, from which a stopped or killed run continues.

The first line describes the run; each further line holds the rows of some clusters, in order. Lines are on
disk before they are used, and an incomplete last line is dropped. Since a cluster's numbers depend on the
plan only, an interrupted run ends with the same numbers as an uninterrupted one.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from rum500.sim.arena.clusters import LEAD, ClusterBatch, Plan
from rum500.sim.arena.entrants import digest, digests
from rum500.sim.deals import SimulationError, entrant_name

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from typing import Self

FORMAT = 3
"""The version of the file. It changes if older files cannot be continued, or references play differently."""
_BEGINS = b'{"format":'
OWN = "rum500 itself"
"""The name of our own sources in the first line."""
_PACKAGE = Path(__file__).parents[2]
_PLAYED_BY = ("rng.py", "rules", "state", "view", "match", "ai", "bots")
"""The parts of the package that affect play: sources and the bots' weights."""
_SIZES = ("pairs", "sprt")
"""The length of a run, which does not affect its clusters: a run may be extended."""


class Run:
    """The file of a run, open for appending; nothing is stored if `path` is None.

    Raises `SimulationError` if it is the file of another run or in use by another process, and `OSError` if
    it cannot be written.
    """

    def __init__(self, path: Path | None, plans: Sequence[Plan]) -> None:
        self.path = path
        self.plans = plans
        self.file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            self.file = self.path.open("a+b")
            self._lock()
        return self

    def _lock(self) -> None:
        """Lock the file, because two runs would corrupt it. The lock ends with its process."""
        if sys.platform != "win32" and self.file is not None:
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.file.close()
                raise SimulationError(f"{self.path}: a run that is under way writes to it") from None

    def __exit__(self, kind: type[BaseException] | None, *_: TracebackType | BaseException | None) -> None:
        if self.file is not None:
            self.file.close()

    def pieces(self) -> list[ClusterBatch]:
        """Return the earlier results in order; a new file gets its first line."""
        if self.file is None:
            return []
        self.file.seek(0)
        held = self.file.read()
        *lines, cut_off = held.split(b"\n")
        if not lines and not _BEGINS.startswith(cut_off[: len(_BEGINS)]):
            raise SimulationError(f"{self.path}: is not the file of an arena's run")
        bots = dict.fromkeys(bot for plan in self.plans for bot in plan.bots)
        head = {
            "format": FORMAT,
            "sources": {OWN: own_sources(), **digests(bots)},
            "plans": [described(plan) for plan in self.plans],
        }
        if lines:
            self._check(lines[0], head)
        if cut_off:
            self.file.truncate(len(held) - len(cut_off))
        if not lines:
            self._write(head)
            return []
        try:
            return self._followed([_piece(json.loads(line)) for line in lines[1:]])
        except (ValueError, LookupError, TypeError):
            raise SimulationError(f"{self.path}: is damaged; take another file, or delete it") from None

    def _followed(self, pieces: list[ClusterBatch]) -> list[ClusterBatch]:
        """Return the pieces if each continues its contest. Raises `ValueError` or `LookupError` if not."""
        done: Counter[tuple[int, int]] = Counter()
        for piece in pieces:
            plan, contest = self.plans[piece.plan], (piece.plan, piece.contest)
            plan.contests[piece.contest]
            first, end, width = piece.first, piece.first + piece.count, LEAD + plan.players
            clusters = list(dict.fromkeys(piece.rows[::width]))
            if first != done[contest] or len(piece.rows) % width or clusters != list(range(first, end)):
                raise ValueError("pieces do not follow each other")
            done[contest] = end
        return pieces

    def _check(self, line: bytes, head: dict[str, Any]) -> None:
        try:
            why = _unlike(json.loads(line), head)
        except (ValueError, LookupError, TypeError):
            raise SimulationError(f"{self.path}: is not the file of an arena's run") from None
        if why:
            raise SimulationError(f"{self.path}: {why}; take another file, or delete it")

    def add(self, piece: ClusterBatch) -> None:
        """Write results to the file."""
        if self.file is not None:
            self._write(
                {
                    "plan": piece.plan,
                    "contest": piece.contest,
                    "first": piece.first,
                    "count": piece.count,
                    "seconds": round(piece.seconds, 3),
                    "rows": list(piece.rows),
                }
            )

    def _write(self, entry: dict[str, Any]) -> None:
        assert self.file is not None
        self.file.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())


def described(plan: Plan) -> dict[str, Any]:
    """Return a plan as data, for a run's file and its results."""
    bounds = plan.sprt
    return {
        "bots": [entrant_name(bot) for bot in plan.bots],
        "profile": plan.rules.name,
        "rules": blake2b(plan.rules.to_toml().encode(), digest_size=8).hexdigest(),
        "players": plan.players,
        "seed": plan.seed,
        "unit": plan.unit,
        "seating": plan.seating,
        "pairs": plan.pairs,
        "sprt": None
        if bounds is None
        else [bounds.measure, bounds.lower, bounds.upper, bounds.alpha, bounds.beta],
    }


def own_sources() -> str:
    """Return a digest of the code that affects play; with other code, results may differ."""
    places = [_PACKAGE / place for place in _PLAYED_BY]
    found = [path for place in places for path in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    return digest(path for path in found if path.suffix in {".py", ".pxd", ".toml"})


def _piece(entry: dict[str, Any]) -> ClusterBatch:
    place = entry["plan"], entry["contest"], entry["first"], entry["count"]
    return ClusterBatch(*place, array("i", entry["rows"]), entry["seconds"])


def _unlike(was: dict[str, Any], head: dict[str, Any]) -> str:
    """Return the difference between two runs, apart from their length; empty if there is none."""
    if was["format"] != head["format"]:
        return "was written by another version of rum500"
    if len(was["plans"]) != len(head["plans"]):
        return "is the file of another run (other contests)"
    other = {
        key
        for old, new in zip(was["plans"], head["plans"], strict=True)
        for key in new
        if key not in _SIZES and old[key] != new[key]
    }
    if other:
        return f"is the file of another run (other {', '.join(sorted(other))})"
    changed = [name for name, held in head["sources"].items() if was["sources"][name] != held]
    return f"{' and '.join(changed)} changed since that run began" if changed else ""
