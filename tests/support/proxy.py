"""A reverse proxy that changes requests as a test wants, and servers of other programs."""

from __future__ import annotations

import contextlib
import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator

Headers = dict[str, str]
_SECONDS = 20
_BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 20\r\nconnection: close\r\n\r\n"
    b"<h1>Bad Gateway</h1>"
)


def _head(connection: socket.socket) -> tuple[str, Headers, bytes]:
    """Return a request's first line, headers and what was received of its body. Raises `EOFError`."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            raise EOFError
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = (line.partition(":") for line in lines)
    return first, {name.strip().lower(): value.strip() for name, _, value in parts}, rest


def _join(one: socket.socket, other: socket.socket) -> None:
    """Pass on everything both ways until a side closes. One thread, because TLS must not be used by two."""
    across = {one: other, other: one}
    while True:
        waiting = [end for end in across if isinstance(end, ssl.SSLSocket) and end.pending()]
        for end in waiting or select.select([one, other], [], [], _SECONDS)[0]:
            piece = end.recv(65536)
            if not piece:
                return
            across[end].sendall(piece)


@contextlib.contextmanager
def _serving(serve: Callable[[socket.socket], None], tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Call `serve` in a thread for each connection to a port, which is yielded."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(_SECONDS)
            # Some tests have clients that refuse the certificate or close early.
            with contextlib.suppress(OSError, EOFError), contextlib.ExitStack() as stack:
                connection = self.request
                if tls is not None:
                    connection = stack.enter_context(tls.wrap_socket(connection, server_side=True))
                serve(connection)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def proxy(
    port: int,
    change: Callable[[Headers], None] = lambda _: None,
    *,
    tls: ssl.SSLContext | None = None,
    fails: Callable[[str], bool] = lambda _: False,
) -> Iterator[int]:
    """Yield the port of a proxy before 127.0.0.1:`port`.

    `change` gets each request's headers, in lower case. If `fails` is true for a request's first line, the
    answer is a page with status 502.
    """

    def serve(connection: socket.socket) -> None:
        first, headers, rest = _head(connection)
        if fails(first):
            connection.sendall(_BAD_GATEWAY)
            return
        change(headers)
        with socket.create_connection(("127.0.0.1", port), _SECONDS) as behind:
            lines = [first, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
            behind.sendall("\r\n".join(lines).encode("latin-1") + rest)
            _join(connection, behind)

    with _serving(serve, tls) as listening:
        yield listening


@contextlib.contextmanager
def answering(status: str, body: bytes, **headers: str) -> Iterator[int]:
    """Yield the port of a server that always gives this answer."""

    def serve(connection: socket.socket) -> None:
        _head(connection)
        lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", "connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    with _serving(serve) as listening:
        yield listening
