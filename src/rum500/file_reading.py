"""Files of others: read only up to a size, so that none fills the memory."""

from __future__ import annotations

import errno
from os import PathLike
from pathlib import Path


def read_file(path: str | PathLike[str], most: int) -> bytes:
    """Return the contents of a file. Raises `OSError`, also for more than `most` bytes.

    Pipes and devices are read too, up to the limit.
    """
    with Path(path).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"is larger than {most:,} bytes", str(path))
    return data
