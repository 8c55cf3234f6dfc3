"""What fails, and when: a plan that follows from a seed alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

NODES = 3
"""The servers."""
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
"""The kinds of faults, and how many of each a round has, in any order and one into the other."""
ALONE = "kill_alone"
"""The last fault of each round: the server with most tables is killed when everything else is whole."""
MODES = ("there", "back", "both", "reset", "slow")
"""How a way is cut: what is sent there is held back, or what comes back, or both; every connection is ended
and none let through; or everything arrives late."""
_LONGEST = {"stop": 10.0, "take_connections": 5.0, "fill_disk": 5.0, "namesake": 5.0}
_LONGEST_CUT = 8.0


@dataclass(frozen=True)
class Fault:
    """One thing that fails."""

    number: int
    kind: str
    """One of `ROUND`, or `ALONE`."""
    pause: float
    """The seconds after the beginning of the fault before it."""
    node: int
    """The server that it concerns, if it concerns one."""
    mode: str
    """One of `MODES`, where a way is cut."""
    seconds: float
    """How long it lasts, where it lasts."""
    minutes: float
    """By how much a clock is wrong from now on, where it is set."""

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
    """Yield the faults of one round after another, without end: in each all kinds, in another order."""
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
