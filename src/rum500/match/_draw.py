"""The draw for deal (R-DEAL-1, D15): who deals first, and where the draw makes partners, who sits where."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cards import JOKER, rank_of

JOKER_HIGHEST = 13


def draw_rank(card: int) -> int:
    """How a card ranks in the draw: the ace lowest, jokers highest; suits do not count."""
    return JOKER_HIGHEST if card == JOKER else rank_of(card)


class DrawForDeal:
    """A draw in progress: which seat draws next, and what each has drawn so far.

    Those who draw again keep their place among the rest, so that seats compare by all their cards in
    order: a second card only ever decides between seats whose first were alike.
    """

    def __init__(self, seats: int, partners: bool) -> None:
        """Begin with every seat to draw, in order; `partners`: the two lowest become partners."""
        self.drawn: list[list[int]] = [[] for _ in range(seats)]
        self.waiting: list[int] = list(range(seats))
        self.cuts = (1, 2) if partners else (1,)
        self.free: list[int] = []
        self.pack: tuple[int, ...] = ()

    def spread(self, pack: Sequence[int]) -> None:
        """Spread a pack in this order."""
        self.pack = tuple(pack)
        self.free = list(range(len(pack)))

    @property
    def again(self) -> bool:
        """Whether those to draw have tied before."""
        return bool(self.drawn[self.waiting[0]]) if self.waiting else False

    @property
    def needs_pack(self) -> bool:
        """Whether too few cards lie spread for those who are to draw."""
        return len(self.waiting) > len(self.free)

    def draw(self, position: int) -> int:
        """The next seat draws this card, which is returned; who ties draws again when all have drawn."""
        self.free.remove(position)
        card = self.pack[position]
        self.drawn[self.waiting.pop(0)].append(card)
        if not self.waiting:
            self.waiting = self._tied()
        return card

    def order(self) -> list[int]:
        """The seats from the lowest draw to the highest, those alike in their own order."""
        return sorted(range(len(self.drawn)), key=self._ranks)

    def _ranks(self, seat: int) -> list[int]:
        return [draw_rank(card) for card in self.drawn[seat]]

    def _tied(self) -> list[int]:
        """The seats whose tie decides something: it lies across a place where the order matters."""
        order = self.order()
        for cut in self.cuts:
            if self._ranks(order[cut - 1]) == self._ranks(order[cut]):
                key = self._ranks(order[cut])
                return [seat for seat in sorted(order) if self._ranks(seat) == key]
        return []

    def seating(self) -> list[int]:
        """Who sits where once partners are drawn: a seat's former seat, the lowest staying where it is.

        The two lowest sit opposite, the third lowest at the dealer's left. If the third and the fourth
        drew alike, which decides neither deal nor partners, the one nearer the dealer's left sits there.
        """
        dealer, partner, *others = self.order()
        if self._ranks(others[0]) == self._ranks(others[1]):
            others.sort(key=lambda seat: (seat - dealer) % 4)
        seats = [0] * 4
        for step, player in enumerate((dealer, others[0], partner, others[1])):
            seats[(dealer + step) % 4] = player
        return seats
