"""What messengers show beside a link to the page: words for the page's head, and a picture.

A messenger's program runs no script, so the words are in the page that the server sends. They are those that
everybody sees who follows the link: the game, its number of players, the day. No player's name is among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

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

_CACHE = "public, max-age=3600"
_TABLE = Param("table", TableId, "The table's id; for a table that is unknown or over the picture is plain.")
_DAY = Param("day", Day, "The date of the deal; for a day without a deal the picture is plain.")


@dataclass(frozen=True, slots=True)
class LinkText:
    """The words beside a link."""

    title: str = "rum500"
    about: str = "500 Rum, Persian Rummy and their family: play bots at once, or friends by a link."
    lines: tuple[str, ...] = ("500 Rum, Persian Rummy", "and their family")
    """The lines in the picture, where there is less room."""
    picture: str = "/api/link.png"
    """The path of the picture."""


class LinkPictures:
    """The handlers of the requests for pictures, and the words in the head of the page."""

    def __init__(self, config: Config, store: TableStore, book: DayBook, executor: BotExecutor) -> None:
        self._config = config
        self._store = store
        self._book = book
        self._executor = executor

    @answers("GET", "/api/link.png", work=Work.EXPORT, media="image/png")
    async def link_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside a link to the lobby: 1200 by 630 pixels."""
        return await self._png(asker, LinkText())

    @answers(
        "GET",
        "/api/tables/{table}/link.png",
        work=Work.EXPORT,
        media="image/png",
        params=(_TABLE,),
        refuses=(422,),
    )
    async def table_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside an invitation to a table."""
        return await self._png(asker, await self._table(asker.param(_TABLE)))

    @answers(
        "GET",
        "/api/day-deals/{day}/link.png",
        work=Work.EXPORT,
        media="image/png",
        params=(_DAY,),
        refuses=(422,),
    )
    async def day_picture(self, asker: ApiRequest) -> bytes:
        """Return the picture beside a link to a deal of the day."""
        return await self._png(asker, self._day(asker.param(_DAY)))

    async def _png(self, asker: ApiRequest, text: LinkText) -> bytes:
        """Draw a picture in a process, because that takes long; the scheduler caches it."""
        asker.headers["cache-control"] = _CACHE
        parts = LINK_PNG, text.title, "\n".join(text.lines)
        return await self._executor.call(Work.EXPORT, asker.who, *parts, key=parts)

    async def head(self, path: str, site: str) -> bytes:
        """Return the tags for the head of the page at this path; empty for pages without a picture.

        `site` is the address of the server as the request has it, which a configured one replaces.
        """
        view, _, rest = path.partition("/")
        if view == "t":
            text = await self._table(rest.partition("/")[0])
        elif view == "day":
            text = self._day(rest)
        elif path == "":
            text = LinkText()
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

    async def _table(self, table: str) -> LinkText:
        try:
            row = await self._store.table(table)
        except StoreError:
            row = None
        if row is None or row.status in ("over", "abandoned"):
            return LinkText()
        return LinkText(
            row.title,
            f"{row.players} players. Open the link to sit down or watch. Nobody needs an account.",
            (f"{row.players} players", "Sit down, or watch"),
            f"/api/tables/{row.id}/link.png",
        )

    def _day(self, text: str) -> LinkText:
        try:
            deal = DayDeal(self._book.day(text), bytes(SEED_BYTES))  # neither game nor number needs the seed
        except TableError:
            return LinkText()
        if (self._book.today - deal.day).days >= CALENDAR_DAYS:
            return LinkText()  # so that there are few pictures
        day, game = f"{deal.day.day} {deal.day:%B %Y}", f"{deal.rules.title}, {deal.players} players"
        return LinkText(
            f"Deal of the day {deal.number}",
            f"{day}. {game}: everybody gets the same cards, and one attempt.",
            (day, game),
            f"/api/day-deals/{deal.day.isoformat()}/link.png",
        )
