"""Reading tables' logs in worker processes: replays, records, and the data for lists and reviews."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rum500.server.live.finished.deal_replay import record, replay
from rum500.server.live.finished.deeds import Examined, examined
from rum500.server.live.finished.match_results import (
    MatchOutcome,
    TableDeals,
    TableStanding,
    deals_of,
    outcome_of,
    results_of,
    standing_of,
)
from rum500.server.live.log.entries import LogError
from rum500.server.live.log.table_state import TableState
from rum500.server.messages.field_types import read_countdown
from rum500.server.messages.http import Replay
from rum500.store import ResultRow, StoredEntry

READ = f"{__name__}:read"
"""The name of `read`, for worker processes."""
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[StoredEntry]).decode


class _Result(msgspec.Struct, array_like=True):
    """The result of a reader as JSON, or the error of a damaged log."""

    found: bytes = b""
    error: str = ""


def _folded(of: Callable[[TableState], object]) -> Callable[[str, Sequence[StoredEntry]], object]:
    return lambda table, entries: of(TableState.fold(table, entries))


_READERS: dict[type, Callable[..., object]] = {
    Replay: replay,
    str: record,
    TableDeals: _folded(deals_of),
    TableStanding: _folded(standing_of),
    ResultRow: _folded(results_of),
    MatchOutcome: _folded(outcome_of),
    Examined: examined,
}
"""By type of object, the function that reads the object from a log; the record has the type `str`."""


def packed(entries: Sequence[StoredEntry]) -> bytes:
    """Return a table's log as bytes that can be sent to a worker process."""
    return zlib.compress(_pack(entries), 1)


def unpacked(log: bytes) -> list[StoredEntry]:
    """Return the entries of a log from `packed`."""
    return _unpack(zlib.decompress(log))


def read(wanted: str, table: str, log: bytes, *parts: object) -> bytes:
    """Read an object of the type named `wanted` from a `packed` log. Return it encoded, for `result_of`.

    `parts` are further arguments of the function that reads the object, such as the number of a deal.
    """
    reader = next(each for kind, each in _READERS.items() if kind.__name__ == wanted)
    try:
        return _pack(_Result(msgspec.json.encode(reader(table, unpacked(log), *parts))))
    except LogError as error:
        return _pack(_Result(error=str(error)))


def result_of(kind: Any, data: bytes) -> Any:
    """Return the object of type `kind` from the result of `read`. Raises `LogError` if the log is damaged."""
    result = msgspec.msgpack.decode(data, type=_Result)
    if result.error:
        raise LogError(result.error)
    return msgspec.json.decode(result.found, type=kind, dec_hook=read_countdown)
