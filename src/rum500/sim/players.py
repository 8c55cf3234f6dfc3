"""The players of this process, made once for each name, and digests of the code that plays."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from rum500.sim.deals import Entrant, Seated, entrant_name

OWN = "rum500 itself"
"""The name of our own code among the digests."""
_PACKAGE = Path(__file__).parents[1]
_PLAYED_BY = (
    "rng.py",
    "search",
    "rules",
    "state",
    "view",
    "match",
    "ai",
    "bots",
    "spaces",
    "external_bots",
)
"""The parts of the package that affect play: code, and weights of bots."""

_LOCK = threading.RLock()
_MADE: dict[tuple[int, str], Seated] = {}
"""The players by thread and name. Threads share no player, because searches store their work in it."""
_DIGESTS: dict[str, str] = {}
"""Digests by name, taken when players were made: later changes of a file do not affect loaded code."""


def player(entrant: Entrant, make: Callable[[str], Seated]) -> Seated:
    """Return the player of an entrant. A named player is made once for each thread and reused."""
    if not isinstance(entrant, str):
        return entrant
    key = threading.get_ident(), entrant.strip()
    with _LOCK:
        if key not in _MADE:
            _MADE[key] = make(key[1])
        return _MADE[key]


def close_players() -> None:
    """Drop all players, and close those that have a method `close`, such as external bots."""
    with _LOCK:
        while _MADE:
            close = getattr(_MADE.popitem()[1], "close", None)
            if close is not None:
                close()
        _DIGESTS.clear()


def sources(entrants: Iterable[Entrant], files: Callable[[str], list[Path]]) -> dict[str, str]:
    """Return digests of the code that affects play, by name: `rum500 itself`, and each external bot."""
    found = {OWN: own_sources()}
    for entrant in entrants:
        name = entrant_name(entrant)
        held = _first(name, lambda entrant=entrant: _external(entrant, files))  # type: ignore[misc]
        if held:
            found[name] = held
    return found


def _first(name: str, take: Callable[[], str]) -> str:
    with _LOCK:
        if name not in _DIGESTS:
            _DIGESTS[name] = take()
        return _DIGESTS[name]


def _external(entrant: Entrant, files: Callable[[str], list[Path]]) -> str:
    if isinstance(entrant, str):
        paths = files(entrant.strip())
    else:
        file = getattr(sys.modules[type(entrant).__module__], "__file__", None)
        paths = [Path(file)] if file else []
    return digest(paths) if paths else ""


@cache
def own_sources() -> str:
    """Return the digest of rum500's own code, as it was at the first call in this process."""
    return sources_in(_PACKAGE)


def sources_in(package: Path) -> str:
    """Return a digest of a package's code that affects play."""
    places = [package / place for place in _PLAYED_BY]
    found = [path for place in places for path in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    return digest(path for path in found if path.suffix in {".py", ".pxd", ".toml"})


def digest(paths: Iterable[Path]) -> str:
    """Return one digest of the contents of files."""
    held = blake2b(digest_size=8)
    for path in paths:
        held.update(blake2b(path.read_bytes()).digest())
    return held.hexdigest()
