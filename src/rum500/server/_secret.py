"""The key that signs guests' cookies: made at first start, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from rum500.server.config import ConfigError

_BYTES = 32
_PRIVATE = 0o600


def secret_key(file: Path) -> bytes:
    """The key in the file, made now if there is none; `ConfigError` where it can be neither read nor made."""
    try:
        return _made(file) if not file.exists() else _read(file)
    except OSError as error:
        raise ConfigError(f"data: {error.filename or file}: {error.strerror or error}") from None


def _made(file: Path) -> bytes:
    """A new key. It appears whole or not at all, and whoever comes second takes the first one's."""
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
        raise ConfigError(f"data: {file} holds no key; remove it, and all guests become strangers")
    if file.stat().st_mode & 0o077:
        file.chmod(_PRIVATE)
    return key
