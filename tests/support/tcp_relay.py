"""A line between a browser and a server that a test can cut: a small TCP relay."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable


class Line:
    """Relays `port` to a server of this machine; `cut` ends every connection and lets no new one through.

    `hold` lets nothing more through, but ends nothing.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = threading.Event()
        self._whole.set()
        self._flows = threading.Event()
        self._flows.set()
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._begin(self._welcome)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """As if the cable were pulled."""
        self._whole.clear()
        with self._lock:
            for end in self._ends:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def hold(self) -> None:
        """As if the network were gone, which nobody is told."""
        self._flows.clear()

    def mend(self) -> None:
        """Let connections through again."""
        self._whole.set()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()
        self._flows.set()
        for thread in self._threads:
            thread.join(10)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, work: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _welcome(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            if self._whole.is_set():
                self._begin(self._relay, near)
            else:
                near.close()

    def _relay(self, near: socket.socket) -> None:
        """Carry both ways until either end is gone."""
        with near, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._target)) as far:
            with self._lock:
                self._ends |= {near, far}
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()
            with self._lock:
                self._ends -= {near, far}

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._flows.wait()
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
