"""A match as one seat may know it."""

from __future__ import annotations

from msgspec import Struct

from rum500.match.scores import DealScore, MatchResult
from rum500.rules.ruleset import Ruleset
from rum500.view import View


class MatchView(Struct, frozen=True, gc=False):
    """What a seat (None: a spectator) may know of a match; no deck, no draw to come, no hidden hand.

    `names`, `seating` and `totals` are by seat, `accounts` by side where there are sides. `waiting_for`
    is `draw`, `shuffle`, `cut`, `play` or `over`, and `actor` the seat that has to decide. `drawn` are
    the cards that whoever sits at each seat drew for deal, none where there was no draw, and `positions`
    those still to choose from. `scorer` keeps the score, where the rules say who does (R-DEAL-5). `deal`
    is this seat's view of the deal in progress (or last played), None before the first.
    """

    rules: Ruleset
    seat: int | None
    names: tuple[str, ...]
    seating: tuple[int, ...]
    dealer: int | None
    scorer: int | None
    number: int
    waiting_for: str
    actor: int | None
    drawn: tuple[tuple[int, ...], ...]
    positions: tuple[int, ...]
    totals: tuple[int, ...]
    accounts: tuple[int, ...]
    sheet: tuple[DealScore, ...]
    deal: View | None
    result: MatchResult | None
