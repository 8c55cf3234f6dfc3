"""The counts of players in a load test, and their sums over processes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """The counts of one process; nothing is counted while `on` is false."""

    on: bool = False
    seconds: list[float] = field(default_factory=list)
    """The times from sending a move to its acknowledgement, in seconds."""
    heard: int = 0
    heard_bytes: int = 0
    other: int = 0
    """The number of acknowledged messages other than moves: seeds, the next deal, advice."""
    refused: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    late: list[float] = field(default_factory=list)
    """The delays of this process's own ticks, which add to every measurement."""

    def move(self, seconds: float) -> None:
        if self.on:
            self.seconds.append(seconds)

    def message(self, size: int) -> None:
        if self.on:
            self.heard += 1
            self.heard_bytes += size

    def refusal(self, code: str) -> None:
        if self.on:
            self.refused[code] += 1

    async def watch_own_loop(self) -> None:
        """Tick every ten milliseconds and record the delay of each tick."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.01)
            if self.on:
                self.late.append(time.perf_counter() - start - 0.01)


def together(tallies: list[Tally]) -> Tally:
    """Return the sum of these tallies."""
    whole = Tally()
    for each in tallies:
        whole.seconds += each.seconds
        whole.late += each.late
        whole.heard += each.heard
        whole.heard_bytes += each.heard_bytes
        whole.other += each.other
        whole.lost += each.lost
        whole.refused += each.refused
    return whole


def quantile(values: list[float], share: float) -> float:
    """Return the value that the share `share` of these values does not exceed; NaN if there are none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
