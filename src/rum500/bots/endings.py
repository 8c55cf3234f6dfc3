"""Exact play of endings in which a seat can deduce where every card is."""

from __future__ import annotations

from rum500.ai import KnownDeal, known_deal
from rum500.ai.endgame import Endgame
from rum500.ai.search import Search, SearchWorker
from rum500.bots.match_value import set_match_value
from rum500.rules.action_codes import lays_cards
from rum500.rules.engine.core import PHASE_OVER, Core, Moves
from rum500.rules.ruleset import Ruleset
from rum500.view import View

POSITIONS = 20_000
"""The largest number of positions to examine, about 20 ms; larger endings are left to the search."""


def solved(view: View) -> dict[int, int] | None:
    """Return the margin in points of each legal action, with best play by both sides; None if unknown.

    If more than the points of this deal counts, the result has the values that a search maximizes
    (`set_match_value`) instead of margins. The result is None unless the view is solvable (`is_solvable`),
    and few enough positions can follow.
    """
    return solved_from(view, known_deal(view))


def solved_from(view: View, seat: KnownDeal) -> dict[int, int] | None:
    """Return `solved` for a view whose `KnownDeal` is already built."""
    if not is_solvable(view, seat):
        return None
    assert view.seat is not None
    judge = Search(seat.worlds(), view.seat, ())
    staked = set_match_value(judge, view)
    return solved_for(seat, SearchWorker(judge, None) if staked else None)


def is_solvable(view: View, seat: KnownDeal) -> bool:
    """Return whether `solved_for` applies: nothing is hidden, and `can_be_solved` is true of the game."""
    return view.seat is not None and _is_open(seat) and can_be_solved(view.rules, view.players)


def can_be_solved(rules: Ruleset, players: int) -> bool:
    """Return whether deals of a game can be solved when all cards are known: there are two accounts, and the
    rules allow neither a new stock (H5) nor a win before the end of a deal (D14).
    """
    two = players == 2 or rules.sides == 2
    return two and not rules.restock and rules.match_end != "at_once"


def solved_for(seat: KnownDeal, judge: SearchWorker | None) -> dict[int, int] | None:
    """Return the final value of each legal action with best play by both sides.

    The value is the judge's utility or, without a judge, the margin in points. The deal must be `is_solvable`
    for its actor. Returns None if too many positions can follow.
    """
    return Endgame().solve(seat.worlds().world(0), seat.core.actor, POSITIONS, judge)


def end_of_best_line(seat: KnownDeal, code: int, judge: SearchWorker | None) -> tuple[Core, int] | None:
    """Play a deal to its end after an action; return the position before the last action, and that action.

    Both sides play their best. `judge` and the conditions are those of `solved_for`. Among equally good
    actions the one with the smallest code is played. Returns None if too many positions can follow.
    """
    core, moves, solver = seat.worlds().world(0), Moves(), Endgame()
    own = core.actor
    while True:
        before = Core()
        before.copy_from(core)
        core.apply(code, moves)
        if core.phase == PHASE_OVER:
            return before, code
        values = solver.solve(core, own, POSITIONS, judge)
        if values is None:
            return None
        of_other = (core.actor ^ own) & 1  # one account has the even seats, the other the odd ones
        wanted = (min if of_other else max)(values.values())
        code = min(action for action, value in values.items() if value == wanted)


def winning_play(view: View, core: Core) -> int | None:
    """Return the meld or lay-off of most points that wins the match at once (D14); None if there is none."""
    if view.rules.match_end != "at_once":
        return None
    needed = view.rules.target - core.side_points(core.actor)
    plays = [code for code in view.legal if lays_cards(code) and core.points(code) >= needed]
    return max(plays, key=core.points, default=None)


def _is_open(seat: KnownDeal) -> bool:
    """Return whether only one deal fits the view: the unseen cards are all in one hand, or a single card in
    the stock is the only unseen one.
    """
    return seat.stock + sum(map(bool, seat.room)) <= 1
