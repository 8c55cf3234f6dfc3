"""Judges the plays of a decision with all hands open. No player could see the hands at the time.

The judgement uses all hands but not the order of the stock, and all seats play on like `club`. The results
show how a decision turned out. They never affect marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rum500.ai.heuristic_levels import policy
from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots import rng_for
from rum500.intervals import standard_error
from rum500.review.luck import MOST_ORDERS
from rum500.state import State
from rum500.values import whole_number

VERSION = 1
"""The version of the method, increased with every change that changes results."""
ORDERS = 512
"""The number of orders of the stock in which each play is tried."""
_STREAM = 0x4F70656E


@dataclass(frozen=True, slots=True)
class OpenLead:
    """A play, and its gain with all hands open."""

    code: int
    """The code of the play."""
    points: float
    """The mean margin (own points less the others' mean) after the play, less that after the played one."""
    error: float
    """The standard error of `points`; 0 for the played one."""


def open_leads(
    state: State, codes: Sequence[int], deal: int, step: int, orders: int = ORDERS
) -> tuple[OpenLead, ...]:
    """Return the gains of these plays of the actor over the first of them, the played one.

    `deal` and `step`, the decision's place in a record, are the seed of the `orders` random orders of the
    stock. Raises `ValueError` if a play is not legal, or for a number of orders outside 2 to `MOST_ORDERS`.
    """
    orders = whole_number("the number of orders of the stock", orders, 2, MOST_ORDERS)
    if not all(state.is_legal(code) for code in codes):
        raise ValueError("a play is not legal")
    core, rules = state.core, state.rules
    worlds = Worlds(core, sorted(core.stock_cards()), 0, (0,) * state.players)
    task = Search(worlds, state.actor, codes)
    worker = SearchWorker(task, policy(rules, state.players))
    worker.run(rng_for(_STREAM, deal, step).next64(), 0, orders)
    task.add(worker)
    others = 1 if rules.sides else state.players - 1
    leads = [task.statistics(i)[2:] for i in range(task.n)]
    return tuple(
        OpenLead(code, lead / (orders * others), standard_error(lead, square, orders) / others)
        for code, (lead, square) in zip(codes, leads, strict=True)
    )
