"""Which faults happen, and when: a plan that follows only from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

NODES = 3
"""The number of servers."""
ROUND = {
    "kill": 3,
    "stop": 2,
    "cut_servers": 2,
    "cut_database": 3,
    "cut_people": 2,
    "restart_database": 1,
    "take_connections": 1,
    "fill_disk": 1,
    "namesake": 1,
    "other_clock": 1,
    "drain": 1,
    "roll": 1,
}
"""The kinds of faults, and how many of each a round has. They come in any order and may overlap."""
ALONE = "kill_alone"
"""The last fault of each round: while nothing else fails, the server with most tables is killed."""
MODES = ("there", "back", "both", "reset", "slow")
"""How a connection is cut: data to the server is held back, or data from it, or both; or all connections are
ended and no new ones accepted; or all data arrive late.
"""
_LONGEST = {"stop": 10.0, "take_connections": 5.0, "fill_disk": 5.0, "namesake": 5.0}
_LONGEST_CUT = 8.0


@dataclass(frozen=True)
class Fault:
    """One fault."""

    number: int
    kind: str
    """One of `ROUND`, or `ALONE`."""
    pause: float
    """The seconds since the beginning of the fault before it."""
    node: int
    """The number of the server, if the fault concerns one."""
    mode: str
    """One of `MODES`, if a connection is cut."""
    seconds: float
    """How long the fault lasts, if it lasts."""
    minutes: float
    """The minutes by which a clock is wrong from now on, if the fault sets a clock."""

    def __str__(self) -> str:
        what = {
            "kill": "is killed",
            "stop": f"sleeps for {self.seconds:.1f} s",
            "cut_servers": f"other servers to it {self.mode} for {self.seconds:.1f} s",
            "cut_database": f"to the database {self.mode} for {self.seconds:.1f} s",
            "cut_people": f"people to it {self.mode} for {self.seconds:.1f} s",
            "namesake": f"another of its name for {self.seconds:.1f} s",
            "other_clock": f"starts with a clock {self.minutes:+.1f} min wrong",
            "drain": "is drained and started again",
        }.get(self.kind)
        return f"{self.number} {self.kind}" + (f": server {self.node + 1} {what}" if what else "")


def rounds(seed: int) -> Iterator[list[Fault]]:
    """Yield the faults of one round after another, without end. Each round has all kinds, in any order."""
    dice, number = random.Random(f"chaos {seed}"), 0
    while True:
        kinds = [kind for kind, times in ROUND.items() for _ in range(times)]
        dice.shuffle(kinds)
        found = []
        for kind in kinds:
            number += 1
            found.append(_fault(dice, number, kind))
        number += 1
        yield [*found, _fault(dice, number, ALONE)]


def _fault(dice: random.Random, number: int, kind: str) -> Fault:
    return Fault(
        number,
        kind,
        pause=dice.uniform(0.1, 2.5),
        node=dice.randrange(NODES),
        mode=dice.choice(MODES),
        seconds=dice.uniform(0.5, _LONGEST.get(kind, _LONGEST_CUT)),
        minutes=dice.choice((-1, 1)) * dice.uniform(1, 10),
    )
