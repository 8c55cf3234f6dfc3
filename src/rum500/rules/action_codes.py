"""Actions as 64-bit codes, the engine's form. `rules/engine/core.py` describes the layout.

Outside `rules`, `ai` and the compiled modules, use these functions; do not read the bits directly.

>>> decode(encode(Discard(card=43)))
discard QD
"""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import Literal

from rum500.cards import ACE_HIGH, CARDS, JOKER, LANE, Card, card_of
from rum500.rules.actions import (
    Action,
    ActionKind,
    Call,
    Discard,
    Draw,
    EndDeal,
    Laid,
    LayOff,
    LetGo,
    Meld,
    Pass,
    Take,
    is_set,
    stands_right,
)
from rum500.rules.engine import core as _core

_RUN = (1 << 14) - 1

_PLAIN: dict[int, Action] = {
    _core.DRAW: Draw(),
    _core.PASS: Pass(),
    _core.END: EndDeal(),
    _core.LET_GO: LetGo(),
}
_CODES: dict[Action, int] = {action: code for code, action in _PLAIN.items()}


_KINDS = tuple(ActionKind)


def action_kind(code: int) -> ActionKind:
    """Return the kind of an encoded action. Raises `ValueError` if it has none.

    >>> action_kind(take_code(3))
    <ActionKind.TAKE: 4>
    """
    kind = code & 15
    if kind > _core.LAY_SET:
        raise ValueError(f"{code} encodes no action")
    return _KINDS[kind]


def lays_cards(code: int) -> bool:
    """Return whether an encoded action is a meld or a lay-off.

    >>> lays_cards(encode(Meld((Laid(5, 5), Laid(6, 6), Laid(7, 7))))), lays_cards(discard_code(5))
    (True, False)
    """
    return action_kind(code) >= _core.MELD_RUN


def opens_meld(code: int) -> bool:
    """Return whether an encoded action lays a new meld.

    >>> opens_meld(encode(LayOff(0, (Laid(8, 8),), run=True)))
    False
    """
    return action_kind(code) in (_core.MELD_RUN, _core.MELD_SET)


def taken_count(code: int) -> int:
    """Return how many cards a take or a call takes. Raises `ValueError` for another action.

    >>> taken_count(take_code(3)), taken_count(encode(Call(2)))
    (3, 2)
    """
    if code & 15 not in (_core.TAKE, _core.CALL):
        raise ValueError(f"{code} takes no cards from the pile")
    return code >> 4


def take_code(count: int) -> int:
    """Return the code of a take of `count` cards.

    >>> take_code(2) == encode(Take(2))
    True
    """
    return _core.TAKE | count << 4


def discarded_card(code: int) -> Card:
    """Return the card of a discard. Raises `ValueError` for another action.

    >>> discarded_card(discard_code(43))
    QD
    """
    if code & 15 != _core.DISCARD:
        raise ValueError(f"{code} discards no card")
    return card_of(code >> 4)


def discard_code(card: int) -> int:
    """Return the code of the discard of a card.

    >>> discard_code(43) == encode(Discard(43))
    True
    """
    return _core.DISCARD | card << 4


def target_meld(code: int) -> int:
    """Return the number of the meld that a lay-off extends, from 0. Raises `ValueError` for another action.

    >>> target_meld(encode(LayOff(3, (Laid(8, 8),), run=True)))
    3
    """
    if code & 15 not in (_core.LAY_RUN, _core.LAY_SET):
        raise ValueError(f"{code} is not a lay-off")
    return code >> _core.MELD_SHIFT & 63


def joker_count(code: int) -> int:
    """Return how many jokers a meld or a lay-off lays. Raises `ValueError` for another action.

    >>> joker_count(encode(Meld((Laid(5, 5), Laid(6, 6), Laid(JOKER, 7)))))
    1
    """
    _check_lays(code)
    return play_counts(code)[2]


