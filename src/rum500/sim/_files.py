"""Files of results: there when they are whole, and else not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: Path | None) -> Iterator[Path | None]:
    """Where to write a file that is to appear as `path`, once all is well; None for no path.

    `OSError` at once if it cannot be written there.
    """
    if path is None:
        yield None
        return
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    part = path.with_name(path.name + ".part")
    part.open("wb").close()
    try:
        yield part
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)
