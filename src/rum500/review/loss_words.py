"""The sentences about a loss, from `why.toml`, and the numbers in them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from rum500.cards import JOKER, card_symbol
from rum500.rules.english import alternatives


def phrase(table: str, code: str, params: Mapping[str, Any], others: str = "") -> str:
    """Return the text of a code in a table of `why.toml`, with `params` filled in.

    If the text has several forms for kinds of opponents, the form for `others` is returned. `best`, a rate in
    percent, also gives `then` and `in_then`: `26%` and `in 26%`, or `never`.
    """
    words = {name: _cards(each) if isinstance(each, tuple) else each for name, each in params.items()}
    if cards := params.get("cards"):
        words["any"] = alternatives([_cards((card,)) for card in cards])
    if "best" in params:
        rate = f"{params['best']}%" if params["best"] else "never"
        words |= {"then": rate, "in_then": f"in {rate}" if params["best"] else rate}
    text = texts()[table][code]
    return str(text[others] if isinstance(text, dict) else text).format_map(words)


def _cards(cards: tuple[int, ...]) -> str:
    joker = "a joker" if len(cards) == 1 else "joker"
    return " ".join(joker if card == JOKER else card_symbol(card) for card in cards)


def rounded(points: float) -> float:
    """Return points as they are shown: without decimals from 10 on."""
    return round(points, 1) if abs(points) < 9.95 else float(round(points))


def number_text(points: float) -> str:
    """Return points as text: `9.5`, `14`."""
    return f"{points:.{_decimals(points)}f}"


def _decimals(points: float) -> int:
    return 1 if abs(points) < 9.95 else 0


def with_half(points: float, half: float, decimals: int | None = None) -> str:
    """Return points with half the width of their interval: `14 ± 4`, `9.5 ± 12.3`.

    Both have as many decimals, by default as many as fit the points. A half-width of zero at that precision
    is left out: both ends would be the same number. Rounding never makes an interval above zero reach it.
    """
    places = _decimals(points) if decimals is None else decimals
    shown, reach = round(points, places), round(half, places)
    if half < points and reach >= shown:
        reach = shown - 10.0**-places
    text = f"{points:.{places}f}"
    return text + (f" ± {reach:.{places}f}" if round(reach, places) > 0 else "")


def in_percent(share: float) -> int:
    """Return a share in percent: 0 only for never, and 100 only for always."""
    return round(100 * share) if share in (0, 1) else min(99, max(1, round(100 * share)))


def percent_text(share: float) -> str:
    """Return a share of 1 in hundredths, as text; the smallest is `less than 0.1`."""
    return f"{100 * share:.1f}" if share >= 0.0005 else "less than 0.1"


@cache
def texts() -> dict[str, Any]:
    """Return the tables of `why.toml`."""
    return tomllib.loads(resources.files("rum500.review").joinpath("why.toml").read_text("utf-8"))
