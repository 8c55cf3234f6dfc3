"""The guests' signed cookies, and the key for the signatures."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from itsdangerous import BadSignature, Signer
from starlette.requests import cookie_parser

from rum500.server.config import ConfigError
from rum500.server.guests import Cookie, now_ms

COOKIE = "rum500"
_AGE_S = 400 * 86_400  # browsers keep a cookie for at most this time
_ID_BYTES = 12
_BYTES = 32
_PRIVATE = 0o600


class Cookies:
    """Makes and reads the guests' cookies. Cookies with another key's signature are ignored."""

    def __init__(self, key: bytes, wall: Callable[[], int] = now_ms, prefix: str = "") -> None:
        """Set the key for signatures; `prefix` is the path of the site, `wall` returns ms since 1970."""
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

    def expired(self) -> str:
        """Return the value of a Set-Cookie header that removes the cookie."""
        return f'{COOKIE}=""; Path={self._path}; Max-Age=0; HttpOnly; SameSite=Lax'

    def header(self, cookie: Cookie, *, secure: bool) -> str:
        """Return the value of the Set-Cookie header; `secure` limits the cookie to https."""
        value = self._signer.sign(f"{cookie.id}:{cookie.since}:{cookie.issued}").decode("ascii")
        header = f'{COOKIE}="{value}"; Path={self._path}; Max-Age={_AGE_S}; HttpOnly; SameSite=Lax'
        return f"{header}; Secure" if secure else header


def secret_key(file: Path) -> bytes:
    """Return the key for signatures in the file. If the file does not exist, create it with a new key.

    Raises `ConfigError` if it can be neither read nor created.
    """
    try:
        key = _read(file) if file.exists() else _made(file, secrets.token_hex(_BYTES).encode())
    except OSError as error:
        raise ConfigError(f"data: {error.filename or file}: {error.strerror or error}") from None
    if len(key) < _BYTES:
        raise ConfigError(f"data: {file} contains no key; remove it, and all guests lose their identity")
    return key


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
