"""How a guest comes to another device: by a code that the first device shows, or by six recovery words."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable

from rum500.server.guests import Cookie, Names, Sessions, now_ms
from rum500.server.live.guest_seats import MOST, UNFINISHED, leave_all, merge_all_seats
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.devices import DeviceBrowser, DeviceState
from rum500.server.messages.table_error import TableError
from rum500.server.two_words import two_words
from rum500.server.word_list import random_words, typed_words
from rum500.server.work_scheduler import Asker, Work
from rum500.store import DeviceCode, RecoveryWords, Store

CODE_MS = 5 * 60_000
"""How long a code works, and how long the guest may answer."""
TAKE_MS = 2 * CODE_MS
"""How long after the making of its code a device may become the guest's."""
WORDS = 6
"""The number of recovery words."""
SeatsChanged = Callable[[str, str | None, list[str]], Awaitable[None]]
"""Called with a former guest, the guest of whom it is now a part (None after a deletion), and tables."""
_DIGITS = 10_000
_BYTES = 16


class Devices:
    """Makes and checks codes and recovery words, merges guests and deletes them.

    The store has keyed hashes only. A hash of recovery words is slow to compute too, so that words cannot be
    found from a copy of the database and the key. All servers of a database have the same key.
    """

    def __init__(
        self,
        store: Store,
        key: bytes,
        tables: TableRegistry,
        sessions: Sessions,
        names: Names,
        disconnect: Callable[[str], None],
        wall: Callable[[], int] = now_ms,
        seats_changed: SeatsChanged | None = None,
    ) -> None:
        """Set the parts; `disconnect` closes a guest's connections, `wall` returns ms since 1970.

        `seats_changed` is for tables that another server owns.
        """
        self._store = store
        self._key = hmac.digest(key, b"rum500.devices", "sha256")
        self._tables = tables
        self._sessions = sessions
        self._names = names
        self._disconnect = disconnect
        self._wall = wall
        self._seats_changed = seats_changed

    # --- the device that the guest has ---------------------------------------------------------------

    async def new_code(self, guest: Cookie) -> str:
        """Return a new code for another device; the guest's older codes are void."""
        now = self._wall()
        while True:
            (word,) = random_words(1)
            code = f"{word} {secrets.randbelow(_DIGITS):04}"
            row = DeviceCode(code=self._hash(code), guest_id=guest.id, since=guest.since, at=now)
            if await self._store.devices.offer(row, now - TAKE_MS):
                return code

    async def code(self, guest: str) -> tuple[DeviceCode | None, DeviceState, int]:
        """Return the guest's code with its state and the seconds for which it works."""
        return self._with_state(await self._store.devices.code_of(guest))

    async def answer(self, guest: str, words: str, *, yes: bool) -> None:
        """Let the device that shows these words in, or refuse it. Raises `TableError` if none asks."""
        after = self._wall() - CODE_MS
        if not await self._store.devices.answer(guest, words, after, yes=yes):
            raise TableError("device.no_question")

    # --- the new device ------------------------------------------------------------------------------

    async def ask(self, asker: str, typed: str, browser: DeviceBrowser, phone: bool) -> None:
        """Ask the guest of a code to let this device in. Raises `TableError` if the code is not known."""
        code = self._hash(" ".join(typed_words(typed)))
        words = two_words(secrets.token_bytes)
        after = self._wall() - CODE_MS
        if not await self._store.devices.ask(code, after, asker, browser, phone, words):
            raise TableError("device.code")

    async def question(self, asker: str) -> tuple[DeviceCode | None, DeviceState, int]:
        """Return the code that this device has given, with its state and the seconds that are left."""
        return self._with_state(await self._store.devices.asked_by(asker))

    async def take(self, asker: Cookie, who: Asker, *, merge: bool) -> Cookie:
        """Return the cookie with which this device is the guest's that has let it in.

        With `merge`, everything of the device's former guest becomes that guest's. Raises `TableError` if
        nobody has let the device in.
        """
        row, state, _ = await self.question(asker.id)
        if row is None or state != "yes" or not await self._store.devices.take(row):
            raise TableError("device.no_yes")
        if merge:
            await self._merge(asker.id, row.guest_id, who)
        return await self._sessions.cookie_for(row.guest_id, row.since)

    def _with_state(self, row: DeviceCode | None) -> tuple[DeviceCode | None, DeviceState, int]:
        if row is None:
            return None, "none", 0
        left = (row.at + (TAKE_MS if row.answer else CODE_MS) - self._wall()) // 1000
        if left <= 0:
            return row, "expired", 0
        if row.answer is not None:
            return row, "yes" if row.answer else "no", left
        return row, "open" if row.asker is None else "asked", left

    # --- recovery words ------------------------------------------------------------------------------

    async def new_words(self, guest: Cookie, who: Asker) -> list[str]:
        """Return new recovery words of a guest; older ones are void."""
        words = random_words(WORDS)
        row = RecoveryWords(
            hash=await self._slow_hash(words, who), guest_id=guest.id, since=guest.since, at=self._wall()
        )
        await self._store.devices.save_words(row)
        return words

    async def recover(self, asker: str, typed: str, who: Asker) -> None:
        """Let this device in if the words are a guest's recovery words. Raises `TableError` if not."""
        words = typed_words(typed)
        found = await self._store.devices.with_words(await self._slow_hash(words, who))
        if found is None or found.guest_id == asker:
            raise TableError("device.words")
        await self._store.devices.let_in(
            DeviceCode(
                code=secrets.token_urlsafe(_BYTES),
                guest_id=found.guest_id,
                since=found.since,
                at=self._wall(),
                asker=asker,
                answer=True,
            )
        )

    async def _slow_hash(self, words: list[str], who: Asker) -> str:
        """Return the hash of recovery words, computed within the guest's and the address's shares."""
        text = " ".join(words).encode()
        return await self._tables.work.in_thread(
            Work.READ,
            who,
            lambda: hashlib.scrypt(text, salt=self._key, n=2**14, r=8, p=1, dklen=32).hex(),
        )

    def _hash(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()

    # --- two guests become one; a guest goes --------------------------------------------------------

    async def _merge(self, former: str, guest: str, who: Asker) -> None:
        await self._tables.save_results(former, who)
        elsewhere = await merge_all_seats(self._tables, await self._unfinished(former), former, guest)
        at = self._wall() + 1
        await self._store.guest_data.merge(former, guest, at)
        self._end(former, at)
        if self._seats_changed is not None:
            await self._seats_changed(former, guest, elsewhere)

    async def delete_all(self, guest: str) -> None:
        """Remove everything of a guest, and the tables at which no other person sat."""
        elsewhere = await leave_all(self._tables, await self._unfinished(guest), guest)
        alone = await self._store.guest_data.tables_alone(guest)
        at = self._wall() + 1
        await self._store.guest_data.delete(guest, at)
        self._end(guest, at)
        for table in alone:
            await self._store.guest_data.delete_table(table)
        if self._seats_changed is not None:
            await self._seats_changed(guest, None, [table for table in elsewhere if table not in alone])

    async def _unfinished(self, guest: str) -> list[str]:
        return [row.id for row in await self._store.tables(guest=guest, status=UNFINISHED, limit=MOST)]

    def _end(self, guest: str, at: int) -> None:
        """End all cookies and connections of a guest."""
        self._sessions.end(guest, at)
        self._names.forget(guest)
        self._disconnect(guest)
