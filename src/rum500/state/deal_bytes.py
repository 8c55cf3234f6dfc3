"""The binary form of deals and matches: their header and checksum, and the checks before reading."""

from __future__ import annotations

from typing import Final
from zlib import crc32

from rum500.rules.digest import digest
from rum500.rules.ruleset import Ruleset, check_ruleset

DEAL, MATCH = b"R5D", b"R5M"
VERSION: Final = 2
_VERSION: Final = bytes((VERSION,))
_HEAD: Final = 12
_RESIDUE: Final = 0x2144DF1C
"""The CRC-32 of any data followed by its own CRC-32."""
_MOST_KEPT = 256
_digests: dict[int, tuple[Ruleset, bytes]] = {}
"""Digests by the `id` of their rule set, which is stored too, so that no other object can get its `id`."""


class BytesError(ValueError):
    """Bytes that are refused; `code` is stable.

    `bytes.kind`: another kind of data. `bytes.version`: an unknown version. `bytes.damaged`: changed, cut off
    or too long. `bytes.rules`: made under other rules. `bytes.invalid`: unchanged, but impossible under the
    rules.
    """

    def __init__(self, code: str, message: str) -> None:
        """Store a code and a message."""
        self.code = code
        super().__init__(message)

    def __reduce__(self) -> tuple[type[BytesError], tuple[str, str]]:
        return type(self), (self.code, str(self))


def rules_digest(rules: Ruleset) -> bytes:
    """Return the digest of these rules (`rules.digest`) as eight bytes."""
    kept = _digests.get(id(rules))
    if kept is None:
        if len(_digests) >= _MOST_KEPT:
            _digests.clear()
        kept = _digests[id(rules)] = rules, bytes.fromhex(digest(rules))
    return kept[1]


def seal(kind: bytes, rules: Ruleset, body: bytes) -> bytes:
    """Return `body` with a header before it and a checksum after it.

    The header has the kind (3 bytes), the version (1 byte) and the digest of the rules (8 bytes). The
    checksum is the CRC-32 of header and body (4 bytes, low byte first).
    """
    sealed = kind + _VERSION + rules_digest(rules) + body
    return sealed + crc32(sealed).to_bytes(4, "little")


def unseal(kind: bytes, rules: Ruleset, data: bytes, most: int | None = None) -> bytes:
    """Return the body of bytes that `seal` returned.

    Raises `BytesError` if the bytes are of another kind or version, are damaged, or were made under other
    rules, and if there are more than `most` bytes.
    """
    check_ruleset(rules)
    if most is not None and len(data) > most:
        raise BytesError("bytes.damaged", f"these are more than {most:,} bytes")
    if crc32(data) != _RESIDUE or data[:_HEAD] != kind + _VERSION + rules_digest(rules):
        raise _refusal(kind, rules, bytes(data))
    return data[_HEAD:-4]


def _refusal(kind: bytes, rules: Ruleset, data: bytes) -> BytesError:
    if data[:3] != kind:
        return BytesError("bytes.kind", f"these bytes begin with {data[:3]!r}, not with {kind!r}")
    if data[3:4] != _VERSION:
        return BytesError("bytes.version", f"these bytes are of version {list(data[3:4])}, not of {VERSION}")
    if crc32(data) != _RESIDUE or len(data) < _HEAD + 4:
        return BytesError("bytes.damaged", "the checksum does not fit: these bytes were changed or cut off")
    return BytesError("bytes.rules", f"these bytes were made under other rules than {rules.name}'s")
