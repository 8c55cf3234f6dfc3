"""The clock of a table as its log describes it: the time for the turn, and each player's bank."""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.server.messages.options import TableOptions


@dataclass(slots=True)
class TurnClock:
    """The remaining times in ms, as of the last entry that used time."""

    options: TableOptions
    """The table's options, with the times for turns and banks."""
    turn_ms: int = 0
    """The remaining time of the turn."""
    bank_ms: list[int] = field(default_factory=list)
    """The remaining time in each player's bank; empty before the match."""
    timed_out: int | None = None
    """The player whose time has run out, so that a bot plays the rest of the turn; None without one."""

    def begin(self, players: int) -> None:
        """Fill each player's bank."""
        self.bank_ms = [self.options.bank * 1000] * players

    def refill(self) -> None:
        """Set the remaining time of the turn to the whole time of a turn."""
        self.turn_ms = (self.options.turn_s or 0) * 1000

    def new_turn(self) -> None:
        """Begin the next turn."""
        self.refill()
        self.timed_out = None

    def spend(self, player: int | None, spent: int) -> None:
        """Subtract `spent` ms from the time of the turn, and the excess from the bank of the player."""
        if player is None or not spent:
            return
        over = max(0, spent - self.turn_ms)
        self.turn_ms = max(0, self.turn_ms - spent)
        self.bank_ms[player] = max(0, self.bank_ms[player] - over)

    def use_up(self, player: int) -> None:
        """End a player's time: a bot plays the rest of the turn."""
        self.turn_ms = self.bank_ms[player] = 0
        self.timed_out = player

    def left(self, player: int) -> int:
        """Return the time in ms that a player has for the turn; 0 if a bot plays the rest of the turn."""
        return 0 if self.timed_out == player else self.turn_ms + self.bank_ms[player]
