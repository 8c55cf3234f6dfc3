"""A live table: one task handles the requests of people, bots and clocks, one after the other.

Nothing is acknowledged or sent before it is committed to the table's log.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import structlog

from rum500.rules.notation import NotationError
from rum500.server import messages
from rum500.server.live.broadcast.awaited_guests import AwaitedGuests, WaitListener
from rum500.server.live.broadcast.broadcaster import Broadcaster, encoded
from rum500.server.live.finished.match_results import results_of
from rum500.server.live.log import entries
from rum500.server.live.log.seats import EXTERNAL_BOT_PREFIX
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import CheckLevel, Guest, check_level_of_game
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import Alarm, TableTime, TimeSource
from rum500.server.live.ownership import StoredLog
from rum500.server.live.turn.advice import advise
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.ballot import Ballot, abandoned_alone
from rum500.server.live.turn.bot_player import BotPlayer
from rum500.server.live.turn.deal_setup import DealSetup
from rum500.server.live.turn.nudges import Nudges
from rum500.server.live.turn.pace import Pace
from rum500.server.live.turn.requests import RequestHandler
from rum500.server.live.turn.scheduler import Scheduler
from rum500.server.live.turn.seat_requests import SeatRequests
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.tokens import key_of, new_token, seat_lent, token_revoked
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.live.turn.undo_limit import UndoLimit
from rum500.server.live.turn.vacancies import Vacancies
from rum500.server.live.turn.viewer import CloseReason, Outbox, Viewer
from rum500.server.logs import log, shown
from rum500.server.messages.render import refused
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import BotExecutor, PendingChoice, advise_inline
from rum500.server.thinking.hint_work import at_depth
from rum500.server.work_scheduler import SERVER, Asker
from rum500.state import IllegalPlay
from rum500.store import StoreError, TableLost, TableStore

MOST_WAITING = 256
"""The largest number of requests that wait at one table."""
BACK_OFF_S = 2.0
"""How many seconds after a failed commit the table handles nothing but requests."""
_UNKNOWN = "?"
"""Stands for the address under which the lobby lists a table, as long as that is unknown."""

Work = messages.Request | Callable[[], None]
"""Work for the table's task: a viewer's request, or a function to call."""


class TableMetrics(Protocol):
    """The metrics that a table reports."""

    def move(self, seconds: float) -> None:
        """Count a move that was acknowledged after this many seconds."""

    def refused(self, code: str) -> None:
        """Count a request that was refused with this code."""


@dataclass(slots=True)
class TableServices:
    """The services that all tables of a server share."""

    store: TableStore
    time: TimeSource
    executor: BotExecutor
    entropy: Callable[[int], bytes]
    """Returns the requested number of secret random bytes."""
    metrics: TableMetrics
    rematch: Callable[[TableState, frozenset[int]], Awaitable[str]]
    """Makes a table for a rematch of the players in the set, who are connected, and returns its id."""
    notices: WaitListener
    """Receives reports of guests who keep a table waiting and are not viewing it."""
    wake_at: Callable[[int | None], None]
    """Called with the stored time, in ms since 1970 or None, at which a clock of days wakes the table."""
    together_s: float
    """The seconds in which viewers who made no request and need not decide get at most one update."""
    lost: Callable[[LiveTable], None]
    """Called with a table that another server has taken over."""
    check_level: CheckLevel = check_level_of_game
    """Checks the levels that people request."""
    deal_ended: Callable[[str, int], None] = lambda _table, _deal: None
    """Called at least once for each finished and stored deal, with the table's id and the deal's number."""


class LiveTable:
    """A table in memory: its queue of requests, and the task that owns all its parts.

    Each part knows only the parts that its constructor takes; no part knows the table.
    """

    def __init__(
        self, state: TableState, stored: StoredLog, services: TableServices, maker: Asker = SERVER
    ) -> None:
        """Run a table from the state of its stored log. Its bots use the processor share of `maker`."""
        self.id = state.table
        self._services = services
        self._time = time = TableTime(services.time)
        self._attendance = attendance = Attendance(state, time)
        self.log = log = TableLog(state, stored, time, results_of, attendance.update)
        substitutes, nudges = Substitutes(log, attendance, time), Nudges(log, attendance, time)
        self._timer = timer = TurnTimer(log, attendance, time, substitutes)
        undo, vacancies = UndoLimit(log), Vacancies(log, attendance, time)
        pace, asks = Pace(log, attendance, time), SeatRequests(log, attendance, time, services.entropy)
        self._ballot = ballot = Ballot(log, attendance, time, substitutes, timer)
        setup = DealSetup(log, attendance, time, substitutes, timer, pace, services.entropy)
        self._bots = bots = BotPlayer(log, services.executor, self.post, maker)
        self._scheduler = Scheduler(
            log, attendance, time, substitutes, timer, ballot, setup, bots, vacancies, asks, pace
        )
        self._broadcaster = sender = Broadcaster(
            log, attendance, time, substitutes, nudges, timer, undo, vacancies, asks, services.together_s
        )
        self._requests = RequestHandler(
            log, attendance, nudges, timer, ballot, undo, vacancies, asks, pace, services.entropy,
            sender.say, services.check_level,
        )  # fmt: skip
        self._notices = AwaitedGuests(log, attendance, substitutes, services.notices)
        self.last_used = time.now
        """The moment of the last request to the table."""
        self._queue: deque[tuple[Viewer | None, Work, float]] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._alarm: Alarm | None = None
        self._alarm_at = self._hold_until = 0.0
        self._commit_began = self._committed = 0.0
        self._closing = self._dropped = False
        self._advice: dict[PendingChoice, tuple[Viewer, str, int | None]] = {}
        """Pending advice, with its viewer, the request's id and, for hints, the number of the decision."""
        self._ended_deal = 0
        self._listed_by: str | None = _UNKNOWN
        self._background: set[asyncio.Task[None]] = set()
        self._speed = state.speed
        for level in {state.options.level, *(seat.level for seat in state.seats if seat.level)}:
            services.executor.warm(level)
        self.task = asyncio.get_running_loop().create_task(self._run())
        self.wake()

    # --- calls from other parts of the server -------------------------------------------------------

    def connect(self, guest: Guest, outbox: Outbox, address: str = "") -> Viewer:
        """Return a new connection of a guest; an older connection of the same guest is closed.

        `address` is a pseudonym of the guest's network address.
        """
        if self._closing:
            outbox.close("restart")  # this table is closed; the client should connect again
            return Viewer(guest, outbox)
        return self._attendance.admit(guest, outbox, address)

    def disconnect(self, viewer: Viewer, *, said_bye: bool = False) -> None:
        """Remove a closed connection; further calls have no effect.

        `said_bye` is whether the client closed the connection properly.
        """
        for pending in [each for each, (asker, *_) in self._advice.items() if asker is viewer]:
            del self._advice[pending]
            pending.cancel()
        if self._attendance.leave(viewer):
            self.post(lambda: self._attendance.drop(viewer, said_bye=said_bye))

    def has_company(self, viewer: Viewer) -> bool:
        """Return whether this viewer is a player who is not alone: others would see the player leave."""
        return self._attendance.has_company(viewer)

    def set_silent(self, viewer: Viewer, *, silent: bool) -> None:
        """Record that a connection has become silent, or has sent something again."""
        self.post(lambda: self._attendance.set_silent(viewer, silent))

    def receive(self, viewer: Viewer, request: messages.Request) -> None:
        """Queue a request. Requests are handled one at a time, in order; at most 256 may wait."""
        if len(self._queue) >= MOST_WAITING:
            self._refuse(viewer, request.id, TableError("table.busy"))
        else:
            self._put(viewer, request)

    def post(self, call: Callable[[], None]) -> None:
        """Let the table's task call a function, then do everything that is due."""
        self._put(None, call)

    def wake(self) -> None:
        """Let the table's task do everything that is due."""
        self.post(_nothing)

    def _put(self, viewer: Viewer | None, work: Work) -> None:
        if self._dropped:
            return
        self._queue.append((viewer, work, self._services.time.now()))
        self._wake_task()

    def _wake_task(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def renamed(self, guest: Guest) -> None:
        """Show a guest's new name."""
        self._attendance.rename(guest)
        if self.seats(guest):
            self.post(lambda: self.log.set_name(guest.id, guest.name))

    def external_bot(self, authorization: str) -> Guest | None:
        """Return the external bot with this token, if a seat of the table is lent to it; else None."""
        key = key_of(authorization)
        for seat in self.log.state.seats:
            if key is not None and seat.guest == EXTERNAL_BOT_PREFIX + key:
                return Guest(EXTERNAL_BOT_PREFIX + key, seat.name)
        return None

    def seats(self, guest: Guest) -> bool:
        """Return whether the guest has a seat at this table."""
        return any(seat.guest == guest.id for seat in self.log.state.seats)

    async def make_bot_token(self, guest: str, seat: int, name: str) -> str:
        """Return a new token with which an external bot can play a seat. Raises `TableError` if forbidden."""
        token = new_token(self._services.entropy)
        key = key_of(token)
        assert key is not None
        await self.append_and_store(lambda state: seat_lent(state, guest, seat, key, name))
        return token

    async def revoke_bot_token(self, guest: str, seat: int) -> None:
        """Revoke the token of a seat's external bot. Raises `TableError` if the guest may not do that."""
        await self.append_and_store(lambda state: token_revoked(state, guest, seat))

    async def end_alone(self, guest: str) -> None:
        """Abandon the match of a guest who plays with bots alone. Raises `TableError` if others play."""
        await self.append_and_store(lambda state: abandoned_alone(state, guest))

    async def append_and_store(self, entry_for: Callable[[TableState], entries.LogEntry]) -> None:
        """Let the table's task append the entry that `entry_for` returns; return when the entry is stored.

        Raises `TableError` if the entry is refused or cannot be stored.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def attempt() -> None:
            try:
                self.log.append(entry_for(self.log.state))
            except TableError as error:
                stored.set_exception(error)
                return
            self._attendance.dismiss_bots()
            number = self.log.state.number
            self.post(lambda: self._report(stored, number))

        if self._closing:
            raise TableError("table.busy")
        self.post(attempt)
        await asyncio.wait([stored, self.task], return_when=asyncio.FIRST_COMPLETED)
        if not stored.done():
            raise TableError("table.failed")
        stored.result()

    def _report(self, stored: asyncio.Future[None], number: int) -> None:
        """Resolve `stored`, with `TableError` if entry `number` has not been stored."""
        if stored.cancelled():
            return
        if self.log.state.number >= number and not self.log.broken:
            stored.set_result(None)
        else:
            stored.set_exception(TableError("table.failed"))

    @property
    def idle(self) -> bool:
        """Whether no guest is connected and nothing becomes due."""
        return not (self._attendance.guests or self._queue or self.log.uncommitted or self._alarm)

    @property
    def has_guests(self) -> bool:
        """Whether a guest is connected."""
        return bool(self._attendance.guests)

    def stalled(self, patience: float) -> bool:
        """Return whether the table's task has worked on a request for over `patience` s, or has ended."""
        waits = self._wake is not None and not self.task.done()
        return not waits and self._time.now < self._services.time.now() - patience

    async def close(self, reason: CloseReason = "restart") -> None:
        """Handle the queued requests, store the time that the clock has run, and close all connections."""
        if not self._closing:
            self._closing = True
            self._put(None, _nothing)
        await asyncio.wait([self.task])
        self._end(reason)

    def drop(self) -> None:
        """Stop at once without writing anything: another server owns the table, or may own it."""
        self.log.broken = self._closing = self._dropped = True
        self._queue.clear()
        self._wake_task()
        self._end("restart")

    def _end(self, reason: CloseReason) -> None:
        self._bots.cancel_all()
        for pending in self._advice:
            pending.cancel()
        self._cancel_alarm()
        self._attendance.close_all(reason)

    # --- the table's task -----------------------------------------------------------------------------

    async def _run(self) -> None:
        new_future = asyncio.get_running_loop().create_future
        while not (self._closing and not self._queue):
            if self._queue:
                await self._process(*self._queue.popleft())
                continue
            self._wake = new_future()
            await self._wake
            self._wake = None
        self._time.tick()
        state = self.log.state
        clocked = state.status == "playing" and not state.options.daily
        if clocked and not self.log.broken and (spent := self._timer.stop()):
            self.log.append(entries.Stopped(spent))
            await self.log.commit()

    async def _process(self, viewer: Viewer | None, work: Work, came: float) -> None:
        """Handle work that came at the moment `came`, and everything due; commit, and send the results."""
        self._time.tick()
        self.last_used = self._time.now
        asks = isinstance(work, _ASKS) and not self.log.broken
        refusal = None if work is _send_due else await self._attempt(viewer, work, asks=asks)
        if asks and refusal is None:
            return
        try:
            self._reply_and_broadcast(viewer, work, refusal, came)
        except Exception as error:  # noqa: BLE001 - viewers who were sent a part must connect again
            await self._handle_error(work, error)
            self._broadcaster.joining.clear()
            for each in list(self._attendance.viewers):
                each.outbox.close("restart")
            self._set_alarm()

    async def _attempt(self, viewer: Viewer | None, work: Work, *, asks: bool) -> messages.Refused | None:
        """Handle `work`, and what is due unless `work` only `asks`; commit. Return the refusal, or None."""
        try:
            if self.log.broken:
                await self.log.rebuild()
            if callable(work):
                work()
            elif viewer is not None and not self._answer(viewer, work):
                self._scheduler.check_attempt()
                self._requests.handle(viewer, work)
            if not asks and self._time.now >= self._hold_until:
                self._scheduler.run_due()
                if self._ballot.rematch_agreed:
                    table = await self._services.rematch(self.log.state, self._attendance.present)
                    self.log.append(entries.Rematched(table))
            self._commit_began = self._services.time.now()
            await self.log.commit()
            self._committed = self._services.time.now()
            self._services.wake_at(self.log.due)
        except (TableError, IllegalPlay, NotationError) as error:
            if self.log.broken or self.log.uncommitted:  # refused after a change
                return await self._handle_error(work, error)
            return None if callable(work) else refused(work.id, error)
        except StoreError as error:
            return await self._commit_failed(viewer, work, error)
        except Exception as error:  # noqa: BLE001 - a bug of the server must not end the table
            return await self._handle_error(work, error)
        return None

    def _answer(self, viewer: Viewer, request: messages.Request) -> bool:
        """Handle a request that needs no entry in the log and return True; return False for others."""
        if isinstance(request, messages.Join):
            if self._attendance.join(viewer):
                self._broadcaster.joining.append((viewer, request))
                self.log.set_name(viewer.guest.id, viewer.guest.name)
        elif isinstance(request, messages.Ask):
            self._advise(viewer, request)
        elif isinstance(request, messages.Look):
            self._attendance.set_viewing(viewer, request.shown)
            viewer.send(encoded(messages.Pong(re=request.id)))
        elif isinstance(request, messages.Ping):
            viewer.send(encoded(messages.Pong(re=request.id)))
        else:
            return False
        return True

    def _advise(self, viewer: Viewer, request: messages.Ask) -> None:
        """Send advice at once, or when it is computed. A hint is sent only if its decision is still open."""
        advice = advise(self.log.state, viewer.player, request)
        pending: PendingChoice | None = None

        def send(answer: messages.Answer | BaseException) -> None:
            if pending is not None:
                self._advice.pop(pending, None)
            if isinstance(answer, BaseException):
                error = answer if isinstance(answer, TableError) else TableError("table.failed")
                self._refuse(viewer, request.id, error)
            else:
                answer.re = request.id
                if answer.hint is not None and advice.depth is not None:
                    answer.hint = at_depth(answer.hint, advice.depth)
                viewer.send(encoded(answer))

        if advice.light:
            advise_inline(advice, send)
            return
        pending = self._services.executor.advise(advice, send, viewer.who)
        if pending.drop is not None:
            asked = self.log.state.asked if advice.is_hint else None
            self._advice[pending] = viewer, request.id, asked

    def _drop_hints(self) -> None:
        """Refuse the pending hints whose decision has been made in the meantime."""
        for hint, (viewer, request, asked) in list(self._advice.items()):
            if asked not in (None, self.log.state.asked):
                del self._advice[hint]
                hint.cancel()
                self._refuse(viewer, request, TableError("table.stale"))

    def _refuse(self, viewer: Viewer, re: str, error: TableError) -> None:
        self._services.metrics.refused(error.code)
        viewer.send(encoded(messages.Refused(re=re, reason=error.reason)))

    def _reply_and_broadcast(
        self, viewer: Viewer | None, work: Work, refusal: messages.Refused | None, came: float
    ) -> None:
        """Send the reply to the request, and the changes to all viewers; set the alarm."""
        replies: dict[Viewer, str] = {}
        if viewer is not None and refusal is not None:
            self._services.metrics.refused(refusal.reason.code)
            viewer.send(encoded(refusal))
        elif viewer is not None and not callable(work) and not isinstance(work, _ANSWERED):
            replies[viewer] = work.id
        if not self.log.broken:
            if self._advice:
                self._drop_hints()
            self._broadcaster.announce(replies)
            self._notices.update()
            self._report_deal_ended()
            self._remember_speed()
            self._update_listing()
        if isinstance(work, _MOVES) and refusal is None and not self.log.broken:
            self._services.metrics.move(self._services.time.now() - came)
            if viewer is not None and viewer.trace:
                self._log_move(viewer.trace, work.id, came)
        self._set_alarm()

    def _remember_speed(self) -> None:
        """Store the speed of bots if the only person has changed it since the last call."""
        state = self.log.state
        if state.speed != self._speed:
            self._speed = state.speed
            if state.speed is not None and state.only_person is not None:
                self._in_background(
                    self._store_speed(state.seats[state.only_person].guest or "", state.speed)
                )

    async def _store_speed(self, guest: str, speed: str) -> None:
        try:
            await self._services.store.save_speed(guest, speed, self._services.time.wall())
        except StoreError as error:
            log().warning("speed.not_stored", table=shown(self.id), error=error)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _update_listing(self) -> None:
        """Make the lobby list an open table while its host is connected."""
        state, host = self.log.state, self._attendance.host()
        if state.status != "open" or state.options.private:
            return
        listed_by = None if host is None else host.address
        if listed_by != self._listed_by:
            self._listed_by = listed_by
            self._in_background(self._store_listing(listed_by))

    async def _store_listing(self, listed_by: str | None) -> None:
        try:
            await self._services.store.set_listed(self.id, listed_by)
        except StoreError as error:
            log().warning("table.not_listed", table=shown(self.id), error=error)
            self._listed_by = _UNKNOWN

    def _log_move(self, trace: str, message: str, came: float) -> None:
        """Log the stages of a move in ms: waiting, rules, commit, and broadcast."""
        moments = (came, self._time.now, self._commit_began, self._committed, self._services.time.now())
        steps = [round(1000 * (after - before), 1) for before, after in pairwise(moments)]
        log().debug(
            "trace.move",
            trace=trace,
            table=shown(self.id),
            message=message,
            entry=self.log.state.number,
            **dict(zip(("waited", "applied", "committed", "sent"), steps, strict=True)),
        )

    def _report_deal_ended(self) -> None:
        """Report the last deal if it is finished and has not been reported yet."""
        deals, tried = self.log.state.deals, self.log.state.tried
        if tried and tried.day is None:  # a deal that is played again is not reviewed
            return
        if deals and deals[-1].over and deals[-1].number != self._ended_deal:
            self._ended_deal = deals[-1].number
            self._services.deal_ended(self.id, self._ended_deal)

    def _set_alarm(self) -> None:
        due, send, ring = self._time.due, self._broadcaster.due, self._ring
        if self._hold_until > self._time.now:
            due = self._hold_until
        elif send is not None and not self.log.broken and (due is None or send < due):
            due, ring = send, self._ring_to_send
        # Waking up too early costs less than resetting the alarm at each move.
        if due is None or due < self._alarm_at:
            self._cancel_alarm()
        if due is not None and self._alarm is None and not self._closing:
            self._alarm_at = due
            self._alarm = self._services.time.call_at(due, ring)

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _ring(self) -> None:
        self._alarm = None
        self.wake()

    def _ring_to_send(self) -> None:
        self._alarm = None
        self.post(_send_due)

    # --- errors -------------------------------------------------------------------------------------

    async def _commit_failed(
        self, viewer: Viewer | None, work: Work, error: StoreError
    ) -> messages.Refused | None:
        """Restore the stored state. Return the refusal, or None if the request had been handled before.

        Everything due then waits `BACK_OFF_S` seconds, except after a conflict, which a client causes by
        repeating a message.
        """
        if isinstance(error, TableLost):
            self.drop()
            self._services.lost(self)
            return None
        if viewer is None or error.code != "store.conflict":
            self._hold_until = self._time.now + BACK_OFF_S
        structlog.get_logger().error("table.not_kept", code=error.code)
        await self._try_to_rebuild()
        if viewer is None or callable(work):
            return None
        if not self.log.broken and (viewer.guest.id, work.id) in self.log.state.handled_messages:
            return None
        return messages.Refused(re=work.id, reason=TableError(error.code).reason)

    async def _handle_error(self, work: Work, error: Exception) -> messages.Refused | None:
        """Restore the stored state after an unexpected error. Return the refusal of the request."""
        self._hold_until = self._time.now + BACK_OFF_S
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = "" if callable(work) else type(work).__name__
        structlog.get_logger().error(
            "table.failed", wanted=name, error=type(error).__name__, where=f"{where.name}:{where.lineno}"
        )
        await self._try_to_rebuild()
        if callable(work):
            return None
        return messages.Refused(re=work.id, reason=TableError("table.failed").reason)

    async def _try_to_rebuild(self) -> None:
        if self._dropped:
            return
        with suppress(Exception):  # if the log cannot be read, the table stays broken and is not shown
            await self.log.rebuild()


_ASKS = (messages.Ask, messages.Ping)
"""Requests that never change anything."""
_ANSWERED = (messages.Join, messages.Look, *_ASKS)
"""Requests that are answered by another message than `update`."""
_MOVES = (messages.Play, messages.Say)


def _send_due() -> None:
    """Do nothing. After any work the table's task sends its pending messages."""


def _nothing() -> None:
    """Do nothing. The table's task then does everything that is due."""
