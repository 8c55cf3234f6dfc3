"""Parquet files of deals and moves: their writers, and their columns, which data cards list too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

from rum500.sim.data_card import Column
from rum500.sim.deals import deal_seed
from rum500.sim.moves import MOVE_WIDTH
from rum500.sim.simulation_plan import LEAD, SimulationPlan
from rum500.view import REASONS, Phase

if TYPE_CHECKING:
    from typing import Self


_PHASES = [phase.name.lower() for phase in Phase]
DEAL_COLUMNS = (
    Column("deal", "int64", "number of the deal, from 0"),
    Column("seed", "uint64", "seed of the deal, for `rum500.deal(rules, players, seed, dealer)`"),
    Column("dealer", "int8", "seat that dealt, from 0; the next seat plays first"),
    Column("actions", "int32", "number of actions, those without a choice included"),
    Column("reason", "string", f"why the deal ended: {', '.join(REASONS.values())}"),
    Column("out", "int8", "seat that went out; null if none did"),
)
MOVE_COLUMNS = (
    Column("deal", "int64", "number of the deal, from 0, as in the file of deals"),
    Column("step", "int32", "number of the action in the deal, from 1"),
    Column(
        "turn", "int32", "number of the turn in the deal, from 1; a draw, take, call, pass or end begins one"
    ),
    Column("seat", "int8", "seat that acted, from 0"),
    Column("phase", "dictionary<int8, string>", f"what it had to decide: {', '.join(_PHASES[:-1])}"),
    Column("legal", "int32", "number of legal actions; 1 means that there was no choice"),
    Column("action_id", "int16", "number of the action in `rum500.spaces.Actions(rules, players)`, v1"),
    Column("variant", "int16", "its second number, where several plays share the first; else 0"),
    Column(
        "action", "dictionary<int16, string>", "name of `action_id`: a play is named by the meld that results"
    ),
    Column("code", "uint64", "the action itself, for `State.apply_int` and `rum500.decode`"),
)


def points_columns(seats: int) -> list[Column]:
    """Return the columns with the points of these seats."""
    meaning = "points of seat {} in this deal, which may be negative; null if there is no such seat"
    return [Column(f"points_{seat}", "int32", meaning.format(seat)) for seat in range(seats)]


def deal_values(
    plan: SimulationPlan, rows: array[int], width: int, deals: Sequence[int]
) -> dict[str, Sequence[Any]]:
    """Return the deals with the numbers `deals` by column; `rows` has `width` values for each."""
    return {
        "deal": deals,
        "seed": [deal_seed(plan.seed, number) for number in deals],
        "dealer": [plan.dealer_of(number) for number in deals],
        "actions": rows[::width],
        "reason": [REASONS[code] for code in rows[1::width]],
        "out": [seat if seat >= 0 else None for seat in rows[2::width]],
        **{f"points_{seat}": rows[LEAD + seat :: width] for seat in range(plan.players)},
    }


def schema_of(columns: Iterable[Column], metadata: Mapping[str, str] | None = None) -> Any:
    """Return the Arrow schema of a file with these columns."""
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import that few runs need

    def arrow(kind: str) -> Any:
        if kind.startswith("dictionary<"):
            return pa.dictionary(*map(arrow, kind[len("dictionary<") : -1].split(", ")))
        return getattr(pa, kind)()

    return pa.schema([(column.name, arrow(column.kind)) for column in columns], metadata=metadata)


def table_of(schema: Any, values: Mapping[str, Any]) -> Any:
    """Return an Arrow table with this schema; columns without values are null."""
    import pyarrow as pa  # noqa: PLC0415

    count = max(map(len, values.values()))
    arrays = []
    for field in schema:
        held = values.get(field.name)
        if held is None:
            held = pa.nulls(count, field.type)
        elif not isinstance(held, pa.Array):
            held = pa.array(held if hasattr(held, "dtype") else list(held), field.type)
        arrays.append(held)
    return pa.Table.from_arrays(arrays, schema=schema)


class ParquetFile(ABC):
    """A context manager that writes a Parquet file in groups of rows; without `path` it writes nothing.

    All groups have the same size, so that the bytes of the file do not depend on the division into jobs. The
    metadata contains the rule set as TOML, the seed and the bots.
    """

    GROUP: ClassVar[int]
    """The number of rows in a group."""

    def __init__(self, path: Path | None, plan: SimulationPlan, metadata: dict[str, str]) -> None:
        self.path = path
        self.plan = plan
        self.metadata = metadata
        self.deals = array("q")
        """The number of the deal of each row that is not yet written."""
        self.writer: Any = None

    def __enter__(self) -> Self:
        if self.path is not None:
            import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415

            self.schema = schema_of(self.columns(), self.metadata)
            self.writer = pq.ParquetWriter(self.path, self.schema)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: TracebackType | BaseException | None) -> None:
        if self.writer is not None:
            if kind is None and self.deals:
                self._write(len(self.deals))
            self.writer.close()

    def _write_groups(self) -> None:
        while len(self.deals) >= self.GROUP:
            self._write(self.GROUP)

    def _write(self, count: int) -> None:
        self.writer.write_table(table_of(self.schema, self.taken(count)))

    @abstractmethod
    def columns(self) -> Sequence[Column]:
        """Return the columns of the file."""

    @abstractmethod
    def taken(self, count: int) -> Mapping[str, Any]:
        """Remove the first `count` rows that are not yet written; return their values by column."""


class DealFile(ParquetFile):
    """A Parquet file of deals: `DEAL_COLUMNS` and the points by seat."""

    GROUP = 100_000
    rows: array[int]

    def __enter__(self) -> Self:
        self.rows = array("i")
        return super().__enter__()

    def add(self, deals: Sequence[int], rows: array[int]) -> None:
        """Add deals: their numbers, and their rows."""
        if self.writer is not None:
            self.deals.extend(deals)
            self.rows.extend(rows)
            self._write_groups()

    def columns(self) -> Sequence[Column]:
        """Return the columns of the file."""
        return [*DEAL_COLUMNS, *points_columns(self.plan.players)]

    def taken(self, count: int) -> Mapping[str, Any]:
        """Remove the first `count` deals that are not yet written; return their values by column."""
        width = LEAD + self.plan.players
        rows, self.rows = self.rows[: count * width], self.rows[count * width :]
        deals, self.deals = self.deals[:count], self.deals[count:]
        return deal_values(self.plan, rows, width, deals)


class MoveFile(ParquetFile):
    """A Parquet file of moves: `MOVE_COLUMNS`."""

    GROUP = 250_000

    def __enter__(self) -> Self:
        self.steps, self.numbers = array("q"), array("Q")
        return super().__enter__()

    def add(self, deals: Sequence[int], rows: array[int], moves: array[int]) -> None:
        """Add the moves of the deals with these numbers.

        `rows` are the rows of these deals in the file of deals; they begin with the numbers of moves.
        """
        if self.writer is None:
            return
        for number, actions in zip(deals, rows[:: LEAD + self.plan.players], strict=True):
            self.deals.extend([number] * actions)
            self.steps.extend(range(1, actions + 1))
        self.numbers.extend(moves)
        self._write_groups()

    def columns(self) -> Sequence[Column]:
        """Return the columns of the file."""
        return MOVE_COLUMNS

    def taken(self, count: int) -> Mapping[str, Any]:
        """Remove the first `count` moves that are not yet written; return their values by column."""
        import numpy as np  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415

        from rum500.spaces import Actions  # noqa: PLC0415 - of the laboratory, which few runs need

        end = count * MOVE_WIDTH
        seat, turn, phase, legal, number, variant, code = (
            np.array(self.numbers[:end], np.uint64).reshape(-1, MOVE_WIDTH).T
        )
        names = Actions(self.plan.rules, self.plan.players).names
        values = {
            "deal": np.array(self.deals[:count]),
            "step": np.array(self.steps[:count]),
            "turn": turn,
            "seat": seat,
            "phase": pa.DictionaryArray.from_arrays(phase.astype(np.int8), _PHASES),
            "legal": legal,
            "action_id": number,
            "variant": variant,
            "action": pa.DictionaryArray.from_arrays(number.astype(np.int16), names),
            "code": code,
        }
        del self.deals[:count], self.steps[:count], self.numbers[:end]
        return values
