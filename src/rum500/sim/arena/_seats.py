"""Who sits where: the seatings in which one shuffle is played, so that luck and seat fall to both alike."""

from __future__ import annotations

from rum500.rules.ruleset import Ruleset
from rum500.sim._deals import SimulationError

SEATINGS = ("alternate", "lone")


def seatings(rules: Ruleset, players: int, kind: str = "alternate") -> tuple[tuple[int, ...], ...]:
    """All seatings of two bots at a table, each as the bot (0 or 1) at every seat.

    `alternate`: every other seat is the first bot's, in all rotations and with the bots exchanged: two
    players swap seats, partnerships swap sides, and an odd table sees each bot in the majority as often.
    `lone`: the first bot alone among the others, at each seat in turn.

    >>> from rum500.rules.ruleset import ruleset
    >>> seatings(ruleset("500-rum"), 2), len(seatings(ruleset("500-rum"), 3))
    (((0, 1), (1, 0)), 6)
    """
    rules.check_players(players)
    if kind == "lone":
        if rules.sides:
            raise SimulationError(f"in {rules.title} nobody plays alone: the seating is alternate")
        return tuple(tuple(int(seat != own) for seat in range(players)) for own in range(players))
    if kind != "alternate":
        raise SimulationError(f"there is no seating {kind!r}; there are {' and '.join(SEATINGS)}")
    found: dict[tuple[int, ...], None] = {}
    for first in (0, 1):
        for turned in range(players):
            found[tuple((first + (seat - turned) % players) % 2 for seat in range(players))] = None
    return tuple(sorted(found))
