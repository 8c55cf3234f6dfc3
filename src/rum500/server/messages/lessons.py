"""The types of lessons over HTTP: fixed deals in which the guest makes the plays of a plan."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500.server.messages.review import ReviewPlay

LessonName = Annotated[str, Meta(pattern="^[a-z]{1,20}$")]
"""The name of a lesson."""


class LessonStep(Struct):
    """A step of a lesson."""

    say: str
    """The name of its sentence."""
    play: ReviewPlay | None
    """The guest's play; None if the step only explains."""


class LessonInfo(Struct):
    """A lesson: its steps, and how much better the taught play is than another one."""

    name: LessonName
    profile: str
    """The name of the game's profile."""
    players: int
    steps: list[LessonStep]
    best: int
    """The percentage of deals in which the lesson's plan works after the taught play."""
    other: int
    """The percentage after the play that it is compared with."""
    points: int
    """By how many points a deal the taught play is better than the other one."""


class LessonStart(Struct, forbid_unknown_fields=True):
    """The step at which a lesson begins."""

    step: Annotated[int, Meta(ge=0, le=99)] = 0
    """The index of the step; the steps before it are already played."""
