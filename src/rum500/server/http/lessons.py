"""Lessons over HTTP: the list, and tables on which they are played."""

from __future__ import annotations

from functools import cache

from rum500.puzzles.lesson import Lesson, lesson, lessons
from rum500.rules.action_codes import code_of
from rum500.rules.notation import parse_play
from rum500.server.config import Config
from rum500.server.guests import Names
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.limits import Limits
from rum500.server.live.log.table_options import Guest
from rum500.server.live.table_registry import TableRegistry
from rum500.server.messages.http import NewTableId
from rum500.server.messages.lessons import LessonInfo, LessonName, LessonStart, LessonStep
from rum500.server.messages.review import ReviewPlay
from rum500.server.messages.table_error import TableError
from rum500.server.messages.verdicts import play_shown
from rum500.server.work_scheduler import Work

_LESSON = Param("lesson", LessonName, "The name of the lesson.")


class LessonHandlers:
    """The handlers of the requests for lessons."""

    def __init__(self, config: Config, tables: TableRegistry, names: Names, limits: Limits) -> None:
        self._config = config
        self._tables = tables
        self._names = names
        self._limits = limits

    @answers("GET", "/api/lessons", work=Work.READ)
    async def list_lessons(self, asker: ApiRequest) -> list[LessonInfo]:
        """List all lessons, in the order in which they are best learned."""
        return await self._tables.work.in_thread(Work.READ, asker.who, lesson_list)

    @answers(
        "POST",
        "/api/lessons/{lesson}",
        work=Work.READ,
        takes=LessonStart,
        params=(_LESSON,),
        status=201,
        refuses=(401, 404, 409),
    )
    async def begin_lesson(self, asker: ApiRequest) -> NewTableId:
        """Create a table at which the guest plays a lesson. Its result is not counted."""
        guest, start = asker.guest, asker.body
        made_by = self._tables.made_by
        self._limits.check_new_table(guest.id, asker.address, made_by(guest.id), made_by(asker.address))
        who = Guest(id=guest.id, name=await self._names.of(guest.id))
        try:
            wanted = lesson(asker.path["lesson"])
            made = await self._tables.begin_lesson(
                wanted, start.step, who, bot_pause_ms=self._config.bot_pause_ms, address=asker.address
            )
        except (KeyError, ValueError):
            raise TableError("lesson.unknown") from None
        return NewTableId(made)


@cache
def lesson_list() -> list[LessonInfo]:
    """Return all lessons, in the order in which they are best learned."""
    return [
        LessonInfo(
            one.name,
            one.rules.name,
            one.players,
            [LessonStep(step.say, _shown(one, at)) for at, step in enumerate(one.steps)],
            one.figures.best,
            one.figures.other,
            one.figures.points,
        )
        for one in lessons()
    ]


def _shown(one: Lesson, at: int) -> ReviewPlay | None:
    """Return the play of step `at`, counted from 0; None if the step only explains."""
    text = one.steps[at].play
    if text is None:
        return None
    state, _ = one.played_until(at)
    code = code_of(parse_play(text, state))
    return play_shown(state, code, doubled=bool(state.core.doubled(code)))
