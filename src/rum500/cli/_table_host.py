"""Makes a table at a server, with a token for a bot at its first seat."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from rum500.bots import Bot
from rum500.cli._seat_player import JoinError, no_answer, reason_in, socket_of
from rum500.external_bots import EngineBot
from rum500.server import messages
from rum500.server.messages import SERVER_DECODER
from rum500.server.messages.field_types import PROTOCOL
from rum500.server.messages.guest_names import LONGEST_NAME, BadName, tidy_name

_PATIENCE_S = 30.0
"""The seconds after which a server that does not answer is given up."""


@dataclass(frozen=True, slots=True)
class HostedTable:
    """A table that was made for a bot."""

    url: str
    """The table's address, for people and for the bot."""
    token: str
    """The token of the bot's seat."""
    cookie: str
    """The cookie of the guest who made the table."""


@contextmanager
def hosted_table(server: str, bot: Bot, options: Mapping[str, Any]) -> Iterator[HostedTable]:
    """Make a table as a new guest, and yield it with a token for its first seat, which gets the bot's name.

    If anything fails in the `with` block, the table is abandoned. `options` are those of `POST /api/tables`.
    Raises `JoinError` if the server refuses, or does not answer, and `EngineError` for an engine that fails.
    """
    base, name = _base(server), seat_name(bot)
    _, cookie = _call(base, "GET", "/api/me")
    made, _ = _call(base, "POST", "/api/tables", cookie, options)
    url = f"{base}/t/{made['id']}"
    try:
        lent, _ = _call(base, "POST", f"/api/tables/{made['id']}/bots", cookie, {"seat": 0, "name": name})
        yield HostedTable(url, lent["token"], cookie)
    except BaseException:
        with suppress(JoinError):
            _give_up(HostedTable(url, "", cookie))
        raise


def seat_name(bot: Bot) -> str:
    """Return the bot's name in a form that a server accepts. An engine is started to ask its name."""
    if isinstance(bot, EngineBot):
        bot.begin()
    for name in (bot.name, re.sub(r"[^\w .+-]+", " ", bot.name)):
        with suppress(BadName):
            return tidy_name(name[:LONGEST_NAME])
    return "Bot"


def _give_up(table: HostedTable) -> None:
    """Take the bot's seat back, and propose to the other players to abandon the match."""
    base, _, name = table.url.rpartition("/t/")
    with suppress(JoinError):
        _call(base, "POST", f"/api/tables/{name}/bots/recall", table.cookie, {"seat": 0})
    with _connected(table) as socket:
        socket.send(_encode(messages.Vote(id="abandon", on="abandon")))
        while getattr(SERVER_DECODER.decode(socket.recv(_PATIENCE_S)), "re", None) != "abandon":
            pass


def begin_match(table: HostedTable) -> None:
    """Begin the match as soon as every seat is taken. Raises `JoinError` if that is impossible."""
    seats: Sequence[messages.SeatPlate] = ()
    asked = False
    with _connected(table) as socket:
        for data in socket:
            match SERVER_DECODER.decode(data):
                case messages.Refused(re="start", reason=reason):
                    raise JoinError(f"{table.url}: {reason.message}")
                case messages.Update(re="start"):
                    return
                case messages.Sync(shared=shared) | messages.Update(shared=shared):
                    known = getattr(shared, "seats", msgspec.UNSET)
                    seats = seats if known is msgspec.UNSET else known
            if seats and not asked and all(seat.kind != "empty" for seat in seats):
                asked = True
                socket.send(_encode(messages.Start(id="start")))
    raise JoinError(f"{table.url}: the server has closed the connection")


@contextmanager
def _connected(table: HostedTable) -> Iterator[ClientConnection]:
    """Connect to the table as its creator and yield the connection. Raises `JoinError` if that fails."""
    try:
        with connect(
            socket_of(table.url),
            origin=Origin(table.url.rpartition("/t/")[0]),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": table.cookie},
            compression=None,
            max_size=None,
        ) as socket:
            socket.send(_encode(messages.Join(id="join", last=0)))
            yield socket
    except (WebSocketException, OSError) as error:
        raise JoinError(f"{table.url}: {no_answer(error)}") from None


def _encode(message: messages.Request) -> str:
    return msgspec.json.encode(message).decode()


def _base(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise JoinError(f"{server}: is not a server's address; one looks like https://cards.example.org")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _origin(base: str) -> str:
    parts = urlsplit(base)
    return f"{parts.scheme}://{parts.netloc}"


def _call(base: str, method: str, path: str, cookie: str = "", body: object = None) -> tuple[Any, str]:
    """Send a request; return the answer's JSON, and the cookie that it sets or ""."""
    headers = {
        "Origin": _origin(base),
        "Content-Type": "application/json",
        **({"Cookie": cookie} if cookie else {}),
    }
    data = None if body is None else msgspec.json.encode(body)
    request = urllib.request.Request(base + path, data, headers, method=method)  # noqa: S310 - http or https, see _base
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as reply:  # noqa: S310
            found = str(reply.headers.get("Set-Cookie") or "").partition(";")[0]
            return msgspec.json.decode(reply.read()), found
    except urllib.error.HTTPError as error:
        raise JoinError(f"{base}: {reason_in(error.read())}") from None
    except urllib.error.URLError as error:
        raise JoinError(f"{base}: {no_answer(error.reason)}") from None
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise JoinError(f"{base}: {no_answer(error)}") from None
