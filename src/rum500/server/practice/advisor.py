"""Answers questions about what the rules allow in positions, in the processes that advise at tables."""

from __future__ import annotations

import asyncio

from rum500.server.messages import Answer, PositionAdvice
from rum500.server.messages.positions import PositionQuestion
from rum500.server.practice.positions import advice_shown, position_advice
from rum500.server.thinking.executor import BotExecutor, advise_inline
from rum500.server.work_scheduler import Asker
from rum500.view import View


class Advisor:
    """Answers questions about what the rules allow in positions."""

    def __init__(self, executor: BotExecutor) -> None:
        """Use the executor of the tables."""
        self.executor = executor

    async def advice(self, view: View, question: PositionQuestion, who: Asker) -> PositionAdvice:
        """Return what the rules allow the deciding seat to do.

        Raises `TableError` for cards that the seat does not hold, and `Busy`.
        """
        advice = position_advice(view, question)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def done(found: Answer | BaseException) -> None:
            if answer.done():
                return
            if isinstance(found, BaseException):
                answer.set_exception(found)
            else:
                answer.set_result(found)

        think = advise_inline if advice.light else self.executor.advise
        pending = think(advice, done, who)
        try:
            return advice_shown(await answer)
        finally:
            pending.cancel()
