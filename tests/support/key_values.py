"""Storage of bytes by key for tests: in memory, durable as long as the object lives."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from rum500.store import StoreError


class Memory:
    """A `KeyValues` in a dictionary. A test can hold writes back, or let them fail."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.open = asyncio.Event()
        """Writes wait for it."""
        self.open.set()
        self.error: StoreError | None = None
        """Writes raise it."""
        self.waiting = 0
        """The number of writes that wait."""

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        return sorted((key, value) for key, value in self.values.items() if key.startswith(prefix))

    async def write(self, changes: Mapping[str, bytes | None]) -> None:
        self.waiting += 1
        await self.open.wait()
        self.waiting -= 1
        if self.error is not None:
            raise self.error
        for key, value in changes.items():
            if value is None:
                self.values.pop(key, None)
            else:
                self.values[key] = value
