"""Tables of many evaluations. Evaluations that cannot be compared are in tables of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rum500.sim.evaluation.evaluation_file import Evaluation, EvaluationFileError, read_evaluation
from rum500.sim.evaluation.evaluation_page import board, cell
from rum500.sim.results import CLOCK


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Evaluations by what they share, and remarks on files."""

    tables: tuple[tuple[Evaluation, ...], ...]
    """The evaluations that can be compared with each other; the largest table is first."""
    refused: tuple[str, ...]
    """One line for each file that is no evaluation."""
    apart: tuple[str, ...]
    """One line for each evaluation that is not in the first table."""

    def to_markdown(self) -> str:
        """Return all tables as Markdown, each with its protocol."""
        lines: list[str] = []
        for table in self.tables:
            protocol, opponents = table[0].basis
            lines += [f"Protocol {cell(protocol)}, opponents `{cell(opponents)}`:", ""]
            lines += [*board(table), ""]
        if any(one.by_the_clock for table in self.tables for one in table):
            lines.append(f"{CLOCK.mark} {CLOCK.sentence}")
        return "\n".join(lines).rstrip() + "\n" if lines else ""


def leaderboard(paths: Sequence[Path]) -> Leaderboard:
    """Read the files of evaluations. Those that cannot be read are refused, and the others are used."""
    read: list[tuple[Path, Evaluation]] = []
    refused: list[str] = []
    for path in paths:
        try:
            read.append((path, read_evaluation(path)))
        except EvaluationFileError as error:
            refused.append(str(error))
    sizes = Counter(one.basis for _, one in read)
    order = sorted(sizes, key=lambda basis: -sizes[basis])  # stable: of equals, that of the first file
    return Leaderboard(
        tables=tuple(tuple(one for _, one in read if one.basis == basis) for basis in order),
        refused=tuple(refused),
        apart=tuple(_apart(path, one, order[0]) for path, one in read if one.basis != order[0]),
    )


def _apart(path: Path, one: Evaluation, first: tuple[str, str]) -> str:
    protocol, opponents = first
    if one.protocol != protocol:
        why = f"is of protocol {one.protocol}, not {protocol}"
    else:
        why = f"has opponents {one.opponents}, not {opponents}: another version of rum500"
    return f"{path}: {why}; it has a table of its own, until {one.bot} is evaluated again like the others"
