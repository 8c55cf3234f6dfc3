"""Measure the server under load, beside a boardgame.io server, in one run; writes a table in bench/README.md.

    make load                                  measure and write
    make load ARGS="--dry-run --tables 50"     a smaller crowd, only printed
    make load ARGS="--nodes"                   ours on SQLite, on PostgreSQL, and as two servers there
    make load ARGS="--reviews"                 ours at the required rate, with and without two reviews running
    make load ARGS="--reviews --rate 800"      the same at half the rate, which leaves reviews time to judge

Simulated players sit at tables of four over real WebSockets and make moves that the server lists as legal.
First the required number of connections plays at the required rate, then fewer tables play as fast as they
can. The same client does the same at boardgame.io's server (`bench/boardgame_server.cjs`), with a game as
similar to ours as possible. Its moves are only in memory, ours are on disk before they are acknowledged. The
ratio is relevant.

boardgame.io's players find their melds themselves, ours ask the server, as our page does. At full speed a
third crowd plays at our server without such questions, so that both servers have the same work.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import random
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from load_machine import Busy, busy, loop_lag_ms, resident_kib
from load_reviews import FEWEST_JUDGED, FLAGS, ask_for_reviews, loop_load, played_matches, verdicts
from load_servers import ONE, OURS, SERVERS, THEIRS, TOGETHER, TWO, UNADVISED
from load_tally import Tally, quantile, together

from tools import npm_tools

HERE = Path(__file__).resolve().parent


@dataclass
class Figures:
    """The measurements of one crowd at one server."""

    server: str
    tables: int
    wanted: float | None
    """The moves a second that the crowd would make; None for as fast as possible."""
    rate: float
    tally: Tally
    kib_a_connection: float
    lag_ms: float | None
    busy: Busy
    """Processor time in each second of measuring."""
    judged: int | None = None
    """How many decisions were judged for reviews in that time; None: there were no reviews."""
    load: float | None = None
    """The share of the time for which the server's event loop worked at the end; None without reviews."""
    rounds: list[Figures] = field(default_factory=list)
    """Every measured round, this one included."""

    @property
    def usual_rate(self) -> float:
        """The median of the rounds' moves a second."""
        return statistics.median(each.rate for each in self.rounds)

    @property
    def for_work(self) -> float:
        """The moves for each second of the servers' work."""
        return self.rate / max(self.busy.server, 0.01)

    @property
    def usual_for_work(self) -> float:
        """The median of the rounds' moves for each second of the servers' work."""
        return statistics.median(each.for_work for each in self.rounds)

    def milliseconds(self, share: float) -> float:
        return quantile(self.tally.seconds, share) * 1000


# --- the crowd: processes of players ---------------------------------------------------------------------


def crowd(server: str, ports: list[int], first: int, think_s: float, pipe: Connection) -> None:
    """Run one process of players, with orders from its pipe: open this many tables, measure this long,
    end.
    """
    with contextlib.suppress(ImportError):
        import uvloop  # noqa: PLC0415  # where there is none, the slower loop will do

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(Crowd(server, ports, first, think_s, pipe).run())


class Crowd:
    """The tables of such a process."""

    def __init__(self, server: str, ports: list[int], first: int, think_s: float, pipe: Connection) -> None:
        dice = random.Random(first)
        self.tally = Tally()
        self.pipe, self.first = pipe, first
        self.tables = SERVERS[server][0](
            ports, self.tally, lambda: think_s * dice.uniform(0.5, 1.5) if think_s else 0
        )

    async def run(self) -> None:
        watch = asyncio.create_task(self.tally.watch_own_loop())
        loop = asyncio.get_running_loop()
        while True:
            order, value = await loop.run_in_executor(None, self.pipe.recv)
            if order == "open":
                self.pipe.send(await self._open(value))
            elif order == "measure":
                self.tally.on = True
                await asyncio.sleep(value)
                self.tally.on = False
                self.pipe.send(self.tally)
            else:
                break
        watch.cancel()
        self.tables.close()

    async def _open(self, tables: int) -> str:
        """Open this many tables, a few at a time; return an error message, or an empty text."""
        gate = asyncio.Semaphore(8)

        async def one(number: int) -> None:
            async with gate:
                await self.tables.open_table(number)

        try:
            await asyncio.gather(*(one(self.first + number) for number in range(tables)))
        except (OSError, TimeoutError) as error:
            return f"{type(error).__name__}: {error}"
        return ""


