"""Who sits at the table, and what the bots among them answer."""

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

_BOT_STREAM = 101
"""The stream of the seed for what bots draw and cut, apart from the match's own."""


@dataclass
class TerminalTable:
    """A match and who plays it: `bots[player]` is None for the person; the bots' chances come from `seed`."""

    match: Match
    bots: Sequence[Bot | None]
    seed: int
    played: State | None = None

    @property
    def person(self) -> int | None:
        """The person's number as a player, None where bots play alone."""
        return self.bots.index(None) if None in self.bots else None

    @property
    def seat(self) -> int | None:
        """Where the person sits."""
        return None if self.person is None else self.match.seating.index(self.person)

    def names(self) -> tuple[str, ...]:
        """The names by seat, the person's own being "You"."""
        players = self.player_names()
        return tuple(players[player] for player in self.match.seating)

    def player_names(self) -> tuple[str, ...]:
        """The names by player, the person's own being "You"."""
        names = enumerate(self.match.player_names)
        return tuple(YOU if player == self.person else name for player, name in names)

    def teller(self, look: Style) -> Narrator:
        """Who tells the person what happens."""
        return Narrator(look, self.names(), self.seat, self.player_names())

    def accounts(self) -> list[str]:
        """What each account is called: its player, or its side as the person calls it."""
        names, sides = self.names(), self.match.rules.sides
        if not sides:
            return list(names)
        if self.seat is None:
            return [" & ".join(names[side::sides]) for side in range(sides)]
        return ["We" if side == self.match.rules.side(self.seat) else "They" for side in range(sides)]

    def bots_answer(self) -> Input | int | None:
        """What the bot that has to decide does, None if the person has to; `UserError` if it fails."""
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
        """Answer the match; True if that settled a deal, which `played` is then."""
        settled = len(self.match.sheet)
        self.played = self.match.state
        self.match.apply(answer)
        return len(self.match.sheet) > settled

    def melds(self) -> tuple[MeldView, ...]:
        """The melds of the deal that was just settled."""
        return self.played.melds if self.played else ()

    def last_deal(self) -> list[Event]:
        """What happened in the deal last played to its end, and before it since the one before."""
        events = list(self.match.events)
        ends = [at for at, event in enumerate(events) if event.kind == "settle"]
        return events[ends[-2] + 1 if len(ends) > 1 else 0 : ends[-1] + 1] if ends else []

    def this_deal(self) -> list[Event]:
        """What happened since the last deal was settled."""
        events = list(self.match.events)
        ends = [at for at, event in enumerate(events) if event.kind == "settle"]
        return events[ends[-1] + 1 if ends else 0 :]
