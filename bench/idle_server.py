"""Measure the start and the memory of an idle `rum500 serve` in an empty folder: alone, and in processes.

Forks share memory, which the resident sets of all of them count; `together` counts it once. Other programs of
the machine that use the same libraries change neither. Several processes need PostgreSQL, whose own processes
are not counted. A first start, which is not measured, writes the bytecode that an installed package has.
"""

from __future__ import annotations

import argparse
import json
import os
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


def processor_s(process: int) -> float:
    """Return the seconds of processor time that a process has used, its threads included."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(processes: int) -> dict[str, float]:
    """Return the seconds to the first page, and the MiB that an idle server's processes need."""
    several = processes > 1
    with tempfile.TemporaryDirectory() as place, postgres() if several else nullcontext() as database:
        flags = () if database is None else ("--db", database.new_database(), "--processes", str(processes))
        begun = time.perf_counter()
        with LiveServer(Path(place) / "data", *flags) as server:
            with urllib.request.urlopen(server.url) as page:
                page.read()
            seconds = time.perf_counter() - begun
            busy = sum(map(processor_s, family(server.pid)))
            time.sleep(IDLE_S)  # what the start left is freed, and the kernel joins pages
            used = [memory(process) for process in family(server.pid)]
    return {
        "processes": processes,
        "first_page_s": round(seconds, 2),
        "processor_s": round(busy, 2),
        "resident": round(sum(each["Rss"] for each in used), 1),
        "together": round(
            sum(each["Pss_Anon"] for each in used) + max(each["Rss"] - each["Anonymous"] for each in used), 1
        ),
        "own": round(sum(each["Private_Dirty"] for each in used), 1),
    }


def main() -> None:
    """Measure servers of the given numbers of processes, and print a line of JSON for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("processes", nargs="*", type=int, default=[1, 2], help="numbers of processes (1 2)")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    measured(1)
    for number in given.processes:
        print(json.dumps(measured(number)))


if __name__ == "__main__":
    main()
