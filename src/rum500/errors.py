"""The base of exceptions that carry more than their message."""

from __future__ import annotations


class PicklableError(Exception):
    """An exception that can be copied and pickled whatever its constructor takes.

    Python rebuilds an exception by calling its class with `args`, which fails where the constructor takes
    something else than the message. An exception that fails to load blocks a pool of processes.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.args), self.__dict__


def _rebuilt(kind: type[PicklableError], args: tuple[object, ...]) -> PicklableError:
    error = kind.__new__(kind)
    error.args = args
    return error
