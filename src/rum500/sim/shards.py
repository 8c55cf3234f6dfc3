"""The files of shards, read together as the results of one run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from rum500.rules.problems import RulesetError
from rum500.rules.ruleset import Ruleset
from rum500.sim.deals import SimulationError, entrant_name
from rum500.sim.jobs import DealBatch, RunPlan, RunTally, Shard, numbered
from rum500.sim.results import Notes
from rum500.sim.run_file import RunHead, difference, first_line, read_batches, read_head

PlanKind = TypeVar("PlanKind", bound=RunPlan)


class Shards(Generic[PlanKind]):
    """The files of all shards of one run of a command.

    `read` makes a plan from its description and its rules. `about` is the type of the command's own data in
    the files.

    Raises `SimulationError` if a shard is missing, unfinished, given twice, or of another run, and `OSError`
    if a file cannot be read.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        command: str,
        read: Callable[[Mapping[str, Any], Ruleset], PlanKind],
        about: type = dict,
    ) -> None:
        if not paths:
            raise SimulationError("no file of a shard is named")
        self.command = command
        heads = {path: self._head(path) for path in paths}
        first, head = next(iter(heads.items()))
        for path, other in heads.items():
            # All else must be equal: only the number of the shard may differ.
            alike = other | {"shard": head["shard"]}
            why = difference(alike, head, frozenset(), f"is of another run than {first}").replace(
                "changed since that run began", f"is not the same as in {first}"
            )
            if why:
                raise SimulationError(f"{path}: {why}")
        try:
            rulesets = {key: Ruleset.from_toml(text) for key, text in head["rulesets"].items()}
            plans = [read(described, rulesets[described["rules"]]) for described in head["plans"]]
            shards = [(Shard.parse(other["shard"]), path) for path, other in heads.items()]
            names = [entrant_name(bot) for plan in plans for bot in plan.bots]
            notes = Notes.from_dict(names, head["notes"])
            msgspec.convert(head["about"], about)
            self.head: RunHead[PlanKind] = RunHead(command, plans, notes, about=head["about"])
            """The description of the whole run."""
            self.sources: dict[str, str] = dict(head["sources"])
            """Digests of the code that played, by name."""
        except (RulesetError, ValueError, LookupError, TypeError, AttributeError, OverflowError):
            raise SimulationError(f"{first}: is damaged") from None
        self.files = self._complete(shards)

    @property
    def plan(self) -> PlanKind:
        """The plan, for commands with a single plan. Raises `SimulationError` if there are several."""
        if len(self.head.plans) > 1:
            raise SimulationError(f"{self.files[0][1]}: is damaged")
        return self.head.plans[0]

    def _head(self, path: Path) -> dict[str, Any]:
        with path.open("rb") as file:
            return read_head(path, first_line(file), self.command)

    def _complete(self, shards: Sequence[tuple[Shard, Path]]) -> list[tuple[Shard, Path]]:
        """Return all shards in order. Raises `SimulationError` if some are missing or given twice."""
        of = shards[0][0].of
        found: dict[int, tuple[Shard, Path]] = {}
        for shard, path in shards:
            if shard.of != of:
                raise SimulationError(f"{path}: is shard {shard}, and {shards[0][1]} is shard {shards[0][0]}")
            if shard.number in found:
                raise SimulationError(f"{path}: is shard {shard}, and so is {found[shard.number][1]}")
            found[shard.number] = shard, path
        missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in found]
        if missing:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            described = ", ".join(missing[:5]) + more
            raise SimulationError(
                f"shard {described} is missing" if len(missing) == 1 else f"shards {described} are missing"
            )
        return [found[number] for number in sorted(found)]

    def batches(
        self, tallies: Callable[[Shard], Sequence[RunTally[PlanKind]]]
    ) -> Iterator[tuple[int, DealBatch]]:
        """Yield all results, each with the number of its tally; results of one contest come in order.

        `tallies` returns the tallies of a shard, in the order in which the command plays them.
        """
        for shard, path in self.files:
            parts = tallies(shard)
            upcoming = [part.items.start for part in parts]
            with path.open("rb") as file:
                first_line(file)
                for _, number, batch in read_batches(path, file, parts):
                    upcoming[number] = batch.items.stop
                    yield number, batch
            for part, reached in zip(parts, upcoming, strict=True):
                if reached < part.items.stop:
                    left = numbered(part.plan, range(reached, part.items.stop))
                    raise SimulationError(
                        f"{path}: shard {shard} is not finished, {left} are missing; "
                        "the command that wrote it continues it"
                    )
