"""Codes for second devices, recovery words and former guests in the database."""

from __future__ import annotations

import msgspec
from sqlalchemy import Select, delete, insert, select, update

from rum500.store._store_part import StorePart, upsert
from rum500.store.errors import StoreError
from rum500.store.rows import DeviceCode, RecoveryWords
from rum500.store.schema import device_codes, former_guests, recovery_words
from rum500.store.writer import Statement

_CODE = device_codes.c
_NEW_CODE = upsert(device_codes)


class DeviceStore(StorePart):
    """Reads and writes how a guest comes to another device. Times are in milliseconds since 1970."""

    async def offer(self, code: DeviceCode, before: int) -> bool:
        """Store a new code in place of the guest's older codes and of all codes made before this time.

        Return whether no other guest has the same code.
        """
        older = delete(device_codes).where((_CODE.guest_id == code.guest_id) | (_CODE.at < before))
        await self._change(statements=[(older, None), (_NEW_CODE, msgspec.structs.asdict(code))])
        return await self.code_of(code.guest_id) is not None

    async def ask(self, code: str, after: int, asker: str, browser: str, phone: bool, words: str) -> bool:
        """Store which device gives a code that was made after this time.

        Return whether it was the first to do so, and is not the guest's own device. The device's earlier
        questions are removed.
        """
        asked = (
            update(device_codes)
            .where(_CODE.code == code, _CODE.at > after, _CODE.asker.is_(None), _CODE.guest_id != asker)
            .values(asker=asker, browser=browser, phone=phone, words=words)
        )
        older = delete(device_codes).where(_CODE.asker == asker, _CODE.code != code)
        return await self._changed(asked, (older, None))

    async def let_in(self, code: DeviceCode) -> None:
        """Store a code that a device has given and that is answered with yes already."""
        older = delete(device_codes).where(_CODE.asker == code.asker)
        await self._change(statements=[(older, None), (insert(device_codes), msgspec.structs.asdict(code))])

    async def answer(self, guest: str, words: str, after: int, *, yes: bool) -> bool:
        """Store the guest's answer to the device that shows these words; return whether it is the first."""
        asked = _CODE.guest_id == guest, _CODE.words == words, _CODE.answer.is_(None), _CODE.at > after
        return await self._changed(update(device_codes).where(*asked).values(answer=yes))

    async def take(self, code: DeviceCode) -> bool:
        """Remove a code that was answered with yes; return whether this was the first call."""
        return await self._changed(delete(device_codes).where(_CODE.code == code.code, _CODE.answer))

    async def code_of(self, guest: str) -> DeviceCode | None:
        """Return the guest's code; None if there is none."""
        return await self._code(select(device_codes).where(_CODE.guest_id == guest))

    async def asked_by(self, asker: str) -> DeviceCode | None:
        """Return the code that a device has given; None if there is none."""
        return await self._code(select(device_codes).where(_CODE.asker == asker))

    async def _code(self, wanted: Select[tuple[object, ...]]) -> DeviceCode | None:
        found = await self._rows(DeviceCode, device_codes, wanted.order_by(_CODE.at.desc()).limit(1))
        return found[0] if found else None

    async def save_words(self, words: RecoveryWords) -> None:
        """Store a guest's recovery words in place of the older ones."""
        older = delete(recovery_words).where(recovery_words.c.guest_id == words.guest_id)
        new = insert(recovery_words), msgspec.structs.asdict(words)
        await self._change(statements=[(older, None), new])

    async def with_words(self, hashed: str) -> RecoveryWords | None:
        """Return the recovery words with this hash; None if there are none."""
        return await self._words(select(recovery_words).where(recovery_words.c.hash == hashed))

    async def words_of(self, guest: str) -> RecoveryWords | None:
        """Return the guest's latest recovery words; None if there are none."""
        return await self._words(select(recovery_words).where(recovery_words.c.guest_id == guest))

    async def _words(self, wanted: Select[tuple[object, ...]]) -> RecoveryWords | None:
        wanted = wanted.order_by(recovery_words.c.at.desc()).limit(1)
        found = await self._rows(RecoveryWords, recovery_words, wanted)
        return found[0] if found else None

    async def former(self, guest: str) -> list[str]:
        """Return the guests that were merged into this one."""
        wanted = select(former_guests.c.former).where(former_guests.c.guest_id == guest)
        return [str(row[0]) for row in await self._read(wanted)]

    async def _changed(self, first: object, *others: Statement) -> bool:
        """Make these changes; return whether the first changed a row. If not, nothing is changed."""
        try:
            await self._change(statements=[(first, None), *others], must_match=True)
        except StoreError as error:
            if error.code != "store.missing":
                raise
            return False
        return True
