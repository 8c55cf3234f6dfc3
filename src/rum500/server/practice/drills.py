"""Drills: questions made from a seed, and the scores of answers. Worker processes compute both."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import astuple

from rum500.puzzles.drills import QUESTIONS
from rum500.rules.profiles import profile_rules
from rum500.server.messages.drills import DrillAnswer, DrillPlace, DrillQuestion, DrillResult
from rum500.server.messages.table_error import TableError
from rum500.server.practice.positions import play_chosen, seat_position
from rum500.server.practice.work import MadeQuestion, read_question, read_result
from rum500.server.work_scheduler import Asker
from rum500.view import View


class Practice(Protocol):
    """Does the work of drills."""

    async def practise(self, who: Asker, function: str, *parts: object) -> bytes:
        """Return the result of a function of `server.practice.work`. Raises `TableError` if it fails."""


class Drills:
    """The drills of a server. It stores nothing about guests."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice

    async def question(self, place: DrillPlace, who: Asker) -> DrillQuestion:
        """Return a question. Raises `RulesetError` for a game that does not allow this number of players."""
        made = await self._question(place, who)
        return DrillQuestion(
            place=place,
            of=QUESTIONS,
            position=None if made.position is None else seat_position(made.position.view()),
            count=made.count,
            who=made.who,
        )

    async def view(self, place: DrillPlace, who: Asker) -> View:
        """Return the position of a question. Raises `TableError` if the question has none."""
        made = await self._question(place, who)
        if made.position is None:
            raise TableError("drill.answer")
        return made.position.view()

    async def answer(self, given: DrillAnswer, who: Asker) -> DrillResult:
        """Return the score of an answer.

        Raises `TableError` if the answer does not fit the question, `NotationError` or `IllegalPlay` for an
        impossible play.
        """
        place = DrillPlace(given.kind, given.profile, given.players, given.seed, given.number)
        made, play = await self._question(place, who), 0
        if made.who is not None:
            if len(given.weights) != len(made.who.holders):
                raise TableError("drill.answer")
        elif made.position is not None:
            play = play_chosen(made.position.view(), given.play)
        found = await self._practice.practise(
            who, "answer", *astuple(place), play, given.points, given.weights
        )
        return read_result(found)

    async def _question(self, place: DrillPlace, who: Asker) -> MadeQuestion:
        key = astuple(place)
        profile_rules(place.profile).check_players(place.players)
        return read_question(await self._practice.practise(who, "question", *key))
