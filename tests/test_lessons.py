"""Lessons: legal plays that are no mistakes, measured figures, and real tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rum500.puzzles.lesson import Lesson, lesson, lessons, measured
from rum500.review.judge import Judge
from rum500.review.verdict import BUDGETS, Mark
from rum500.rules.action_codes import code_of
from rum500.rules.notation import parse_play
from rum500.server.live.log.table_options import Guest
from tests.support.depth import depth
from tests.support.live import Room, at_tables
from tests.support.serving import Running
from tests.test_live_tables import done

MESSAGES = Path(__file__).parent.parent / "web" / "messages"
ALL = pytest.mark.parametrize("name", [one.name for one in lessons()])


def code_at(one: Lesson, step: int) -> int | None:
    """The code of a step's play."""
    text = one.steps[step].play
    return None if text is None else code_of(parse_play(text, one.played_until(step)[0]))


@ALL
def test_each_play_of_a_lesson_is_legal_in_its_position(name: str) -> None:
    one = lesson(name)
    for step, now in enumerate(one.steps):
        state, plays = one.played_until(step)
        if now.play is not None:
            assert state.actor == 0
            assert code_at(one, step) in state.legal_ints()
        assert one.played_until(step + 1)[1][: len(plays)] == plays


@pytest.mark.compiled
@ALL
def test_no_play_of_a_lesson_is_a_mistake_by_the_review(name: str) -> None:
    one, judge = lesson(name), Judge(BUDGETS[depth("quick", "usual")])
    for step in range(len(one.steps)):
        code = code_at(one, step)
        verdict = None if code is None else judge.judge(one.played_until(step)[0].view(0), code, 1, step + 1)
        assert verdict is None or verdict.mark in (Mark.GOOD, Mark.DECIDED), (one.steps[step], verdict)


@pytest.mark.compiled
@ALL
def test_the_figures_of_a_lesson_are_those_that_are_measured(name: str) -> None:
    one = lesson(name)
    assert measured(one) == one.figures
    again = measured(one, seed=2)
    assert abs(again.best - one.figures.best) <= 5
    assert abs(again.points - one.figures.points) <= 5


@pytest.mark.parametrize("locale", ["en", "de", "es", "fr", "fa"])
def test_each_step_has_its_sentence_in_each_language(locale: str) -> None:
    texts: dict[str, Any] = json.loads((MESSAGES / locale / "lessons.json").read_text())
    says = set(texts["lessons_say"][0]["match"])
    for one in lessons():
        for step in one.steps:
            others = "lesson=*, say=*" if step.say == "last" else f"lesson=*, say={step.say}"
            assert says & {f"lesson={one.name}, say={step.say}", others}, (one.name, step)


@ALL
@at_tables
async def test_a_lesson_is_played_at_a_table_that_counts_for_nothing(room: Room, name: str) -> None:
    one = lesson(name)
    made = await room.tables.begin_lesson(one, 0, Guest("ann", "Ann"), bot_pause_ms=0)
    ann = await room.join(made, "Ann")
    assert ann.shared["hand_sizes"][0] == len(one.played_until(0)[0].hands[0])
    for step, now in enumerate(one.steps):
        if now.play is None:
            continue
        state = ann.table.log.state
        assert state.match is not None
        assert state.match.state == one.played_until(step)[0]
        done(await ann.say(now.play))
        while not ann.may and ann.shared["waiting_for"] == "play":
            await room.pass_time(1)
    assert await room.store.results.of_guest("ann") == []
    assert made not in {row.id for row in await room.store.tables(guest="ann")}
    assert ann.table.log.state.options.level == one.level


@at_tables
async def test_a_lesson_begins_at_any_step(room: Room) -> None:
    one = lessons()[0]
    last = max(at for at, step in enumerate(one.steps) if step.play)
    made = await room.tables.begin_lesson(one, last, Guest("ann", "Ann"), bot_pause_ms=0)
    ann = await room.join(made, "Ann")
    state = ann.table.log.state
    assert state.match is not None
    assert state.match.state == one.played_until(last)[0]
    assert state.tried is not None
    assert state.tried.lesson == one.name


def test_lessons_over_http(tmp_path: Path) -> None:
    with Running(tmp_path) as running, running.guest("Ada") as ada:
        listed = ada.http.get("/api/lessons").json()
        assert [each["name"] for each in listed] == [one.name for one in lessons()]
        for each, one in zip(listed, lessons(), strict=True):
            texts = [step["play"] and step["play"]["text"] for step in each["steps"]]
            assert texts == [step.play for step in one.steps]
        name = listed[0]["name"]
        assert ada.http.post(f"/api/lessons/{name}", json={}).status_code == 201
        assert ada.http.post(f"/api/lessons/{name}", json={"step": 99}).status_code == 404
        refused = ada.http.post("/api/lessons/unknown", json={})
        assert (refused.status_code, refused.json()["code"]) == (404, "lesson.unknown")


def test_a_step_that_does_not_exist_is_named() -> None:
    one = lessons()[0]
    with pytest.raises(ValueError, match=f"has {len(one.steps)} steps, so there is no step 50"):
        one.played_until(50)
