"""A picture of a record: the points of each deal by player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rum500.drawing import GAP, LINE, Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rum500.record.record_data import DealRecord, RecordData

_FIRST, _COLUMN = 190, 110
"""The widths of the column of deals, and of the column of each player."""
_LETTERS = 14
"""The largest number of letters of a name; longer names are cut."""


def sheet_svg(record: RecordData) -> str:
    """Return a picture of the points of each deal and the totals. Unfinished deals are without points."""
    picture = Picture(ground=True)
    width = _FIRST + _COLUMN * record.players
    rules = record.rules
    picture.words(0, 0, rules.title or rules.name, bold=True)
    y = LINE + GAP
    for seat, name in enumerate(record.names):
        picture.words(_right(seat), y, _short(name), colour="mut", right=True)
    totals = list(record.deals[0].totals) if record.deals else [0] * record.players
    for at, deal in enumerate(record.deals, 1):
        y += LINE
        picture.rule(0, y, width)
        picture.words(0, y + 2, f"Deal {record.number(at)}: {_ending(deal, record.names)}", colour="mut")
        for seat, points in enumerate(deal.outcome.points if deal.outcome else ()):
            totals[seat] += points
            picture.words(_right(seat), y + 2, f"{points:+d}", right=True)
    y += LINE + GAP
    picture.rule(0, y, width)
    picture.words(0, y + 2, "Total", bold=True)
    for seat, total in enumerate(totals):
        picture.words(_right(seat), y + 2, str(total), bold=True, right=True)
    shown = ", ".join(f"{name} {total}" for name, total in zip(record.names, totals, strict=True))
    deals = f"{len(record.deals)} deal{'s' * (len(record.deals) != 1)}"
    return picture.to_svg(f"{rules.title or rules.name}, {deals}: {shown}")


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def _right(seat: int) -> float:
    return _FIRST + _COLUMN * (seat + 1)


def _ending(deal: DealRecord, names: Sequence[str]) -> str:
    if deal.outcome is None:
        return "not finished"
    out = "" if deal.outcome.out is None else f" by {_short(names[deal.outcome.out])}"
    return deal.outcome.reason.replace("_", " ") + out
