"""`rum500 perft`: the number of lines of play from a position."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from rum500.cli._inputs import PositionFile, check_range, read_position, shown
from rum500.cli.user_error import UserError
from rum500.rules.engine.playouts import perft
from rum500.rules.notation import play_text
from rum500.state import State

DEEPEST = 100


def command(
    file: PositionFile,
    /,
    *,
    depth: Annotated[int, Parameter(help="How many plays long the lines are.")] = 2,
    divide: Annotated[bool, Parameter(help="Count the lines after each first play.")] = False,
) -> None:
    """Count the lines of play from a position.

    Prints each depth and its number of lines: the different ways to make exactly that many plays. A finished
    deal has no continuation.
    """
    check_range("--depth", depth, 1 if divide else 0, DEEPEST)
    position = read_position(file)
    if not position.complete:
        message = "lines of play can be counted only where all cards are known, not from one seat"
        raise UserError(f"{shown(file)}: {message}")
    if divide:
        _divide(position.state, depth)
        return
    for plays in range(min(1, depth), depth + 1):
        print(plays, perft(position.state.core, plays), flush=True)


def _divide(state: State, depth: int) -> None:
    total = 0
    for code in state.legal_ints():
        after = state.copy()
        after.apply_int(code)
        count = perft(after.core, depth - 1)
        total += count
        print(f"{play_text(code, state)}: {count}", flush=True)
    print(f"{depth} {total}")
