"""Charts of values with intervals as plain SVG. Their colours follow the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

CHART_STYLE = """
  .ground { fill: #fbfaf6; stroke: #e4e0d4 }
  text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: #22303a }
  .title { font-size: 17px; font-weight: 600 }
  .soft { font-size: 12px; fill: #66737c }
  .head { font-size: 13px; font-weight: 600 }
  .game { font-size: 13px }
  .value { font-size: 11px; font-variant-numeric: tabular-nums }
  .value { paint-order: stroke; stroke: #fbfaf6; stroke-width: 3px }
  .zero { stroke: #8d979d; stroke-width: 1.2 }
  .grid { stroke: #e4e0d4; stroke-width: 1 }
  .open { fill: #fbfaf6 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12202a; stroke: #2b3d49 }
    text { fill: #efe9db }
    .value { stroke: #12202a }
    .soft { fill: #9db0bb }
    .zero { stroke: #81929c }
    .grid { stroke: #263844 }
    .open { fill: #12202a }
  }
"""
"""The style of all charts."""
_LABEL, _LETTER, _PLOT, _ROW, _TOP, _HEAD, _FOOT, _EDGE, _VALUE = 150, 7.6, 460, 24, 70, 30, 64, 24, 120
"""Measures in pixels: smallest width of labels, a letter, the plot, a row, the title, the head of a group,
the foot, margins, the column of values.
"""
_HUE = "#2f8fd8"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A value with its interval: one row of a chart."""

    label: str
    """The name of the value."""
    value: float
    """The value."""
    low: float
    """The lower end of its interval."""
    high: float
    """The upper end."""
    text: str
    """The value as text, for the column of values."""
    is_clear: bool = True
    """Whether the interval excludes the value of no difference; if not, the dot is hollow."""


@dataclass(frozen=True, slots=True)
class ChartGroup:
    """Rows of a chart under one heading; without a heading, `title` is empty."""

    title: str
    rows: Sequence[ChartRow]


def interval_chart(
    title: str,
    under: str,
    groups: Sequence[ChartGroup],
    scale: Callable[[float], str],
    *,
    notes: Sequence[str] = (),
    with_zero: bool = False,
) -> str:
    """Return a chart with one scale for all groups. `scale` returns the text for a value on the scale.

    `under` is the line below the title, and `notes` are the lines at the foot. `with_zero` draws a line at 0.
    """
    return "\n".join(_drawing(title, under, groups, scale, notes, with_zero)) + "\n"


def _drawing(
    title: str,
    under: str,
    groups: Sequence[ChartGroup],
    scale: Callable[[float], str],
    notes: Sequence[str],
    with_zero: bool,
) -> Iterator[str]:
    rows = [row for group in groups for row in group.rows]
    low, high, step = _range(rows, with_zero)
    body = sum(_ROW * len(group.rows) + _HEAD * bool(group.title) for group in groups)
    label = max(_LABEL, ceil(_LETTER * max(len(row.label) for row in rows)))
    width, bottom = 2 * _EDGE + label + _PLOT + _VALUE, _TOP + body
    height = bottom + _FOOT + 18 * len(notes)

    def at(value: float) -> float:
        return _EDGE + label + (min(max(value, low), high) - low) / (high - low) * _PLOT

    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title">'
    )
    yield f'<title id="title">{escape(title)}: {escape(under)}</title>'
    yield f"<style>{CHART_STYLE}</style>"
    yield f'<rect class="ground" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="12"/>'
    yield f'<text class="title" x="{_EDGE}" y="34">{escape(title)}</text>'
    yield f'<text class="soft" x="{_EDGE}" y="53">{escape(under)}</text>'
    for number in range(ceil(low / step), floor(high / step) + 1):
        x, mark = at(number * step), number * step
        kind = "zero" if with_zero and not number else "grid"
        yield f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{bottom}"/>'
        yield f'<text class="soft" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{scale(mark)}</text>'
    y = float(_TOP)
    for group in groups:
        if group.title:
            yield f'<text class="head" x="{_EDGE}" y="{y + 20:g}">{escape(group.title)}</text>'
            y += _HEAD
        for row in group.rows:
            yield from _dot(row, y + _ROW / 2, at, width)
            y += _ROW
    for number, note in enumerate(notes):
        yield f'<text class="soft" x="{_EDGE}" y="{bottom + 46 + 18 * number}">{escape(note)}</text>'
    yield "</svg>"


def _dot(row: ChartRow, y: float, at: Callable[[float], float], width: int) -> Iterator[str]:
    yield f'<text class="game" x="{_EDGE}" y="{y + 4:g}">{escape(row.label)}</text>'
    yield (
        f'<line x1="{at(row.low):.1f}" x2="{at(row.high):.1f}" y1="{y:g}" y2="{y:g}" stroke="{_HUE}" '
        'stroke-width="2" stroke-linecap="round" opacity="0.65"/>'
    )
    fill = f'fill="{_HUE}"' if row.is_clear else 'class="open"'
    yield (f'<circle cx="{at(row.value):.1f}" cy="{y:g}" r="4.5" {fill} stroke="{_HUE}" stroke-width="2"/>')
    yield (
        f'<text class="value" x="{width - _EDGE}" y="{y + 4:g}" text-anchor="end">{escape(row.text)}</text>'
    )


def _range(rows: Sequence[ChartRow], with_zero: bool) -> tuple[float, float, float]:
    """Return the lower and upper end of the scale, and the distance between its marks."""
    ends = [end for row in rows for end in (row.low, row.high)] + [0.0] * with_zero
    low, high = min(ends), max(ends)
    span = (high - low) or abs(high) or 1.0
    return low - 0.04 * span, high + 0.04 * span, tick_step(span / 5)


def tick_step(least: float) -> float:
    """Return the smallest step of at least `least` that is 1, 2 or 5 times a power of ten.

    >>> tick_step(3), tick_step(0.012)
    (5.0, 0.02)
    """
    step = 10.0 ** ceil(log10(least))
    return next((step / part for part in (5.0, 2.0) if step / part >= least), step)
