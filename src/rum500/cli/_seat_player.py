"""Lets a bot play at a live table: connects with a token and plays the token's seat."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.sync.client import ClientConnection, connect

from rum500.bots import Bot
from rum500.cli.user_error import UserError
from rum500.external_bots import BotFailed, EngineError, ask_bot
from rum500.external_bots.rbi_text import read_view
from rum500.rng import Rng
from rum500.server import messages
from rum500.server.messages import SERVER_DECODER
from rum500.server.messages.field_types import PROTOCOL
from rum500.view import View

LONGEST_S = 300.0
"""For how many seconds the client tries to reconnect to a lost server."""
LATE_S = 10.0
"""A choice that takes this many seconds is reported as slow, once."""
MOST_REPORTED = 10
"""The number of different failures that are reported; further ones are only counted."""
_FIRST_WAIT_S, _MOST_WAIT_S = 0.5, 15.0
_OVER = ("over", "abandoned")

_decode = SERVER_DECODER.decode
_encode = msgspec.json.Encoder().encode


class JoinError(UserError):
    """The table cannot be joined. The message says why."""


class SeatClosed(Exception):
    """The bot was removed from its seat, or its server did not come back. The message says which."""


def play_seat(url: str, token: str, bot: Bot, report: Callable[[str], None]) -> None:
    """Play the seat of `token` until the match is over.

    Raises `JoinError` if play cannot start, and `SeatClosed` if it cannot continue.
    """
    address, seat = socket_of(url), _SeatClient(bot, report)
    wait, lost_at, joined = _FIRST_WAIT_S, 0.0, False
    while not seat.is_over():
        try:
            with connect(
                address,
                subprotocols=[PROTOCOL],  # type: ignore[list-item]
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                max_size=None,
            ) as socket:
                if not joined:
                    report(f"{bot.name} is at {url}")
                joined, wait, lost_at = True, _FIRST_WAIT_S, 0.0
                seat.play(socket)
        except InvalidStatus as error:
            status = error.response.status_code
            why = reason_in(error.response.body)
            if status not in (429, 503):
                raise (SeatClosed if joined else JoinError)(f"{url}: {why}") from None
        except (InvalidURI, ValueError) as error:
            raise JoinError(f"{url}: {error}") from None
        except (ConnectionClosed, InvalidHandshake, OSError) as error:
            if not joined:
                raise JoinError(f"{url}: {no_answer(error)}") from None
        if seat.is_over():
            break
        now = time.monotonic()
        lost_at = lost_at or now
        if now - lost_at > LONGEST_S:
            raise SeatClosed(f"{url}: the server does not come back")
        time.sleep(wait)
        wait = min(_MOST_WAIT_S, 2 * wait)


def socket_of(url: str) -> str:
    """Return the WebSocket address of a table, given the address in its invitation.

    >>> socket_of("https://cards.example.org/t/abc")
    'wss://cards.example.org/ws/abc'
    >>> socket_of("https://example.org/cards/t/abc")
    'wss://example.org/cards/ws/abc'
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise JoinError(f"{url}: {error}") from None
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme)
    prefix, found, table = parts.path.rstrip("/").rpartition("/t/")
    if scheme is None or not found or not table:
        raise JoinError(f"{url}: is not a table's address; one looks like https://cards.example.org/t/NAME")
    return f"{scheme}://{parts.netloc}{prefix}/ws/{table}"


def reason_in(body: bytes | bytearray | None) -> str:
    """Return the reason in a server's answer that refuses a request."""
    try:
        return str(msgspec.json.decode(bytes(body or b""))["message"])
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError):
        return "the server refused the connection"


def no_answer(error: object) -> str:
    """Return a message that no server answers, with the reason from this error."""
    why = getattr(error, "strerror", None) or error
    return f"no server answers there ({why}); is it on, and the address right?"


_TOO_FAST_S = 1.0
"""The pause in seconds after the bot exceeds the server's rate limit, as fast bots do at fast tables."""


