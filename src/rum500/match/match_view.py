"""Views of a match, which contain only what one seat may know."""

from __future__ import annotations

from msgspec import Struct

from rum500.match.scores import DealScore, MatchResult
from rum500.rules.ruleset import Ruleset
from rum500.values import Plain
from rum500.view import View


class MatchView(Plain, Struct, frozen=True, gc=False):
    """All that a seat may know of a match. It contains no deck, no future draw and no hidden hand."""

    rules: Ruleset
    """The rules of the game."""
    seat: int | None
    """The seat whose view this is; None for a spectator."""
    names: tuple[str, ...]
    """Per seat, the player's name."""
    seating: tuple[int, ...]
    """Per seat, the player who sits there."""
    dealer: int | None
    """The dealer's seat; None before the draw for deal is finished."""
    scorer: int | None
    """The seat that keeps score, if the rules name one (R-DEAL-5)."""
    number: int
    """The number of the deal, from 1; 0 before the first."""
    waiting_for: str
    """`draw`, `shuffle`, `cut`, `play` or `over`."""
    actor: int | None
    """The seat that has to decide; None if there is none."""
    drawn: tuple[tuple[int, ...], ...]
    """Per seat, the cards that its player drew for deal; empty if there was no draw."""
    positions: tuple[int, ...]
    """The positions of the spread pack to choose from."""
    totals: tuple[int, ...]
    """Per seat, the totals."""
    accounts: tuple[int, ...]
    """The totals by side, or by seat in a game without sides."""
    sheet: tuple[DealScore, ...]
    """The score sheet."""
    deal: View | None
    """This seat's view of the current or last deal; None before the first."""
    result: MatchResult | None
    """The result of the match; None until it is over."""
