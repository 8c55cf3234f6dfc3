"""Measure the memory of an idle `rum500 serve` in an empty folder: alone, and as several processes.

Forks share memory, which the resident sets of all of them count; the proportional set size counts it once.
Several processes need PostgreSQL, whose own processes are not counted.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import urllib.request
from contextlib import nullcontext
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_server import LiveServer
from tests.support.postgres import postgres

MIB = 1 << 20
IDLE_S = 5.0


def measured(processes: int) -> dict[str, float]:
    """Return the seconds to the first page, and the MiB of an idle server's processes together."""
    several = processes > 1
    with tempfile.TemporaryDirectory() as place, postgres() if several else nullcontext() as database:
        flags = () if database is None else ("--db", database.new_database(), "--processes", str(processes))
        begun = time.perf_counter()
        with LiveServer(Path(place) / "data", *flags) as server:
            with urllib.request.urlopen(server.url) as page:
                page.read()
            seconds = time.perf_counter() - begun
            time.sleep(IDLE_S)  # what the start left is freed, and the kernel joins pages
            first = psutil.Process(server.pid)
            used = [each.memory_full_info() for each in (first, *first.children(recursive=True))]
    return {
        "processes": processes,
        "first_page_s": round(seconds, 2),
        "resident": round(sum(each.rss for each in used) / MIB, 1),
        "proportional": round(sum(each.pss for each in used) / MIB, 1),
        "own": round(sum(each.uss for each in used) / MIB, 1),
    }


if __name__ == "__main__":
    for number in map(int, sys.argv[1:] or ("1", "2")):
        print(json.dumps(measured(number)))