class _SeatClient:
    def __init__(self, bot: Bot, report: Callable[[str], None]) -> None:
        self._bot, self._report = bot, report
        self._rng = Rng(int.from_bytes(os.urandom(8), "big"))
        self._socket: ClientConnection
        self._run = os.urandom(4).hex()
        self._said = 0
        self._know: dict[str, Any] = {}
        self._done: tuple[object, ...] = ()
        self._over = self._waits = False
        self._asked = self._failed = 0
        self._failures: set[str] = set()
        self._was_late = False

    def is_over(self) -> bool:
        """Return whether the match is over."""
        return self._over

    def play(self, socket: ClientConnection) -> None:
        """Play until the match or the connection is over."""
        self._socket, self._know, self._done = socket, {}, ()
        self._say(messages.Join, last=0)
        for data in socket:
            self._take(_decode(data))
            if self._over:
                self._report(self._ending())
                return

    def _say(self, kind: type[messages.Request], **fields: Any) -> None:
        self._said += 1
        with suppress(ConnectionClosed):  # the message with the reason for closing may still be unread
            self._socket.send(_encode(kind(id=f"{self._run}-{self._said}", **fields)).decode())

    def _take(self, message: messages.ServerMessage) -> None:
        match message:
            case messages.Bye(reason="restart" | "slow"):
                return
            case messages.Bye(reason=reason):
                revoked = reason == "revoked"
                why = "its token is no longer valid" if revoked else "it has joined from elsewhere"
                raise SeatClosed(f"shown out: {why}")
            case messages.Answer():
                self._answered(message)
            case messages.Refused():
                self._refused(message)
            case messages.Sync() | messages.Update():
                self._learn(message)
                self._wait()
                self._act()

    def _learn(self, message: messages.Sync | messages.Update) -> None:
        for part in (message.shared, message.you):
            if isinstance(part, msgspec.Struct):
                fields = {name: getattr(part, name) for name in part.__struct_fields__}
                self._know.update(
                    (name, value) for name, value in fields.items() if value is not msgspec.UNSET
                )

    def _wait(self) -> None:
        if self._know.get("status") == "open" and not self._waits:
            self._waits = True
            self._report("Waiting for the host to begin the match")

    def _act(self) -> None:
        know = self._know
        seat, status, waiting = know.get("seat"), know.get("status"), know.get("waiting_for")
        if status in _OVER:
            self._over = True
        if status != "playing" or seat is None:
            return
        todo: tuple[object, ...] = (waiting, know.get("asked"))
        if waiting == "shuffle":
            todo = (waiting, know["fairness"].shuffle if know["fairness"] else None)
        if todo == self._done:
            return
        if waiting == "shuffle" and know["fairness"] and seat not in know["fairness"].given:
            value = os.urandom(16).hex()
            cut = 250 + self._rng.below(501)
            self._say(messages.Seed, shuffle=know["fairness"].shuffle, value=value, cut=cut)
        elif waiting in ("draw", "cut") and know["actor"] == seat:
            positions = know["positions"]
            if waiting == "cut":
                positions = range(positions[0], positions[-1] + 1)
            position = positions[self._rng.below(len(positions))]
            self._say(messages.Pick, asked=know["asked"], position=position)
        elif waiting in ("play", "claim") and know.get("may"):
            self._say(messages.Ask, about="position")
        elif waiting == "next":
            self._say(messages.Next)
        else:
            return
        self._done = todo

    def _answered(self, answer: messages.Answer) -> None:
        if answer.asked != self._know.get("asked"):
            return  # outdated: a new request follows
        view = msgspec.structs.replace(
            read_view(answer.position.splitlines(), answer.past), legal=tuple(map(int, answer.legal))
        )
        self._say(messages.Play, asked=answer.asked, play=str(self._choice(view)))

    def _choice(self, view: View) -> int:
        """Return the bot's choice. If it fails or is illegal, report that and return the first legal play."""
        self._asked += 1
        late = threading.Timer(LATE_S, self._report_late)
        late.daemon = True
        late.start()
        try:
            return ask_bot(self._bot, view, self._rng)
        except (BotFailed, EngineError) as error:
            self._failed += 1
            if str(error) not in self._failures and len(self._failures) < MOST_REPORTED:
                self._failures.add(str(error))
                self._report(f"{error}: the first legal play is made for it")
            return view.legal[0]
        finally:
            late.cancel()

    def _report_late(self) -> None:
        if not self._was_late:
            self._was_late = True
            self._report(f"{self._bot.name} has not answered for {LATE_S:g} s")

    def _refused(self, refused: messages.Refused) -> None:
        if refused.reason.code.startswith("limit."):
            time.sleep(_TOO_FAST_S)  # the server does not repeat its request
            self._done = ()
            self._act()
            return
        if refused.reason.code not in ("table.stale", "table.turn", "table.seed_given", "table.claimed"):
            self._report(f"refused: {refused.reason.code}: {refused.reason.message}")
        self._done = ()

    def _ending(self) -> str:
        result, seat = self._know.get("result"), self._know.get("seat")
        played = f"; {self._failed} of its {self._asked} plays were made for it" if self._failed else ""
        if result is None:
            return f"The table was given up{played}"
        return f"The match is over ({result.reason}): {result_text(result)}; this bot had seat {seat}{played}"


def result_text(result: messages.MatchEnd) -> str:
    """Return a sentence with the winners of a match and all totals.

    >>> from rum500.server.messages import MatchEnd
    >>> names, rows, final = ["Ann", "Robi"], [[1], [0]], [510, 90]
    >>> result_text(MatchEnd("target", [1], [], False, 0, names, rows, final, final, []))
    'Robi won; Robi 510, Ann 90'
    """
    name = [one if one.isprintable() else repr(one) for one in result.names]
    won = f"{' and '.join(name[one] for one in result.winners)} won" if result.winners else "nobody won"
    rows = [" and ".join(name[one] for one in row) for row in result.rows]
    totals = (f"{row} {total}" for row, total in zip(rows, result.final, strict=True))
    return f"{won}; {', '.join(totals)}"
