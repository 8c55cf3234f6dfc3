"""The style of the terminal: suit symbols or letters, four colours or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import IO

from rich.console import Console
from rich.text import Text

from rum500.cards import JOKER, card_symbol, card_text, suit_of
from rum500.rules.actions import Laid
from rum500.view import Placed

SUIT_INKS = ("#15202b", "#c01f2e", "#1a58b8", "#156b3a")
JOKER_INK = "#6a2c91"
IVORY = ("#fcf7ea", "#ece1c6")
"""Two shades of card faces, which alternate so that the edges of cards are visible."""
YOURS = "#1d1300 on #f4b942"
"""Saffron, used only for what concerns the player now."""
WE = "#0d2a2b on #bfe6dd"
MINUS = "bold #e0525f"
QUIET = "dim"
CELL = 4
"""The width of a card in a row, in columns: a mark or blank, and up to three characters."""

_LETTERS = str.maketrans(
    {"·": "-", "–": "-", "−": "-", "…": "...", "“": '"', "”": '"', "’": "'", "×": "x", "▸": ">", "°": "k"}
)


def styled(text: str, style: str = "") -> Text:
    """Return text whose style does not extend to text that is appended to it."""
    return Text().append(text, style=style)


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the terminal."""

    symbols: bool = True
    """Whether the terminal shows suit symbols and typographic characters."""
    colour: bool = True
    """Whether the terminal shows colours."""

    def name(self, card: int) -> str:
        """Return a card in running text: `8♣` or `8C`."""
        return card_symbol(card) if self.symbols else card_text(card)

    def words(self, text: str) -> str:
        """Return a sentence in characters of this terminal: suit symbols become letters if necessary."""
        if self.symbols:
            return text
        for symbol, letter in zip("♠♥♦♣", "SHDC", strict=True):
            text = text.replace(symbol, letter)
        return text.replace("★", "JK").translate(_LETTERS)

    def say(self, text: str, style: str = "") -> Text:
        """Return a sentence as styled text."""
        return styled(self.words(text), style)

    def chip(self, card: int, place: int | None = None, shade: int = 0, *, yours: bool = False) -> Text:
        """Return a card for running text, in colour; a joker with `place`, the card it represents: `★6♠`."""
        stands = card if place is None or card != JOKER else place
        text = self.name(card) + ("" if stands == card else ("" if self.symbols else "=") + self.name(stands))
        return styled(text, self.ink(stands, shade, yours=yours))

    def cell(self, card: int, shade: int = 0, *, yours: bool = False) -> Text:
        """Return a card for a row, `CELL` columns wide; without colours, `yours` adds a mark."""
        mark = "*" if yours and not self.colour else " "
        return styled(f"{mark}{self.name(card):<{CELL - 1}}", self.ink(card, shade, yours=yours))

    def ink(self, card: int, shade: int = 0, *, yours: bool = False) -> str:
        """Return the style of a card's face: `shade` selects one of two colours, `yours` highlights it."""
        if not self.colour:
            return "bold" if yours else ""
        ink = JOKER_INK if card == JOKER else SUIT_INKS[suit_of(card)]
        return f"bold {ink} on {'#f4b942' if yours else IVORY[shade % 2]}"

    def chips(self, cards: Iterable[int | Laid | Placed]) -> Text:
        """Return several cards for running text."""
        out = Text()
        for shade, item in enumerate(cards):
            card, place = (item, None) if isinstance(item, int) else (item.card, item.place)
            if shade:
                out.append(" ")
            out.append_text(self.chip(card, place, shade))
        return out

    def points(self, points: int) -> str:
        """Return points with a true minus sign."""
        return f"{points}" if points >= 0 else self.words(f"−{-points}")


def look_for(
    stream: IO[str], environment: Mapping[str, str], colour: str = "auto", *, plain: bool = False
) -> Style:
    """Return the style for a stream and its environment.

    `colour` is `auto`, `always` or `never`; `plain` means letters and no colour.
    """
    dumb = environment.get("TERM", "") in ("dumb", "unknown")
    symbols = not plain and not dumb and _has_symbols(stream, environment)
    wanted = not dumb and not environment.get("NO_COLOR") and stream.isatty()
    return Style(symbols, colour == "always" or (colour == "auto" and wanted and not plain))


def _has_symbols(stream: IO[str], environment: Mapping[str, str]) -> bool:
    if "utf" not in (getattr(stream, "encoding", "") or "").lower():
        return False
    said = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or "UTF-8"
    return "utf" in said.lower()


def wrapped(lines: Iterable[Text], width: int) -> list[Text]:
    """Return lines broken at blanks, with continuation lines indented."""
    console = Console(width=width)
    out: list[Text] = []
    for line in lines:
        first, *rest = line.wrap(console, width - 2) or [Text()]
        for part in (first, *rest):
            part.rstrip()
        out += [first, *(Text("  ").append_text(part) for part in rest)]
    return out
