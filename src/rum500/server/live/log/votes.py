"""The votes of a table, for example for a pause or a rematch."""

from __future__ import annotations


class Votes(dict[str, set[int]]):
    """The players who agree, by the subject of the vote."""

    def __init__(self) -> None:
        """Begin without a vote."""
        super().__init__()
        self.pausers: set[int] = set()
        """The players who agreed to the present pause."""

    def begin_pause(self) -> None:
        """Store the players who agreed to the pause, and drop all votes."""
        self.pausers = self.pop("pause", set())
        self.clear()

    def note(self, on: str, player: int, *, yes: bool) -> None:
        """Record whether a player agrees to the subject `on`."""
        agreed = self.setdefault(on, set())
        if yes:
            agreed.add(player)
        else:
            agreed.discard(player)

    def drop_player(self, player: int) -> None:
        """Drop the votes of a player."""
        self.pausers.discard(player)
        for players in self.values():
            players.discard(player)

    def drop_for_bots(self) -> None:
        """Drop the votes for a bot to play for the player to move."""
        self.pop("replace", None)
        self.pop("stand_in", None)
