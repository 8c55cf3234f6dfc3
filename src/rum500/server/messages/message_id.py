"""Helpers for refusing messages that do not reach a table: errors of decoding, and the id of a message."""

from __future__ import annotations

import msgspec

NOT_DECODED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors raised by decoding an invalid message; deep nesting raises `RecursionError`."""
JOIN_FIRST = "message.join_first", "the first message of a connection must be a join"
"""The code and the sentence that refuse another first message."""
_LONGEST = 40


class _Identified(msgspec.Struct):
    id: str | None = None


_decode = msgspec.json.Decoder(_Identified).decode


def message_id(data: bytes) -> str | None:
    """Return the id of an invalid message; None if it has none that can be read."""
    try:
        found = _decode(data).id
    except NOT_DECODED:
        return None
    return found if found is None or len(found) <= _LONGEST else None
