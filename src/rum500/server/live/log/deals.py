"""The data of a table's deals that replays need, and the match of a deal that is played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rum500.match import CutAt, Match, PackOrder
from rum500.record import fair
from rum500.rules.ruleset import Ruleset
from rum500.server.live.log.entries import TriedAgain
from rum500.view import Event


@dataclass(slots=True)
class DealHistory:
    """The data from which a deal can be replayed."""

    number: int
    """The number of the deal in the match."""
    players: int
    """The number of players."""
    dealer: int
    """The dealer's seat."""
    totals: tuple[int, ...]
    """The totals before the deal, by seat."""
    seating: tuple[int, ...]
    """The players, by seat."""
    deck: tuple[int, ...]
    """The cards in the order of dealing."""
    shuffle: fair.FairShuffle | None
    plays: list[int] = field(default_factory=list)
    """The codes of the plays so far."""
    stocks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """New stocks, by the index in `plays` of the draw that made them."""
    stand_ins: set[int] = field(default_factory=set)
    """The indices in `plays` of plays that a bot made for a person."""
    over: bool = False
    """Whether the deal has ended."""
    hints: Counter[int] = field(default_factory=Counter)
    """By player, the number of decisions for which the player got a hint."""


def tried_match(
    rules: Ruleset, names: Sequence[str], line: TriedAgain
) -> tuple[Match, Sequence[Event], DealHistory]:
    """Set up a deal that is played again, as the entry `line` describes it.

    Returns the match before the first play, the events of the match so far, and the history of the deal.
    """
    match = Match.of_one_deal(
        rules, len(names), list(names), dealer=line.dealer, totals=line.totals, number=line.of.deal
    )
    match.apply(PackOrder((*line.deck[-1:], *line.deck[:-1])))
    dealt, totals, deck = match.apply(CutAt(1)), tuple(line.totals), tuple(line.deck)
    return match, dealt, DealHistory(match.number, len(names), line.dealer, totals, match.seating, deck, None)
