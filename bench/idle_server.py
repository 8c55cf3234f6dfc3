"""Measure the memory of an idle `rum500 serve` in an empty folder: alone, and as several processes.

Forks share memory, which the resident sets of all of them count; the proportional set size counts it once.
Several processes need PostgreSQL, whose own processes are not counted.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
import urllib.request
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.live_server import LiveServer
from tests.support.postgres import postgres

IDLE_S = 5.0


def family(process: int) -> list[int]:
    """Return a process and all that it has started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(each for child in children for each in family(int(child)))]


def memory(process: int) -> dict[str, float]:
    """Return the sums of a process's memory by kind, in MiB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text()
    return {name: int(size) / 1024 for name, size in re.findall(r"^(\w+): +(\d+) kB$", lines, re.MULTILINE)}


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
            used = [memory(process) for process in family(server.pid)]
    return {
        "processes": processes,
        "first_page_s": round(seconds, 2),
        "resident": round(sum(each["Rss"] for each in used), 1),
        "proportional": round(sum(each["Pss"] for each in used), 1),
        "own": round(sum(each["Private_Clean"] + each["Private_Dirty"] for each in used), 1),
    }


if __name__ == "__main__":
    for number in map(int, sys.argv[1:] or ("1", "2")):
        print(json.dumps(measured(number)))
