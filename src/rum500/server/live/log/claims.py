"""An opportunity to call "Rummy!": which players may call, and which have declined."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from rum500.match import Claimant


@dataclass(slots=True)
class Claims:
    """The open claims, in the order in which players may call. The object is false without claims."""

    open: tuple[Claimant, ...] = ()
    let_go: set[int] = field(default_factory=set)
    """The players with a claim who have declined."""
    let_go_by_bot: set[int] = field(default_factory=set)
    """The players with a claim for whom a bot has declined."""

    def __bool__(self) -> bool:
        return bool(self.open)

    def __iter__(self) -> Iterator[Claimant]:
        return iter(self.open)

    def of(self, seat: int | None, player: int) -> Claimant | None:
        """Return the claim of a player at this seat; None if the player may not call."""
        if player in self.let_go:
            return None
        return next((claim for claim in self.open if claim.seat == seat), None)

    def undecided(self, seating: Sequence[int]) -> list[int]:
        """Return the players with a claim who have not answered; `seating` has the players by seat."""
        players = [seating[claim.seat] for claim in self.open]
        return [player for player in players if player not in self.let_go]

    def note(self, players: Collection[int], *, by_bot: bool) -> None:
        """Record that these players, or bots for them, decline."""
        self.let_go.update(players)
        self.let_go_by_bot.update(players if by_bot else ())
