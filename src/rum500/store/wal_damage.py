"""Detects damage of SQLite's write-ahead log, about which SQLite itself is silent.

After a crash SQLite applies the log up to the first frame with a wrong checksum, which may be half written,
and drops the rest. But a commit waits until its frames are on the disk: frames of a later commit after a
wrong frame show that acknowledged commits are lost.
"""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

from rum500.store.database_lock import owner
from rum500.store.paths import create_private

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = (0x377F0682, 0x377F0683)
"""The first number of a log: its checksums use little-endian or big-endian numbers, respectively."""
_WORD = 0xFFFFFFFF
_SIZES = {1 << power for power in range(9, 17)}


def kept_log(database: Path) -> Path:
    """Return where a damaged log is kept as evidence: opening the database deletes the log itself."""
    return database.with_name(f"{database.name}-wal.damaged")


def find_damage(database: Path, *, owned: bool = False) -> str | None:
    """Return the damage of a database's log, or the damage that was found earlier; None if there is none.

    The log is examined only if no server uses the database, or if `owned`: this process has the right to
    write, and has not opened the database yet. A copy of a damaged log is kept. Its damage is returned until
    the copy is removed or a backup is restored.
    """
    log, kept = database.with_name(database.name + "-wal"), kept_log(database)
    at_rest = log.is_file() and (owned or owner(database) is None)
    if at_rest and damage_in(log) is not None and create_private(kept):
        shutil.copyfile(log, kept)
    found = damage_in(kept) if kept.is_file() else None
    if found is None:
        return None
    remedy = f"restore a backup (rum500 restore FILE --force), or remove {kept} to play on without them"
    return f"{found}; {remedy}"


def damage_in(log: Path) -> str | None:
    """Return where a log is damaged and how many commits are lost; None if no loss is certain."""
    content = memoryview(log.read_bytes())
    if len(content) < _HEADER.size:
        return None
    magic, _, page, _, *_salts, first, second = _HEADER.unpack_from(content)
    if magic not in _MAGIC or page not in _SIZES or _sums(magic, content[:24], (0, 0)) != (first, second):
        return f"{log.name}: its header is damaged, and all commits in it are lost"
    wrong, ends = _behind(content)
    if wrong is None or not any(ends[:-1]):
        return None
    # The last commit may have been in progress: its frames are written in any order.
    certain = sum(ends[:-1])
    return f"{log.name}: is damaged at byte {wrong}, and at least {certain} commits are lost"


def _behind(content: memoryview) -> tuple[int | None, list[bool]]:
    """Return (position, ends): the position of the first wrong frame, or None, and which frames end commits.

    `ends` has one value for the wrong frame, and one for each later frame of the same log.
    """
    magic, _, page, _, *salts, first, second = _HEADER.unpack_from(content)
    sums, wrong, ends = (first, second), None, list[bool]()
    for at in range(_HEADER.size, len(content) - _FRAME.size - page + 1, _FRAME.size + page):
        _, commit, *found, one, two = _FRAME.unpack_from(content, at)
        if wrong is None:
            data = content[at + _FRAME.size : at + _FRAME.size + page]
            sums = _sums(magic, data, _sums(magic, content[at : at + 8], sums))
            if found != salts or sums != (one, two):
                wrong = at
        if wrong is not None and found == salts:  # frames of an older log have other salts
            ends.append(bool(commit))
    return wrong, ends


def _sums(magic: int, data: memoryview, sums: tuple[int, int]) -> tuple[int, int]:
    """Return SQLite's checksum of these bytes, continuing from `sums`."""
    one, two = sums
    words = struct.unpack(f"{'><'[magic == _MAGIC[0]]}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & _WORD
        two = (two + second + one) & _WORD
    return one, two
