"""The pace of bots: how long each waits before its plays, so that people can follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.server.config_types import BOT_PAUSE_MS
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.attendance import Attendance
from rum500.server.messages.field_types import Speed

TURN_S: dict[Speed, float] = {"relaxed": 2.4, "normal": 1.2, "fast": 0.4, "at_once": 0.0}
"""The seconds that a bot's turn takes where one person plays with bots, by speed."""
_ENDS = frozenset({ActionKind.DISCARD, ActionKind.END})


@dataclass(eq=False, repr=False)
class Pace:
    """Computes when bots make their plays. It changes nothing."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    skipping: bool = field(init=False, default=False)
    """Whether bots play without pauses until the only person has to decide."""
    _turn: int = field(init=False, default=-1)
    _began: float = field(init=False, default=0.0)

    @property
    def pause(self) -> float:
        """The seconds that a bot waits before a decision; 0 if there is no viewer."""
        options = self._log.state.options
        turn_s = self._turn_s
        if not self._attendance.viewers:
            return 0.0
        return options.bot_pause_ms / 1000 if turn_s is None else turn_s / 3

    @property
    def _turn_s(self) -> float | None:
        """The seconds that a bot's turn takes; None if a bot waits the same time before each play."""
        state = self._log.state
        if state.speed is None or state.only_person is None:
            return None
        if self.skipping:
            return 0.0
        return TURN_S[state.speed] * state.options.bot_pause_ms / BOT_PAUSE_MS

    def play_at(self, asked: float, code: int) -> float:
        """Return the moment at which a bot makes this play; the decision began at the moment `asked`.

        If turns take a fixed time, the bot makes its first play after a third of that time, and its last at
        the end.
        """
        turn_s = self._turn_s
        if turn_s is None or not self._attendance.viewers:
            return asked + self.pause
        turn = self._log.state.turn_began
        first = turn != self._turn
        if first:
            self._turn, self._began = turn, asked
        if action_kind(code) in _ENDS:
            return self._began + turn_s
        return asked + turn_s / 3 if first else min(asked + turn_s / 6, self._began + turn_s)