def shape_of(code: int) -> Literal["run", "set", "jokers"]:
    """Return the shape of an encoded play, or of a meld as the core stores it.

    `jokers` are jokers of their own rank (R-MELD-4). Raises `ValueError` for another action.

    >>> shape_of(encode(Meld((Laid(5, 5), Laid(6, 6), Laid(7, 7)))))
    'run'
    """
    _check_lays(code)
    if is_run(code):
        return "run"
    return "jokers" if code >> 4 & 15 == _core.JOKER_RANK else "set"


def _check_lays(code: int) -> None:
    if not lays_cards(code):
        raise ValueError(f"{code} lays no cards")


@lru_cache(maxsize=4096)
def decode(code: int) -> Action:
    """Return the action that a code encodes. Raises `ValueError` if it encodes none."""
    kind = code & 15
    if code in _PLAIN:
        return _PLAIN[code]
    if kind == _core.TAKE:
        return Take(taken_count(code))
    if kind == _core.CALL:
        return Call(taken_count(code))
    if kind == _core.DISCARD:
        return Discard(code >> 4)
    cards = laid_cards(code)
    if kind in (_core.MELD_RUN, _core.MELD_SET):
        return Meld(cards)
    if kind in (_core.LAY_RUN, _core.LAY_SET):
        return LayOff(target_meld(code), cards, kind == _core.LAY_RUN)
    raise ValueError(f"{code} encodes no action")


def is_run(code: int) -> bool:
    """Return whether a play is a run or adds cards to a run.

    `code` is an encoded play, or a meld as the core stores it.
    """
    return code & 15 in (_core.MELD_RUN, _core.LAY_RUN)


def _run_bits(code: int) -> tuple[int, int, int]:
    """Return three numbers of a run: the place of its suit's low ace, the mask of its positions, and the mask
    of the positions of its jokers.
    """
    return LANE * (code >> 4 & 3), code >> 6 & _RUN, code >> 20 & _RUN


def _set_bits(code: int) -> tuple[int, int, int, int]:
    """Return four numbers of a set: its rank, its natural cards by suit, its jokers by suit, and its number
    of unnamed jokers.

    The numbers by suit have two bits for each suit. A joker is unnamed if it does not state the card that it
    stands for.

    Jokers of their own rank, of rank `JOKER_RANK`, are all counted as unnamed.
    """
    rank = code >> 4 & 15
    if rank == _core.JOKER_RANK:
        return rank, 0, 0, code >> 8 & 255
    return rank, code >> 8 & 255, code >> 16 & 255, 2 * (code >> 24 & 1)


@lru_cache(maxsize=4096)
def laid_cards(code: int) -> tuple[Laid, ...]:
    """Return the cards of a play, or of a meld of the core: ascending in a run, by suit in a set."""
    if is_run(code):
        return _run_cards(code)
    rank, natural, wild, plain = _set_bits(code)
    naturals = [Laid(CARDS[card], card) for card in _suit_counts(natural, rank)]
    jokers = [Laid(CARDS[JOKER], place) for place in _suit_counts(wild, rank)]
    return (*naturals, *jokers, *[Laid(CARDS[JOKER], None)] * plain)


def _run_cards(code: int) -> tuple[Laid, ...]:
    lane, mask, wild = _run_bits(code)
    return tuple(
        Laid(CARDS[JOKER if wild >> position & 1 else lane + position % ACE_HIGH], lane + position)
        for position in range(14)
        if mask >> position & 1
    )


def play_counts(code: int) -> tuple[int, int, int]:
    """Return (natural cards as a mask, their number, number of jokers) of an encoded play.

    This is the fast way to find which cards leave the hand, regardless of where they are laid.

    >>> play_counts(encode(Meld((Laid(5, 5), Laid(6, 6), Laid(JOKER, 7))))) == (1 << 5 | 1 << 6, 2, 1)
    True
    """
    if is_run(code):
        lane, mask, wild = _run_bits(code)
        mask ^= wild
        return (mask & ~(1 << ACE_HIGH) | mask >> ACE_HIGH) << lane, mask.bit_count(), wild.bit_count()
    rank, natural, wild, plain = _set_bits(code)
    cards = count = 0
    for suit in range(4):
        copies = natural >> 2 * suit & 3
        cards |= (copies > 0) << LANE * suit + rank
        count += copies
        plain += wild >> 2 * suit & 3
    return cards, count, plain


