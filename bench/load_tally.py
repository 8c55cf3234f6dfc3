"""What the players of a load test count, and how it adds up over processes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts of one process; while `on` is false nothing is counted."""

    on: bool = False
    seconds: list[float] = field(default_factory=list)
    """From sending a move to its acknowledgement."""
    heard: int = 0
    heard_bytes: int = 0
    other: int = 0
    """Acknowledged messages that are no moves: seeds of a shuffle, the next deal, advice."""
    refused: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    late: list[float] = field(default_factory=list)
    """How late this process's own ticks were: what it adds to every measurement."""

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
        """Tick every ten milliseconds and note how late each tick is."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.01)
            if self.on:
                self.late.append(time.perf_counter() - start - 0.01)


def together(tallies: list[Tally]) -> Tally:
    """One tally of them all."""
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
    """The value that `share` of them do not exceed; not-a-number of none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
