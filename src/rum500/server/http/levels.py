"""The levels of bots in a game, and the next opponent for the guest, over HTTP."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.rules.profiles import profile_rules
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.field_types import Players, ProfileName
from rum500.server.messages.http import LevelList
from rum500.server.practice.next_opponent import PlaysHere, always, levels_for
from rum500.server.work_scheduler import Work
from rum500.store import TableStore

_PROFILE = Param("profile", ProfileName, "A game, by name or alias.")
_PLAYERS = Param("players", Players, "The number of players; by default the fewest.")


@dataclass(slots=True, eq=False)
class LevelHandlers:
    """Answers requests about the levels of bots."""

    _store: TableStore
    _tables: TableRegistry
    _plays_here: PlaysHere = always

    @answers(
        "GET",
        "/api/levels/{profile}",
        work=Work.READ,
        params=(_PROFILE,),
        query=(_PLAYERS,),
        refuses=(404, 422),
    )
    async def level_list(self, asker: ApiRequest) -> LevelList:
        """List the levels of bots in a game, and propose the guest's next opponent."""
        rules = profile_rules(asker.path["profile"])
        players = asker.param(_PLAYERS) or rules.players[0]
        rules.check_players(players)
        if asker.known is not None:
            await self._tables.save_results(asker.known, asker.who)
        return await levels_for(asker.known, self._store, rules, players, self._plays_here)
