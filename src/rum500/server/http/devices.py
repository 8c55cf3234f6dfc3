"""A guest's devices, recovery words and data over HTTP."""

from __future__ import annotations

import base64
import io
import zipfile
from dataclasses import dataclass
from urllib.parse import quote

import msgspec

from rum500.server.config import Config
from rum500.server.cookies import Cookies
from rum500.server.devices import CODE_MS, Devices
from rum500.server.guests import Names
from rum500.server.http.endpoint import ApiRequest, answers
from rum500.server.http.history import MISTAKES, HistoryHandlers
from rum500.server.http.qr_code import qr_code
from rum500.server.limits import Limits
from rum500.server.messages.devices import (
    CodeAnswer,
    CodeGiven,
    CodeStatus,
    DeleteAll,
    Deleted,
    DeviceCodeMade,
    ExportAsked,
    NewCode,
    NewWords,
    Question,
    TakeDevice,
    Taken,
    WordsGiven,
    WordsMade,
    WordsStatus,
)
from rum500.server.work_scheduler import Light, Work
from rum500.store import Store

_SETTINGS = "settings.json"
_GUEST = "guest.json"


@dataclass(slots=True, eq=False)
class DeviceHandlers:
    """Answers requests about the sender's devices, recovery words and data."""

    _config: Config
    _store: Store
    _devices: Devices
    _cookies: Cookies
    _names: Names
    _limits: Limits
    _history: HistoryHandlers

    # --- the device that the guest has ---------------------------------------------------------------

    @answers("POST", "/api/me/device", work=Light.ROWS, takes=NewCode, refuses=(401,))
    async def new_code(self, asker: ApiRequest) -> DeviceCodeMade:
        """Make a code for another device. It works once and for five minutes; older codes are void."""
        self._limits.check("device_codes", asker.guest.id)
        code = await self._devices.new_code(asker.guest)
        base = self._config.public_url[0] if self._config.public_url else asker.site
        link = f"{base}/here#{quote(code.replace(' ', '-'))}"
        picture = base64.b64encode(qr_code(link)).decode("ascii")
        return DeviceCodeMade(code, link, f"data:image/svg+xml;base64,{picture}", CODE_MS // 1000)

    @answers("GET", "/api/me/device", work=Light.ROWS, refuses=(401,))
    async def code(self, asker: ApiRequest) -> CodeStatus:
        """Return what has become of the guest's code."""
        return await self._code(asker.guest.id)

    async def _code(self, guest: str) -> CodeStatus:
        row, state, seconds = await self._devices.code(guest)
        if row is None:
            return CodeStatus(state)
        return msgspec.convert(
            {
                "state": state,
                "words": row.words,
                "browser": row.browser,
                "phone": row.phone,
                "seconds": seconds,
            },
            CodeStatus,
        )

    @answers("POST", "/api/me/device/answer", work=Light.ROWS, takes=CodeAnswer, refuses=(401, 409))
    async def answer_device(self, asker: ApiRequest) -> CodeStatus:
        """Let the device that shows the two words in, or refuse it. The first answer counts."""
        body: CodeAnswer = asker.body
        await self._devices.answer(asker.guest.id, body.words, yes=body.yes)
        return await self._code(asker.guest.id)

    # --- the new device ------------------------------------------------------------------------------

    @answers("POST", "/api/device", work=Light.ROWS, takes=CodeGiven, refuses=(401, 404))
    async def ask(self, asker: ApiRequest) -> Question:
        """Give the code of another device, whose guest is then asked to let this device in."""
        body: CodeGiven = asker.body
        self._limits.check("device_tries", asker.address)
        await self._devices.ask(asker.guest.id, body.code, body.browser, body.phone)
        return await self._question(asker)

    @answers("POST", "/api/device/words", work=Work.READ, takes=WordsGiven, refuses=(401, 404))
    async def recover(self, asker: ApiRequest) -> Question:
        """Give the recovery words of a guest, who then lets this device in without a question."""
        self._limits.check("device_tries", asker.address)
        await self._devices.recover(asker.guest.id, asker.body.words, asker.who)
        return await self._question(asker)

    @answers("GET", "/api/device", work=Light.ROWS, refuses=(401,))
    async def question(self, asker: ApiRequest) -> Question:
        """Return what has become of this device's question."""
        return await self._question(asker)

    async def _question(self, asker: ApiRequest) -> Question:
        guest = asker.guest.id
        row, state, seconds = await self._devices.question(guest)
        if row is None:
            return Question(state)
        if state != "yes":
            return Question(state, row.words, seconds=seconds)
        name = await self._names.of(row.guest_id)
        return Question(state, row.words, name, await self._store.guest_data.has_any(guest), seconds)

    @answers("POST", "/api/device/take", work=Work.READ, takes=TakeDevice, refuses=(401, 409))
    async def take(self, asker: ApiRequest) -> Taken:
        """Become the guest who has let this device in. The answer sets that guest's cookie.

        With `merge`, everything of this device's former guest belongs to that guest from now on.
        """
        cookie = await self._devices.take(asker.guest, asker.who, merge=asker.body.own == "merge")
        asker.headers["set-cookie"] = self._cookies.header(cookie, secure=asker.secure)
        return Taken(cookie.id, await self._names.of(cookie.id))

    # --- recovery words ------------------------------------------------------------------------------

    @answers("POST", "/api/me/words", work=Work.READ, takes=NewWords, refuses=(401,))
    async def new_words(self, asker: ApiRequest) -> WordsMade:
        """Make six recovery words. They are sent once; older words are void."""
        self._limits.check("device_codes", asker.guest.id)
        return WordsMade(await self._devices.new_words(asker.guest, asker.who))

    @answers("GET", "/api/me/words", work=Light.ROWS, refuses=(401,))
    async def words(self, asker: ApiRequest) -> WordsStatus:
        """Return whether the guest has recovery words."""
        guest = asker.guest.id
        found = await self._store.devices.words_of(guest)
        return WordsStatus(None if found is None else found.at, await self._store.results.count(guest))

    # --- all data ------------------------------------------------------------------------------------

    @answers(
        "POST",
        "/api/me/data.zip",
        work=Work.EXPORT,
        takes=ExportAsked,
        media="application/zip",
        refuses=(401,),
    )
    async def export(self, asker: ApiRequest) -> bytes:
        """Return all data of the guest as a ZIP file: the history as in `/api/history.zip`, and all other
        rows that the database has of the guest.
        """
        guest = asker.guest
        files = {
            f"{name.replace('_', '-')}.json": rows
            for name, rows in (await self._store.guest_data.export(guest.id)).items()
            if rows
        }
        row = await self._store.guest(guest.id)
        own = {"name": await self._names.of(guest.id), "since": guest.since, "speed": row and row.speed}
        out = io.BytesIO(await self._history.history_zip(asker))
        files.pop(MISTAKES, None)  # the history has them with their positions
        asker.headers["content-disposition"] = 'attachment; filename="rum500-data.zip"'
        with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as file:
            for name, content in {**files, _GUEST: own}.items():
                file.writestr(name, msgspec.json.format(msgspec.json.encode(content)))
            file.writestr(_SETTINGS, asker.body.settings)
        return out.getvalue()

    @answers("POST", "/api/me/delete", work=Work.EXPORT, takes=DeleteAll, refuses=(401,))
    async def delete(self, asker: ApiRequest) -> Deleted:
        """Delete everything of the guest, on all devices. The answer removes the cookie.

        Tables at which other people sat stay, with the names that they showed.
        """
        self._limits.check("device_codes", asker.guest.id)
        await self._devices.delete_all(asker.guest.id)
        asker.headers["set-cookie"] = self._cookies.expired()
        return Deleted()