def ends_on_high_ace(code: int) -> bool:
    """Return whether an encoded play lays an ace above the king in a run."""
    return is_run(code) and bool(code >> 6 + ACE_HIGH & 1)


def _suit_counts(field: int, rank: int) -> list[int]:
    return [LANE * suit + rank for suit in range(4) for _ in range((field >> (2 * suit)) & 3)]


def encode(action: Action) -> int:
    """Return the code of an action.

    The action need not be legal; see `State.is_legal`. Raises `ValueError` if the cards cannot be written as
    one set or one run, or if a card has an impossible place.
    """
    match action:
        case Take(count):
            return take_code(count)
        case Call(count):
            return _core.CALL | count << 4
        case Discard(card):
            return discard_code(card)
        case Meld(cards):
            if is_set(cards):
                return _core.MELD_SET | _set_fields(cards)
            return _core.MELD_RUN | _run_fields(cards)
        case LayOff(meld, cards, run):
            fields = _run_fields(cards) if run else _set_fields(cards)
            return (_core.LAY_RUN if run else _core.LAY_SET) | fields | meld << _core.MELD_SHIFT
        case Draw() | Pass() | EndDeal() | LetGo():
            return _CODES[action]
    raise TypeError(f"expected an action or its code, such as rum500.Draw(), found {action!r}")


def code_of(choice: Action | int) -> int:
    """Return the code of an action, given as an `Action` or as its code. Raises the errors of `encode`."""
    if type(choice) is int:
        return choice
    if isinstance(choice, Action) or not hasattr(choice, "__index__"):
        return encode(choice)  # type: ignore[arg-type] # it refuses what is not an action
    return index(choice)


def _check_places(cards: tuple[Laid, ...]) -> None:
    for laid in cards:
        if not stands_right(laid):
            raise ValueError(f"card {laid.card} does not stand for {laid.place}")


def _run_fields(cards: tuple[Laid, ...]) -> int:
    _check_places(cards)
    places = [laid.place for laid in cards]
    if not places or None in places:
        raise ValueError("a joker in a run must say which card it stands for")
    suits = {place // LANE for place in places if place is not None}
    mask = sum({1 << place % LANE for place in places if place is not None})
    if len(suits) != 1 or mask.bit_count() != len(cards):
        raise ValueError("the cards of a run are of one suit and of different ranks")
    wild = sum(1 << laid.place % LANE for laid in cards if laid.card == JOKER and laid.place is not None)
    return suits.pop() << 4 | mask << 6 | wild << 20


def _set_fields(cards: tuple[Laid, ...]) -> int:
    _check_places(cards)
    naturals: list[int] = [laid.card for laid in cards if laid.card != JOKER]
    named = [_in_set(laid.place) for laid in cards if laid.card == JOKER and laid.place is not None]
    plain = sum(1 for laid in cards if laid.place is None)
    ranks = {card % LANE % ACE_HIGH for card in (*naturals, *named)}
    if not ranks and cards:
        return _core.JOKER_RANK << 4 | plain << 8
    counts = [
        [group.count(LANE * suit + rank) for suit in range(4)]
        for group in (naturals, named)
        for rank in ranks
    ]
    if len(ranks) != 1 or plain not in (0, 2) or max(map(max, counts)) > 2:
        raise ValueError("the cards of a set are of one rank")
    natural, wild = (sum(n << 2 * suit for suit, n in enumerate(row)) for row in counts)
    return ranks.pop() << 4 | natural << 8 | wild << 16 | (plain // 2) << 24


def _in_set(place: int) -> int:
    """Return the place with a high ace converted to the low ace: sets do not distinguish them."""
    return place - place % LANE + place % LANE % ACE_HIGH
