"""The results of a study as tables of text, for the page and the terminal, and as charts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import exp, log

from rum500.drawing import ChartGroup, ChartRow, interval_chart
from rum500.sim.study.measures import MEASURES, Measure
from rum500.sim.study.run_study import CellResult, StudyResult
from rum500.sim.study.study_definition import EVERY, Value, cell_name, value_text

_WHISKERS = "Whiskers are 95 % intervals."
_HOLLOW = "A hollow dot: the interval includes 0."


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table of texts."""

    heads: tuple[str, ...]
    """The headings; the first ones are those of the factors."""
    factors: int
    """The number of columns with factors."""
    rows: tuple[tuple[str, ...], ...]
    """The rows."""
    clear: Collection[tuple[int, int]]
    """The (row, column) of differences whose interval excludes 0."""


def figure_table(done: StudyResult) -> StudyTable:
    """Return the figures of all cells."""
    factors, measures = done.study.varied, _measures(done)
    rows = [
        (
            *(value_text(factor, cell.values[factor]) for factor in factors),
            *(measure.text(of.value, of.half) for measure in measures for of in [cell.figures[measure.name]]),
        )
        for cell in done.cells
    ]
    return StudyTable(_heads(done), len(factors), tuple(rows), ())


def difference_table(done: StudyResult) -> StudyTable | None:
    """Return the differences from the first value of the compared factor; None if no factor is compared."""
    factors, measures = done.study.varied, _measures(done)
    rows: list[tuple[str, ...]] = []
    clear: set[tuple[int, int]] = set()
    for cell in done.cells:
        if not cell.differences:
            continue
        texts = [value_text(factor, cell.values[factor]) for factor in factors]
        for measure in measures:
            of = cell.differences[measure.name]
            if of.is_clear:
                clear.add((len(rows), len(texts)))
            texts.append(measure.text(of.value, of.half, signed=True))
        rows.append(tuple(texts))
    return StudyTable(_heads(done), len(factors), tuple(rows), clear) if rows else None


def pairing(done: StudyResult) -> Mapping[str, float]:
    """Return, by measure, how many times wider intervals of differences would be without common shuffles.

    Each number is the geometric mean over all differences that have an interval.
    """
    found = {}
    for name in done.study.measures:
        ratios = [
            log(of.unpaired / of.half)
            for cell in done.cells
            for of in [cell.differences.get(name)]
            if of is not None and of.half > 0
        ]
        if ratios:
            found[name] = exp(sum(ratios) / len(ratios))
    return found


def charts(done: StudyResult) -> Iterator[tuple[Measure, str]]:
    """Yield (measure, chart): a chart of the differences if a factor is compared, else of the figures."""
    study = done.study
    compared = any(cell.differences for cell in done.cells)
    across = study.compare if compared else (study.varied or ("",))[-1]
    base = f"Compared with {value_text(study.compare, study.factors[study.compare][0])}: " if compared else ""
    for measure in _measures(done):
        groups: dict[str, list[ChartRow]] = {}
        for cell in done.cells:
            row = _row(cell, measure, compared, value_text(across, cell.values[across]) if across else EVERY)
            if row is not None:
                groups.setdefault(cell_name(study, cell.values, [across]), []).append(row)
        yield (
            measure,
            interval_chart(
                f"{study.title}: {measure.title.lower()}",
                f"{base}{measure.meaning}",
                [ChartGroup("" if title == EVERY else title, rows) for title, rows in groups.items()],
                lambda value, measure=measure: measure.text(value, signed=compared),  # type: ignore[misc]
                notes=[f"{_WHISKERS} {_HOLLOW}" if compared else _WHISKERS],
                with_zero=compared or measure.name in {"first", "lead"},
            ),
        )


def _row(cell: CellResult, measure: Measure, compared: bool, label: str) -> ChartRow | None:
    of = cell.differences.get(measure.name) if compared else cell.figures[measure.name]
    if of is None:
        return None
    text = measure.text(of.value, of.half, signed=compared)
    return ChartRow(label, of.value, of.low, of.high, text, not compared or abs(of.value) > of.half)


def _measures(done: StudyResult) -> list[Measure]:
    return [MEASURES[name] for name in done.study.measures]


def _heads(done: StudyResult) -> tuple[str, ...]:
    names: dict[str, str] = {"house_rules": "House rules"}
    factors = (names.get(factor, factor.replace("_", " ").capitalize()) for factor in done.study.varied)
    return (*factors, *(measure.title for measure in _measures(done)))


__all__ = ["StudyTable", "Value", "charts", "difference_table", "figure_table", "pairing"]
