"""The draw for deal (R-DEAL-1, D15). It decides who deals first and, in some games, partners and seats."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cards import JOKER, rank_of
from rum500.match.decisions import DrawNeeded, MatchError, ShuffleNeeded
from rum500.view import Event

JOKER_HIGHEST = 13


def draw_rank(card: int) -> int:
    """Return the rank of a card in the draw: aces are lowest, jokers highest; suits do not count."""
    return JOKER_HIGHEST if card == JOKER else rank_of(card)


class DrawForDeal:
    """A draw for deal in progress: the seats that still have to draw, and the cards drawn so far.

    Seats are compared by all their cards in the order drawn. So a second card decides only between seats
    whose first cards were equal; it does not change their order among the other seats.
    """

    def __init__(self, seats: int, partners: bool) -> None:
        """Start a draw in which every seat draws, in seat order.

        With `partners`, the two of four seats that draw lowest become partners.
        """
        self.partners = partners and seats == 4
        self.drawn: list[list[int]] = [[] for _ in range(seats)]
        self.waiting: list[int] = list(range(seats))
        self.cuts = (1, 2) if self.partners else (1,)
        self.free: list[int] = []
        self.pack: tuple[int, ...] = ()

    def spread(self, pack: Sequence[int]) -> None:
        """Spread a pack, given in its order."""
        self.pack = tuple(pack)
        self.free = list(range(len(pack)))

    def decision(self, pack: Sequence[int]) -> ShuffleNeeded | DrawNeeded | None:
        """Return the next decision: a draw, or a shuffle of this pack if too few cards are left.

        Return None when the draw is finished.
        """
        if not self.waiting:
            return None
        if len(self.waiting) > len(self.free):
            return ShuffleNeeded(self.waiting[0], "draw", tuple(pack))
        return DrawNeeded(self.waiting[0], tuple(self.free), bool(self.drawn[self.waiting[0]]))

    def draw(self, position: int) -> list[Event]:
        """Draw the card at this position for the next seat and return the events.

        When all have drawn, seats that tie draw again. Raises `MatchError` if no card lies there.
        """
        if position not in self.free:
            raise MatchError("match.draw", f"no card lies at position {position} of the spread pack")
        self.free.remove(position)
        card, seat = self.pack[position], self.waiting.pop(0)
        self.drawn[seat].append(card)
        events = [Event("draw_for_deal", seat, {"position": position, "card": card})]
        if not self.waiting:
            self.waiting = self._tied()
            if self.waiting:
                events.append(Event("draw_again", self.waiting[0], {"seats": tuple(self.waiting)}))
        return events

    def order(self) -> list[int]:
        """Return the seats from the lowest draw to the highest, equal draws in seat order."""
        return sorted(range(len(self.drawn)), key=self._ranks)

    def _ranks(self, seat: int) -> list[int]:
        return [draw_rank(card) for card in self.drawn[seat]]

    def _tied(self) -> list[int]:
        """Return the seats of a tie that must be broken; empty if there is none."""
        order = self.order()
        for cut in self.cuts:
            if self._ranks(order[cut - 1]) == self._ranks(order[cut]):
                key = self._ranks(order[cut])
                return [seat for seat in sorted(order) if self._ranks(seat) == key]
        return []

    def seating(self) -> list[int]:
        """Return, for each seat, the former seat of the player who sits there after the draw.

        Without partners all keep their seats. With partners, the player who drew lowest keeps the seat and
        deals; the second lowest sits opposite, the third lowest at the dealer's left. If third and fourth are
        equal, the one whose old seat was nearer to the dealer's left sits there.
        """
        if not self.partners:
            return list(range(len(self.drawn)))
        dealer, partner, *others = self.order()
        if self._ranks(others[0]) == self._ranks(others[1]):
            others.sort(key=lambda seat: (seat - dealer) % 4)
        seats = [0] * 4
        for step, player in enumerate((dealer, others[0], partner, others[1])):
            seats[(dealer + step) % 4] = player
        return seats
