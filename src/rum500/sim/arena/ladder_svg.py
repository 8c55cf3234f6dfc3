"""The ladder's picture: for every game, the lead of each level over the one below it, with its interval.

It is plain SVG. Its colours follow the reader's light or dark setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import isfinite

from rum500.drawing import CHART_STYLE, tick_step
from rum500.sim.arena.run_ladder import Ladder, LadderStep

_LABEL, _PANEL, _GAP, _ROW, _TOP, _FOOT, _EDGE = 216, 150, 22, 30, 112, 54, 24
"""Measures of the drawing, in pixels: game names, panels and gaps, rows, margins."""
_HUES = ("#7a6ff0", "#2f8fd8", "#1f9e89", "#d98a16", "#d2557f")
"""A colour for each step; all have enough contrast with both backgrounds."""


def picture(ladder: Ladder) -> str:
    """Return the picture as SVG."""
    return "\n".join(_drawing(ladder)) + "\n"


def _drawing(ladder: Ladder) -> Iterator[str]:
    rungs = len(ladder.levels) - 1
    width = 2 * _EDGE + _LABEL + rungs * (_PANEL + _GAP) - _GAP + 30
    width = max(width, 560)
    height = _TOP + _ROW * len(ladder.games) + _FOOT
    title = "What each level gains on the one below it"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title">'
    )
    yield f'<title id="title">{title}, in points a deal with 95 % intervals</title>'
    yield f"<style>{CHART_STYLE}</style>"
    yield (f'<rect class="ground" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="12"/>')
    yield f'<text class="title" x="{_EDGE}" y="34">{title}</text>'
    soft = "profile and players; points a deal, the same cards in exchanged seats"
    yield f'<text class="soft" x="{_EDGE}" y="53">{soft}</text>'
    for number, game in enumerate(ladder.games):
        y = _TOP + _ROW * number + _ROW / 2
        under = y + _ROW / 2
        yield f'<line class="grid" x1="{_EDGE}" x2="{width - _EDGE}" y1="{under}" y2="{under}"/>'
        yield f'<text class="game" x="{_EDGE}" y="{y + 4:.0f}">{escape(_short(game.name))}</text>'
    for rung in range(rungs):
        steps = [ladder.steps(number)[rung] for number in range(len(ladder.games))]
        lower, upper = (escape(ladder.notes.marked(level)) for level in ladder.levels[rung : rung + 2])
        left = _EDGE + _LABEL + rung * (_PANEL + _GAP)
        yield from _panel(steps, upper, lower, left, _HUES[rung % len(_HUES)])
    yield (
        f'<text class="soft" x="{_EDGE}" y="{height - 20}">Whiskers are 95 % intervals. '
        "A full dot: ahead with 95 % confidence; a hollow one: not shown.</text>"
    )
    yield "</svg>"


def _panel(steps: Sequence[LadderStep], upper: str, lower: str, left: float, hue: str) -> Iterator[str]:
    """Yield one step of the ladder in all games: a zero line, and a dot with its interval for each game."""
    low, high, tick = _range(steps)
    bottom = _TOP + _ROW * len(steps)

    def at(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * _PANEL

    yield f'<text class="head" x="{left}" y="{_TOP - 26}" style="fill: {hue}">{upper}</text>'
    yield f'<text class="soft" x="{left}" y="{_TOP - 11}">over {lower}</text>'
    yield f'<line class="zero" x1="{at(0):.1f}" x2="{at(0):.1f}" y1="{_TOP}" y2="{bottom}"/>'
    mark = tick
    while mark < high * 0.98:
        yield f'<line class="grid" x1="{at(mark):.1f}" x2="{at(mark):.1f}" y1="{_TOP}" y2="{bottom}"/>'
        mark += tick
    yield f'<text class="soft" x="{at(0):.1f}" y="{bottom + 15}" text-anchor="middle">0</text>'
    yield f'<text class="soft" x="{at(tick):.1f}" y="{bottom + 15}" text-anchor="middle">+{tick:g}</text>'
    for number, step in enumerate(steps):
        yield from _dot(step, _TOP + _ROW * number + _ROW / 2, at, hue)


def _dot(step: LadderStep, y: float, at: Callable[[float], float], hue: str) -> Iterator[str]:
    points = step.score.points
    x = at(points.value)
    if isfinite(points.low):
        yield (
            f'<line x1="{at(points.low):.1f}" x2="{at(points.high):.1f}" y1="{y}" y2="{y}" stroke="{hue}" '
            'stroke-width="2" stroke-linecap="round" opacity="0.65"/>'
        )
    sure = step.score.better is True
    fill = f'fill="{hue}"' if sure else 'class="open"'
    yield f'<circle cx="{x:.1f}" cy="{y}" r="4.5" {fill} stroke="{hue}" stroke-width="2"/>'
    text = "0" if abs(points.value) < 0.5 else f"{points.value:+.0f}".replace("-", "−")
    yield f'<text class="value" x="{x:.1f}" y="{y - 7}" text-anchor="middle">{text}</text>'


def _range(steps: Sequence[LadderStep]) -> tuple[float, float, float]:
    ends = [step.score.points for step in steps]
    low = min([0.0, *(e.low if isfinite(e.low) else e.value for e in ends)])
    high = max([1.0, *(e.high if isfinite(e.high) else e.value for e in ends)])
    # A wide interval from very few pairs must not compress the others.
    most = 2.5 * max(1.0, *(abs(e.value) for e in ends))
    low, high = max(low, -most), min(high, most)
    return low - 0.04 * (high - low), high * 1.06, tick_step((high - low) / 3)


def _short(name: str) -> str:
    name = name.replace(" two packs,", "").replace(" players", "").replace("partnership", "partn.")
    profile, _, players = name.partition(",")
    return f"{profile} · {players.strip()}"
