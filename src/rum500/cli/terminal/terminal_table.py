"""A match in the terminal with its players: one person or none, and bots, whose decisions it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rum500.bots import Bot, rng_for
from rum500.cli.terminal.narration import YOU, Narrator
from rum500.cli.terminal.style import Style
from rum500.cli.user_error import UserError
from rum500.external_bots import BotFailed, EngineError, ask_bot
from rum500.match import CutAt, CutNeeded, DrawAt, DrawNeeded, Input, Match, PlayNeeded
from rum500.rng import Rng
from rum500.state import State
from rum500.view import Event, MeldView

OPPONENTS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedda")
"""The names of bots at the terminal."""
_BOT_STREAM = 101
"""The random stream for draws and cuts of bots, independent of the match's own streams."""


@dataclass
class TerminalTable:
    """A match and its players."""

    match: Match
    """The match."""
    bots: Sequence[Bot | None]
    """By player, the bot; None for the person."""
    seed: int
    """The seed of the bots' random choices."""
    played: State | None = None
    """The deal to which the last answer was applied; None at first."""

    @property
    def person(self) -> int | None:
        """The person's number as a player; None if only bots play."""
        return self.bots.index(None) if None in self.bots else None

    @property
    def seat(self) -> int | None:
        """The person's seat; None if only bots play."""
        return None if self.person is None else self.match.seating.index(self.person)

    def names(self) -> tuple[str, ...]:
        """Return the names by seat; the person's own is "You"."""
        players = self.player_names()
        return tuple(players[player] for player in self.match.seating)

    def player_names(self) -> tuple[str, ...]:
        """Return the names by player; the person's own is "You"."""
        names = enumerate(self.match.player_names)
        return tuple(YOU if player == self.person else name for player, name in names)

    def narrator(self, look: Style) -> Narrator:
        """Return the narrator for the person."""
        return Narrator(look, self.names(), self.seat, self.player_names())

    def accounts(self) -> list[str]:
        """Return a name for each side or, without sides, each player, from the person's point of view."""
        names, sides = self.names(), self.match.rules.sides
        if not sides:
            return list(names)
        if self.seat is None:
            return [" & ".join(names[side::sides]) for side in range(sides)]
        return ["We" if side == self.match.rules.side(self.seat) else "They" for side in range(sides)]

    def bots_answer(self) -> Input | int | None:
        """Return the bot's answer to the match's decision; None if the person has to decide.

        Raises `UserError` if the bot fails.
        """
        asked = self.match.decision
        assert isinstance(asked, DrawNeeded | CutNeeded | PlayNeeded)
        bot = self.bots[self.match.seating[asked.seat]]
        if bot is None:
            return None
        rng = Rng(self.seed).spawn(_BOT_STREAM, len(self.match.inputs))
        match asked:
            case DrawNeeded(positions=positions):
                return DrawAt(positions[rng.below(len(positions))])
            case CutNeeded(cards=cards):
                return CutAt(1 + rng.below(cards - 1))
            case PlayNeeded(state=state):
                try:
                    return ask_bot(bot, state.view(state.actor), rng_for(self.seed, len(self.match.inputs)))
                except (BotFailed, EngineError) as error:
                    raise UserError(str(error)) from None

    def apply(self, answer: Input | int) -> bool:
        """Answer the match's decision, in the deal `played`, and return whether that ended the deal."""
        settled = len(self.match.sheet)
        self.played = self.match.state
        self.match.apply(answer)
        return len(self.match.sheet) > settled

    def melds(self) -> tuple[MeldView, ...]:
        """Return the melds of the deal that has just ended."""
        return self.played.melds if self.played else ()

    def last_deal(self) -> list[Event]:
        """Return the events of the last finished deal, including its draw for deal, shuffle and cut."""
        events = list(self.match.events)
        ends = [at for at, event in enumerate(events) if event.kind == "settle"]
        return events[ends[-2] + 1 if len(ends) > 1 else 0 : ends[-1] + 1] if ends else []

    def this_deal(self) -> list[Event]:
        """Return the events since the last deal ended."""
        events = list(self.match.events)
        ends = [at for at, event in enumerate(events) if event.kind == "settle"]
        return events[ends[-1] + 1 if ends else 0 :]
