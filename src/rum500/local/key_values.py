"""The storage of a local server: durable bytes by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class KeyValues(Protocol):
    """Durable bytes by key, such as an object store of IndexedDB."""

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return the pairs whose keys begin with `prefix`, sorted by key. Raises `StoreError`."""

    async def write(self, changes: Mapping[str, bytes | None]) -> None:
        """Store these values in one transaction, and return once it is durable; None removes a key.

        Raises `StoreError`; then nothing is changed.
        """
