"""Reports the guests who keep a table waiting and are not viewing it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.waits import awaited
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.substitutes import Substitutes

_NOBODY: frozenset[int] = frozenset()


class WaitListener(Protocol):
    """Receives reports of tables that wait for guests."""

    def waits_for(self, table: str, guests: Collection[str], knowing: Collection[str]) -> None:
        """Replace the set of guests for whom the table waits while they are not viewing the table.

        The guests in `knowing` have viewed the table since it began to wait for them.
        """

    def viewed(self, table: str, guest: str) -> None:
        """Record that a guest has begun to view a table."""

    def nudged(self, table: str, guest: str) -> None:
        """Record that a player nudged a guest for whom the table waits."""


@dataclass(eq=False, repr=False)
class AwaitedGuests:
    """Reports to a `WaitListener` for which guests a table waits while they are not viewing the table."""

    _log: TableLog
    _attendance: Attendance
    _substitutes: Substitutes
    _notices: WaitListener
    _knowing: frozenset[int] = field(init=False, default=_NOBODY)
    _reported: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        self._unseen = self._attendance.unseen
        self._asked = self._log.state.asked
        self._nudged = dict(self._log.state.absences.nudged)

    def update(self) -> None:
        """Report changed waits, guests who began to view the table, and nudges, all since the last call."""
        self._report_waits()
        nudged = self._log.state.absences.nudged
        if nudged != self._nudged:
            new = [player for player, at in nudged.items() if self._nudged.get(player) != at]
            self._nudged = dict(nudged)
            for guest in self._guests(new):
                self._notices.nudged(self._log.state.table, guest)

    def _report_waits(self) -> None:
        state, unseen, before = self._log.state, self._attendance.unseen, self._unseen
        if not (unseen or before):
            self._asked, self._knowing = state.asked, _NOBODY
            return
        if state.asked == self._asked:
            self._knowing |= unseen - before
        else:
            self._asked, self._knowing = state.asked, _NOBODY
        self._unseen = unseen
        table = state.table
        for guest in self._guests(before - unseen):
            self._notices.viewed(table, guest)
        waiting = self._guests(self._waiting())
        if waiting != self._reported:
            self._reported = waiting
            self._notices.waits_for(table, waiting, self._guests(self._knowing))

    def _waiting(self) -> frozenset[int]:
        """Return the players who have to decide and are not viewing the table; none unless other people play.

        The result is also empty while players may call "Rummy!" and a person is connected, because the time
        for calls is limited. It does not include players for whom a bot decides now.
        """
        state, attendance = self._log.state, self._attendance
        if len(set(state.people()) - state.external_bots) < 2 or (state.claims and not attendance.deserted):
            return frozenset()
        return frozenset(
            player
            for player in attendance.unseen.intersection(awaited(state))
            if self._substitutes.level_for(player) is None
        )

    def _guests(self, players: Collection[int]) -> frozenset[str]:
        seats = self._log.state.seats
        return frozenset(guest for player in players if (guest := seats[player].guest) is not None)
