"""Conversion of a `State` or a `View` to the core that spaces read, and checks of the deal and of buffers."""

from __future__ import annotations

from rum500.ai import known_deal
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset
from rum500.state import State
from rum500.view import View


def core_of(source: State | View, rules: Ruleset, players: int) -> Core:
    """Return the core of a state, or a core with what a view contains.

    Raises `TypeError` for anything else and `ValueError` for a deal under other rules or with another number
    of players.
    """
    if isinstance(source, View):
        check_game(source.rules, source.players, rules, players)
        return known_deal(source).core
    if isinstance(source, State):
        check_game(source.rules, source.core.n, rules, players)
        return source.core
    raise TypeError(f"expected a State or a View, found {type(source).__name__}")


def check_game(rules: Ruleset, players: int, wanted: Ruleset, count: int) -> None:
    """Raise `ValueError` unless a deal, with these rules and players, fits a space.

    The space is for the rules `wanted` and `count` players.
    """
    if players != count:
        raise ValueError(f"the deal has {players} players, this space is for {count}")
    if rules is not wanted and rules != wanted:
        raise ValueError(
            f"the deal is played under other rules ({rules.name}) than this space's ({wanted.name})"
        )


def bytes_of(out: object, size: int, name: str) -> memoryview:
    """Return a writable, contiguous buffer of this size as bytes. Raises `ValueError` for any other."""
    with_gaps = f"{name} must be contiguous and writable"
    try:
        view = memoryview(out)  # type: ignore[arg-type]
        flat = view.cast("B")
    except TypeError as error:
        if "buffer" in str(error) or "bytes-like" in str(error):
            raise TypeError(f"{name} is no buffer: {type(out).__name__}") from None
        raise ValueError(with_gaps) from None
    if flat.readonly:
        raise ValueError(with_gaps)
    if flat.nbytes != size:
        raise ValueError(f"{name} has {flat.nbytes} bytes, this space needs {size}")
    return flat
