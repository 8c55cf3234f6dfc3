"""The files of a study: the page, charts, results as JSON, and data as Parquet with data cards."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from rum500.sim import output_files
from rum500.sim.data_card import Column, DataCard, card_of
from rum500.sim.output_files import atomic_file, write_atomic
from rum500.sim.parquet import DEAL_COLUMNS, deal_values, points_columns, schema_of, table_of
from rum500.sim.simulation_plan import COURSE
from rum500.sim.study.cell_plan import CellPlan
from rum500.sim.study.deal_luck import LUCK_VALUES, PARTS
from rum500.sim.study.measures import MEASURES
from rum500.sim.study.run_study import StudyResult
from rum500.sim.study.study_definition import Value, cells
from rum500.sim.study.study_page import page
from rum500.sim.study.study_tables import charts

PAGE, FIGURES, CELLS, DEALS = "page.md", "figures.json", "cells.parquet", "deals.parquet"
"""The names of the files; charts are named after their measures."""


_COURSE = {
    "turns": "number of turns, of all players",
    "takes": "number of takes from the pile, calls included",
    "taken": "number of cards that they took",
}
_LUCK = {
    "place": "mean margin of the place, in points",
    "dealt": "what the hands and the upcard added to the margin, in points",
    "drawn": "what the cards drawn by all seats added to it, in points",
}


def texts(done: StudyResult, data: bool) -> Iterator[tuple[str, str]]:
    """Yield the name and content of each text file of the results."""
    yield PAGE, page(done, data)
    yield FIGURES, json.dumps(done.as_dict(), indent=1, ensure_ascii=False) + "\n"
    for measure, chart in charts(done):
        yield f"{measure.name}.svg", chart


def check_folder(folder: str | PathLike[str]) -> None:
    """Raise `OSError` if the folder cannot be written or created, `ModuleNotFoundError` without pyarrow."""
    import_module("pyarrow.parquet")
    output_files.check_folder(Path(folder))


def write(done: StudyResult, folder: str | PathLike[str], *, data: bool = True) -> list[Path]:
    """Write all files to a folder and return their paths. Without `data` no Parquet files are written.

    Raises `ValueError` if the deals should be written too, but `done` was read from figures and has no rows.
    """
    if data and done.study.keep_deals and not done.rows:
        raise ValueError("these results were read from figures alone, and have no deals to write")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in texts(done, data):
        write_atomic(folder / name, text)
        written.append(folder / name)
    if data:
        written += _write_parquet(done, folder / CELLS, _cell_table(done), _cell_card(done))
        if done.study.keep_deals:
            written += _write_parquet(
                done, folder / DEALS, _deal_table(done), _card(done, "A row is a deal.", _deal_columns(done))
            )
    return written


def _write_parquet(done: StudyResult, path: Path, table: Any, card: DataCard) -> list[Path]:
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import that few runs need

    with atomic_file(path) as part:
        pq.write_table(table.replace_schema_metadata({"rum500.study": done.study.text}), part)
        assert part is not None
        card.write(part, path)
    return [path, card_of(path)]


def _cell_table(done: StudyResult) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    columns: dict[str, Any] = {"cell": pa.array(range(len(done.cells)), pa.int32())}
    columns |= {
        factor: _factor([cell.values[factor] for cell in done.cells]) for factor in done.study.factors
    }
    columns["deals"] = pa.array([done.study.deals] * len(done.cells), pa.int64())
    columns["checksum"] = pa.array([cell.checksum for cell in done.cells])
    for name in done.study.measures:
        figures = [cell.figures[name] for cell in done.cells]
        columns[name] = pa.array([of.value for of in figures])
        columns[f"{name}_low"] = pa.array([of.low for of in figures])
        columns[f"{name}_high"] = pa.array([of.high for of in figures])
        if done.study.compare:
            differences = [cell.differences.get(name) for cell in done.cells]
            for ending in ("", "_low", "_high"):
                key = ending[1:] or "value"
                columns[f"{name}_difference{ending}"] = pa.array(
                    [None if of is None else getattr(of, key) for of in differences], pa.float64()
                )
    return pa.table(columns)


def _factor(values: Sequence[Value]) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    alike = len({type(value) for value in values}) == 1
    return pa.array(list(values) if alike else list(map(str, values)))


def _deal_table(done: StudyResult) -> Any:
    import pyarrow as pa  # noqa: PLC0415

    schema = schema_of(_deal_columns(done))
    plans = [cell.plan for cell in cells(done.study)[0]]
    return pa.concat_tables(
        table_of(schema, _values_of(number, plan, rows))
        for number, (plan, rows) in enumerate(zip(plans, done.rows, strict=True))
    )


def _values_of(number: int, plan: CellPlan, rows: array[int]) -> dict[str, Any]:
    values: dict[str, Any] = deal_values(plan.simulation, rows, plan.width, range(len(rows) // plan.width))
    values["cell"] = [number] * len(values["deal"])
    for at, name in enumerate(_COURSE):
        values[name] = rows[plan.simulated + at :: plan.width]
    for seat in range(plan.simulation.players if plan.luck else 0):
        at = plan.simulated + COURSE + LUCK_VALUES * seat
        for more, name in enumerate(_LUCK):
            values[f"{name}_{seat}"] = [held / PARTS for held in rows[at + more :: plan.width]]
    return values


def _cell_card(done: StudyResult) -> DataCard:
    study = done.study
    columns = [Column("cell", "int32", "number of the cell, from 0")]
    columns += [Column(factor, "text or number", "value of this factor") for factor in study.factors]
    columns += [
        Column("deals", "int64", "number of deals"),
        Column("checksum", "string", "checksum of `rum500 simulate` for the same deals"),
    ]
    for name in study.measures:
        unit = " (0 to 1)" if MEASURES[name].share else ""
        columns.append(Column(name, "float64", f"{MEASURES[name].meaning}{unit}"))
        columns.append(Column(f"{name}_low, {name}_high", "float64", "its 95 % interval"))
        if study.compare:
            base = f"less that of the cell with the first value of {study.compare}; null for that cell"
            columns.append(Column(f"{name}_difference", "float64", f"{name} {base}"))
            ends = f"{name}_difference_low, {name}_difference_high"
            columns.append(Column(ends, "float64", "its 95 % interval, from the same shuffles"))
    return _card(done, "A row is a cell.", columns)


def _deal_columns(done: StudyResult) -> list[Column]:
    seats = max(cell.plan.simulation.players for cell in cells(done.study)[0])
    columns = [Column("cell", "int32", f"number of the cell, as in {CELLS}"), *DEAL_COLUMNS]
    columns += [Column(name, "int32", meaning) for name, meaning in _COURSE.items()]
    columns += points_columns(seats)
    luck = _LUCK.items() if done.study.luck_orders else ()
    return columns + [
        Column(f"{name}_{seat}", "float64", f"{meaning}, seat {seat}")
        for seat in range(seats)
        for name, meaning in luck
    ]


def _card(done: StudyResult, rows: str, columns: Sequence[Column]) -> DataCard:
    study = done.study
    made = {
        "study": study.title,
        "cells": f"{len(done.cells):,}",
        "deals in each cell": f"{study.deals:,}",
        "seed": str(study.seed),
        "checksum": f"`{done.checksum}`",
    }
    title = "A study of deals between bots, played by rum500."
    command = f"rum500 study {study.name}.toml"
    text = {f"The study ({study.name}.toml)": study.text}
    return DataCard(title, rows, columns, made, command, done.sources, text)
