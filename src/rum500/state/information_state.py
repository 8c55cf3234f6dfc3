"""Everything that one seat has seen in a deal, as a value, as text and as numbers."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from rum500.cards import JOKER, LANE, card_text, cards_text
from rum500.rules.action_codes import action_kind, discarded_card
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import PHASE_OVER, Core
from rum500.state.history import CardHistory
from rum500.values import Plain

CARDS = 53
"""How many numbers stand for one card: one for each card of a pack by suit, and one for jokers."""
KINDS = len(ActionKind)
_FIRST_BIT, _BITS = 4, 36
"""The lowest bit and the number of bits of an action's code after its kind."""


@dataclass(frozen=True, slots=True)
class InformationState(Plain):
    """Everything that one seat has seen in a deal. It differs for any two deals that the seat can tell apart.

    A view contains what the seat sees now. An information state contains all that the seat has ever seen
    (perfect recall): its first hand, the cards that it drew, and all public actions. The rules are not part
    of it.
    """

    seat: int
    """The seat."""
    players: int
    """The number of players."""
    dealer: int
    """The seat that dealt."""
    totals: tuple[int, ...]
    """Per seat, the match totals before the deal."""
    number: int
    """The number of the deal in the match, from 1."""
    first_hand: tuple[int, ...]
    """The cards dealt to the seat, sorted."""
    past: tuple[int, ...]
    """The public actions: the upcard, as the code of its discard, then the code of each action."""
    actors: tuple[int, ...]
    """The seat of each action after the upcard."""
    draws: tuple[int, ...]
    """The cards that the seat drew from the stock, in order."""
    hands: tuple[tuple[int, ...], ...] = ()
    """The hands at the end of the deal by seat, which all see (D22); empty before the end."""

    @classmethod
    def of(cls, core: Core, history: CardHistory, seat: int) -> InformationState:
        """Return the information state of a seat."""
        over = core.phase == PHASE_OVER
        return cls(
            seat,
            core.n,
            core.dealer,
            tuple(core.totals[: core.n]),
            core.number,
            tuple(history.first_hand(core, seat)),
            history.past,
            tuple(history.actors()),
            tuple(history.draws_of(seat)),
            tuple(tuple(core.hand_cards(other)) for other in range(core.n)) if over else (),
        )

    @property
    def text(self) -> str:
        """Return the information state as text. Each action is its code; the seat's own draws have cards."""
        draws = iter(self.draws)
        course = [str(self.past[0])]
        for code, actor in zip(self.past[1:], self.actors, strict=True):
            own = code == ActionKind.DRAW and actor == self.seat
            course.append(f"{code}={card_text(next(draws))}" if own else str(code))
        lines = [
            f"seat {self.seat} of {self.players}, dealer {self.dealer}, deal {self.number}",
            f"totals: {' '.join(map(str, self.totals))}",
            f"first hand: {cards_text(self.first_hand)}",
            f"course: {' '.join(course)}",
        ]
        lines += [f"hand {seat}: {cards_text(hand)}".rstrip() for seat, hand in enumerate(self.hands)]
        return "\n".join(lines)

    @staticmethod
    def size(players: int, actions: int) -> int:
        """Return the number of floats in `tensor` for up to `actions` actions."""
        return CARDS + 2 * players + 1 + (actions + 1) * _width(players)

    def tensor(self, actions: int) -> array[float]:
        """Return the information state as 32-bit floats, for deals of up to `actions` actions.

        First come the number of each card in the first hand, the dealer's seat (one number for each seat),
        the totals and the number of the deal. Each action follows with the same width: its seat, its kind,
        the card that is discarded or that this seat draws, and the bits of its code after the kind. Seats are
        counted from this one. Rows after the last action are 0. Hands at the end are not included. Raises
        `ValueError` if there are more actions.
        """
        if len(self.past) > actions + 1:
            raise ValueError(f"this course has {len(self.past) - 1} actions, more than {actions}")
        n = self.players
        out = array("f", bytes(4 * self.size(n, actions)))
        for card in self.first_hand:
            out[_place(card)] += 1
        out[CARDS + (self.dealer - self.seat) % n] = 1
        for seat, total in enumerate(self.totals):
            out[CARDS + n + (seat - self.seat) % n] = total
        out[CARDS + 2 * n] = self.number
        draws = iter(self.draws)
        at = CARDS + 2 * n + 1
        for code, actor in zip(self.past, (None, *self.actors), strict=True):
            kind = action_kind(code)
            shown: int | None = None
            if kind is ActionKind.DISCARD:
                shown = discarded_card(code)
            elif kind is ActionKind.DRAW and actor == self.seat:
                shown = next(draws)
            if actor is not None:
                out[at + (actor - self.seat) % n] = 1
            out[at + n + kind] = 1
            if shown is not None:
                out[at + n + KINDS + _place(shown)] = 1
            for bit in range(_BITS):
                out[at + n + KINDS + CARDS + bit] = (code >> _FIRST_BIT) >> bit & 1
            at += _width(n)
        return out


def _width(players: int) -> int:
    return players + KINDS + CARDS + _BITS


def _place(card: int) -> int:
    return CARDS - 1 if card == JOKER else card // LANE * 13 + card % LANE
