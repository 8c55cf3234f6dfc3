"""A new table at a server, with a token for a bot at its first seat."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from rum500.cli._seat_player import JoinError, no_answer, reason_in, socket_of
from rum500.server import messages
from rum500.server.messages import SERVER_DECODER
from rum500.server.messages.field_types import PROTOCOL

_PATIENCE_S = 30.0
"""The number of seconds after which a server that does not answer is given up."""


@dataclass(frozen=True, slots=True)
class HostedTable:
    """A table that was made for a bot."""

    url: str
    """The table's address, for people and for the bot."""
    token: str
    """The token of the bot's seat."""
    cookie: str
    """The cookie of the guest who made the table."""


def make_table(server: str, name: str, options: Mapping[str, Any]) -> HostedTable:
    """Make a table as a new guest, with a token for its first seat under this name.

    `options` are those of `POST /api/tables`. Raises `JoinError` if the server refuses, or does not answer.
    """
    base = _base(server)
    _, cookie = _call(base, "GET", "/api/me")
    made, _ = _call(base, "POST", "/api/tables", cookie, options)
    table = made["id"]
    lent, _ = _call(base, "POST", f"/api/tables/{table}/bots", cookie, {"seat": 0, "name": name})
    return HostedTable(f"{base}/t/{table}", lent["token"], cookie)


def begin_match(table: HostedTable) -> None:
    """Begin the match as soon as no seat is empty. Raises `JoinError` if that cannot be."""
    seats: Sequence[messages.SeatPlate] = ()
    base, asked = table.url.rpartition("/t/")[0], False
    try:
        with connect(
            socket_of(table.url),
            origin=Origin(base),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": table.cookie},
            compression=None,
            max_size=None,
        ) as socket:
            socket.send(_encode(messages.Join(id="join", last=0)))
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
    except (WebSocketException, OSError) as error:
        raise JoinError(f"{table.url}: {no_answer(error)}") from None
    raise JoinError(f"{table.url}: the server has closed the connection")


def _encode(message: messages.Request) -> str:
    return msgspec.json.encode(message).decode()


def _base(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise JoinError(f"{server}: is no server's address; one looks like https://cards.example.org")
    return f"{parts.scheme}://{parts.netloc}"


def _call(base: str, method: str, path: str, cookie: str = "", body: object = None) -> tuple[Any, str]:
    """Send a request and return its answer and the cookie that it sets, if any."""
    headers = {"Origin": base, "Content-Type": "application/json", **({"Cookie": cookie} if cookie else {})}
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
    except (OSError, msgspec.DecodeError) as error:
        raise JoinError(f"{base}: {no_answer(error)}") from None
