"""Pictures of cards, tables, score sheets and figures as SVG, for notebooks and pages.

They are readable on light and on dark pages. Objects with a picture return it as an SVG document from
`to_svg`; notebooks call `_repr_html_`.
"""

from rum500.drawing.hand import Cards
from rum500.drawing.interval_chart import CHART_STYLE, ChartGroup, ChartRow, interval_chart, tick_step
from rum500.drawing.picture import BACK, GAP, HEIGHT, LINE, STEP, WIDTH, Picture, cards_svg

__all__ = [
    "BACK",
    "CHART_STYLE",
    "GAP",
    "HEIGHT",
    "LINE",
    "STEP",
    "WIDTH",
    "Cards",
    "ChartGroup",
    "ChartRow",
    "Picture",
    "cards_svg",
    "interval_chart",
    "tick_step",
]
