"""Measure the engine and the C floor in the same run, and write the table in bench/README.md.

    make bench                 measure and write
    make bench ARGS=--dry-run  measure and print

Everything is timed in turn, in several rounds, and the best of each is kept, because a shared machine slows
down both. Only the ratio matters; nanoseconds are given in addition.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import rum500
from rum500._compiled import engine_kind
from rum500.ai import policy_deals
from rum500.ai.heuristic_levels import policy
from rum500.rules.engine import playouts
from rum500.rules.engine.core import PHASE_PLAY, Core, Moves
from rum500.state.core_setup import new_core

HERE = Path(__file__).parent
README = HERE / "README.md"
PEERS_PYTHON = HERE.parent / "build" / "peers" / "bin" / "python"
ROUNDS = 15
DEALS = 20_000
#: Every profile at its smallest table, four at one table, and two packs.
TABLES = (
    ("500-rum", 2),
    ("500-rum", 4),
    ("500-rum", 6),
    ("500-rummy", 2),
    ("500-rummy", 6),
    ("rummy-500", 2),
    ("rummy-500", 4),
    ("rummy-500", 6),
    ("partnership-500-rum", 4),
    ("partnership-500-rummy", 4),
    ("persian-rummy", 4),
    ("persian-rummy-fosdick", 4),
    ("persian-rummy-gamerules", 4),
    ("michigan-rum", 2),
)


def floor_ns() -> float:
    """Return nanoseconds for each action of the C engine: uniform random deals of two-player 500-rum."""
    said = subprocess.check_output([HERE / "floor" / "floor", "bench", "1", str(DEALS)])
    return float(json.loads(said)["ns_per_action"])


def playout_ns(profile: str, players: int) -> float:
    """Return nanoseconds for each action of uniform random deals, including shuffling and dealing."""
    core = new_core(rum500.ruleset(profile), players)
    start = time.perf_counter()
    actions, _ = playouts.random_deals(core, 5, DEALS // 2)
    return (time.perf_counter() - start) / actions * 1e9


def copy_ns() -> float:
    """Return nanoseconds to copy a deal, as in a search."""
    source, target = new_core(rum500.ruleset("persian-rummy"), 4), Core()
    source.shuffle(1)
    source.start(0)
    start = time.perf_counter()
    playouts.copies(target, source, 200_000)
    return (time.perf_counter() - start) / 200_000 * 1e9


def python_ns() -> float:
    """Return nanoseconds for each action from Python: the list of legal codes, then applying one."""
    core, moves = new_core(rum500.ruleset("500-rum"), 2), Moves()
    legal, apply = core.legal, core.apply
    actions = 0
    start = time.perf_counter()
    for seed in range(200):
        core.shuffle(seed)
        core.start(0)
        while codes := legal(moves):
            apply(codes[actions * 7919 % len(codes)], moves)
            actions += 1
    return (time.perf_counter() - start) / actions * 1e9


def fifty_cards() -> tuple[Core, Moves]:
    """Return a hand of 50 cards of one pack, to be melded or discarded from."""
    core, moves = new_core(rum500.ruleset("500-rum"), 2), Moves()
    core.shuffle(3)
    core.start(0)
    for seat in range(2):
        core.h1[seat] = core.h2[seat] = 0
    cards = [card for card in rum500.ruleset("500-rum").deck(2) if card not in (17, 40)]
    core.h1 = [0, sum(1 << card for card in cards), *[0] * 6]
    core.hn = [0, len(cards), *[0] * 6]
    core.phase = PHASE_PLAY
    return core, moves


def fifty_generate_ns() -> float:
    """Return nanoseconds to find all legal actions of that hand."""
    core, moves = fifty_cards()
    return timed(lambda: core.generate(moves), 2_000)


def fifty_list_ns() -> float:
    """Return the same, including the list of Python integers."""
    core, moves = fifty_cards()
    return timed(lambda: core.legal(moves), 2_000)


def mid_deal() -> rum500.State:
    """Return two-player 500-rum after sixty actions."""
    state = rum500.deal(rum500.ruleset("500-rum"), 2, 3)
    for turn in range(60):
        codes = state.legal_ints()
        state.apply_int(codes[turn * 7919 % len(codes)])
    return state


def state_copy_ns() -> float:
    """Return nanoseconds to copy a `State`."""
    return timed(mid_deal().copy, 20_000)


def to_bytes_ns() -> float:
    """Return nanoseconds to write a `State` as bytes."""
    return timed(mid_deal().to_bytes, 20_000)


def from_bytes_ns() -> float:
    """Return nanoseconds to read a `State` from bytes, including all checks."""
    state = mid_deal()
    data, rules = state.to_bytes(), state.rules
    return timed(lambda: rum500.State.from_bytes(data, rules, trusted=True), 20_000)


def apply_ns() -> float:
    """Return nanoseconds of one `State.apply` in whole deals, including the check and the events."""
    rules, actions, spent = rum500.ruleset("500-rum"), 0, 0.0
    for seed in range(20):
        state = rum500.deal(rules, 2, seed)
        while codes := state.legal_ints():
            code = codes[actions * 7919 % len(codes)]
            start = time.perf_counter()
            state.apply(code)
            spent += time.perf_counter() - start
            actions += 1
    return spent / actions * 1e9


def timed(work: Callable[[], object], times: int) -> float:
    """Return nanoseconds for each call."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times * 1e9


