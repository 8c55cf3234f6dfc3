"""Large pages of memory for a server: it spends much of its time on waiting for memory otherwise.

The tables' objects lie all over the memory. With pages of 2 MiB in place of 4 KiB the processor finds them
sooner: a server makes a sixth more moves a second, and needs about a seventh more memory. The C library of
most Linux systems asks for such pages if the environment says so when a process starts, and only for the
memory that it manages itself. So the process is started again, as itself: it keeps its id.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

_LEAST_GLIBC = (2, 35)
WANTED = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "PYTHONMALLOC": "malloc"}


def use_large_pages() -> None:
    """Start this process again with large pages, where the C library has them.

    Nothing happens if the environment sets one of the two variables already. The processes that this one
    starts do not inherit them.
    """
    if all(os.environ.get(name) == value for name, value in WANTED.items()):
        for name in WANTED:
            del os.environ[name]
    elif offered() and not WANTED.keys() & os.environ.keys():
        with suppress(OSError):  # without them all works as well
            command = [sys.executable, *sys.orig_argv[1:]]
            os.execve(sys.executable, command, {**os.environ, **WANTED})  # noqa: S606 - this very program


def offered() -> bool:
    if sys.platform != "linux":
        return False
    try:
        name, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").split()
        return name == "glibc" and tuple(map(int, version.split("."))) >= _LEAST_GLIBC
    except (ValueError, OSError):  # another C library
        return False
