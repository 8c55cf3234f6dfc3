"""The moves of a simulation as Parquet, one row for each."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

from rum500.sim.moves import MOVE_WIDTH
from rum500.sim.parquet_file import ParquetFile
from rum500.sim.simulation_plan import LEAD, SimulationPlan
from rum500.spaces import Actions
from rum500.view import Phase

_GROUP = 250_000
"""The number of moves in a row group."""


class MoveParquetOut(ParquetFile):
    """A Parquet file of moves.

    Columns: `deal`, `step` (from 1), `turn` (from 1), `seat`, `phase`, `legal` (the number of legal actions),
    `action_id`, `variant` and `action` (the numbers and the name of `rum500.spaces.Actions`), and `code` (for
    `State.apply_int`). The file's metadata contains what that of the deals does.
    """

    def __init__(
        self, path: Path | None, plan: SimulationPlan, metadata: dict[str, str], first: int = 0
    ) -> None:
        """Begin with deal number `first`."""
        super().__init__(path, plan, metadata)
        self.upcoming = first
        self.lengths = array("q")
        self.deals = array("q")
        self.numbers = array("Q")

    def add(self, rows: array[int], moves: array[int]) -> None:
        """Add the moves of the next deals; `rows` are those of the deals."""
        if self.writer is None:
            return
        for actions in rows[:: LEAD + self.plan.players]:
            self.deals.extend([self.upcoming] * actions)
            self.lengths.extend(range(1, actions + 1))
            self.upcoming += 1
        self.numbers.extend(moves)
        # Groups of one size: the bytes of the file do not depend on the division into jobs.
        while len(self.deals) >= _GROUP:
            self._write(_GROUP)

    def _schema(self) -> Any:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415

        columns = [
            ("deal", pa.int64()),
            ("step", pa.int32()),
            ("turn", pa.int32()),
            ("seat", pa.int8()),
            ("phase", pa.dictionary(pa.int8(), pa.string())),
            ("legal", pa.int32()),
            ("action_id", pa.int16()),
            ("variant", pa.int16()),
            ("action", pa.dictionary(pa.int16(), pa.string())),
            ("code", pa.uint64()),
        ]
        return pa.schema(columns, metadata=self.metadata)

    def _write_rest(self) -> None:
        if self.numbers:
            self._write(len(self.numbers) // MOVE_WIDTH)

    def _write(self, count: int) -> None:
        """Write the first moves as a row group."""
        import numpy as np  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415

        end = count * MOVE_WIDTH
        seat, turn, phase, legal, number, variant, code = (
            np.array(self.numbers[:end], np.uint64).reshape(-1, MOVE_WIDTH).T
        )
        names = Actions(self.plan.rules, self.plan.players).names
        phases = [phase.name.lower() for phase in Phase]
        table = {
            "deal": np.array(self.deals[:count]),
            "step": np.array(self.lengths[:count]),
            "turn": turn,
            "seat": seat,
            "phase": pa.DictionaryArray.from_arrays(phase.astype(np.int8), phases),
            "legal": legal,
            "action_id": number,
            "variant": variant,
            "action": pa.DictionaryArray.from_arrays(number.astype(np.int16), names),
            "code": code,
        }
        schema = self._schema()
        arrays = [
            held if isinstance(held, pa.Array) else pa.array(held.astype(field.type.to_pandas_dtype()))
            for field, held in zip(schema, table.values(), strict=True)
        ]
        self.writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
        del self.deals[:count], self.lengths[:count], self.numbers[:end]
