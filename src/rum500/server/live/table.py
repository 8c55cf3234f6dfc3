"""A live table: one owner does what people, bots and clocks want, one after the other, and keeps it in a log.

Nothing is acknowledged, and nobody is told anything, before it is committed.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable

import structlog

from rum500.match import PlayNeeded
from rum500.rules.engine.core import DRAW
from rum500.rules.notation import NotationError
from rum500.server import messages
from rum500.server.live import log_entries as log
from rum500.server.live._listing import LISTED, lobby_fields
from rum500.server.live.advice import advise
from rum500.server.live.broadcaster import Broadcaster, encoded
from rum500.server.live.deal_setup import begin_lines
from rum500.server.live.requests import RequestHandler
from rum500.server.live.scheduler import Scheduler
from rum500.server.live.seats import EXTERNAL_BOT_PREFIX
from rum500.server.live.services import TableServices
from rum500.server.live.snapshot_builder import Presence
from rum500.server.live.table_options import Guest
from rum500.server.live.table_state import TableState
from rum500.server.live.time_source import Alarm
from rum500.server.live.tokens import key_of, lent, new_token, recalled
from rum500.server.live.viewer import CloseReason, Outbox, Viewer
from rum500.server.messages.render import refused
from rum500.server.messages.table_error import TableError
from rum500.server.thinking.executor import advise_at_once
from rum500.state import IllegalPlay
from rum500.store import StoredEntry, StoreError

MOST_WAITING = 256
"""At most so many requests wait at one table."""
BACK_OFF_S = 2.0
"""After something could not be kept, the table does nothing of itself for so long."""
TOGETHER_S = 0.05
"""So long the others hear nothing of what all do at once, so that they hear of it once."""
SITTING_S = 600.0
"""Nobody has been there for longer: who comes then begins anew, and those who are away have not just left."""
_SEATS = log.Sat | log.Stood | log.SeatLent | log.SeatTokenRevoked | log.Began | log.Resigned | log.Rematched
"""Lines after which somebody else may be at the table."""

Work = messages.Request | Callable[[], None]


class LiveTable:
    """A table in memory, with its people, its clocks, and the one task that owns it."""

    def __init__(self, state: TableState, services: TableServices) -> None:
        """A table as its log has it; it runs from now on."""
        self.id = state.table
        self.state = state
        self.services = services
        self.now = services.time.now()
        self.connections: dict[Viewer, None] = {}
        self.present: frozenset[int] = frozenset()
        self.away: dict[int, float] = {}
        self.rematch_wanted = False
        self.requests = RequestHandler(self)
        self.course = Scheduler(self)
        self.herald = Broadcaster(state)
        self.last_used = self.now
        self._absent = tuple(state.people())
        self._watching = 0
        self._guests: dict[str, Viewer] = {}
        self._arriving: list[tuple[Viewer, messages.Join]] = []
        self._queue: deque[tuple[Viewer | None, Work, float]] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._batch: list[StoredEntry] = []
        self._said: list[messages.Said] = []
        self._signature: tuple[str, str] | None = None
        self._lobby_changed = False
        self._status = state.status
        self._seen = len(state.match.undoable) if state.match else 0
        self._alarm: Alarm | None = None
        self._alarm_at = 0.0
        self._tell_at: float | None = None
        self._hold_until = 0.0
        self._broken = False
        self._closing = False
        self._empty_since = self.now
        if services.time.wall() - state.changed_at <= SITTING_S * 1000:
            self.away = dict.fromkeys(state.people(), self.now)
        for level in {state.options.level, *(seat.level for seat in state.seats if seat.level)}:
            services.executor.warm(level)
        self.owner = asyncio.get_running_loop().create_task(self._run())
        self.post(_nothing)

    # --- from outside -------------------------------------------------------------------------------

    def connect(self, guest: Guest, outbox: Outbox) -> Viewer:
        """A guest looks on from now on; an older connection of the same guest is closed."""
        connection = Viewer(guest, outbox)
        if self._closing:
            outbox.close("restart")  # by then it may have been loaded anew
            return connection
        older = self._guests.get(guest.id)
        if older is not None:
            self._forget(older)
            older.outbox.close("elsewhere")
        self._guests[guest.id] = connection
        return connection

    def disconnect(self, connection: Viewer) -> None:
        """The connection is gone; once more does nothing."""
        if self._guests.get(connection.guest.id) is connection:
            del self._guests[connection.guest.id]
            self.post(lambda: self._forget(connection))

    def receive(self, connection: Viewer, message: messages.Request) -> None:
        """Take a request; it is answered by and by, in turn."""
        if len(self._queue) >= MOST_WAITING:
            self._refuse(connection, message.id, TableError("table.busy").reason)
        else:
            self._put(connection, message)

    def post(self, call: Callable[[], None]) -> None:
        """Have the owner call this in turn, then do what is due."""
        self._put(None, call)

    def _put(self, connection: Viewer | None, wanted: Work) -> None:
        self._queue.append((connection, wanted, self.services.time.now()))
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def renamed(self, guest: Guest) -> None:
        """A guest has another name now."""
        connection = self._guests.get(guest.id)
        if connection is not None:
            connection.guest = guest
        if any(seat.guest == guest.id for seat in self.state.seats):
            self.post(lambda: self._rename(guest))

    def external_bot(self, authorization: str) -> Guest | None:
        """The bot from outside that has this token, if a seat of the table is lent to it."""
        key = key_of(authorization)
        for seat in self.state.seats:
            if key is not None and seat.guest == EXTERNAL_BOT_PREFIX + key:
                return Guest(EXTERNAL_BOT_PREFIX + key, seat.name)
        return None

    def is_here(self, guest: str | None) -> bool:
        """Whether this guest looks on."""
        return guest in self._guests

    async def lend(self, guest: str, seat: int, name: str) -> str:
        """Make a token for a seat, for a bot from outside; `TableError` says why not."""
        token = new_token(self.services.entropy)
        key = key_of(token)
        assert key is not None
        await self._done_by(lambda: self.write(lent(self.state, guest, seat, key, name)))
        return token

    async def recall(self, guest: str, seat: int) -> None:
        """A seat's token holds no longer; `TableError` says why not."""
        await self._done_by(lambda: self.write(recalled(self.state, guest, seat)))

    async def _done_by(self, do: Callable[[], None]) -> None:
        """Have the owner do this and keep it."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def attempt() -> None:
            try:
                do()
            except TableError as error:
                kept.set_exception(error)
                return
            self._show_out()
            number = self.state.number
            self.post(lambda: self._tell_kept(kept, number))

        if self._closing:
            raise TableError("table.busy")
        self.post(attempt)
        await kept

    def _tell_kept(self, kept: asyncio.Future[None], number: int) -> None:
        """Whoever waits for an entry is told; by now it has been kept, or has not happened."""
        if kept.cancelled():
            return
        if self.state.number >= number and not self._broken:
            kept.set_result(None)
        else:
            kept.set_exception(TableError("table.failed"))

    def _show_out(self) -> None:
        """Bots whose token holds no longer have to go."""
        lent_to = {seat.guest for seat in self.state.seats if seat.robot}
        for guest, connection in list(self._guests.items()):
            if guest.startswith(EXTERNAL_BOT_PREFIX) and guest not in lent_to:
                del self._guests[guest]
                self._forget(connection)
                connection.outbox.close("revoked")

    @property
    def idle(self) -> bool:
        """Whether nobody looks on and nothing is to come."""
        return not (self._guests or self._queue or self._batch or self._alarm)

    @property
    def busy(self) -> bool:
        """Whether the owner is at something, since `now`, or has ended."""
        return self._wake is None or self.owner.done()

    async def close(self, farewell: CloseReason = "restart") -> None:
        """Finish what has come, write down the clock, and say goodbye."""
        if not self._closing:
            self._closing = True
            self._put(None, _nothing)
        await asyncio.wait([self.owner])
        self.course.end()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        for connection in list(self._guests.values()):
            connection.outbox.close(farewell)
        self._guests.clear()
        self.connections.clear()

    # --- the owner ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        new_future = asyncio.get_running_loop().create_future
        while not (self._closing and not self._queue):
            if self._queue:
                await self._process(*self._queue.popleft())
                continue
            self._wake = new_future()
            await self._wake
            self._wake = None
        self.now = self.services.time.now()
        spent = self.course.spent()
        if spent and self.state.status == "playing" and not self._broken:
            self.course.clock_since = None
            self.write(log.Stopped(spent))
            await self._commit()

    async def _process(self, connection: Viewer | None, wanted: Work, came: float) -> None:
        """Do one thing that was wanted and all that follows from it, keep it, tell it."""
        self.now = self.last_used = self.services.time.now()
        asks, number = isinstance(wanted, _ASKS) and not self._broken, self.state.number
        refused = await self._attempt(connection, wanted, asks=asks)
        if asks and refused is None:
            return
        try:
            if isinstance(wanted, _OF_ALL) and refused is None and self.state.number == number + 1:
                self._answer_alone(connection, wanted)
            else:
                self._reply_and_broadcast(connection, wanted, refused, came)
        except Exception as error:  # noqa: BLE001 - who was told half of it comes again, and is told the whole
            await self._handle_error(wanted, error)
            self._arriving.clear()
            for viewer in list(self.connections):
                viewer.outbox.close("restart")
            self._set_alarm()

    async def _attempt(
        self, connection: Viewer | None, wanted: Work, *, asks: bool
    ) -> messages.Refused | None:
        """Do it and commit it, with what is due unless this only asks; if it cannot be, why."""
        try:
            if self._broken:
                await self._rebuild()
            if callable(wanted):
                wanted()
            elif connection is not None and not self._ask_or_join(connection, wanted):
                self._do(connection, wanted)
            if not asks and self.now >= self._hold_until:
                self.course.carry_on()
                if self.rematch_wanted:
                    self.write(log.Rematched(await self.services.rematch(self)))
                    self.rematch_wanted = False
            if self._batch:
                await self._commit()
        except (TableError, IllegalPlay, NotationError) as error:
            return None if callable(wanted) else refused(wanted.id, error)
        except StoreError as error:
            return await self._commit_failed(connection, wanted, error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the table
            return await self._handle_error(wanted, error)
        return None

    def _ask_or_join(self, connection: Viewer, message: messages.Request) -> bool:
        """Answer what changes nothing; False for all other requests."""
        if isinstance(message, messages.Join):
            self._arrive(connection, message)
        elif isinstance(message, messages.Ask):
            advice = advise(self.state, connection.player, message)
            think = advise_at_once if advice.light else self.services.executor.advise
            think(advice, lambda answer: self._advised(connection, message, answer))
        elif isinstance(message, messages.Ping):
            connection.send(encoded(messages.Pong(re=message.id)))
        else:
            return False
        return True

    def _do(self, connection: Viewer, message: messages.Request) -> None:
        """Do what a client wants, unless it was done before."""
        if not connection.joined:
            raise TableError("table.join")
        key = connection.guest.id, message.id
        if key in self.state.handled_messages:
            return
        self._signature = key
        try:
            self.requests.answer(connection, message)
        finally:
            self._signature = None

    def _reply_and_broadcast(
        self, connection: Viewer | None, wanted: Work, refused: messages.Refused | None, came: float
    ) -> None:
        """Tell everybody what has changed and the asker that it is done, and set the alarm."""
        self._tell_at = None
        answered: dict[Viewer, str] = {}
        if refused is not None and connection is not None:
            self.services.metrics.refused(refused.reason.code)
            connection.send(encoded(refused))
        elif connection is not None and not callable(wanted) and not isinstance(wanted, _ANSWERED):
            answered[connection] = wanted.id
        if not self._broken:
            self._tell_all(answered)
        if isinstance(wanted, messages.Play | messages.Say) and refused is None:
            self.services.metrics.move(self.services.time.now() - came)
        self._set_alarm()

    def _answer_alone(self, connection: Viewer | None, wanted: messages.Request) -> None:
        """Tell the asker that it is done, and the others what has changed before long."""
        assert connection is not None
        self.herald.answer(connection, wanted.id, self._presence(), self.now, self.undoable)
        if self._tell_at is None:
            self._tell_at = self.now + TOGETHER_S
        self._set_alarm()

    def _tell_all(self, answered: dict[Viewer, str]) -> None:
        self._announce(answered)
        said, self._said = self._said, []
        for message in said:
            self.tell(message)

    def _announce(self, answered: dict[Viewer, str]) -> None:
        presence = self._presence()
        if not answered and not self._arriving and self.herald.has_told(presence):
            return
        player = self.state.acting_player
        undoable = len(self.state.match.undoable) if self.state.match else 0
        others = any(connection.player != player for connection in self.connections)
        self._seen = undoable if others else min(self._seen, undoable)
        arriving, self._arriving = self._arriving, []
        new = {connection for connection, _ in arriving}
        viewers = [connection for connection in self.connections if connection not in new]
        if viewers:
            self.herald.announce(viewers, presence, self.now, self.undoable, answered)
        else:
            self.herald.catch_up(presence)
        for connection, message in arriving:
            connection.send(self.herald.sync(connection, message.id, message.last, self.now, self.undoable))

    def _set_alarm(self) -> None:
        due = self.course.due
        if self._hold_until > self.now:
            due = self._hold_until
        if self._tell_at is not None:
            due = self._tell_at if due is None else min(due, self._tell_at)
        if self._alarm is not None and (due is None or due != self._alarm_at):
            self._alarm.cancel()
            self._alarm = None
        if due is not None and self._alarm is None and not self._closing:
            self._alarm_at = due
            self._alarm = self.services.time.call_at(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self.post(_nothing)

    # --- the log ------------------------------------------------------------------------------------

    def write(self, line: log.LogEntry) -> None:
        """Take a line into the table; it is committed before anybody hears of it."""
        author, message = self._signature or (None, None)
        self._signature = None
        state = self.state
        entry = log.to_stored(state.number + 1, self.services.time.wall(), line, author, message)
        self._batch.append(entry)
        state.apply(entry, line)
        if isinstance(line, LISTED):
            self._lobby_changed = True
        if isinstance(line, _SEATS):
            self._recount()
        elif isinstance(line, log.ChatEntry):
            self._said.append(state.chat[-1])

    async def _commit(self) -> None:
        batch, self._batch = self._batch, []
        changed = self._lobby_changed or self.state.status != self._status
        fields = lobby_fields(self.state) if changed else {}
        await self.services.store.append(self.id, batch, **fields)
        self._lobby_changed, self._status = False, self.state.status

    async def _commit_failed(
        self, connection: Viewer | None, wanted: Work, error: StoreError
    ) -> messages.Refused | None:
        """What could not be kept has not happened.

        A client that repeats an old message brings about a conflict: that need not hold up the others.
        """
        if connection is None or error.code != "store.conflict":
            self._hold_until = self.now + BACK_OFF_S
        structlog.get_logger().error("table.not_kept", code=error.code)
        await self._try_to_rebuild()
        if connection is None or callable(wanted):
            return None
        if not self._broken and (connection.guest.id, wanted.id) in self.state.handled_messages:
            return None
        return messages.Refused(re=wanted.id, reason=TableError(error.code).reason)

    async def _handle_error(self, wanted: Work, error: Exception) -> messages.Refused | None:
        """A fault of ours: the table goes back to what its log says."""
        self._hold_until = self.now + BACK_OFF_S
        where = traceback.extract_tb(error.__traceback__)[-1]
        name = "" if callable(wanted) else type(wanted).__name__
        structlog.get_logger().error(
            "table.failed", wanted=name, error=type(error).__name__, where=f"{where.name}:{where.lineno}"
        )
        await self._try_to_rebuild()
        if callable(wanted):
            return None
        return messages.Refused(re=wanted.id, reason=TableError("table.failed").reason)

    async def _try_to_rebuild(self) -> None:
        try:
            await self._rebuild()
        except Exception:  # noqa: BLE001 - whatever keeps the log from being read
            self._broken = True  # what is in memory is not so: nobody is told of it

    async def _rebuild(self) -> None:
        """Be again what the log says."""
        self._batch = []
        self._said = []
        self._signature = None
        self._lobby_changed = False
        self.rematch_wanted = False
        entries = await self.services.store.entries(self.id)
        self.state = await asyncio.to_thread(TableState.fold, self.id, entries)
        self.herald.state = self.state
        self._broken = False
        self._recount()

    # --- who is here --------------------------------------------------------------------------------

    def _arrive(self, connection: Viewer, message: messages.Join) -> None:
        if self._guests.get(connection.guest.id) is not connection:
            return
        connection.joined = True
        self.connections[connection] = None
        self._arriving.append((connection, message))
        self._rename(connection.guest)
        self._recount()

    def _forget(self, connection: Viewer) -> None:
        if self.connections.pop(connection, _ABSENT) is None:
            connection.joined = False
            self._recount()

    def _recount(self) -> None:
        """Who of the players is here, and since when the others are away."""
        state = self.state
        for connection in self.connections:
            connection.player = state.player_of(connection.guest.id)
        here = frozenset(c.player for c in self.connections if c.player is not None)
        if here and not self.present and self.now - self._empty_since > SITTING_S:
            self.away = {}
        if self.present and not here:
            self._empty_since = self.now
        people = state.people()
        left = dict.fromkeys(self.present - here, self.now)
        self.away = {player: at for player, at in (left | self.away).items() if player in people}
        for player in here:
            self.away.pop(player, None)
        self.present = here
        self._absent = tuple(player for player in people if player not in here)
        self._watching = sum(connection.player is None for connection in self.connections)

    def _rename(self, guest: Guest) -> None:
        player = self.state.player_of(guest.id)
        if player is not None:
            self.state.set_name(player, guest.name)

    def _presence(self) -> Presence:
        course = self.course
        return Presence(
            here=self.present,
            watching=self._watching,
            bot_at=_moments(course.bot_at, self._absent),
            replace_at=_moments(course.replace_at, self._absent),
            clock_since=course.clock_since,
            claim_until=course.claim_until,
        )

    # --- for requests and course --------------------------------------------------------------------

    def begin(self) -> None:
        """Begin the match; empty seats get bots."""
        for line in begin_lines(self.state, self.services.entropy):
            self.write(line)

    def played(self, code: int, *, bot: bool = False) -> log.Played:
        """The line for a legal play, with the order of the stock that a draw makes anew."""
        spent = self.course.spent()
        state = self.state
        assert state.match is not None
        asked = state.match.decision
        assert isinstance(asked, PlayNeeded)
        deal = asked.state
        if code != DRAW or deal.stock:
            return log.Played(code, None, spent, bot)
        assert state.shuffle is not None
        count = len(state.deals[-1].stocks) + 1
        return log.Played(code, list(state.shuffle.restock(count, deal.pile[:-1])), spent, bot)

    def undoable(self, player: int | None) -> int:
        """How many plays this player may take back: none that showed others a card they did not know."""
        state = self.state
        if (
            player is None
            or state.match is None
            or state.status != "playing"
            or player != state.acting_player
            or player == state.timed_out
        ):
            return 0
        shown = state.match.undoable
        stands = max((at + 1 for at, hidden in enumerate(shown[: self._seen]) if hidden), default=0)
        return len(shown) - stands

    def tell(self, message: messages.Said) -> None:
        """Tell everybody here something that is not about the cards."""
        data = encoded(message)
        for connection in self.connections:
            connection.send(data)

    def _advised(
        self, connection: Viewer, message: messages.Ask, answer: messages.Answer | BaseException
    ) -> None:
        if isinstance(answer, BaseException):
            self._refuse(connection, message.id, TableError("table.failed").reason)
        else:
            connection.send(encoded(answer))

    def _refuse(self, connection: Viewer, re: str, why: messages.Reason) -> None:
        self.services.metrics.refused(why.code)
        connection.send(encoded(messages.Refused(re=re, reason=why)))


_ABSENT = object()
_ASKS = messages.Ask | messages.Ping
"""What changes nothing, whoever asks."""
_OF_ALL = messages.Seed | messages.Next
"""What all who play say at the same moment."""
_ANSWERED = messages.Join | _ASKS
"""What is answered by something else than an update."""


def _moments(at: Callable[[int], float | None], players: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """For which of these players there is such a moment, and when."""
    found = ((player, at(player)) for player in players)
    return tuple((player, moment) for player, moment in found if moment is not None) if players else ()


def _nothing() -> None:
    """Nothing is wanted but what is due."""
