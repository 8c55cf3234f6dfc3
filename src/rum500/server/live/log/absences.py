"""Absent players in a table's log: the bots that play for them, requests to wait, and nudges."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from rum500.server.live.log.event_messages import ScopedEvent
from rum500.server.messages import BotTurn

MOST_BOT_TURNS = 20
"""The largest number of bots' turns that are stored for a player to read after returning."""


@dataclass(slots=True)
class TurnByBot:
    """The plays that a bot made for a person in one turn."""

    turn: int
    """The number of the entry with which the turn began."""
    deal: int
    events: list[ScopedEvent]


@dataclass(slots=True)
class Absences:
    """Data about absent players: bots for them, requests to wait, nudges, and turns that bots played."""

    replaced: set[int] = field(default_factory=set)
    """The absent players for whom a bot plays until they return, because the other players agreed to it."""
    stand_in_for: int | None = None
    """The absent player whose present turn a bot plays, because the other players agreed to it; else None."""
    waited_for: set[int] = field(default_factory=set)
    """The players who have asked the other players to wait for them."""
    nudged: dict[int, int] = field(default_factory=dict)
    """When each player was last nudged, in ms since 1970."""
    bot_turns: dict[int, deque[TurnByBot]] = field(default_factory=dict)
    """The turns that bots played for each player since the player's last own play."""
    count: Counter[int] = field(default_factory=Counter)
    """The number of turns of the match that bots played for each player."""

    @property
    def by_agreement(self) -> set[int]:
        """The players for whom a bot plays because the other players agreed to it."""
        return self.replaced if self.stand_in_for is None else self.replaced | {self.stand_in_for}

    def returned(self, player: int) -> None:
        """End the agreement that a bot plays for this player, who has returned."""
        self.replaced.discard(player)
        if self.stand_in_for == player:
            self.stand_in_for = None

    def note_wish(self, player: int, *, wait: bool) -> None:
        """Record whether a player asks the other players to wait."""
        if wait:
            self.waited_for.add(player)
        else:
            self.waited_for.discard(player)

    def note_play(self, player: int, turn: int, deal: int, events: Iterable[ScopedEvent]) -> None:
        """Record the events of a bot's play for a player, in the turn that began with entry `turn`."""
        turns = self.bot_turns.setdefault(player, deque(maxlen=MOST_BOT_TURNS))
        if not turns or turns[-1].turn != turn:
            self.count[player] += 1
            turns.append(TurnByBot(turn, deal, []))
        turns[-1].events += events

    def turns_for(self, player: int) -> tuple[BotTurn, ...]:
        """Return the turns that bots played for a player, as the player sees them."""
        return tuple(
            BotTurn(one.deal, [event.seen_by(player) for event in one.events])
            for one in self.bot_turns.get(player, ())
        )
