"""Draw docs/terminal.svg, a deal in the terminal for the README.

The deal is a seed and the plays below, so that the picture changes only when the table's appearance does.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from rum500 import bots
from rum500.cli.terminal.game import TerminalGame
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.style import Style
from rum500.cli.terminal.terminal_table import TerminalTable
from rum500.match import Match, PlayNeeded
from rum500.rules.notation import parse_play, split_plays
from rum500.rules.profiles import ruleset
from tools.generate import ROOT

PICTURE = ROOT / "docs" / "terminal.svg"
TITLE = "rum500 play --profile persian-rummy"
WIDTH, HEIGHT = 80, 30
SEED = 16
NAMES = ("You", "Ada", "Ben", "Cleo")
PLAYS = """
draw; discard 8S; draw; discard QS; draw; discard 5C; draw; discard 4S; draw; discard 6H; take 5C; meld 5S
5D 5C; discard JK; draw; discard 7D; draw; lay 5H on 1; discard 3C; take JK; meld JK JK JK; discard 3C;
draw; discard 4S; draw; discard KH; draw; discard 9C; draw; discard 2S; draw; discard 10D; take 3C; meld AC
2C 3C; meld 9D 10D JD; discard 9C; draw; lay 8D on 4; discard AS; draw; lay QD on 4; lay 7D on 4; discard
7C; take AD; meld AS AH AD; meld 6S 7S 8S; discard QS; draw; discard 3D; draw; lay KD on 4; discard 6C;
draw; lay 4C on 3; discard 4H; draw; discard 8H; draw; discard 2S; draw; discard 2D; take 8H; meld 8H 9H
10H; discard 2D; draw; lay JH on 7; lay 6D on 4; discard 6H; draw; lay JK on 2; discard KH; draw; discard
3H; take KH; lay QH KH on 7; discard 3H; draw; lay 7H on 7; discard KS
"""
TYPED = ("2",)
"""The lines that the person types after the plays; the picture shows the table after them."""

_INKS = ("#0d1820", "#e0525f", "#156b3a", "#f4b942", "#1a58b8", "#6a2c91", "#bfe6dd", "#f3eee2")
NIGHT = TerminalTheme(
    (13, 24, 32), (243, 238, 226), [Color.parse(ink).triplet or ColorTriplet(0, 0, 0) for ink in _INKS]
)
"""The dark table of the design: ink-blue, with its own eight colours."""


class Still(Screen):
    """A screen that stores the last frame, and a player who types some lines and then leaves."""

    def __init__(self, typed: Sequence[str]) -> None:
        """Set the lines to type, one at each prompt."""
        self.lines: list[Text] = []
        self.typed: Iterator[str] = iter(typed)
        super().__init__(Console(file=io.StringIO(), width=WIDTH, height=HEIGHT), self.type)

    def type(self, prompt: str) -> str:
        """Return the next line. Raises an error at the end of the lines."""
        for line in self.typed:
            return line
        raise EOFError

    def show(self, lines: Sequence[Text]) -> None:
        """Store the frame."""
        self.lines = list(lines)

    def say(self, lines: Sequence[Text]) -> None:
        """Ignore what is shown on leaving."""


class Nowhere:
    """A match that is not stored."""

    def keep(self) -> None:
        """Do nothing."""

    def notice(self) -> Sequence[str]:
        """Return no lines."""
        return ()


def frame() -> list[Text]:
    """Return the table after the plays and the typed lines."""
    match = Match.quick(ruleset("persian-rummy"), players=4, seed=SEED, names=NAMES)
    for text, _ in split_plays(PLAYS.replace("\n", " ")):
        assert isinstance(match.decision, PlayNeeded)
        match.apply(parse_play(text, match.decision.state))
    screen = Still(TYPED)
    other = bots.get("greedy")
    TerminalGame(TerminalTable(match, [None, other, other, other], SEED), screen, Style(), Nowhere()).run()
    return [*screen.lines, Text("> ")]


def drawing() -> str:
    """Return the picture, without fonts from other hosts."""
    console = Console(
        file=io.StringIO(), record=True, width=WIDTH, force_terminal=True, color_system="truecolor"
    )
    for line in frame():
        console.print(line, no_wrap=True, overflow="ignore", crop=True)
    svg = console.export_svg(title=TITLE, theme=NIGHT, unique_id="rum500")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas")
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


def files() -> dict[Path, str]:
    """Return the picture."""
    return {PICTURE: drawing()}
