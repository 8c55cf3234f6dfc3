"""The inputs that a match takes from its random generator: shuffles, new stocks and, with `auto`, draws and
cuts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rum500.match.decisions import (
    CutAt,
    CutNeeded,
    Decision,
    DrawAt,
    DrawNeeded,
    Input,
    PackOrder,
    Restock,
    ShuffleNeeded,
)
from rum500.rng import Rng

_SPREAD, _DEAL, _DRAW, _CUT, _RESTOCK = range(5)
"""Numbers of independent random streams of the match's generator, one for each use of chance."""


def random_answer(asked: Decision, rng: Rng, auto: Collection[str], shuffles: int) -> Input | None:
    """Return the generator's answer to a decision; None if the players have to answer it.

    `auto` lists the decisions that the generator makes in addition to shuffling: `draw`, `cut` or both.
    `shuffles` is the number of shuffles so far.
    """
    if isinstance(asked, ShuffleNeeded):
        cards = list(asked.cards)
        rng.spawn(_SPREAD if asked.purpose == "draw" else _DEAL, shuffles).shuffle(cards)
        return PackOrder(tuple(cards))
    if isinstance(asked, DrawNeeded) and "draw" in auto:
        stream = rng.spawn(_DRAW, shuffles, len(asked.positions))
        return DrawAt(asked.positions[stream.below(len(asked.positions))])
    if isinstance(asked, CutNeeded) and "cut" in auto:
        return CutAt(1 + rng.spawn(_CUT, shuffles).below(asked.cards - 1))
    return None


def random_restock(pile: Sequence[int], rng: Rng, shuffles: int, inputs: int) -> Restock:
    """Return a new stock of all cards of the pile except the top one, in random order (H5).

    `shuffles` and `inputs` are the numbers of shuffles and inputs so far; the order depends on both numbers.
    """
    cards = list(pile[:-1])
    rng.spawn(_RESTOCK, shuffles, inputs).shuffle(cards)
    return Restock(tuple(cards))
