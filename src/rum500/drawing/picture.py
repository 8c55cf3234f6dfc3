"""Pictures of cards and tables as SVG, with the faces and colours of the web page.

`tools/card_faces.py` writes `card_faces.jsonl` from the page's sources.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import NamedTuple

from rum500.cards import JOKER, JOKER_TEXT, card_text

WIDTH, HEIGHT = 50, 70
"""The size of a card, in SVG units."""
STEP = 26
"""The distance between overlapping cards; the index stays visible."""
GAP = 6
"""The gap between cards that do not overlap."""
LINE = 20
"""The height of a line of text."""
BACK = -1
"""The code of a card whose back is shown."""

_SCALE = WIDTH / 100
_FONT = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif"
_LETTER = 7.4
"""The mean width of a letter, by which the picture's width is computed."""


class _Faces(NamedTuple):
    colours: dict[str, str]
    paths: list[str]
    layers: dict[tuple[str, str | None], list[tuple[str, int]]]
    covered: dict[tuple[str, str | None], int]


@cache
def _faces() -> _Faces:
    text = resources.files("rum500.drawing").joinpath("card_faces.jsonl").read_text(encoding="utf-8")
    colours, paths, *faces = map(json.loads, text.splitlines())
    named = {(face["card"], face["as"]): face for face in faces}
    layers, covered = ({key: face[of] for key, face in named.items()} for of in ("layers", "covered"))
    return _Faces(colours, paths, layers, covered)


def colour(name: str) -> str:
    """Return a colour of the page's table by its name, such as `felt` or `ink`."""
    return _faces().colours[name]


class Picture:
    """A picture of cards and words, which grows with its content.

    With `ground`, the table's felt is drawn behind them, so that words are readable on a page of any colour.
    A picture of cards alone needs no ground.
    """

    def __init__(self, *, ground: bool = False) -> None:
        self._ground = ground
        self._edge = 14 if ground else 1
        self._parts: list[str] = []
        self._right = self._bottom = 0.0

    def cards(
        self, x: float, y: float, cards: Sequence[int], places: Sequence[int | None] = (), step: float = STEP
    ) -> float:
        """Draw cards from left to right, return the right edge. `places`: the cards that jokers stand for."""
        right = x
        for at, card in enumerate(cards):
            under = step < WIDTH and at < len(cards) - 1
            self._card(x + at * step, y, card, places[at] if places else None, under)
            right = x + at * step + WIDTH
        return right

    def _card(self, x: float, y: float, card: int, place: int | None, covered: bool) -> None:
        faces = _faces()
        named = card_text(place) if card == JOKER and place is not None else None
        text = "" if card == BACK else JOKER_TEXT if card == JOKER else card_text(card)
        layers = faces.layers[text, named][: faces.covered[text, named] if covered else None]
        paths = "".join(_path(faces, kind, path) for kind, path in layers)
        ivory = faces.colours["ivory"]
        self._parts.append(
            f'<g transform="translate({x:g} {y:g}) scale({_SCALE:g})">'
            f'<rect x="1" y="1" width="98" height="138" rx="9" fill="{ivory}" stroke="#7a705a" '
            f'stroke-width="2"/>{paths}</g>'
        )
        self._reach(x + WIDTH, y + HEIGHT)

    def words(
        self, x: float, y: float, text: str, *, colour: str = "ink", bold: bool = False, right: bool = False
    ) -> float:
        """Write a line of text with its upper edge at `y`; return the approximate x of its right edge.

        With `right`, `x` is the right end of the text.
        """
        weight = ' font-weight="600"' if bold else ""
        anchor = ' text-anchor="end"' if right else ""
        fill = _faces().colours[colour]
        self._parts.append(
            f'<text x="{x:g}" y="{y + 14:g}" fill="{fill}"{weight}{anchor}>{escape(text)}</text>'
        )
        end = x if right else x + len(text) * _LETTER
        self._reach(end, y + LINE)
        return end

    def rule(self, x: float, y: float, width: float) -> None:
        """Draw a thin horizontal line."""
        line = _faces().colours["line"]
        self._parts.append(f'<path d="M{x:g} {y:g}h{width:g}" stroke="{line}" stroke-width="1"/>')

    def _reach(self, right: float, bottom: float) -> None:
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)

    def to_svg(self, label: str) -> str:
        """Return the picture as an SVG document; `label` describes it in words."""
        edge = self._edge
        width, height = self._right + 2 * edge, self._bottom + 2 * edge
        felt = _faces().colours["felt"]
        ground = (
            f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{felt}"/>' if self._ground else ""
        )
        said = escape("; ".join(label.splitlines()))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" style="max-width:100%;height:auto" role="img" aria-label="{said}" '
            f'font-family="{_FONT}" font-size="14">'
            f"<title>{said}</title>{ground}"
            f'<g transform="translate({edge} {edge})">{"".join(self._parts)}</g></svg>'
        )


def _path(faces: _Faces, kind: str, path: int) -> str:
    """Return one layer of a card face as an SVG path, filled or stroked according to its class."""
    name, _, suit = kind.rpartition(" ")
    if kind in _FILLS:
        return f'<path d="{faces.paths[path]}" fill="{faces.colours[_FILLS[kind]]}"/>'
    colour = faces.colours["suit-s" if suit == "J" else f"suit-{suit.lower()}"]
    if name == "ink":
        return f'<path d="{faces.paths[path]}" fill="{colour}"/>'
    return (
        f'<path d="{faces.paths[path]}" fill="none" stroke="{colour}" stroke-width="7" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


_FILLS = {"paper": "ivory", "back-ground": "back", "tile": "back2", "tile-heart": "back"}


def cards_svg(cards: Sequence[int], places: Sequence[int | None] = (), label: str = "") -> str:
    """Return a picture of overlapping cards, as in a hand or a meld."""
    picture = Picture()
    picture.cards(0, 0, cards, places)
    names = ["face-down" if card == BACK else card_text(card) for card in cards]
    return picture.to_svg(label or " ".join(names) or "no cards")
