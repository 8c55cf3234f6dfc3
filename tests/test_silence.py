"""A player whose connection is silent is shown as away within five seconds."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from pathlib import Path
from socket import SHUT_RDWR, create_connection
from typing import Any

import pytest

from rum500.server.live.table_registry import TOGETHER_S
from rum500.server.transport.silence import _LATE_S, QUIET_S, SilenceWatch
from tests.support.live import Alarm, Room, at_tables
from tests.support.serving import Running, Socket
from tests.support.tcp_relay import Line


class Loop:
    """A loop whose time passes when a test says so."""

    def __init__(self) -> None:
        self.now = 50.0
        self.calls: list[tuple[float, int, Alarm]] = []
        self.numbers = itertools.count()

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Alarm:
        alarm = Alarm(callback)
        heapq.heappush(self.calls, (self.now + delay, next(self.numbers), alarm))
        return alarm

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.calls and self.calls[0][0] <= end:
            moment, _, alarm = heapq.heappop(self.calls)
            self.now = max(self.now, moment)
            if alarm.call is not None:
                alarm.call()
        self.now = end


class Watched:
    """A watched connection whose other end answers pings while it is `whole`."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.whole, self.wanted = True, True
        self.pings = 0
        self.reports: list[tuple[float, bool]] = []
        self.watch = SilenceWatch(self.loop, self.ping, self.report, wanted=lambda: self.wanted)  # type: ignore[arg-type] - all of a loop that is used

    def ping(self) -> None:
        self.pings += 1
        if self.whole:
            self.loop.call_later(0.2, self.watch.heard)

    def report(self, silent: bool) -> None:
        self.reports.append((self.loop.now, silent))


@pytest.mark.parametrize("after", [0.0, 0.1, 1.9, 2.0, 2.1, 3.3, 7.77])
def test_silence_is_reported_within_five_seconds(after: float) -> None:
    line = Watched()
    line.loop.run(after)
    line.whole = False
    last_sign = line.loop.now
    line.loop.run(60)
    ((when, silent),) = line.reports
    assert silent and when - last_sign + TOGETHER_S <= 5


def test_active_connection_gets_no_ping_and_answered_pings_no_report() -> None:
    line = Watched()
    for _ in range(100):
        line.loop.run(1)
        line.watch.heard()
    assert (line.pings, line.reports) == (0, [])
    line.loop.run(100)
    assert line.pings > 30 and line.reports == []


def test_no_ping_is_sent_while_nobody_watches() -> None:
    line = Watched()
    line.whole = line.wanted = False
    line.loop.run(100)
    assert (line.pings, line.reports) == (0, [])
    line.wanted = True
    line.loop.run(5)
    assert [silent for _, silent in line.reports] == [True]


def test_bytes_end_silence_at_once_and_watching_continues() -> None:
    line = Watched()
    line.whole = False
    line.loop.run(10)
    line.watch.heard()
    assert line.reports[-1] == (line.loop.now, False)
    line.loop.run(10)
    assert [silent for _, silent in line.reports] == [True, False, True]


def test_late_check_waits_for_unread_bytes() -> None:
    line = Watched()
    line.whole = False
    line.loop.run(QUIET_S)
    line.loop.now += 30  # nothing was done for so long; the answer waits to be read
    line.loop.run(_LATE_S / 2)
    line.watch.heard()
    line.loop.run(QUIET_S / 2)
    assert line.reports == []


def test_stopped_watch_reports_nothing() -> None:
    line = Watched()
    line.whole = False
    line.loop.run(QUIET_S)
    line.watch.stop()
    line.loop.run(100)
    assert line.reports == []


@at_tables
async def test_silent_player_is_shown_as_away_until_heard(room: Room) -> None:
    ann, ben = await room.at_play(leaver_s=60)
    ben.table.set_silent(ben.connection, silent=True)
    await room.settle()
    plate = ann.shared["seats"][ben.seat]
    assert (plate.here, plate.gone, plate.bot_in_ms.ms) == (False, False, 660_000)
    ben.table.set_silent(ben.connection, silent=False)
    await room.settle()
    assert ann.shared["seats"][ben.seat].here and ben.closed is None


def test_failed_network_is_shown_by_a_real_server(tmp_path: Path) -> None:
    """The connection is neither closed nor reset, and no keepalive is due."""
    with (
        Running(tmp_path / "data", ping_s=3600) as running,
        running.guest("Ann") as ann,
        running.guest("Ben") as ben,
        Line(running.port) as line,
    ):
        table = ann.table()
        first = ann.join(table)
        socket = create_connection(("127.0.0.1", line.port))
        second = ben.connect(table, sock=socket)
        second.ask("join")
        second.ask("sit")
        sees(first, here=True)
        line.hold()
        sees(first, here=False)


@pytest.mark.parametrize("said_bye", [True, False])
def test_who_closes_the_page_is_gone_and_whose_connection_breaks_is_away(
    tmp_path: Path, said_bye: bool
) -> None:
    with (
        Running(tmp_path / "data") as running,
        running.guest("Ann") as ann,
        running.guest("Ben") as ben,
    ):
        table = ann.table()
        first, second = ann.join(table), ben.join(table)
        second.ask("sit")
        sees(first, here=True)
        if said_bye:
            second.wire.close(1001)
        else:
            second.wire.socket.shutdown(SHUT_RDWR)
        assert sees(first, here=False)["gone"] is said_bye


def sees(person: Socket, *, here: bool) -> dict[str, Any]:
    """Wait until this person sees the second player so; the player's plate."""
    while True:
        seats = person.hear().get("shared", {}).get("seats", [])
        if len(seats) > 1 and seats[1]["name"] == "Ben" and seats[1]["here"] is here:
            return dict(seats[1])
