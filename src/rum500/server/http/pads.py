"""Score sheets that others watch over HTTP: one device writes, everybody with the link reads.

A sheet's id is a hash of the writer's token, so no server needs to store the token.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from hashlib import blake2b

from rum500.server.guests import now_ms
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.messages.pads import PadEnd, PadId, PadSheet, PadWriter, WatchedPad
from rum500.server.work_scheduler import Light
from rum500.store import Store

KEPT_MS = 86_400_000
"""How long a sheet can be watched after its last change."""
MOST_PADS = 10_000
"""The most sheets of a server; beyond this number, the one that was changed least recently is removed."""
_ID_BYTES = 16
_PAD = Param("pad", PadId, "The sheet's id; anyone who knows it may watch the sheet.")


class PadHandlers:
    """The handlers of the requests of those who write and watch score sheets."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits

    @answers("POST", "/api/pads", work=Light.ROWS, takes=PadSheet, refuses=(422,))
    async def write(self, asker: ApiRequest) -> PadWriter:
        """Keep a score sheet for a day, so that others can watch it.

        Without a token it is a new sheet. The token in the response is needed to change it.
        """
        self._limits.check("pads", asker.address)
        token = asker.body.token or _text(secrets.token_bytes(_ID_BYTES))
        now = now_ms()
        await self._store.pads.save(_id_of(token), asker.body.sheet, now, now - KEPT_MS, MOST_PADS)
        return PadWriter(_id_of(token), token)

    @answers("POST", "/api/pads/end", work=Light.ROWS, takes=PadEnd, refuses=(422,))
    async def end(self, asker: ApiRequest) -> PadEnd:
        """Remove a score sheet, so that nobody can watch it any more."""
        self._limits.check("pads", asker.address)
        await self._store.pads.remove(_id_of(asker.body.token))
        return PadEnd(asker.body.token)

    @answers("GET", "/api/pads/{pad}", work=Light.ROWS, params=(_PAD,), refuses=(422,))
    async def watch(self, asker: ApiRequest) -> WatchedPad:
        """Return a score sheet as it was last written."""
        return WatchedPad(await self._store.pads.sheet(asker.param(_PAD), now_ms() - KEPT_MS))


def _id_of(token: str) -> str:
    return _text(blake2b(token.encode(), digest_size=_ID_BYTES, person=b"rum500.pad").digest())


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
