"""Sends push messages to the browsers of guests for whom a table waits while they are not viewing it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from rum500.server.live.finished.match_results import TableStanding
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.time_source import Alarm, TimeSource
from rum500.server.logs import log, shown
from rum500.server.push.push_sender import Outcome
from rum500.server.push.quiet_hours import quiet_until
from rum500.store import BrowserRow, NoticeRow, Store, StoreError

GRACE_S = 5.0
"""The seconds that a table waits before a message is sent; a page that is only reloaded returns earlier."""
KNOWING_S = 600.0
"""How many seconds a table must have waited for a guest who has seen that it waits, and left."""
_NUDGED_MS = 1_000
"""The milliseconds from a nudge to its message: by then the store has forgotten the previous message."""
MOST_QUEUED = 1_000
"""The largest number of messages that are prepared or sent at a time; others are tried again later."""
WORKERS = 4
"""The number of messages that are prepared at the same time."""
RETRIES_S = (60, 600, 3_600, 14_400)
"""The seconds until a message that no push service accepted is tried again, for each attempt."""
_SENT = 0
_encode = msgspec.json.Encoder().encode


class Notice(Struct):
    """The content of a message. It names no card, because locked phones show it."""

    table: str
    """The table's id."""
    game: str
    """The name of the game's rule set."""
    title: str
    """The title of the game, in English."""
    players: list[str]
    """The names of the other players at the table."""
    language: str
    """The language in which the browser showed the page."""
    waiting: int
    """The number of tables, with this one, about which the guest got a message and which are still unseen."""


@dataclass(slots=True)
class _Pending:
    due: int
    """When the message has to be sent, in milliseconds since 1970; `_SENT` afterwards."""
    stored: bool = False
    queued: bool = False
    failures: int = 0


_Key = tuple[str, str]
"""A guest and a table."""
Standing = Callable[[str], Awaitable[TableStanding]]
"""The function that returns the standing of an unfinished table."""
Send = Callable[[BrowserRow, bytes], Awaitable[Outcome]]


