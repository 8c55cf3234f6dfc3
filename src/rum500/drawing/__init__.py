"""Pictures of cards, tables and score sheets as SVG, for notebooks and pages.

They are readable on a light and on a dark page. `to_svg` of what is drawn returns an SVG document; a notebook
asks `_repr_html_`.
"""

from rum500.drawing.hand import Cards
from rum500.drawing.picture import BACK, GAP, HEIGHT, LINE, STEP, WIDTH, Picture, cards_svg

__all__ = ["BACK", "GAP", "HEIGHT", "LINE", "STEP", "WIDTH", "Cards", "Picture", "cards_svg"]
