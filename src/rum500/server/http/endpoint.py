"""Endpoints: their declarations, the requests that handlers get, and the refusals that they raise.

Nothing here needs a web server, so that the same handlers answer without one.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from rum500.rules.notation import NotationError
from rum500.rules.problems import RulesetError, UnknownProfile
from rum500.server.guests import Cookie
from rum500.server.limits import TooMany
from rum500.server.live.log.entries import LogError
from rum500.server.logs import log
from rum500.server.messages.guest_names import BadName
from rum500.server.messages.http import Failure
from rum500.server.messages.render import play_reason
from rum500.server.messages.table_error import TableError, refusal_sentence
from rum500.server.work_scheduler import Asker, Busy, Light, Work
from rum500.state import IllegalPlay
from rum500.store import StoreError

JSON = "application/json"


class ApiError(Exception):
    """A refused request: the HTTP status, and the body with code and message."""

    def __init__(self, status: int, code: str, message: str, retry_s: int | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.failure = Failure(code, message, retry_s)


class Param(NamedTuple):
    """A parameter in the path or the query: its name, its type, and its description for the API document."""

    name: str
    type: Any
    meaning: str


@dataclass(slots=True)
class ApiRequest:
    """A request with its sender."""

    path: Mapping[str, str]
    """The values of the parameters in the path."""
    query: Mapping[str, str]
    """The values of the parameters in the query."""
    site: str
    """The scheme and the host to which the request was sent, as `https://example.org`."""
    address: str
    """The client's address, as `limits.address_of` returns it."""
    cookie: Cookie | None
    """The cookie of the guest who sent the request; None if it is missing, invalid or signed out."""
    signed_out: bool = False
    """Whether the guest has signed out on the device that sent the request."""
    body: Any = None
    """The decoded body, of the type `takes` of the endpoint; None if there is none."""
    headers: dict[str, str] = field(default_factory=dict)
    """Additional headers for the response."""

    @property
    def guest(self) -> Cookie:
        """The cookie of the request's guest. Raises `ApiError` or `TableError` if none is valid."""
        if self.signed_out:
            raise TableError("guest.signed_out")
        if self.cookie is None:
            raise ApiError(401, "guest.unknown", "send GET /api/me first, which sets a cookie")
        return self.cookie

    @property
    def who(self) -> Asker:
        """The guest and the address whose share of the processor time the request uses."""
        return Asker(self.known or self.address, self.address)

    @property
    def known(self) -> str | None:
        """The id of the guest who sent the request; None without a valid cookie."""
        return None if self.cookie is None else self.cookie.id

    def param(self, param: Param, usual: str | None = None) -> Any:
        """Return the value of a parameter of the path or the query, or `usual` if it is missing.

        Raises `ApiError` if it is invalid.
        """
        word = self.path.get(param.name, self.query.get(param.name, usual))
        try:
            return None if word is None else msgspec.convert(word, param.type, strict=False)
        except msgspec.ValidationError as error:
            raise ApiError(422, "request.invalid", f"{param.name}: {error}") from None

    @property
    def secure(self) -> bool:
        """Whether the request came over https."""
        return self.site.startswith("https:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One method of one path, with its parameters and results."""

    method: str
    path: str
    meaning: str
    """The description for the API document."""
    handler: Callable[[ApiRequest], Awaitable[object]]
    answers: Any
    """The type of the response's body."""
    work: Work | Light
    """The class of the endpoint's expensive work, or the reason why it has no such work."""
    takes: Any = None
    """The type of the request's body; None if it has none."""
    status: int = 200
    """The status of a successful response."""
    media: str = JSON
    """The media type of the response."""
    params: tuple[Param, ...] = ()
    """The parameters in the path."""
    query: tuple[Param, ...] = ()
    """The parameters in the query."""
    refuses: tuple[int, ...] = ()
    """The statuses of refusals, besides those that all endpoints have."""


_Handler = TypeVar("_Handler", bound=Callable[..., Awaitable[object]])
_REQUEST = "__request__"


def answers(method: str, path: str, **more: Any) -> Callable[[_Handler], _Handler]:
    """Return a decorator that marks a method as a handler; `more` are fields of its `Endpoint`.

    The first paragraph of the method's docstring becomes `meaning`; the return type becomes `answers`.
    """

    def mark(handler: _Handler) -> _Handler:
        setattr(handler, _REQUEST, {"method": method, "path": path, **more})
        return handler

    return mark


def endpoints(handlers: object) -> list[Endpoint]:
    """Return the endpoints whose handlers are methods of this object or class, in the order of definition."""
    cls = handlers if isinstance(handlers, type) else type(handlers)
    return [
        Endpoint(
            **getattr(function, _REQUEST),
            meaning=" ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split()),
            handler=getattr(handlers, name),
            answers=get_type_hints(function, include_extras=True)["return"],
        )
        for name, function in vars(cls).items()
        if hasattr(function, _REQUEST)
    ]


def decoded(data: bytes, wanted: Any) -> Any:
    """Return a request's body, decoded. Raises `ApiError`."""
    try:
        return msgspec.json.decode(data, type=wanted)
    except msgspec.ValidationError as error:
        raise ApiError(422, "request.invalid", str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, "request.json", str(error)) from None


def refusal_of(error: Exception) -> tuple[int, Failure]:
    """Return the status and the body that refuse a request whose handler raised this error.

    Log unexpected errors.
    """
    match error:
        case ApiError():
            return error.status, error.failure
        case TooMany():
            message = f"too many requests of this kind; try again in {error.retry_s} s"
            return 429, Failure(f"limit.{error.what}", message, error.retry_s)
        case LogError():
            log().error("table.unreadable", error=error)
            return 500, _failure("table.unreadable")
        case StoreError():
            log().warning("store.failed", error=error)
            return 503, _failure(error.code)
        case TableError() | IllegalPlay() | NotationError():
            return _refused(error)
        case UnknownProfile():
            return 404, Failure("profile.unknown", str(error))
        case RulesetError():
            return 422, Failure("rules.invalid", " ".join(str(error).split()))
        case BadName():
            return 422, Failure("guest.name", str(error))
    log().error("request.failed", error=error)
    return 500, _failure("server.failed")


def _refused(error: TableError | IllegalPlay | NotationError) -> tuple[int, Failure]:
    if isinstance(error, TableError):
        retry_s = error.seconds if isinstance(error, Busy) else None
        found = Failure(error.code, error.message, retry_s, key=error.key, parts=error.parts)
        return _status_of(error.code), found
    why = play_reason(error)
    return 422, Failure(why.code, why.message, parts=why.parts)


def _failure(code: str) -> Failure:
    return Failure(code, refusal_sentence(code))


_STATUSES = {"guest.signed_out": 401, "work.busy": 429}


def _status_of(code: str) -> int:
    """Return the HTTP status for the code of a `TableError`."""
    if code in _STATUSES:
        return _STATUSES[code]
    if code in (
        "table.unknown",
        "device.code",
        "device.words",
        "deal.unknown",
        "profile.unknown",
        "review.step",
        "lesson.unknown",
        "puzzle.unknown",
        "puzzle.none",
        "day.unknown",
        "person.unknown",
        "invitation.unknown",
        "league.unknown",
    ):
        return 404
    return 422 if code.startswith(("option.", "bot.")) else 409