class TurnNotices:
    """Sends a guest one message about each table that waits for the guest, who is not viewing the table.

    The next message about a table is sent only after the guest has viewed the table, or after a nudge.
    """

    def __init__(self, store: Store, time: TimeSource, send: Send) -> None:
        """Set the parts. Call `open` next."""
        self._store = store
        # If servers share the store, only the store knows what was sent: any of them may have sent it.
        self._shared = store.shared
        self._time = time
        self._send = send
        self._pending: dict[str, dict[str, _Pending]] = {}
        """The messages that are due or were sent, by table and guest."""
        self._preparing = asyncio.Semaphore(WORKERS)
        self._standing: Standing
        self._alarm: Alarm | None = None
        self._alarm_at = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._removals: set[asyncio.Task[None]] = set()

    async def open(self, standing: Standing) -> None:
        """Read which messages are due or were sent, and begin to send. Raises `StoreError`."""
        self._standing = standing
        for row in await self._store.notices.all():
            if row.due != _SENT or not self._shared:
                self._pending.setdefault(row.table_id, {})[row.guest_id] = _Pending(row.due, stored=True)
        self._ring()

    async def close(self) -> None:
        """Stop sending. Messages that are due stay stored, and are sent after the next start."""
        if self._alarm is not None:
            self._alarm.cancel()
        for task in (*self._workers, *self._removals):
            task.cancel()
        await asyncio.gather(*self._workers, *self._removals, return_exceptions=True)

    @property
    def idle(self) -> bool:
        """Whether nothing is being sent or removed."""
        return not self._removals and not any(each.queued for _, each in self._all())

    def _all(self) -> Iterator[tuple[_Key, _Pending]]:
        for table, guests in self._pending.items():
            for guest, pending in guests.items():
                yield (guest, table), pending

    def _of(self, key: _Key) -> _Pending | None:
        guest, table = key
        return self._pending.get(table, {}).get(guest)

    # --- from the tables --------------------------------------------------------------------------------

    def waits_for(self, table: str, guests: Collection[str], knowing: Collection[str]) -> None:
        """Replace the set of guests for whom a table waits while they are not viewing the table.

        Those in `knowing` have viewed the table since it began to wait for them.
        """
        known = self._pending.get(table, {})
        for guest in [each for each, pending in known.items() if pending.due != _SENT]:
            if guest not in guests:
                self._forget((guest, table))
        for guest in guests:
            if guest not in self._pending.setdefault(table, {}):
                patience = KNOWING_S if guest in knowing else GRACE_S
                due = self._time.wall() + round(patience * 1000)
                self._pending[table][guest] = _Pending(due)
                self._wake_at(due)

    def viewed(self, table: str, guest: str) -> None:
        """Record that a guest views a table. Drop the due message; the next wait causes a new one."""
        self._forget((guest, table), sent=self._shared)

    def nudged(self, table: str, guest: str) -> None:
        """Send a guest a message soon, even if a message was sent since the guest viewed the table."""
        self._forget((guest, table), sent=self._shared)
        due = self._time.wall() + _NUDGED_MS
        self._pending.setdefault(table, {})[guest] = _Pending(due)
        self._wake_at(due)

    def _forget(self, key: _Key, *, sent: bool = False) -> None:
        """Drop a message; with `sent`, also remove the store's record that the message was sent."""
        guest, table = key
        guests = self._pending.get(table, {})
        pending = guests.pop(guest, None)
        if not guests:
            self._pending.pop(table, None)
        if sent or (pending is not None and pending.stored):
            task = asyncio.create_task(self._remove(key))
            self._removals.add(task)
            task.add_done_callback(self._removals.discard)

    async def _remove(self, key: _Key) -> None:
        try:
            await self._store.notices.remove(*key)
        except StoreError as error:
            log().warning("store.failed", error=error)

    # --- due notices ------------------------------------------------------------------------------------

    def _wake_at(self, due: int) -> None:
        """Set the alarm to the time `due`, in ms since 1970, unless the alarm rings earlier."""
        if self._alarm is not None:
            if self._alarm_at <= due:
                return
            self._alarm.cancel()
        self._alarm_at = due
        left = max(0, due - self._time.wall()) / 1000
        self._alarm = self._time.call_at(self._time.now() + left, self._ring)

    def _ring(self) -> None:
        """Queue the messages that are due."""
        self._alarm = None
        now = self._time.wall()
        for key, pending in self._all():
            if pending.due and pending.due <= now and not pending.queued:
                if len(self._workers) >= MOST_QUEUED:
                    pending.due = now + RETRIES_S[0] * 1000
                else:
                    pending.queued = True
                    task = asyncio.create_task(self._work(key, pending))
                    self._workers.add(task)
                    task.add_done_callback(self._workers.discard)
        later = [each.due for _, each in self._all() if each.due and not each.queued]
        if later:
            self._wake_at(min(later))

    async def _work(self, key: _Key, pending: _Pending) -> None:
        """Prepare and send one message. At most `WORKERS` messages are prepared at the same time."""
        try:
            async with self._preparing:
                prepared = await self._prepare(key, pending) if self._of(key) is pending else None
            if prepared is not None:
                await self._deliver(key, pending, *prepared)
        except (StoreError, LogError) as error:
            log().warning("push.failed", table=shown(key[1]), error=error)
            self._forget(key)
        except Exception as error:  # noqa: BLE001 - one message must not end the others
            log().error("push.failed", table=shown(key[1]), error=error)
            self._forget(key)
        pending.queued = False
        if pending.due:
            self._wake_at(pending.due)

    async def _prepare(self, key: _Key, pending: _Pending) -> tuple[list[BrowserRow], list[bytes]] | None:
        """Return the guest's browsers that get a message now, and their messages; None if no browser does."""
        guest, table = key
        browsers = await self._store.notices.browsers(guest)
        row = await self._store.table(table)
        if not browsers or row is None or guest not in (standing := await self._standing(table)).waits_for:
            self._forget(key)
            return None
        now = self._time.wall()
        ends = [quiet_until(now, each.zone, each.quiet_from, each.quiet_to) for each in browsers]
        awake = [browser for browser, end in zip(browsers, ends, strict=True) if end is None]
        if not awake:
            await self._keep(key, pending, min(end for end in ends if end is not None))
            return None
        if self._of(key) is not pending:
            return None  # the guest has viewed the table in the meantime
        if not await self._store.claim_notice(guest, table):
            self._drop(key)
            return None
        others = zip(standing.seats, standing.names, strict=True)
        notice = Notice(
            table=table,
            game=row.profile,
            title=row.title,
            players=[name for seated, name in others if seated != guest],
            language="",
            waiting=await self._waiting(guest),
        )
        messages = [_encode(msgspec.structs.replace(notice, language=browser.language)) for browser in awake]
        return awake, messages

    async def _deliver(
        self, key: _Key, pending: _Pending, awake: list[BrowserRow], messages: list[bytes]
    ) -> None:
        """Send each browser in `awake` its message; try again later if no push service accepts one."""
        outcomes = await asyncio.gather(*map(self._send, awake, messages))
        for browser, outcome in zip(awake, outcomes, strict=True):
            if outcome == "gone":
                await self._store.notices.remove_browser(browser.endpoint)
        if "sent" in outcomes and self._shared:
            self._drop(key)
        elif "sent" in outcomes:
            await self._keep(key, pending, _SENT)
        elif "failed" in outcomes and pending.failures < len(RETRIES_S):
            pending.failures += 1
            await self._keep(key, pending, self._time.wall() + RETRIES_S[pending.failures - 1] * 1000)
        else:
            self._forget(key, sent=self._shared)

    async def _waiting(self, guest: str) -> int:
        """Return about how many unviewed tables the guest got a message, including the present message."""
        if self._shared:
            return max(1, await self._store.notices.sent(guest))
        return 1 + sum(who == guest and each.due == _SENT for (who, _), each in self._all())

    def _drop(self, key: _Key) -> None:
        """Drop a sent message from memory; the store records that it was sent."""
        guest, table = key
        self._pending.get(table, {}).pop(guest, None)
        if not self._pending.get(table, True):
            del self._pending[table]

    async def _keep(self, key: _Key, pending: _Pending, due: int) -> None:
        """Store when a message is due (`_SENT`: it was sent), unless the guest has viewed the table since."""
        if self._of(key) is pending:
            pending.due, pending.stored = due, True
            await self._store.notices.save(NoticeRow(*key, due))
