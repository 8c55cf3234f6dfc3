"""Drills over HTTP: ten short questions of one kind, made from deals of bots."""

from __future__ import annotations

import msgspec

from rum500.server.http.endpoint import ApiError, ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.messages import PositionAdvice
from rum500.server.messages.drills import (
    DrillAnswer,
    DrillAsked,
    DrillPlace,
    DrillQuestion,
    DrillResult,
)
from rum500.server.practice.advisor import Advisor
from rum500.server.practice.drills import Drills
from rum500.server.work_scheduler import Work

_FIELDS = {field.name: field.type for field in msgspec.structs.fields(DrillPlace)}
_PLACE = (
    Param("kind", _FIELDS["kind"], "What the drill is about."),
    Param("profile", _FIELDS["profile"], "The name of the game's profile."),
    Param("players", _FIELDS["players"], "The number of players."),
    Param("seed", _FIELDS["seed"], "The seed of the drill's deals; any number."),
    Param("number", _FIELDS["number"], "The number of the question, from 1."),
)


class DrillHandlers:
    """The handlers of the requests for drills."""

    def __init__(self, drills: Drills, advisor: Advisor, limits: Limits) -> None:
        self._drills = drills
        self._advisor = advisor
        self._limits = limits

    @answers(
        "GET",
        "/api/drills/{kind}/{profile}/{players}/{seed}/{number}",
        work=Work.PRACTICE,
        params=_PLACE,
        refuses=(401, 404, 409, 422),
    )
    async def drill_question(self, asker: ApiRequest) -> DrillQuestion:
        """Return a question of a drill; the same seed gives the same questions."""
        try:
            place = msgspec.convert(asker.path, DrillPlace, strict=False)
        except msgspec.ValidationError as error:
            raise ApiError(422, "request.invalid", str(error)) from None
        self._limits.check("practice", asker.guest.id)
        return await self._drills.question(place, asker.who)

    @answers("POST", "/api/drills/ask", work=Work.ADVICE, takes=DrillAsked, refuses=(401, 404, 409))
    async def ask_drill(self, asker: ApiRequest) -> PositionAdvice:
        """Return what the rules allow in the position of a question, but not which play is best."""
        asked = asker.body
        place = DrillPlace(asked.kind, asked.profile, asked.players, asked.seed, asked.number)
        self._limits.check("questions", asker.address)
        return await self._advisor.advice(
            await self._drills.view(place, asker.who), asked.question, asker.who
        )

    @answers("POST", "/api/drills/answer", work=Work.PRACTICE, takes=DrillAnswer, refuses=(401, 404, 409))
    async def answer_drill(self, asker: ApiRequest) -> DrillResult:
        """Return the score of an answer."""
        self._limits.check("practice", asker.guest.id)
        return await self._drills.answer(asker.body, asker.who)