@contextlib.contextmanager
def crowds(server: str, ports: list[int], processes: int, think_s: float) -> Iterator[list[Connection]]:
    """Start this many processes of players and yield their pipes."""
    spawn = multiprocessing.get_context("spawn")
    pipes, started = [], []
    for place in range(processes):
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=crowd, args=(server, ports, place * 100_000, think_s, theirs))
        process.start()
        pipes.append(ours)
        started.append(process)
    try:
        yield pipes
    finally:
        for pipe, process in zip(pipes, started, strict=True):
            with contextlib.suppress(OSError):
                pipe.send(("end", None))
            process.join(20)
            process.kill()


def answers(pipes: list[Connection], orders: list[tuple[str, object]]) -> list[Any]:
    """Give each process its order, and wait for all the answers."""
    for pipe, order in zip(pipes, orders, strict=True):
        pipe.send(order)
    return [pipe.recv() for pipe in pipes]


# --- measuring -------------------------------------------------------------------------------------------


def measure(
    server: str, tables: int, rate: float | None, seconds: float, processes: int, *, reviews: bool = False
) -> Figures:
    """Measure one crowd at a fresh server, which reviews matches meanwhile if `reviews` is set."""
    speed = f"{rate:,.0f} moves a second" if rate else "full speed"
    print(f"{server}: {tables} tables, {speed}{', with reviews' if reviews else ''}", file=sys.stderr)
    think = tables / rate if rate else 0.0
    with (
        tempfile.TemporaryDirectory() as data,
        SERVERS[server][1](Path(data), *(FLAGS if reviews else ())) as running,
    ):
        port = running.ports[0]
        matches = played_matches(port) if reviews else []
        before = resident_kib(running.servers)
        with crowds(server, running.ports, processes, think) as pipes:
            shares = [tables // processes + (place < tables % processes) for place in range(processes)]
            faults = [fault for fault in answers(pipes, [("open", share) for share in shares]) if fault]
            if faults:
                raise SystemExit(f"{server}: {faults[0]}")
            time.sleep(max(2 * think, min(3, seconds)))
            ask_for_reviews(matches)
            if server != THEIRS:
                loop_lag_ms(port)
            judged = verdicts(port) if reviews else 0
            began, before_it = time.perf_counter(), busy(running.servers, running.database)
            tally = together(answers(pipes, [("measure", seconds)] * processes))
            spent = busy(running.servers, running.database).since(before_it, time.perf_counter() - began)
            took = min(time.perf_counter() - began, seconds)
            lag = loop_lag_ms(port) if server != THEIRS else None
            held = (resident_kib(running.servers) - before) / (tables * 4)
            found = verdicts(port) - judged if reviews else None
            load = loop_load(port) if reviews else None
    return Figures(server, tables, rate, len(tally.seconds) / took, tally, held, lag, spent, found, load)


def middle(rounds: list[Figures]) -> Figures:
    """Return the round with the median p99, with the figures of the others; a shared machine varies."""
    ranked = sorted(rounds, key=lambda each: each.milliseconds(0.99))
    found = ranked[len(ranked) // 2]
    found.rounds = rounds
    return found


def report(found: list[Figures]) -> str:
    """Return the results as Markdown."""
    from run import machine  # noqa: PLC0415  # it loads the engine, which the players' processes need not

    lines = [
        f"Measured on: {machine()}; server and players on the same machine.",
        "",
        "| server | tables, connections | wanted | moves a second | p50 | p99 | a connection | loop held |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        asked = f"{each.wanted:,.0f} moves/s" if each.wanted else "all it can"
        lag = f"{each.lag_ms:.0f} ms" if each.lag_ms is not None else ""
        lines.append(
            f"| {each.server} | {each.tables:,}, {each.tables * 4:,} | {asked} | {each.rate:,.0f} |"
            f" {each.milliseconds(0.5):.1f} ms | {each.milliseconds(0.99):.1f} ms |"
            f" {each.kib_a_connection:.1f} KiB | {lag} |"
        )
    lines += ["", *ratios(found), ""]
    for each in found:
        lost = f", {each.tally.lost} connections lost" if each.tally.lost else ""
        faults = ", ".join(f"{count} {code}" for code, count in each.tally.refused.most_common()) or "nothing"
        asked = f"at {each.wanted:,.0f} moves/s" if each.wanted else "at full speed"
        lines.append(
            f"- {each.server} {asked}: {each.tally.heard / max(len(each.tally.seconds), 1):.1f} messages of"
            f" {each.tally.heard_bytes / max(each.tally.heard, 1):,.0f} bytes heard for each move; refused:"
            f" {faults}{lost}; the players' own loops were late by"
            f" {quantile(each.tally.late, 0.99) * 1000:.1f} ms at p99. In each second the server worked for"
            f" {each.busy.server:.2f} s, its players for {each.busy.players:.2f} s, other programs for"
            f" {max(0.0, each.busy.others):.2f} s. {rounds(each)}"
        )
    return "\n".join(lines)


def rounds(each: Figures) -> str:
    """Return the figures of all rounds."""
    rates = ", ".join(f"{one.rate:,.0f}" for one in each.rounds)
    lags = ("" if one.lag_ms is None else f" / {one.lag_ms:.0f}" for one in each.rounds)
    longest = [f"{one.milliseconds(0.99):.1f}{lag}" for one, lag in zip(each.rounds, lags, strict=True)]
    what = "p99" if each.lag_ms is None else "p99 / loop held"
    return f"Moves a second of all rounds: {rates}; {what} in ms: {', '.join(longest)}."


def ratios(found: list[Figures]) -> list[str]:
    """Return our figures relative to theirs, if both were measured."""
    lines = []
    for ours in (each for each in found if each.server != THEIRS):
        theirs = next((it for it in found if it.server == THEIRS and it.wanted == ours.wanted), None)
        if theirs is None or not theirs.tally.seconds:
            continue
        how = f"Asked for {ours.wanted:,.0f} moves a second" if ours.wanted else "At full speed"
        lines.append(
            f"{how}, by the medians of the rounds, {ours.server} acknowledges"
            f" **{ours.usual_rate / theirs.usual_rate:.2f} times** as many moves a second as"
            f" boardgame.io (on disk against in memory), its p99 is"
            f" {ours.milliseconds(0.99) / theirs.milliseconds(0.99):.2f} times theirs, its memory a"
            f" connection {ours.kib_a_connection / max(theirs.kib_a_connection, 0.1):.2f} times."
        )
    return lines


def beside_reviews(wanted: argparse.Namespace) -> str:
    """Measure the required rate without and with reviews in turn. Return the figures as Markdown."""
    # It loads the engine, which the players' processes need not.
    from rum500.server.work_scheduler import BUSY  # noqa: PLC0415

    crowd = OURS, wanted.tables, wanted.rate, wanted.seconds, wanted.processes
    turns = [[measure(*crowd, reviews=reviews) for reviews in (False, True)] for _ in range(wanted.rounds)]
    without, beside = (middle(list(rounds)) for rounds in zip(*turns, strict=True))
    judged = [each.judged or 0 for _, each in turns]
    counts = ", ".join(map(str, judged))
    loads = ", ".join(f"{each.load or 0:.2f}" for _, each in turns)
    ratio = beside.milliseconds(0.99) / without.milliseconds(0.99)
    lines = [
        f"{name}: {each.usual_rate:,.0f} moves a second, p99 {each.milliseconds(0.99):.1f} ms. {rounds(each)}"
        for name, each in (("Without reviews", without), ("With two", beside))
    ]
    lines.append(
        f"p99 with reviews: **{ratio:.2f} times**. Decisions judged meanwhile: {counts}; the server's"
        f" event loop worked for {loads} of the time (above {BUSY} reviews rest)."
    )
    if min(judged) < FEWEST_JUDGED:
        lines.append("The reviews had hardly any time: measure longer, or at a lower --rate.")
    return "\n".join(lines)


def several(found: list[Figures]) -> str:
    """Return the results of our server's forms as Markdown, with moves for each second of processor time."""
    from run import machine  # noqa: PLC0415  # it loads the engine, which the players' processes need not

    lines = [
        f"Measured on: {machine()}; servers, database and players on the same machine.",
        "",
        "| server | wanted | moves/s | p50 | p99 | servers work | database works | moves/work | of both |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for each in found:
        asked = f"{each.wanted:,.0f} moves/s" if each.wanted else "all they can"
        both = each.busy.server + each.busy.database
        lines.append(
            f"| {each.server}, {each.tables:,} tables | {asked} | {each.rate:,.0f} |"
            f" {each.milliseconds(0.5):.1f} ms | {each.milliseconds(0.99):.1f} ms |"
            f" {each.busy.server:.2f} s/s | {each.busy.database:.2f} s/s |"
            f" {each.for_work:,.0f} | {each.rate / max(both, 0.01):,.0f} |"
        )
    lines.append("")
    for one, more in ((one, more) for one in found for more in found if one.wanted == more.wanted):
        if one.server == ONE and more.server in {TWO, TOGETHER}:
            asked = f"at {one.wanted:,.0f} moves/s" if one.wanted else "at full speed"
            work = more.usual_for_work / one.usual_for_work
            lines.append(
                f"- {more.server} against one, {asked}, by the medians of the rounds: **{work:.2f} times**"
                " the moves of a second of the servers' work,"
                f" {more.usual_rate / one.usual_rate:.2f} times the moves."
            )
    for each in found:
        works = ", ".join(f"{one.for_work:,.0f}" for one in each.rounds)
        lines.append(f"- {each.server}, {each.tables:,} tables: {rounds(each)} Moves/work: {works}.")
    return "\n".join(lines)


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--tables", type=int, default=1250, help="tables of four people (1250); 0: at full speed alone"
    )
    parser.add_argument("--rate", type=float, default=1550, help="moves a second they make together (1550)")
    parser.add_argument(
        "--fast-tables", type=int, default=100, help="tables that play as fast as they can (100)"
    )
    parser.add_argument("--seconds", type=float, default=30, help="how long each is measured (30)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="how often; the round of middling p99 counts (3)"
    )
    parser.add_argument(
        "--processes", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="of players"
    )
    parser.add_argument(
        "--reviews",
        action="store_true",
        help="compare the rate with and without two reviews running; only printed",
    )
    parser.add_argument(
        "--nodes",
        action="store_true",
        help="compare our server on SQLite, on PostgreSQL, and as two servers there; written too",
    )
    parser.add_argument("--ours", action="store_true", help="leave boardgame.io out; nothing is written")
    parser.add_argument("--dry-run", action="store_true", help="print the table and leave the page alone")
    wanted = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if 0 < hard < wanted.tables * 4 + 500:
        raise SystemExit(f"only {hard} open files are allowed here (ulimit -n): fewer --tables")
    if wanted.reviews:
        print(beside_reviews(wanted))
        return
    servers = [OURS, ONE, TWO, TOGETHER] if wanted.nodes else [OURS] if wanted.ours else [OURS, THEIRS]
    if THEIRS in servers:
        npm_tools.installed(npm_tools.BOARDGAME)
    found = []
    asked = [(wanted.tables, wanted.rate)] if wanted.tables else []
    for tables, rate in [*asked, (wanted.fast_tables, None)]:
        players = [*servers, UNADVISED] if rate is None and THEIRS in servers else servers
        # The servers take turns: a shared machine is faster at one time than at another.
        turns = [
            [measure(server, tables, rate, wanted.seconds, wanted.processes) for server in players]
            for _ in range(wanted.rounds)
        ]
        found += [middle(list(rounds)) for rounds in zip(*turns, strict=True)]
    text = several(found) if wanted.nodes else report(found)
    print(text)
    if not (wanted.dry_run or wanted.ours):
        from run import write  # noqa: PLC0415  # it loads the engine, which the players' processes need not

        write("nodes" if wanted.nodes else "load", text)


if __name__ == "__main__":
    main()
