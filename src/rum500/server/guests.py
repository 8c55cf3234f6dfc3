"""Guests: their signed cookies and which of them are valid, their names, and the key for the signatures."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from itsdangerous import BadSignature, Signer
from starlette.requests import cookie_parser

from rum500.server.config import ConfigError
from rum500.server.messages.guest_names import tidy_name, usual_name
from rum500.server.messages.table_error import TableError
from rum500.store import GuestRow, Store

T = TypeVar("T")

COOKIE = "rum500"
_AGE_S = 400 * 86_400  # browsers keep a cookie for at most this time
_KEPT_GUESTS = 20_000
_ID_BYTES = 12


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return int(time.time() * 1000)


class Cookie(NamedTuple):
    """The content of a guest's cookie."""

    id: str
    since: int
    """When the guest was created, in milliseconds since 1970."""
    issued: int
    """When the cookie was issued, in milliseconds since 1970; 0 if an older version issued it."""


class Cookies:
    """Makes and reads the guests' cookies. Cookies with another key's signature are ignored."""

    def __init__(self, key: bytes, wall: Callable[[], int] = now_ms, prefix: str = "") -> None:
        """Set the key for signatures, and the path of the site; `wall` returns milliseconds since 1970."""
        self._wall = wall
        self._path = f"{prefix}/"
        self._signer = Signer(key, salt=b"rum500.guest", digest_method=hashlib.sha256)

    def new(self) -> Cookie:
        """Return the cookie of a new guest."""
        now = self._wall()
        return Cookie(secrets.token_urlsafe(_ID_BYTES), now, now)

    def read(self, header: bytes | str | None) -> Cookie | None:
        """Return the guest's cookie from a Cookie header; None if it is missing or forged."""
        if not header:
            return None
        try:
            # Other programs at the same address may set cookies too, in any format.
            jar = cookie_parser(header.decode("latin-1") if isinstance(header, bytes) else header)
            content = self._signer.unsign(jar[COOKIE]).decode("ascii") if COOKIE in jar else ""
            guest, since, issued, *_ = *content.split(":"), "0", "0"
            return Cookie(guest, int(since), int(issued)) if guest else None
        except (BadSignature, ValueError):
            return None

    def pseudonym(self, address: str) -> str:
        """Return a text that identifies an address without revealing it."""
        return self._signer.get_signature(f"address {address}").decode("ascii")

    def header(self, cookie: Cookie, *, secure: bool) -> str:
        """Return the value of the Set-Cookie header; `secure` limits the cookie to https."""
        value = self._signer.sign(f"{cookie.id}:{cookie.since}:{cookie.issued}").decode("ascii")
        header = f'{COOKIE}="{value}"; Path={self._path}; Max-Age={_AGE_S}; HttpOnly; SameSite=Lax'
        return f"{header}; Secure" if secure else header


class Sessions:
    """Decides which cookies are valid, by the time of each guest's last sign-out. Recent results are cached.

    A cookie is valid if it was issued at that time or later. A cookie that is sent again keeps its time of
    issue, so that no copy of it is valid for longer.
    """

    def __init__(self, store: Store, names: Names, wall: Callable[[], int] = now_ms) -> None:
        """Read from this store, and pass its rows to `names`; `wall` returns the milliseconds since 1970."""
        self._store = store
        self._names = names
        self._wall = wall
        self._kept: OrderedDict[str, int] = OrderedDict()
        self._one = asyncio.Lock()

    async def is_valid(self, cookie: Cookie) -> bool:
        """Return whether the cookie is valid."""
        # If several servers share the store, the guest may have signed out at another one.
        if cookie.id not in self._kept or self._store.shared:
            row = await self._store.guest(cookie.id)
            self._names.note(cookie.id, row)
            # The guest may have signed out while the store was read.
            _keep(
                self._kept,
                cookie.id,
                max(self._kept.get(cookie.id, 0), row.valid_from if row is not None else 0),
            )
        return cookie.issued >= self._kept[cookie.id]

    async def sign_out_others(self, cookie: Cookie) -> Cookie:
        """Return a new cookie of this guest, the only valid one from now on.

        Raises `TableError` if the given cookie is not valid.
        """
        async with self._one:
            if not await self.is_valid(cookie):
                raise TableError("guest.signed_out")
            new = cookie._replace(issued=max(self._wall(), cookie.issued + 1))
            await self._store.sign_out(cookie.id, new.issued)
            _keep(self._kept, cookie.id, new.issued)
        return new


class Names:
    """The guests' names. The store has the chosen names; recently used ones are cached here."""

    def __init__(self, store: Store, wall: Callable[[], int] = now_ms) -> None:
        """Read from this store; `wall` returns the milliseconds since 1970."""
        self._store = store
        self._wall = wall
        self._kept: OrderedDict[str, tuple[int, str]] = OrderedDict()

    async def of(self, guest: str) -> str:
        """Return the guest's name."""
        if guest not in self._kept:
            self.note(guest, await self._store.guest(guest))
        return self._kept[guest][1]

    def note(self, guest: str, row: GuestRow | None) -> None:
        """Cache the name in a guest's row, unless a newer name is cached.

        The row may be newer than the cache: the guest may have changed the name at another server.
        """
        stored = (row.seen, row.name) if row is not None and row.name else (0, usual_name(guest))
        known = self._kept.get(guest, stored)
        _keep(self._kept, guest, known if known[0] >= stored[0] else stored)

    async def give(self, guest: str, name: str) -> str:
        """Store the guest's new name and return it, as `tidy_name` returns it. Raises `BadName`."""
        name = tidy_name(name)
        now = self._wall()
        await self._store.save_guest(guest, name, now)
        _keep(self._kept, guest, (now, name))
        return name


def _keep(kept: OrderedDict[str, T], guest: str, value: T) -> None:
    kept[guest] = value
    kept.move_to_end(guest)
    if len(kept) > _KEPT_GUESTS:
        kept.popitem(last=False)


_BYTES = 32
_PRIVATE = 0o600


def secret_key(file: Path) -> bytes:
    """Return the key for signatures in the file. If the file does not exist, create it with a new key.

    Raises `ConfigError` if it can be neither read nor created.
    """
    key = key_file(file, lambda: secrets.token_hex(_BYTES).encode())
    if len(key) < _BYTES:
        raise ConfigError(f"data: {file} contains no key; remove it, and all guests lose their identity")
    return key


def key_file(file: Path, make: Callable[[], bytes]) -> bytes:
    """Return the content of a private file. If the file does not exist, create it with the result of `make`.

    Raises `ConfigError` if it can be neither read nor created.
    """
    try:
        return _made(file, make()) if not file.exists() else _read(file)
    except OSError as error:
        raise ConfigError(f"data: {error.filename or file}: {error.strerror or error}") from None


def _made(file: Path, key: bytes) -> bytes:
    """Create the file with a new key and return the key.

    The file appears atomically. If another process has created it first, that process's key is returned.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(handle, "wb") as out:
        out.write(key)
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(draft, file)
    except FileExistsError:
        return _read(file)
    finally:
        draft.unlink()
    return key


def _read(file: Path) -> bytes:
    key = file.read_bytes().strip()
    if file.stat().st_mode & 0o077:
        file.chmod(_PRIVATE)
    return key
