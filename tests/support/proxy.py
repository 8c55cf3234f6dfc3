"""A reverse proxy that does to requests what a test wants, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator

Headers = dict[str, str]


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()


async def _head(reader: asyncio.StreamReader) -> tuple[str, Headers]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
    return first, {
        name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)
    }


@contextlib.contextmanager
def proxy(
    port: int, change: Callable[[Headers], None] = lambda _: None, *, tls: ssl.SSLContext | None = None
) -> Iterator[int]:
    """The port of a proxy before 127.0.0.1:`port`; `change` gets each request's headers, in lower case."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            first, headers = await _head(reader)
            change(headers)
            behind = await asyncio.open_connection("127.0.0.1", port)
            lines = [first, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            behind[1].write("\r\n".join(lines).encode("latin-1"))
            await asyncio.gather(_copy(reader, behind[1]), _copy(behind[0], writer))
        writer.close()

    with _serving(serve, tls) as listening:
        yield listening


@contextlib.contextmanager
def answering(status: str, body: bytes, **headers: str) -> Iterator[int]:
    """The port of a server that answers everything with this."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await _head(reader)
            lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
            await writer.drain()
        writer.close()

    with _serving(serve, None) as listening:
        yield listening


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.contextmanager
def _serving(serve: Serve, tls: ssl.SSLContext | None) -> Iterator[int]:
    """The port at which `serve` is called for each connection."""
    listens = threading.Event()
    ports: list[int] = []
    loop = asyncio.new_event_loop()
    ends = asyncio.Event()

    async def run() -> None:
        async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(asyncio.CancelledError):  # which asyncio's streams take for an error
                await serve(reader, writer)

        server = await asyncio.start_server(one, "127.0.0.1", 0, ssl=tls)
        ports.append(server.sockets[0].getsockname()[1])
        listens.set()
        await ends.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.05)

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        assert listens.wait(10)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(ends.set)
        thread.join()
        loop.close()
