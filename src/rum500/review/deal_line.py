"""A deal on one line: the result of an average deal, of `club` with the same cards, and of the seat itself.

`club` plays the deal `GAMES` times in the seat, against the kinds of players who were there (`company`).
All players have the hands that they were dealt. Each draws the same cards as in the deal, in random order,
and then cards that nobody drew. So the line separates the luck of the cards from the play:

    you - average = cards (`club` - average) + play (you - `club`)

All figures are whole points ahead of the others (`margins`), so the two gaps add up exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rum500.ai.policy import Policy
from rum500.review.luck import mean_margins
from rum500.review.played_deal import KINDS, PlayedDeal, against, check_seat, margins, seated
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import DRAW, PHASE_OVER, Core, Moves

GAMES = 40
"""The number of games that `club` plays with the cards of a deal."""
SEED = 40
"""The seed of these games. Game g of deal d from seat s has the stream `Rng(SEED).spawn(d, s, g)`."""
_QUARTER = GAMES // 4
Standing = Literal["below", "as_good", "above"]
"""Where a result lies: below the middle half of the games, within it, or above it."""


@dataclass(frozen=True, slots=True)
class DealLine:
    """Three results of one deal for one seat: the average, that of `club` with its cards, and its own.

    All are whole points ahead of the others.
    """

    seat: int
    """The seat."""
    average: int
    """The mean result of `club` over many deals, in this place after the dealer and in the same company."""
    club: int
    """The mean of the games that `club` played with the cards of this deal."""
    low: int
    """The lower end of the middle half of these games."""
    high: int
    """The upper end of the middle half."""
    you: int
    """The result of the seat."""

    @property
    def cards(self) -> int:
        """The gap between an average deal and `club` with these cards."""
        return self.club - self.average

    @property
    def play(self) -> int:
        """The gap between `club` with these cards and the seat."""
        return self.you - self.club

    @property
    def standing(self) -> Standing:
        """Where the seat's result lies among the games of `club`."""
        if self.you < self.low:
            return "below"
        return "above" if self.you > self.high else "as_good"

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        names = ("seat", "average", "club", "low", "high", "you", "cards", "play", "standing")
        return {name: getattr(self, name) for name in names} | {"games": GAMES, "seed": SEED}


def deal_line(played: PlayedDeal, seat: int, kinds: Sequence[str] = ()) -> DealLine:
    """Return the line of a finished deal for a seat.

    `kinds` has the kind of player of each seat, one of `KINDS`; by default all are `club`. Raises
    `ValueError` if the deal is not finished, and `IndexError` for a seat that it does not have.
    """
    check_seat(seat, played.final.players)
    if not played.final.is_over:
        raise ValueError(f"deal {played.number} is not finished, so it has no result")
    rules, players, final = played.rules, played.final.players, played.final
    present = against(kinds or KINDS[:1] * players, seat)
    start, minds, drawn = played.choices[0].before.core, seated(rules, present), _drawn(played)
    seeds = Rng(SEED)
    results = sorted(
        margins(_points(start, minds, drawn, seeds.spawn(played.number, seat, game)), rules)[seat]
        for game in range(GAMES)
    )
    return DealLine(
        seat=seat,
        average=whole(mean_margins(rules, present, final.totals, final.dealer)[seat]),
        club=whole(sum(results, Fraction()) / GAMES),
        low=whole(results[_QUARTER]),
        high=whole(results[-1 - _QUARTER]),
        you=whole(margins(final.scores(), rules)[seat]),
    )


def whole(points: Fraction) -> int:
    """Return the nearest whole number of points; halves are rounded away from 0, as the page rounds them."""
    size = math.floor(abs(points) + Fraction(1, 2))
    return size if points > 0 else -size


def _drawn(played: PlayedDeal) -> list[list[int]]:
    """Return the cards that each seat drew from the stock, by seat."""
    found: list[list[int]] = [[] for _ in range(played.final.players)]
    for index, choice in enumerate(played.choices):
        if action_kind(choice.played) is ActionKind.DRAW:
            found[choice.before.actor].append(int(played.after(index).core.drawn))
    return found


def _points(start: Core, minds: Sequence[Policy], drawn: Sequence[Sequence[int]], rng: Rng) -> list[int]:
    """Play the deal once from `start`; return the points by seat. `minds` and `drawn` are by seat too."""
    core, moves = Core(), Moves()
    core.copy_from(start)
    stock = core.stock_cards()
    rng.shuffle(stock)
    core.set_stock(stock)
    coming = [list(cards) for cards in drawn]
    for cards in coming:
        rng.shuffle(cards)
    while core.phase != PHASE_OVER:
        code = minds[core.actor].choice(core)
        if code == DRAW:
            _put_next_card_on_top(core, coming)
        core.apply(code, moves)
    return [core.score(seat) for seat in range(core.n)]


def _put_next_card_on_top(core: Core, coming: Sequence[list[int]]) -> None:
    """Put the actor's next card of `coming` on top of the stock; if none is left, a card in no list."""
    stock, own = [int(card) for card in core.stock_cards()], coming[core.actor]
    if not stock:
        return  # the pile becomes the new stock (H5)
    card = next((one for one in own if one in stock), None)
    if card is None:
        free = Counter(stock)
        free.subtract(one for cards in coming for one in cards)
        card = next((one for one in stock if free[one] > 0), stock[0])
    else:
        own.remove(card)
    stock.remove(card)
    core.set_stock([card, *stock])
