"""Games over HTTP: the list of games, their rules, and the house rules and variations to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from rum500.rules.sentences import Sentence
from rum500.server.http.catalogue import profile_list, rule_choices, rule_sentences
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.messages.field_types import Deals, Players, ProfileName, Target
from rum500.server.messages.http import Profile, RuleChoice
from rum500.server.work_scheduler import Light

_PROFILE = Param("profile", ProfileName, "A game, by name or alias.")
_HOUSE = Param(
    "house", Annotated[str, Meta(pattern=r"^(H[1-6](,H[1-6])*)?$")], "House rules, separated by commas."
)
_VARIATIONS = Param(
    "variations", Annotated[str, Meta(pattern=r"^([a-z0-9,-]{0,100})$")], "Variations, separated by commas."
)
_TARGET = Param("target", Target, "The points to reach.")
_DEALS = Param("deals", Deals, "The number of deals, or the most deals.")
_PLAYERS = Param("players", Players, "The number of players.")


def _chosen(asker: ApiRequest) -> list[str]:
    """Return the house rules and variations in the query."""
    named = [asker.param(param, "") for param in (_HOUSE, _VARIATIONS)]
    return [name for names in named for name in names.split(",") if name]


class GameHandlers:
    """Answers requests about games."""

    @answers("GET", "/api/profiles", work=Light.CONSTANT)
    async def profiles(self, _asker: ApiRequest) -> Sequence[Profile]:
        """List the games of the family."""
        return profile_list()

    @answers(
        "GET",
        "/api/rules/{profile}",
        work=Light.CONSTANT,
        params=(_PROFILE,),
        query=(_HOUSE, _VARIATIONS, _PLAYERS, _TARGET, _DEALS),
        refuses=(404, 422),
    )
    async def rules(self, asker: ApiRequest) -> list[Sentence]:
        """List the rules of a game."""
        return rule_sentences(
            asker.path["profile"],
            _chosen(asker),
            *(asker.param(param) for param in (_PLAYERS, _TARGET, _DEALS)),
        )

    @answers(
        "GET",
        "/api/choices/{profile}",
        work=Light.CONSTANT,
        params=(_PROFILE,),
        query=(_HOUSE, _VARIATIONS, _PLAYERS),
        refuses=(404, 422),
    )
    async def choices(self, asker: ApiRequest) -> list[RuleChoice]:
        """List the house rules and variations that can be added to a game.

        Each has the reason, if any, why it does not fit those in the query.
        """
        return rule_choices(asker.path["profile"], _chosen(asker), asker.param(_PLAYERS))
