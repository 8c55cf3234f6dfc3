"""Draw the figures of docs/search-methods.md from docs/search-methods.json, which
`python bench/search_methods.py` measures.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rum500.drawing import ChartGroup, ChartRow, interval_chart
from tools.generate import ROOT

DOCS = ROOT / "docs"
MEASURED = DOCS / "search-methods.json"
AGAINST = "against {}, two-player 500 Rum, {} pairs of deals with exchanged seats, 95 % intervals"
Row = dict[str, Any]


def files() -> dict[Path, str]:
    """Return the figures."""
    data: dict[str, list[Row]] = json.loads(MEASURED.read_text("utf-8"))
    return {
        DOCS / "search-pimc.svg": against_level("PIMC: points a deal by worlds", data["pimc"]),
        DOCS / "search-ismcts.svg": against_level("ISMCTS: points a deal by iterations", data["tree"]),
        DOCS / "search-response.svg": against_level("Best response to club: points a deal", data["response"]),
        DOCS / "search-toys.svg": exploited(data["toys"]),
    }


def against_level(title: str, rows: list[Row]) -> str:
    """Return the chart of contests against one level."""
    under = AGAINST.format(rows[0]["against"], rows[0]["pairs"])
    return interval_chart(
        title, under, [ChartGroup("", [chart_row(row) for row in rows])], str_of, with_zero=True
    )


def exploited(rows: list[Row]) -> str:
    """Return the chart of exact exploitability in a toy game."""
    under = "what a best response wins, in points a deal, in the toy game small (exact)"
    shown = [exact_row(row["label"], row["value"]) for row in rows]
    return interval_chart("Exploitability", under, [ChartGroup("", shown)], str_of, with_zero=True)


def exact_row(label: str, value: float) -> ChartRow:
    """Return a value without an interval as a row."""
    return ChartRow(label, value, value, value, f"{value:.2f}")


def chart_row(row: Row) -> ChartRow:
    """Return a contest as a row: points a deal with the interval."""
    value, low, high = row["value"], row["low"], row["high"]
    text = f"{value:+.0f} ({low:+.0f} to {high:+.0f})".replace("-", "−")
    return ChartRow(row["label"], value, low, high, text, low > 0 or high < 0)


def str_of(value: float) -> str:
    """Return a number on the scale."""
    return f"{value:g}".replace("-", "−")
