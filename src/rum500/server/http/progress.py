"""The guest's progress over HTTP."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.http.replays import TABLE
from rum500.server.limits import Limits
from rum500.server.messages.field_types import Players, ProfileName
from rum500.server.messages.progress import Progress, TableDeeds
from rum500.server.practice.progress_book import ProgressBook
from rum500.server.work_scheduler import Work

_PROFILE = Param("profile", ProfileName, "The game to show; by default the one that was played most.")
_PLAYERS = Param("players", Players, "The number of players; by default the one that was played most.")


@dataclass(slots=True, eq=False)
class ProgressHandlers:
    """Answers requests about a guest's progress."""

    _book: ProgressBook
    _limits: Limits

    @answers("GET", "/api/progress", work=Work.READ, query=(_PROFILE, _PLAYERS), refuses=(401, 404, 422))
    async def progress(self, asker: ApiRequest) -> Progress:
        """Return points a deal, the stairs of levels, and deeds, from all ended matches of the guest."""
        self._limits.check("practice", asker.address)
        return await self._book.shown(asker.guest.id, asker.who, asker.param(_PROFILE), asker.param(_PLAYERS))

    @answers("GET", "/api/tables/{table}/deeds", work=Work.READ, params=(TABLE,), refuses=(401, 422))
    async def table_deeds(self, asker: ApiRequest) -> TableDeeds:
        """List the deeds that the guest did for the first time in an ended match."""
        self._limits.check("replays", asker.address)
        return TableDeeds(await self._book.deeds_at(asker.guest.id, asker.param(TABLE), asker.who))