def threads_ns(count: int) -> float:
    """Return nanoseconds for each deal of random players in this many threads, as many deals in each."""
    cores = [new_core(rum500.ruleset("500-rum"), 2) for _ in range(count)]
    threads = [threading.Thread(target=playouts.random_deals, args=(core, 5, DEALS)) for core in cores]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - start) / (count * DEALS) * 1e9


def club_ns() -> float:
    """Return nanoseconds for a deal of two-player 500-rum between two of `club`, in the core."""
    rules = rum500.ruleset("500-rum")
    core, seated = new_core(rules, 2), [policy(rules, 2)] * 2
    start = time.perf_counter()
    policy_deals.club_deals(core, seated, 5, 0, DEALS // 4)
    return (time.perf_counter() - start) / (DEALS // 4) * 1e9


def machine() -> str:
    """Return the name of the machine's processor."""
    try:
        model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        model = None
    name = model[1] if model else platform.processor() or platform.machine()
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{name}, {os.cpu_count()} cores, {system}"


WORKS: dict[str, Callable[[], float]] = {
    "copy": copy_ns,
    "python": python_ns,
    "fifty": fifty_generate_ns,
    "fifty_list": fifty_list_ns,
    "state_copy": state_copy_ns,
    "to_bytes": to_bytes_ns,
    "from_bytes": from_bytes_ns,
    "apply": apply_ns,
    "club": club_ns,
    "one_thread": partial(threads_ns, 1),
    "two_threads": partial(threads_ns, 2),
}


def measure() -> dict[str, Any]:
    """Measure everything in turns; return the best of all rounds."""
    floor: list[float] = []
    rows: dict[tuple[str, int], list[float]] = {table: [] for table in TABLES}
    singles: dict[str, list[float]] = {name: [] for name in WORKS}
    for turn in range(ROUNDS):
        print(f"round {turn + 1} of {ROUNDS}", file=sys.stderr)
        floor.append(floor_ns())
        for table, found in rows.items():
            found.append(playout_ns(*table))
        for name, work in WORKS.items():
            singles[name].append(work())
        floor.append(floor_ns())
    best = {name: min(found) for name, found in singles.items()}
    return {
        "floor": min(floor),
        "playouts": {table: min(found) for table, found in rows.items()},
        **best,
        "threads": best["one_thread"] / best["two_threads"],
        "peers": measure_peers(),
    }


def measure_peers() -> dict[str, dict[str, Any]]:
    """Return other engines' numbers, with the interpreter of `make peers`; missing engines are reported."""
    if not PEERS_PYTHON.exists():
        missing: dict[str, Any] = {"missing": "run `make peers` first"}
        return {"open_spiel": missing, "rlcard": missing}
    said = subprocess.check_output([PEERS_PYTHON, HERE / "peers.py"])
    found: dict[str, dict[str, Any]] = json.loads(said)["peers"]
    return found


VALUES = {
    "state_copy": ("`State.copy`", "≤ 1 µs"),
    "to_bytes": ("`State.to_bytes`", "≤ 3 µs"),
    "from_bytes": ("`State.from_bytes`, trusted", "≤ 3 µs"),
}
"""What is compared with one `State.apply` of the same run."""


def value_line(found: dict[str, Any], key: str, what: tuple[str, str]) -> str:
    """Return a row of the table: the time, and its ratio to one `apply`."""
    ns, one = float(found[key]), float(found["apply"])
    return f"| {what[0]} | {ns / 1000:.2f} µs, {ns / one:.2f} of one `State.apply` | {what[1]} |"


def table(found: dict[str, Any]) -> str:
    """Return the results as Markdown."""
    floor = float(found["floor"])
    playouts: dict[tuple[str, int], float] = found["playouts"]
    lines = [
        f"Measured on: {machine()}; {engine_kind()} engine.",
        "",
        "| random playouts | players | ns an action | times the C floor | wanted |",
        "|---|---|---|---|---|",
        f"| C floor (two-player `500-rum` alone) | 2 | {floor:.1f} | 1 | |",
    ]
    for (profile, players), ns in playouts.items():
        wanted = "2.2" if (profile, players) == ("500-rum", 2) else "4.5"
        lines.append(f"| `{profile}` | {players} | {ns:.1f} | {ns / floor:.2f} | ≤ {wanted} |")
    lines += [
        "",
        "| what | measured | wanted |",
        "|---|---|---|",
        f"| copying a deal | {found['copy']:.0f} ns | ≤ 60 ns |",
        f"| legal actions and apply, from Python, an action | {found['python']:.0f} ns | ≤ 1,000 ns |",
        f"| legal actions of a 50-card hand | {found['fifty'] / 1000:.2f} µs | < 5 µs |",
        f"| the same as a list of Python integers | {found['fifty_list'] / 1000:.2f} µs | |",
        *[value_line(found, key, what) for key, what in VALUES.items()],
        f"| two-player `500-rum`, `club` deals a second | {1e9 / found['club']:,.0f} | ≥ 200,000 |",
        f"| the same of `random` | {1e9 / found['one_thread']:,.0f} | |",
        f"| two threads against one | {found['threads']:.2f} times | ≥ 1.8 |",
        "",
        *peer_lines(1e9 / playouts["500-rum", 2], found["peers"]),
    ]
    return "\n".join(lines)


def peer_lines(ours: float, found: dict[str, dict[str, Any]]) -> list[str]:
    """Return lines on other engines' other games: an order of magnitude only."""
    lines = [
        "Other engines play other games: read these as orders of magnitude.",
        "",
        "| peer | steps a second | `500-rum` plays so many times as many | wanted |",
        "|---|---|---|---|",
    ]
    wanted = {"open_spiel": "≥ 20", "rlcard": "≥ 1,000"}
    for name, result in found.items():
        speed = result.get("steps_per_second")
        if speed is None:
            lines.append(
                f"| {name} | not measured: {result.get('missing', 'failed')} | | {wanted.get(name, '')} |"
            )
        else:
            lines.append(f"| {name} | {speed:,.0f} | {ours / float(speed):,.0f} | {wanted.get(name, '')} |")
    return lines


def write(name: str, text: str) -> None:
    """Write a table between its marks in bench/README.md."""
    start, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, rest = README.read_text().split(start)
    README.write_text(head + start + text + "\n" + end + rest.split(end)[1])


def main() -> None:
    """Build the floor, measure, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="print the tables and leave the page alone")
    dry_run = parser.parse_args().dry_run
    subprocess.run(["make", "--silent", "-C", str(HERE / "floor")], check=True)
    found = table(measure())
    print(found)
    if not dry_run:
        write("measured", found)


if __name__ == "__main__":
    main()
