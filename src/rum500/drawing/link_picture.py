"""The picture that messengers show beside a link to a table or to a deal of the day, as SVG.

It has words and backs of cards: no face of a card and no name of a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rum500.drawing.picture import BACK, WIDTH, cards_svg, colour

LINK_WIDTH, LINK_HEIGHT = 1200, 630
"""The size of the picture in pixels, which messengers show whole."""
LINK_PNG = f"{__name__}:link_png"
"""The name of `link_png`, for worker processes."""
_EDGE = 72
_FONT = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"
_EMBED, _END = "\u202b", "\u202c"
"""Between these characters the parts of a line follow one another from right to left."""
_BACKS, _TURN, _SCALE = 5, 11, 2.9
_FAN = (950, 790)
"""The point around which the backs are turned."""


def link_svg(title: str, lines: Sequence[str], *, from_the_right: bool = False) -> str:
    """Return a picture with a title and a few short lines below it.

    `from_the_right` is for languages that are written from right to left: the words are on the right then.
    """
    words = [_words(366 + 58 * at, 40, line, "mut", from_the_right) for at, line in enumerate(lines)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LINK_WIDTH} {LINK_HEIGHT}" '
        f'width="{LINK_WIDTH}" height="{LINK_HEIGHT}" font-family="{_FONT}">'
        f'<rect width="{LINK_WIDTH}" height="{LINK_HEIGHT}" fill="{colour("felt")}"/>'
        f"{''.join(_fan(from_the_right))}"
        f'<text {_place(from_the_right)} y="128" font-size="60" font-weight="700" fill="{colour("ink")}">rum'
        f'<tspan fill="{colour("acc")}">500</tspan></text>'
        f"{_words(290, 72, title, 'ink', from_the_right, bold=True)}{''.join(words)}</svg>"
    )


def link_png(title: str, text: str, from_the_right: bool) -> bytes:
    """Return the picture of `link_svg` as PNG; `text` has a line of the picture on each line."""
    import resvg_py  # noqa: PLC0415 - only servers with the extra `table` have it, and most never draw a picture

    svg = link_svg(title, text.splitlines(), from_the_right=from_the_right)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _place(from_the_right: bool) -> str:
    return f'x="{LINK_WIDTH - _EDGE}" text-anchor="end"' if from_the_right else f'x="{_EDGE}"'


def _words(y: int, size: int, text: str, ink: str, from_the_right: bool, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    place = f'{_place(from_the_right)} y="{y}"'
    if from_the_right:
        text = f"{_EMBED}{text}{_END}"
    return f'<text {place} font-size="{size}"{weight} fill="{colour(ink)}">{escape(text)}</text>'


def _fan(from_the_right: bool) -> list[str]:
    back = cards_svg([BACK])
    across, down = _FAN
    across = LINK_WIDTH - across if from_the_right else across
    turns = [(at - (_BACKS - 1) / 2) * _TURN for at in range(_BACKS)]
    return [
        f'<g transform="translate({across} {down}) rotate({turn:g}) scale({_SCALE}) '
        f'translate({-WIDTH / 2:g} -140)">{back}</g>'
        for turn in turns
    ]
