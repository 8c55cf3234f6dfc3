"""A Parquet file that grows by groups of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rum500.sim.simulation_plan import SimulationPlan

if TYPE_CHECKING:
    from typing import Self


class ParquetFile(ABC):
    """A Parquet file, open during a `with`; nothing is written if `path` is None."""

    def __init__(self, path: Path | None, plan: SimulationPlan, metadata: dict[str, str]) -> None:
        self.path = path
        self.plan = plan
        self.metadata = metadata
        self.writer: Any = None

    def __enter__(self) -> Self:
        if self.path is not None:
            import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import that few runs need

            self.writer = pq.ParquetWriter(self.path, self._schema())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: TracebackType | BaseException | None) -> None:
        if self.writer is not None:
            if kind is None:
                self._write_rest()
            self.writer.close()

    @abstractmethod
    def _schema(self) -> Any:
        """Return the columns and the metadata."""

    @abstractmethod
    def _write_rest(self) -> None:
        """Write the rows that are left, if there are any."""
