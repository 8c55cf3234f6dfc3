"""The machine's figures during a load test: processor time by program, and a process's memory."""

from __future__ import annotations

import contextlib
import os
import re
import urllib.request
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path


@dataclass(frozen=True)
class Busy:
    """The seconds for which the processors worked: for servers, their database, players, other programs."""

    server: float
    database: float
    players: float
    others: float

    def since(self, before: Busy, seconds: float) -> Busy:
        """Return the increase since then, for each of these seconds."""
        return Busy(
            (self.server - before.server) / seconds,
            (self.database - before.database) / seconds,
            (self.players - before.players) / seconds,
            (self.others - before.others) / seconds,
        )


def told_of(process: int, name: str) -> Iterator[str]:
    """Yield the system's values of this name for a process and its descendants; there may be none."""
    place = Path(f"/proc/{process}")
    with contextlib.suppress(OSError):
        children = [each.read_text().split() for each in place.glob("task/*/children")]
        yield (place / name).read_text()
        for child in chain.from_iterable(children):
            yield from told_of(int(child), name)


def resident_kib(processes: Collection[int]) -> int:
    """Return the memory of these processes and their descendants, in KiB."""
    statuses = (status for process in processes for status in told_of(process, "status"))
    found = (re.search(r"VmRSS:\s+(\d+)", status) for status in statuses)
    return sum(int(one[1]) for one in found if one)


def worked(process: int) -> float:
    """Return the processor time of a process and its descendants, living or ended, in seconds."""
    fields = (stat.rpartition(")")[2].split() for stat in told_of(process, "stat"))
    return sum(sum(map(int, one[11:15])) for one in fields) / os.sysconf("SC_CLK_TCK")


def busy(servers: Collection[int], database: int | None) -> Busy:
    """Return how busy this machine has been since it started, as far as it reports it."""
    ours, theirs = sum(map(worked, servers)), worked(database) if database else 0.0
    all_ours, everything = worked(os.getpid()), 0
    with contextlib.suppress(OSError):
        user, nice, system, _idle, _waiting, *rest = Path("/proc/stat").read_text().split()[1:9]
        everything = sum(map(int, (user, nice, system, *rest)))
    others = everything / os.sysconf("SC_CLK_TCK") - all_ours
    return Busy(ours, theirs, all_ours - ours - theirs, others)


def metric(port: int, name: str) -> float:
    """Return a figure of a server's metrics, 0.0 if it has none of this name; with labels in braces."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        found = re.search(rf"^{re.escape(name)} (\S+)$", answer.read().decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def loop_lag_ms(port: int) -> float:
    """Return the longest delay of a server's event loop since the last call."""
    return 1000 * metric(port, "rum500_loop_lag_max_seconds")
