"""The local server in a browser's worker, with types that JavaScript and Python share.

The worker passes functions of JavaScript and gets back text, bytes and numbers. Nothing here imports Pyodide,
so the tests run it as it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from rum500._compiled import is_compiled
from rum500.local.data_file import export_data, import_data
from rum500.local.server import LocalServer, LocalSocket
from rum500.server.config import Config
from rum500.server.http.endpoint import refusal_of
from rum500.store import StoreError

Read = Callable[[str], Awaitable[Sequence[Sequence[Any]]]]
"""Returns the pairs of key and bytes whose keys begin with a prefix, sorted by key."""
Write = Callable[[Mapping[str, bytes | None]], Awaitable[str]]
"""Stores values in one transaction; returns the code of a `StoreError`, empty after success."""


class BrowserValues:
    """A `KeyValues` over two functions of JavaScript, which use IndexedDB."""

    def __init__(self, read: Read, write: Write) -> None:
        self._read = read
        self._write = write

    async def read(self, prefix: str) -> list[tuple[str, bytes]]:
        """Return the pairs whose keys begin with `prefix`, sorted by key. Raises `StoreError`."""
        try:
            found = await self._read(prefix)
        except Exception as error:
            raise StoreError("store.device", f"the browser did not read its storage: {error}") from error
        return [(key, bytes(value)) for key, value in found]

    async def write(self, changes: Mapping[str, bytes | None]) -> None:
        """Store these values in one transaction. Raises `StoreError`; then nothing is changed."""
        if code := await self._write(changes):
            raise StoreError(cast("Any", code), "the browser did not store the change; nothing was changed")


class BrowserServer:
    """A `LocalServer` whose methods JavaScript calls. Failures are returned as codes, never raised."""

    def __init__(self, read: Read, write: Write, config: Config | None = None) -> None:
        """Use these two functions as the storage. Call `open` before anything else."""
        self._data = BrowserValues(read, write)
        self._config = config or Config(limits=False)
        self._sockets: dict[int, LocalSocket] = {}
        self._server: LocalServer

    async def open(self) -> tuple[str, int]:
        """Read the storage; return a failure's code (empty after success) and the number of damaged rows."""
        try:
            self._server = await LocalServer.open(self._data, self._config, searches=is_compiled())
        except StoreError as error:
            return error.code, 0
        return "", len(self._server.store.damaged)

    async def answer(self, method: str, target: str, body: str) -> tuple[int, bytes, str, str]:
        """Return the answer to a request: its status, body, media type and header `content-disposition`."""
        found = await self._server.answer(method, target, body.encode())
        return found.status, found.body, found.media, found.headers.get("content-disposition", "")

    async def connect(
        self, key: int, table: str, send: Callable[[str], None], close: Callable[[], None]
    ) -> str:
        """Open connection number `key` to a table; return a failure's code, empty after success."""
        try:
            self._sockets[key] = await self._server.connect(table, lambda data: send(data.decode()), close)
        except Exception as error:  # noqa: BLE001 - every error has its code
            return refusal_of(error)[1].code
        return ""

    def receive(self, key: int, text: str) -> None:
        """Pass a message of the page to the table."""
        if (socket := self._sockets.get(key)) is not None:
            socket.receive(text.encode())

    def leave(self, key: int) -> None:
        """Close a connection."""
        if (socket := self._sockets.pop(key, None)) is not None:
            socket.end(said_bye=True)

    async def export(self) -> bytes:
        """Return everything stored as one file."""
        return await export_data(self._data)

    async def replace(self, file: bytes) -> str:
        """Replace everything stored by a file from `export`; return a failure's code, empty after success.

        After a failure nothing is changed. Otherwise open the tables again in a new worker.
        """
        try:
            await import_data(self._data, bytes(file))
        except StoreError as error:
            return error.code
        await self._server.close()
        return ""
