"""A player at the terminal who exists only in the test: frames come in as text, lines go out."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from rum500 import State, bots
from rum500.cards import CardError, card_from_text
from rum500.cli.terminal.game import MatchStore, TerminalGame
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.style import Style
from rum500.cli.terminal.terminal_table import TerminalTable
from rum500.match import Match, PlayNeeded
from rum500.rng import Rng
from rum500.rules.notation import play_text
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from tests.support.table import table

NAMES = ("Me", "Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus")
SLIPS = (
    """
u, s, s rank, ?, hint, sheet, log, rules, x 99, m 1 2 3, l 1, t 2, c 1, foo, m, x, JK, 1, 2, ;, 9, m JK JK JK
l JK on 1, t, t 99, on, d d, m 1-3, l 1-2 on 1, l 1 on, x QD QD, meld 6S-8S, take all, let it be, u;u, 0, -1
""".strip()
    .replace("\n", ", ")
    .split(", ")
)
"""Lines that a player may well type: commands, slips, and plays that are seldom legal."""


class Paper(Screen):
    """A screen that keeps its frames as text and answers prompts by a function of the prompt."""

    def __init__(self, answer: Callable[[str], str], width: int = 80, height: int = 24) -> None:
        """Ask `answer` instead of a person."""
        self.frames: list[list[str]] = [[]]
        self.written: list[str] = []
        super().__init__(Console(file=io.StringIO(), width=width, height=height), answer)

    def show(self, lines: Sequence[Text]) -> None:
        """A new frame."""
        self.frames += [[]] if self.frames[-1] else []
        self.say(lines)

    def say(self, lines: Sequence[Text]) -> None:
        """More lines of the frame."""
        self.frames[-1] += [line.plain.rstrip() for line in lines]

    def write(self, lines: Iterable[Text]) -> None:
        """The last lines."""
        self.written += [line.plain for line in lines]

    @property
    def frame(self) -> str:
        """The frame that is seen now."""
        return "\n".join(self.frames[-1])


class Forgetful:
    """A match that is kept nowhere."""

    def keep(self) -> None:
        """Nothing."""

    def notice(self) -> Sequence[str]:
        """Nothing is kept."""
        return ("kept nowhere",)


def persian() -> State:
    """Seat 0 is to draw: under the upcard lies the 8 of clubs, which goes with its 6 and 7."""
    return table(
        "persian-rummy",
        ["6C 7C AS AH 9H QD JK", "KS 2D 3D", "2H 5S", "QS 4C"],
        pile="4S 10H 8C 9D",
        melds=[(0, "KH KD KS"), (3, "9C 10C JC"), (1, "3D 4D 5D")],
        lays=[(2, "KC on 1"), (1, "QC on 2")],
        totals=[110, 180, 110, 180],
    )


def short(name: str, *house: str) -> Ruleset:
    """A profile with these house rules, whose match is over after a deal or two."""
    rules = ruleset(name, house)
    return rules if rules.match == "deals" else rules.replace(max_deals=1)


def seated(rules: Ruleset, players: int, seed: int, bot: str = "random") -> TerminalTable:
    """The person as player 0, bots beside."""
    others = [bots.get(bot) for _ in range(players - 1)]
    return TerminalTable(Match(rules, players, Rng(seed), NAMES[:players]), [None, *others], seed)


def at_table(
    state: State,
    *typed: str,
    look: Style | None = None,
    size: tuple[int, int] = (80, 24),
    preferences: Preferences | None = None,
) -> tuple[TerminalGame, Paper]:
    """The person, seat 0, finds this state, types these lines and leaves."""
    lines = iter(typed)

    def answer(prompt: str) -> str:
        for line in lines:
            return line
        raise EOFError

    match = Match.quick(state.rules, state.players, seed=1, names=NAMES[: state.players])
    match.state = state
    match.accounts = state.totals[: state.rules.sides or state.players]
    match._events.clear()
    match._decision = PlayNeeded(state.actor, state)
    screen = Paper(answer, *size)
    other = bots.get("random")
    game = TerminalGame(
        TerminalTable(match, [None, *[other] * (state.players - 1)], 1),
        screen,
        look or Style(colour=False),
        Forgetful(),
        preferences,
    )
    game.run()
    return game, screen


def sit_down(
    table: TerminalTable,
    player: Fumbler,
    size: tuple[int, int] = (80, 24),
    match_store: MatchStore | None = None,
) -> TerminalGame:
    """A game at this table, and the player on paper."""
    game = TerminalGame(table, Paper(player, *size), Style(colour=False), match_store or Forgetful())
    player.game = game
    return game


class Fumbler:
    """A player who mostly does something legal, sometimes slips, and now and then leaves."""

    def __init__(self, seed: int, leaves: float = 0.0) -> None:
        """`leaves` is how likely the player is to go at any prompt."""
        self.chance = random.Random(seed)
        self.leaves = leaves
        self.game: TerminalGame | None = None

    def __call__(self, prompt: str) -> str:
        """What the player types."""
        if self.chance.random() < self.leaves:
            raise EOFError
        if prompt != "> ":
            return "" if prompt.startswith("Enter") else self.chance.choice(["", "3", "no"])
        if self.chance.random() < 0.15:
            return self.chance.choice(SLIPS)
        assert self.game is not None
        assert self.game.turn is not None
        state = self.game.turn.state
        actions = state.legal_actions()
        return play_text(self.chance.choice(actions), state)


def cards_named(frame: str) -> set[int]:
    """The cards that a frame names; jokers, and what they stand for, left out."""
    found = set()
    for word in frame.replace("(", " ").replace("*", " ").split():
        try:
            found.add(card_from_text(word.strip(".,:;)°")))
        except CardError:
            continue
    return found
