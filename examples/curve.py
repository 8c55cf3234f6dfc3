"""Draw a curve with its intervals as SVG, readable on a light page and on a dark one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

Point = tuple[float, float, float]
"""Where it stands, its value, and what its 95 % interval reaches up and down."""
WIDE, HIGH, LEFT, RIGHT, ABOVE, BELOW = 720, 380, 56, 16, 28, 46
COLOURS = ("#2f7fd0", "#d0632f", "#3f9b4f", "#8a5fc0")
STYLE = """
.ink { fill: #333 } .rule { stroke: #888; stroke-opacity: .45 }
@media (prefers-color-scheme: dark) { .ink { fill: #ddd } }
"""


def curve(lines: Mapping[str, Sequence[Point]], across: str, up: str) -> str:
    """Return the picture of some lines, by name, with the names of both axes."""
    points = [point for line in lines.values() for point in line]
    far = max(x for x, _, _ in points) or 1.0
    low = min(0.0, *(y - half for _, y, half in points))
    high = max(0.0, *(y + half for _, y, half in points))
    if high == low:
        high = low + 1.0

    def place(x: float, y: float) -> str:
        across = LEFT + x / far * (WIDE - LEFT - RIGHT)
        return f"{across:.1f},{ABOVE + (high - y) / (high - low) * (HIGH - ABOVE - BELOW):.1f}"

    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" '
        f'font-family="sans-serif" font-size="13"><title>{escape(up)}</title>'
    )
    drawn = [
        head,
        f"<style>{STYLE}</style>",
        f'<text class="ink" x="{LEFT}" y="16">{escape(up)}</text>',
        f'<text class="ink" x="{WIDE - RIGHT}" y="{HIGH - 8}" text-anchor="end">{escape(across)}</text>',
    ]
    for y in marks(low, high):
        (left, level), (right, _) = (place(x, y).split(",") for x in (0.0, far))
        drawn.append(f'<path class="rule" stroke-width="{1 if y else 2}" d="M{left} {level}H{right}"/>')
        drawn.append(
            f'<text class="ink" x="{LEFT - 8}" y="{float(level) + 4:.1f}" text-anchor="end">{y:g}</text>'
        )
    for x in marks(0.0, far):
        at = place(x, low).partition(",")[0]
        drawn.append(f'<text class="ink" x="{at}" y="{HIGH - BELOW + 18}" text-anchor="middle">{x:g}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        band = [place(x, y + half) for x, y, half in line] + [place(x, y - half) for x, y, half in line[::-1]]
        drawn.append(f'<polygon fill="{colour}" fill-opacity=".18" points="{" ".join(band)}"/>')
        middle = " ".join(place(x, y) for x, y, _ in line)
        drawn.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{middle}"/>')
        at = WIDE - RIGHT, HIGH - BELOW - 12 - 18 * (len(lines) - 1 - number)
        drawn.append(f'<text fill="{colour}" x="{at[0]}" y="{at[1]}" text-anchor="end">{escape(name)}</text>')
    return "\n".join([*drawn, "</svg>", ""])


def marks(low: float, high: float) -> list[float]:
    """Return four to ten round numbers between these two.

    >>> marks(-60, 50), marks(0, 1.3)
    ([-60.0, -40.0, -20.0, 0.0, 20.0, 40.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2])
    """
    ten = 10.0 ** floor(log10(high - low))
    step = next(ten / part for part in (1, 2, 5) if (high - low) * part >= 4 * ten)
    return [round(step * number, 9) for number in range(ceil(low / step), floor(high / step) + 1)]
