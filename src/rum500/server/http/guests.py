"""Guests over HTTP: which guest sends a request, the guest's name, and signing out on other devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rum500.server.guests import CookieMaker, Names, Sessions
from rum500.server.http.catalogue import levels
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.guest_names import usual_name
from rum500.server.messages.http import Me, NewName, SignOut
from rum500.server.messages.options import DEFAULTS
from rum500.server.work_scheduler import Light

_NEW = Param("new", bool, "Whether a device whose guest was signed out gets a new guest; by default not.")


@dataclass(slots=True, eq=False)
class GuestHandlers:
    """Answers requests about the guest who sends them."""

    _tables: TableRegistry
    _cookies: CookieMaker
    _sessions: Sessions
    _names: Names
    _limits: Limits
    _disconnect: Callable[[str], None]
    _levels: Callable[[], list[str]] = levels

    @answers("GET", "/api/me", work=Light.ROWS, query=(_NEW,), refuses=(401, 422))
    async def me(self, asker: ApiRequest) -> Me:
        """Return the guest who sends the request. A request without a cookie creates a guest.

        Every answer sends the cookie again, so that it does not expire.
        """
        if asker.param(_NEW, "false"):
            asker.signed_out = False
        if asker.cookie is None and not asker.signed_out:
            self._limits.check("new_guests", asker.address)
            asker.cookie = self._cookies.new()
        return await self._with_cookie(asker)

    @answers("POST", "/api/me/sign-out", work=Light.ROWS, takes=SignOut, refuses=(401,))
    async def sign_out(self, asker: ApiRequest) -> Me:
        """Sign the guest out on all other devices: only the cookie of the answer is valid from now on.

        All the guest's connections to tables are closed; this device may connect again.
        """
        self._limits.check("sign_outs", asker.guest.id)
        asker.cookie = await self._sessions.sign_out_others(asker.guest)
        self._disconnect(asker.cookie.id)
        return await self._with_cookie(asker)

    async def _with_cookie(self, asker: ApiRequest) -> Me:
        asker.headers["set-cookie"] = self._cookies.header(asker.guest, secure=asker.secure)
        return await self._me(asker)

    @answers("PUT", "/api/me", work=Light.ROWS, takes=NewName, refuses=(401,))
    async def rename(self, asker: ApiRequest) -> Me:
        """Change the guest's name."""
        guest = asker.guest
        self._limits.check("names", guest.id)
        name = await self._names.give(guest.id, asker.body.name)
        self._tables.renamed(Guest(id=guest.id, name=name))
        return await self._me(asker)

    async def _me(self, asker: ApiRequest) -> Me:
        guest = asker.guest
        name = await self._names.of(guest.id)
        return Me(guest.id, name, name != usual_name(guest.id), guest.since, self._levels(), DEFAULTS.level)
