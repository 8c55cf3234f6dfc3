"""Mistakes over HTTP: positions of the guest's reviewed matches, repeated until they are learned."""

from __future__ import annotations

from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.messages import PositionAdvice
from rum500.server.messages.mistakes import (
    MistakeAnswer,
    MistakeAsked,
    MistakeHint,
    MistakeName,
    MistakeResult,
    MistakesToday,
    Zone,
)
from rum500.server.practice.advisor import Advisor
from rum500.server.practice.mistakes import Mistakes
from rum500.server.work_scheduler import Light, Work

_ZONE = Param("zone", Zone, "The name of the browser's time zone; by default UTC.")


class MistakeHandlers:
    """The handlers of the requests for the guest's mistakes."""

    def __init__(self, mistakes: Mistakes, advisor: Advisor, limits: Limits) -> None:
        self._mistakes = mistakes
        self._advisor = advisor
        self._limits = limits

    @answers("GET", "/api/mistakes", work=Work.PRACTICE, query=(_ZONE,), refuses=(401, 409, 422))
    async def mistakes_today(self, asker: ApiRequest) -> MistakesToday:
        """Return how many of the guest's mistakes are due today, and the next one."""
        zone = asker.param(_ZONE, "UTC")
        return await self._mistakes.today(self._guest(asker), zone, asker.who)

    @answers("POST", "/api/mistakes/ask", work=Work.ADVICE, takes=MistakeAsked, refuses=(401, 409))
    async def ask_mistake(self, asker: ApiRequest) -> PositionAdvice:
        """Return what the rules allow in the position of a mistake, but not which play is best."""
        self._limits.check("questions", asker.address)
        view = await self._mistakes.view(asker.guest.id, asker.body)
        return await self._advisor.advice(view, asker.body.question, asker.who)

    @answers("POST", "/api/mistakes/hint", work=Light.ROWS, takes=MistakeName, refuses=(401, 409))
    async def mistake_hint(self, asker: ApiRequest) -> MistakeHint:
        """Return a hint. A right answer after it counts as hard."""
        return await self._mistakes.hint(self._guest(asker), asker.body)

    @answers("POST", "/api/mistakes/answer", work=Work.PRACTICE, takes=MistakeAnswer, refuses=(401, 409))
    async def answer_mistake(self, asker: ApiRequest) -> MistakeResult:
        """Judge the guest's new play, and return when the mistake is due again."""
        return await self._mistakes.answer(self._guest(asker), asker.body, asker.who)

    def _guest(self, asker: ApiRequest) -> str:
        self._limits.check("practice", asker.guest.id)
        return asker.guest.id
