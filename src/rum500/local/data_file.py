"""Exports everything that a local server has stored as one file, and imports such a file."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from rum500.local.key_values import KeyValues
from rum500.local.store import FORMAT, LocalStore
from rum500.store import StoreError, checksum

MOST_BYTES = 256 << 20
"""The largest file that is read."""


class _DataFile(msgspec.Struct, tag_field="file", tag="rum500 local data"):
    format: int
    values: dict[str, bytes]


class _Values:
    """Read-only storage with the values of a file."""

    def __init__(self, values: Mapping[str, bytes]) -> None:
        self._values = values

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        return sorted((key, value) for key, value in self._values.items() if key.startswith(prefix))

    async def write(self, changes: Mapping[str, bytes | None]) -> None:
        raise AssertionError(f"{len(changes)} changes of a file")


async def export_data(data: KeyValues) -> bytes:
    """Return everything that a local server has stored as a file. Raises `StoreError`."""
    return msgspec.json.encode(_DataFile(FORMAT, dict(await data.read(""))))


async def import_data(data: KeyValues, file: bytes) -> None:
    """Replace everything that a local server has stored by the content of a file from `export_data`.

    Raises `StoreError` if the file is damaged, foreign, too large or of a later version; then nothing is
    changed.
    """
    if len(file) > MOST_BYTES:
        raise StoreError(
            "store.foreign", f"this file has more than {MOST_BYTES >> 20} MB: choose another one"
        )
    try:
        found = msgspec.json.decode(file, type=_DataFile)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise StoreError(
            "store.foreign", f"this is not a file with stored games, or a part of one: {error}"
        ) from None
    await _check(found)
    gone: dict[str, bytes | None] = {key: None for key, _ in await data.read("")}
    await data.write(gone | found.values)


async def _check(file: _DataFile) -> None:
    """Raise `StoreError` if a row or a log in the file is damaged."""
    values = _Values(file.values | {"format": str(file.format).encode()})
    store = await LocalStore.open(values)
    if store.damaged:
        raise _damaged(store.damaged[0])
    for table in store.tables_by_id.by_name:
        last = None
        for number, entry in enumerate(await store.entries(table), 1):
            last = checksum(last, table, entry)
            if entry.number != number or entry.checksum not in {None, last}:
                raise _damaged(f"entry {number} of table {table}")


def _damaged(what: str) -> StoreError:
    return StoreError(
        "store.corrupt", f"this file is damaged at {what}: nothing was changed; choose another copy"
    )
