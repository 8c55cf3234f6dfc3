"""What messengers show beside a link to the page: words for the page's head, and a picture.

A messenger's program runs no script, so the words are in the page that the server sends. They are those that
everybody sees who follows the link: the game, its number of players, the day. No player's name is among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from html import escape
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

from rum500.drawing.link_picture import LINK_HEIGHT, LINK_PNG, LINK_WIDTH
from rum500.puzzles.day_deal import DayDeal
from rum500.server.config import Config
from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.messages.day_deals import Day
from rum500.server.messages.http import TableId
from rum500.server.messages.table_error import TableError
from rum500.server.practice.day_book import CALENDAR_DAYS, SEED_BYTES, DayBook
from rum500.server.thinking.executor import BotExecutor
from rum500.server.work_scheduler import Work
from rum500.store import StoreError, TableStore

_USUAL = "en"
_FROM_THE_RIGHT = ("fa",)
_LATIN, _END = "\u2066", "\u2069"
_LANGUAGE = Param(
    "lang", Literal["de", "en", "es", "fa", "fr"], "The language of the words; by default English."
)
_CACHE = "public, max-age=3600"
_TABLE = Param("table", TableId, "The table's id; for a table that is unknown or over the picture is plain.")
_DAY = Param("day", Day, "The date of the deal; for a day without a deal the picture is plain.")


class LinkWords(Struct, frozen=True, kw_only=True):
    """The words of one language, with names of fields in braces; `link_words.toml` has them."""

    lobby: str
    lobby_picture: list[str]
    players: str
    table: str
    table_picture: str
    day: str
    day_about: str
    written_date: str
    months: list[str]
    digits: str = "0123456789"

    def number(self, number: int) -> str:
        """Return a number in the digits of the language."""
        return "".join(self.digits[int(digit)] for digit in str(number))

    def of_date(self, day: date) -> str:
        """Return a date as a reader of the language writes it."""
        month = self.months[day.month - 1]
        return self.written_date.format(day=self.number(day.day), month=month, year=self.number(day.year))


@dataclass(frozen=True, slots=True)
class LinkText:
    """The words beside a link."""

    title: str
    about: str
    lines: tuple[str, ...]
    """The lines in the picture, where there is less room."""
    picture: str
    """The path of the picture."""
    language: str


def words_of(language: str) -> LinkWords:
    """Return the words of a language; those of English if it has none."""
    found = _words()
    return found.get(language, found[_USUAL])


@cache
def _words() -> dict[str, LinkWords]:
    text = resources.files(__package__).joinpath("link_words.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=dict[str, LinkWords])


class LinkPictures:
    """The handlers of the requests for pictures, and the words in the head of the page."""

    def __init__(self, config: Config, store: TableStore, book: DayBook, executor: BotExecutor) -> None:
        self._config = config
        self._store = store
        self._book = book
        self._executor = executor

    @answers("GET", "/api/link.png", work=Work.EXPORT, media="image/png", query=(_LANGUAGE,), refuses=(422,))
    async def link_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside a link to the lobby: 1200 by 630 pixels."""
        return await self._png(asker, _lobby(asker.param(_LANGUAGE, _USUAL)))

    @answers(
        "GET",
        "/api/tables/{table}/link.png",
        work=Work.EXPORT,
        media="image/png",
        params=(_TABLE,),
        query=(_LANGUAGE,),
        refuses=(422,),
    )
    async def table_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside an invitation to a table."""
        return await self._png(asker, await self._table(asker.param(_TABLE), asker.param(_LANGUAGE, _USUAL)))

    @answers(
        "GET",
        "/api/day-deals/{day}/link.png",
        work=Work.EXPORT,
        media="image/png",
        params=(_DAY,),
        query=(_LANGUAGE,),
        refuses=(422,),
    )
    async def day_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside a link to a deal of the day."""
        return await self._png(asker, self._day(asker.param(_DAY), asker.param(_LANGUAGE, _USUAL)))

    async def _png(self, asker: ApiRequest, text: LinkText) -> bytes:
        """Draw a picture in a process, because that takes long; the scheduler caches it."""
        asker.headers["cache-control"] = _CACHE
        parts = LINK_PNG, text.title, "\n".join(text.lines), text.language in _FROM_THE_RIGHT
        return await self._executor.call(Work.EXPORT, asker.who, *parts, key=parts)

    async def head(self, path: str, site: str, language: str) -> bytes:
        """Return the tags for the head of the page at this path; empty for pages without a picture.

        `site` is the address of the server as the request has it, which a configured one replaces.
        `language` is that of the link, empty without one.
        """
        view, _, rest = path.partition("/")
        if view == "t":
            text = await self._table(rest.partition("/")[0], language)
        elif view == "day":
            text = self._day(rest, language)
        elif path == "":
            text = _lobby(language)
        else:
            return b""
        base = self._config.public_url[0] if self._config.public_url else site
        tags = {
            "og:site_name": "rum500",
            "og:type": "website",
            "og:title": text.title,
            "og:description": text.about,
            "og:url": f"{base}/{path}",
            "og:image": f"{base}{text.picture}",
            "og:image:type": "image/png",
            "og:image:width": str(LINK_WIDTH),
            "og:image:height": str(LINK_HEIGHT),
            "og:image:alt": ", ".join((text.title, *text.lines)),
            "twitter:card": "summary_large_image",
        }
        lines = (f'\n<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items())
        return "".join(lines).encode()

    async def _table(self, table: str, language: str) -> LinkText:
        try:
            row = await self._store.table(table)
        except StoreError:
            row = None
        if row is None or row.status in ("over", "abandoned"):
            return _lobby(language)
        words = words_of(language)
        players = words.number(row.players)
        return _text(
            language,
            _game(row.title, language),
            words.table.format(players=players),
            (words.players.format(players=players), words.table_picture),
            f"/api/tables/{row.id}/link.png",
        )

    def _day(self, text: str, language: str) -> LinkText:
        try:
            deal = DayDeal(self._book.day(text), bytes(SEED_BYTES))  # neither game nor number needs the seed
        except TableError:
            return _lobby(language)
        if (self._book.today - deal.day).days >= CALENDAR_DAYS:
            return _lobby(language)  # so that there are few pictures
        words = words_of(language)
        day, players = words.of_date(deal.day), words.number(deal.players)
        game = _game(deal.rules.title, language)
        return _text(
            language,
            words.day.format(number=words.number(deal.number)),
            words.day_about.format(date=day, game=game, players=players),
            (day, game, words.players.format(players=players)),
            f"/api/day-deals/{deal.day.isoformat()}/link.png",
        )


def _game(title: str, language: str) -> str:
    """Return a game's title, whose parts stay in their order in languages that are written from the right."""
    return f"{_LATIN}{title}{_END}" if language in _FROM_THE_RIGHT else title


def _lobby(language: str) -> LinkText:
    words = words_of(language)
    return _text(language, "rum500", words.lobby, tuple(words.lobby_picture), "/api/link.png")


def _text(language: str, title: str, about: str, lines: tuple[str, ...], picture: str) -> LinkText:
    known = language if language in _words() else _USUAL
    return LinkText(title, about, lines, picture if known == _USUAL else f"{picture}?lang={known}", known)
