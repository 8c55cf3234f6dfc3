"""Guests: the signed cookie that identifies a guest, the guests' names, and the key for the signatures."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
import unicodedata
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from itsdangerous import BadSignature, Signer
from starlette.requests import cookie_parser

from rum500.server.config import ConfigError
from rum500.store import Store

COOKIE = "rum500"
LONGEST_NAME = 24
_AGE_S = 400 * 86_400  # the longest time for which browsers keep a cookie
_KEPT_NAMES = 20_000
_ID_BYTES = 12

# The name of a guest who has chosen none is a word of each list; all pairs make sense.
_FIRST = (
    "Amber", "Ashen", "Brave", "Bright", "Calm", "Clever", "Coral", "Dapper", "Eager", "Fair", "Gentle",
    "Golden", "Happy", "Jolly", "Keen", "Kind", "Lucky", "Merry", "Misty", "Nimble", "Olive", "Patient",
    "Quiet", "Rosy", "Ruby", "Silver", "Snowy", "Sunny", "Swift", "Tidy", "Velvet", "Witty",
)  # fmt: skip
_SECOND = (
    "Badger", "Beaver", "Bison", "Crane", "Curlew", "Deer", "Dolphin", "Falcon", "Finch", "Fox",
    "Gecko", "Hare", "Heron", "Ibex", "Jackdaw", "Kestrel", "Lark", "Lemur", "Lynx", "Magpie", "Marten",
    "Newt", "Otter", "Owl", "Panda", "Plover", "Raven", "Robin", "Stork", "Swallow", "Tapir", "Wren",
)  # fmt: skip


class Cookie(NamedTuple):
    """The content of a guest's cookie."""

    id: str
    since: int
    """When the guest was created, in milliseconds since 1970."""


class BadName(ValueError):
    """A name that is not allowed; the message gives the reason."""


class Cookies:
    """Makes and reads the guests' cookies; cookies that were not signed with this key are ignored."""

    def __init__(self, key: bytes) -> None:
        self._signer = Signer(key, salt=b"rum500.guest", digest_method=hashlib.sha256)

    def new(self) -> Cookie:
        """Return the cookie of a new guest."""
        return Cookie(secrets.token_urlsafe(_ID_BYTES), int(time.time() * 1000))

    def read(self, header: bytes | str | None) -> Cookie | None:
        """Return the guest's cookie from a Cookie header; None if there is none or it is forged."""
        if not header:
            return None
        try:
            # Other programs at the same address may set cookies too, in any format.
            jar = cookie_parser(header.decode("latin-1") if isinstance(header, bytes) else header)
            told = self._signer.unsign(jar[COOKIE]).decode("ascii") if COOKIE in jar else ""
            guest, _, since = told.partition(":")
            return Cookie(guest, int(since)) if guest else None
        except (BadSignature, ValueError):
            return None

    def header(self, cookie: Cookie, *, secure: bool) -> str:
        """Return the value of the Set-Cookie header; `secure` limits the cookie to https."""
        value = self._signer.sign(f"{cookie.id}:{cookie.since}").decode("ascii")
        told = f'{COOKIE}="{value}"; Path=/; Max-Age={_AGE_S}; HttpOnly; SameSite=Lax'
        return f"{told}; Secure" if secure else told


class Names:
    """The guests' names: chosen names are in the store, and recently used names are cached here."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, str] = OrderedDict()

    async def of(self, guest: str) -> str:
        """Return the guest's name."""
        name = self._kept.get(guest)
        if name is None:
            row = await self._store.guest(guest)
            name = row.name if row is not None and row.name else usual_name(guest)
            self._keep(guest, name)
        return name

    async def give(self, guest: str, name: str) -> str:
        """Store the guest's new name and return it as `tidy_name` does. Raises `BadName`."""
        name = tidy_name(name)
        await self._store.save_guest(guest, name, int(time.time() * 1000))
        self._keep(guest, name)
        return name

    def _keep(self, guest: str, name: str) -> None:
        self._kept[guest] = name
        self._kept.move_to_end(guest)
        if len(self._kept) > _KEPT_NAMES:
            self._kept.popitem(last=False)


def usual_name(guest: str) -> str:
    """Return the name of a guest who has chosen none; it depends only on the id.

    >>> usual_name("xyz")
    'Quiet Finch'
    """
    digest = hashlib.sha256(guest.encode()).digest()
    return f"{_FIRST[digest[0] % len(_FIRST)]} {_SECOND[digest[1] % len(_SECOND)]}"


def tidy_name(name: str) -> str:
    """Return the name in Unicode form NFC with single spaces. Raises `BadName` if it is not allowed.

    Letters of any script, accents and emoji are allowed. Invisible characters, characters that change the
    direction of text, and characters that a record cannot contain are not.

    >>> tidy_name("  Ada   L. ")
    'Ada L.'
    """
    tidied = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidied:
        raise BadName("a name must have at least one character")
    if len(tidied) > LONGEST_NAME:
        raise BadName(f"a name must have at most {LONGEST_NAME} characters")
    if any(_unwanted(char) for char in tidied):
        raise BadName('a name must not contain control characters or any of : ; # { } | " < >')
    return tidied


_JOINERS = "\u200c\u200d"  # needed for Persian and for emoji


def _unwanted(char: str) -> bool:
    return char in ':;#{}|"<>' or (unicodedata.category(char)[0] == "C" and char not in _JOINERS)


_BYTES = 32
_PRIVATE = 0o600


def secret_key(file: Path) -> bytes:
    """Return the key in the file; if the file does not exist, create it with a new key.

    Raises `ConfigError` if it can be neither read nor created.
    """
    try:
        return _made(file) if not file.exists() else _read(file)
    except OSError as error:
        raise ConfigError(f"data: {error.filename or file}: {error.strerror or error}") from None


def _made(file: Path) -> bytes:
    """Create the file with a new key and return the key.

    The file appears atomically. If another process has created it first, that process's key is returned.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    key = secrets.token_hex(_BYTES).encode()
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
    if len(key) < _BYTES:
        raise ConfigError(f"data: {file} contains no key; remove it, and all guests lose their identity")
    if file.stat().st_mode & 0o077:
        file.chmod(_PRIVATE)
    return key
