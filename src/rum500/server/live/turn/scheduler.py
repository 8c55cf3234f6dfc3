"""The actions of a table without a request: bots' plays, expired clocks and claims, new hosts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rum500.match import Claimant
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.server.live.log import entries
from rum500.server.live.log.day_attempts import attempt_due
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.log.waits import awaited, day_due
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.ballot import Ballot
from rum500.server.live.turn.bot_player import BotPlayer
from rum500.server.live.turn.deal_setup import DealSetup
from rum500.server.live.turn.pace import Pace
from rum500.server.live.turn.seat_requests import SeatRequests
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.live.turn.vacancies import Vacancies, hand_over
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import seconds_of

HOST_AWAY_S = 60.0
"""How many seconds a host may be absent before the match before another guest becomes the host."""
_TOGETHER = frozenset({"shuffle", "draw", "cut", "next"})
"""The kinds of decisions that wait while all people are absent."""


@dataclass(eq=False, repr=False)
class Scheduler:
    """Does everything that is due, step by step, until the table has to wait."""

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _substitutes: Substitutes
    _timer: TurnTimer
    _ballot: Ballot
    _setup: DealSetup
    _bots: BotPlayer
    _vacancies: Vacancies
    _seat_requests: SeatRequests
    _pace: Pace
    _hostless: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        setup = self._setup
        self._steps = {
            "shuffle": setup.shuffle,
            "draw": setup.draw_for_deal,
            "cut": setup.cut,
            "play": self._play,
            "claim": self._claim,
            "next": setup.next_deal,
        }

    def run_due(self) -> None:
        """Append the entries of everything due. Then `TableTime.due` is the moment for the next call."""
        while True:
            if self._timer.update():
                self._bots.cancel_all()
            self._time.due = None
            if not self._step():
                return

    def _step(self) -> bool:
        """Do one thing that is due and return True. Otherwise, set `TableTime.due` and return False."""
        state = self._log.state
        if self.attempt_is_over():
            self._log.append(entries.Abandoned())
            return True
        if back := state.absences.by_agreement & self._attendance.present:
            self._log.append(entries.Returned(min(back)))
            return True
        if (returned := self._vacancies.returned()) is not None:
            hand_over(self._log, *returned)
            return True
        if self._seat_requests.expire() or self._ballot.carry_out():
            return True
        if state.status == "open":
            return self._waiting_room()
        if state.status != "playing":
            return False
        if state.waiting_for in _TOGETHER and self._attendance.deserted and not state.options.daily:
            return False
        if state.only_person in awaited(state):
            self._pace.skipping = False
        return self._steps[state.waiting_for]()

    def _waiting_room(self) -> bool:
        """Make a connected person the host if the host stays absent. Return whether this happened."""
        state = self._log.state
        host = None if state.host is None else state.player_of(state.host)
        present = self._attendance.present - state.external_bots
        if not present or host in present or state.host in self._attendance.guests:
            self._hostless = None
            return False
        if self._hostless is None:
            self._hostless = self._time.now
        if not self._time.reached(self._hostless + HOST_AWAY_S):
            return False
        heir = state.seats[min(present)].guest
        assert heir is not None
        self._log.append(entries.Hosted(heir))
        return True

    def attempt_is_over(self) -> bool:
        """Return whether the attempt at a deal of the day ends now, because its day is over."""
        return attempt_due(self._log.state) is not None and self._day_is_over()

    def check_attempt(self) -> None:
        """Raise `TableError` if the attempt at a deal of the day ends now: a play would come too late."""
        if self.attempt_is_over():
            raise TableError("day.over")

    # --- play ---------------------------------------------------------------------------------------

    def _play(self) -> bool:
        player, seat = self._log.state.acting_player, self._log.state.actor
        assert player is not None
        assert seat is not None
        level = self._substitutes.level_for(player)
        if level is None:
            return self._end_turn(player)
        if not self._substitutes.plays_on(player):
            return False
        code = self._bots.choice(seat, level)
        if code is None or not self._time.reached(self._pace.play_at(self._timer.waiting_since, code)):
            return False
        self._log.append_play(code, spent=self._timer.spent(), bot=True)
        return True

    def _end_turn(self, player: int) -> bool:
        """End the turn of a person whose time has run out. Return whether an entry was appended.

        If a bot will play for the person, set the deadline for that.
        """
        state, timer = self._log.state, self._timer
        start = self._substitutes.bot_from(player)
        if start is not None:
            self._time.reached(start)
        if timer.running_since is None:
            return False
        if state.options.daily:
            if not self._day_is_over():
                return False
        elif not self._time.reached(timer.running_since + state.clock.left(player) / 1000):
            return False
        self._log.append(entries.TimedOut(player))
        timer.stop()
        return True

    def _day_is_over(self) -> bool:
        """Return whether the time of `day_due` has come; if not, `DayClock` will wake the table."""
        due = day_due(self._log.state)
        return due is not None and due <= self._time.wall()

    # --- claims -------------------------------------------------------------------------------------

    def _claim(self) -> bool:
        state, until = self._log.state, self._timer.claim_until
        assert until is not None
        open_ = [claim for claim in state.claims if self._player(claim) not in state.claims.let_go]
        levels = [(claim, self._substitutes.level_for(self._player(claim))) for claim in open_]
        bots = [(claim, level) for claim, level in levels if level]
        people = [self._player(claim) for claim, level in levels if not level]
        daily = state.options.daily
        # By a clock of days, bots answer after people, who need not be connected.
        waits = not self._day_is_over() if daily else self._attendance.deserted
        if people and waits:
            return False
        if people and (daily or self._time.reached(until)):
            self._log.append(entries.LetGone(people))
            return True
        # Wait for a bot that thinks: its speed must not decide whether it may call.
        codes = [self._bots.choice(claim.seat, level, claim) for claim, level in bots]
        if not bots or None in codes:
            return False
        patience = self._patience([level for _, level in bots], alone=not (people or state.claims.let_go))
        if not self._time.reached(self._timer.waiting_since + patience):
            return False
        for (claim, _), code in zip(bots, codes, strict=True):
            if code is not None and action_kind(code) is ActionKind.CALL:
                self._log.append(entries.Called(self._player(claim), code, bot=True))
                return True
        if state.rules.blind_claims and people:
            return False  # how soon bots decline would reveal whether they could call
        self._log.append(entries.LetGone([self._player(claim) for claim, _ in bots], bot=True))
        return True

    def _patience(self, levels: Sequence[str], *, alone: bool) -> float:
        """Return the seconds after which bots of these levels answer a claim.

        `alone` says that only bots may call.
        """
        state, pause = self._log.state, self._pace.pause
        half = state.options.claim_s / 2
        if not alone:
            return half
        if not state.rules.blind_claims or not pause:
            return pause
        # Always the slowest bot's time: a longer wait would reveal that a call is possible.
        return max(pause, min(half, max(map(seconds_of, levels))))

    def _player(self, claim: Claimant) -> int:
        return self._log.state.seating[claim.seat]
