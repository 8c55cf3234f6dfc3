"""Deals that one seat cannot tell apart: other hidden cards, with the same actions afterwards.

A token is a card that the seat cannot see: one in the stock, or an unknown one in another hand (D21). Tokens
that the following plays will show keep their cards; the cards of the others are shuffled.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rum500.cards import JOKER
from rum500.rules.action_codes import decode
from rum500.rules.actions import Discard, Draw, LayOff, Meld
from rum500.rules.engine.core import Core
from rum500.state import State

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from rum500.rules.actions import Action


@dataclass
class Token:
    """A card that the observer cannot see; `shown` if a later play shows it."""

    card: int
    shown: bool = False


@dataclass
class Hidden:
    """All tokens of a deal, by their place; follows the plays."""

    stock: list[Token]
    held: dict[int, list[Token]]
    known: dict[int, Counter[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, state: State, observer: int | None) -> Hidden:
        """Return what the observer cannot see; None is a spectator."""
        others = [seat for seat in range(state.players) if seat != observer]
        held = {}
        for seat in others:
            unknown = Counter(state.hands[seat]) - Counter(state.known(seat))
            held[seat] = [Token(card) for card in unknown.elements()]
        return cls([Token(card) for card in state.stock], held)

    def follow(self, state: State, action: Action) -> None:
        """Follow a play that is about to be made: where tokens go, and which it shows."""
        seat = state.actor
        if isinstance(action, Draw):
            token = self.stock.pop(0)
            if seat in self.held:
                self.held[seat].append(token)
            else:
                token.shown = True
        elif seat in self.held:
            known = Counter(state.known(seat))
            for card in (Counter(played_cards(action)) - known).elements():
                token = next(one for one in self.held[seat] if one.card == card)
                token.shown = True
                self.held[seat].remove(token)


def played_cards(action: Action) -> list[int]:
    """The cards that leave the hand with this action."""
    if isinstance(action, Discard):
        return [action.card]
    return [laid.card for laid in action.cards] if isinstance(action, Meld | LayOff) else []


def permuted(state: State, observer: int | None, line: Sequence[int], chance: random.Random) -> State:
    """Return the deal with other hidden cards for the observer, such that this line can still be played."""
    hidden = Hidden.of(state, observer)
    tokens = [*hidden.stock, *(token for held in hidden.held.values() for token in held)]
    stock, held = list(hidden.stock), {seat: list(some) for seat, some in hidden.held.items()}
    walk = state.copy()
    for code in line:
        if code == 0 and not walk.stock:
            break  # a restock: what is drawn now was seen on the pile (H5)
        hidden.follow(walk, decode(code))
        walk.apply_int(code)
    free = [token for token in tokens if not token.shown]
    cards = [token.card for token in free]
    chance.shuffle(cards)
    for token, card in zip(free, cards, strict=True):
        token.card = card
    twin = state.copy()
    core = twin.core
    cards = core.stock[:]
    cards[core.stock_next : core.stock_end] = [token.card for token in stock]
    core.stock = cards
    for seat, tokens in held.items():
        set_hand(core, seat, [*state.known(seat), *(token.card for token in tokens)])
    if core.turn != observer and core.drawn >= 0:
        core.drawn = chance.choice([card for card in range(52) if card % 16 < 13])
    core.rng = chance.getrandbits(64)
    return twin


def set_hand(core: Core, seat: int, cards: Sequence[int]) -> None:
    """Put these cards into a hand, in place of those there."""
    counts = Counter(cards)
    masks = [
        sum(1 << card for card, n in counts.items() if card != JOKER and n >= copies) for copies in (1, 2)
    ]
    changed = {"h1": masks[0], "h2": masks[1], "hj": counts[JOKER], "hn": len(cards)}
    for name, value in changed.items():
        values = getattr(core, name)[:]
        values[seat] = value
        setattr(core, name, values)
