"""The deals of a simulation as Parquet, one row for each deal."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

from rum500.sim.deals import deal_seed
from rum500.sim.parquet_file import ParquetFile
from rum500.sim.simulation_plan import LEAD, SimulationPlan
from rum500.view import REASONS

_GROUP = 100_000
"""The number of deals in a row group."""


class ParquetOut(ParquetFile):
    """A Parquet file of deals.

    Columns: `deal`, `seed` (of the deal), `dealer`, `actions`, `reason`, `out` (seat, or null) and `points_0`
    … by seat. The file's metadata contains the rule set as TOML, the seed and the bots.
    """

    def __init__(
        self, path: Path | None, plan: SimulationPlan, metadata: dict[str, str], first: int = 0
    ) -> None:
        """Begin with deal number `first`."""
        super().__init__(path, plan, metadata)
        self.first = first
        self.rows = array("i")

    def add(self, rows: array[int]) -> None:
        """Add the rows of the next deals."""
        if self.writer is None:
            return
        self.rows.extend(rows)
        # Groups of one size: the bytes of the file do not depend on the division into jobs.
        group = _GROUP * (LEAD + self.plan.players)
        while len(self.rows) >= group:
            self._write(self.rows[:group])
            self.rows = self.rows[group:]

    def _schema(self) -> Any:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415

        plan = self.plan
        columns = [
            ("deal", pa.int64()),
            ("seed", pa.uint64()),
            ("dealer", pa.int8()),
            ("actions", pa.int32()),
        ]
        columns += [("reason", pa.string()), ("out", pa.int8())]
        columns += [(f"points_{seat}", pa.int32()) for seat in range(plan.players)]
        return pa.schema(columns, metadata=self.metadata)

    def _write_rest(self) -> None:
        if self.rows:
            self._write(self.rows)

    def _write(self, rows: array[int]) -> None:
        """Write a group of rows."""
        import pyarrow as pa  # noqa: PLC0415

        players = self.plan.players
        width = LEAD + players
        deals = range(self.first, self.first + len(rows) // width)
        table = {
            "deal": deals,
            "seed": [deal_seed(self.plan.seed, index) for index in deals],
            "dealer": [self.plan.dealer_of(index) for index in deals],
            "actions": rows[::width],
            "reason": [REASONS[code] for code in rows[1::width]],
            "out": [seat if seat >= 0 else None for seat in rows[2::width]],
            **{f"points_{seat}": rows[LEAD + seat :: width] for seat in range(players)},
        }
        schema = self._schema()
        arrays = [pa.array(list(table[field.name]), field.type) for field in schema]
        self.writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
        self.first = deals.stop
