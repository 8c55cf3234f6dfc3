"""Chances to win the match after a finished deal."""

from __future__ import annotations

from rum500.ai.search import Search, SearchWorker
from rum500.ai.worlds import Worlds
from rum500.bots.match_value import ANY, WINNING, chances, game_class
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset
from rum500.state import State


def match_equity(state: State) -> tuple[float, ...]:
    """Return each seat's chance to win the match after this deal, in steps of a thousandth.

    The chances follow from the totals before the deal and the deal's points, by the table that `strong` uses
    near the end of a match. They are zeros until the deal is over. Raises `ValueError` if the match has a
    fixed number of deals and this is not the last of them, because there is no table for it.
    """
    found = judge(state.rules, state.core)
    if not state.is_over:
        return (0.0,) * state.players
    return tuple(chance / 1000 for chance in found.seat_chances(state.core))


def judge(rules: Ruleset, core: Core) -> SearchWorker:
    """Return a worker that computes chances after deals with this core's totals, for use in one thread.

    Raises `ValueError` as `match_equity` does.
    """
    task = Search(Worlds(core, (), 0, (0,) * core.n), 0, ())
    if rules.match == "target":
        last = 0 < rules.max_deals <= core.number
        task.value_match(ANY if last else rules.target, chances(game_class(rules, core.n)))
    elif core.number >= rules.deals:  # a deciding deal too
        task.value_prize(rules.match_bonus or WINNING)
    else:
        raise ValueError(
            f"winning chances are known after the last deal of a match of {rules.deals} deals only, "
            f"not after deal {core.number}"
        )
    return SearchWorker(task, None)
