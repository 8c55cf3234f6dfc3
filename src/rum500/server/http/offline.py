"""What the page needs without a network: one file, which the browser fetches after the first visit."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import Any
from urllib.parse import urlencode

import msgspec

from rum500.rules.sentences import Sentence
from rum500.server.http.catalogue import profile_list, rule_choices, rule_sentences
from rum500.server.http.endpoint import ApiRequest, answers
from rum500.server.http.lessons import lesson_list
from rum500.server.messages.field_types import countdown_schema
from rum500.server.messages.http import Profile, RuleChoice
from rum500.server.messages.lessons import LessonInfo
from rum500.server.messages.puzzles import OfflinePuzzle
from rum500.server.practice.puzzle_book import PuzzleBook
from rum500.server.work_scheduler import Work, WorkScheduler

PATH = "/api/offline"
_TYPES = (Sequence[Profile], list[Sentence], list[RuleChoice], list[LessonInfo], OfflinePuzzle)


class OfflineData(msgspec.Struct):
    """The server's answers that a page uses while it has no network."""

    format: str
    """As `data_format` returns it."""
    day: str
    """The day in UTC of the puzzle of the day, such as `2026-11-24`."""
    answers: dict[str, msgspec.Raw]
    """By path, with the query in the order in which the page writes it."""


class OfflineHandlers:
    """Answers requests for what the page needs without a network."""

    def __init__(self, book: PuzzleBook, work: WorkScheduler) -> None:
        self._book = book
        self._work = work

    @answers("GET", "/api/puzzles/daily/answers", work=Work.READ, refuses=(404,))
    async def daily_with_answers(self, asker: ApiRequest) -> OfflinePuzzle:
        """Return the puzzle of the day with its answers, for a page that loses its network."""
        now = datetime.now(UTC)
        return await self._work.in_thread(Work.READ, asker.who, lambda: self._book.daily_with_answers(now))

    @answers("GET", PATH, work=Work.READ, media="application/gzip")
    async def offline_data(self, asker: ApiRequest) -> bytes:
        """Return what the page needs without a network, as JSON compressed by gzip.

        The fields are `format`, `day`, and `answers` by path. Nothing in it belongs to a guest.
        """
        now = datetime.now(UTC)
        # The key makes it once a day for all guests, also when several wait for it.
        return await self._work.in_thread(
            Work.READ, asker.who, lambda: _packed(self._book, now), key=(PATH, now.date())
        )


@cache
def data_format() -> str:
    """Return a digest of the types of all answers: a page cannot read answers of another format."""
    _, parts = msgspec.json.schema_components(_TYPES, schema_hook=countdown_schema)
    text = msgspec.json.encode(_without_descriptions(parts), order="deterministic")
    return blake2b(text, digest_size=6).hexdigest()


def _without_descriptions(part: Any) -> Any:
    """Return a schema without docstrings, which are missing if Python runs with `-OO`."""
    if isinstance(part, dict):
        return {
            key: _without_descriptions(value)
            for key, value in part.items()
            if not (key == "description" and isinstance(value, str))
        }
    return [_without_descriptions(each) for each in part] if isinstance(part, list | tuple) else part


def _packed(book: PuzzleBook, now: datetime) -> bytes:
    found = dict(_answers(book.daily_with_answers(now)))
    encoded = {path: msgspec.Raw(msgspec.json.encode(answer)) for path, answer in found.items()}
    data = OfflineData(data_format(), now.date().isoformat(), encoded)
    return gzip.compress(msgspec.json.encode(data), mtime=0)


def _answers(puzzle: OfflinePuzzle) -> Iterator[tuple[str, object]]:
    """Yield pairs (path, answer). Games have rules for each number of players and with each single choice."""
    yield "/api/profiles", profile_list()
    yield "/api/lessons", lesson_list()
    yield "/api/puzzles/daily/answers", puzzle
    for game in profile_list():
        yield from _rules(game.name)
        for players in game.players:
            yield from _rules(game.name, players=players)
        for choice in rule_choices(game.name, (), None):
            if choice.refused is None:
                yield from _rules(game.name, choice)


def _rules(
    profile: str, choice: RuleChoice | None = None, players: int | None = None
) -> Iterator[tuple[str, object]]:
    query: dict[str, object] = {}
    if choice is not None:
        query["house" if choice.kind == "house" else "variations"] = choice.id
    if players is not None:
        query["players"] = players
    chosen = () if choice is None else (choice.id,)
    end = f"{profile}?{urlencode(query)}" if query else profile
    yield f"/api/rules/{end}", rule_sentences(profile, chosen, players)
    yield f"/api/choices/{end}", rule_choices(profile, chosen, players)
