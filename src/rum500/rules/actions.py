"""Actions: 64-bit numbers inside, frozen dataclasses outside. The layout is told in `engine/core.py`.

>>> decode(encode(Discard(card=43)))
Discard(card=43)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules.engine import core as _core

_RUN = (1 << 14) - 1


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the stock (R-DRAW-1), made anew first where H5 is played."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top `count` cards of the pile (R-DRAW-2)."""

    count: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call "Rummy!" and take the top `count` cards of the pile (R-CLAIM-2)."""

    count: int


@dataclass(frozen=True, slots=True)
class LetGo:
    """Do not call (R-CLAIM-1)."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, the stock being empty (D6)."""


@dataclass(frozen=True, slots=True)
class EndDeal:
    """End the deal instead of drawing from an empty stock (D5)."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card, which ends the turn (R-TURN-1)."""

    card: int


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """A card laid on the table and the place it takes.

    `place` is `suit * 16 + position` (position 13: the ace above the king); in a set a natural card's
    place is the card. It is None for a joker of its own rank and for a joker that H3 leaves unnamed.
    """

    card: int
    place: int | None


@dataclass(frozen=True, slots=True)
class Meld:
    """Lay a new meld: a set, a run, or a set of jokers (R-MELD-1, R-MELD-2, R-MELD-4)."""

    cards: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class LayOff:
    """Lay one or more cards on meld number `meld`, counted from 0; `run` tells a run from a set (R-LAY-1)."""

    meld: int
    cards: tuple[Laid, ...]
    run: bool


Action = Draw | Take | Call | LetGo | Pass | EndDeal | Discard | Meld | LayOff
Play = Meld | LayOff

_PLAIN: dict[int, Action] = {
    _core.DRAW: Draw(),
    _core.PASS: Pass(),
    _core.END: EndDeal(),
    _core.LET_GO: LetGo(),
}
_CODES: dict[Action, int] = {action: code for code, action in _PLAIN.items()}


def kind_of(code: int) -> int:
    """The kind of an encoded action: `core.DRAW` … `core.LAY_SET`."""
    return code & 15


def decode(code: int) -> Action:
    """The action of this number; `ValueError` if the number means none."""
    kind = code & 15
    if code in _PLAIN:
        return _PLAIN[code]
    if kind == _core.TAKE:
        return Take(code >> 4)
    if kind == _core.CALL:
        return Call(code >> 4)
    if kind == _core.DISCARD:
        return Discard(code >> 4)
    cards = laid_cards(code)
    if kind in (_core.MELD_RUN, _core.MELD_SET):
        return Meld(cards)
    if kind in (_core.LAY_RUN, _core.LAY_SET):
        return LayOff((code >> _core.MELD_SHIFT) & 63, cards, kind == _core.LAY_RUN)
    raise ValueError(f"{code} encodes no action")


def is_run(code: int) -> bool:
    """Whether an encoded play, or a meld as the core keeps it, is a run or cards laid on one."""
    return code & 15 in (_core.MELD_RUN, _core.LAY_RUN)


def _run_bits(code: int) -> tuple[int, int, int]:
    """Of a run: the place of its suit's position 0, its positions as a mask, and those that jokers fill."""
    return LANE * (code >> 4 & 3), code >> 6 & _RUN, code >> 20 & _RUN


def _set_bits(code: int) -> tuple[int, int, int, int]:
    """Of a set: its rank, natural cards and jokers by suit (two bits each), and jokers of no suit.

    Jokers of their own rank, of rank `JOKER_RANK`, are all of no suit.
    """
    rank = code >> 4 & 15
    if rank == _core.JOKER_RANK:
        return rank, 0, 0, code >> 8 & 255
    return rank, code >> 8 & 255, code >> 16 & 255, 2 * (code >> 24 & 1)


def laid_cards(code: int) -> tuple[Laid, ...]:
    """The cards of a play, or of a meld as the core keeps it: ascending in a run, by suit in a set."""
    if is_run(code):
        return _run_cards(code)
    rank, natural, wild, plain = _set_bits(code)
    naturals = [Laid(card, card) for card in _suit_counts(natural, rank)]
    jokers = [Laid(JOKER, place) for place in _suit_counts(wild, rank)]
    return (*naturals, *jokers, *[Laid(JOKER, None)] * plain)


def _run_cards(code: int) -> tuple[Laid, ...]:
    lane, mask, wild = _run_bits(code)
    return tuple(
        Laid(JOKER if wild >> position & 1 else lane + position % ACE_HIGH, lane + position)
        for position in range(14)
        if mask >> position & 1
    )


def play_counts(code: int) -> tuple[int, int, int]:
    """Of an encoded play: its natural cards as a mask of cards, how many they are, and how many jokers.

    The quick way to tell which cards leave the hand, whatever they stand for and wherever they lie.

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
    """Whether an encoded play takes the ace's place above the king in a run."""
    return is_run(code) and bool(code >> 6 + ACE_HIGH & 1)


def _suit_counts(field: int, rank: int) -> list[int]:
    return [LANE * suit + rank for suit in range(4) for _ in range((field >> (2 * suit)) & 3)]


def encode(action: Action) -> int:
    """The number of an action; `ValueError` where its cards cannot be written as one set or one run, or
    one stands for what it cannot.

    The number says nothing about legality: `State.is_legal` does.
    """
    match action:
        case Take(count):
            return _core.TAKE | count << 4
        case Call(count):
            return _core.CALL | count << 4
        case Discard(card):
            return _core.DISCARD | card << 4
        case Meld(cards):
            if is_set(cards):
                return _core.MELD_SET | _set_fields(cards)
            return _core.MELD_RUN | _run_fields(cards)
        case LayOff(meld, cards, run):
            fields = _run_fields(cards) if run else _set_fields(cards)
            return (_core.LAY_RUN if run else _core.LAY_SET) | fields | meld << _core.MELD_SHIFT
        case _:
            return _CODES[action]


def code_of(choice: Action | int) -> int:
    """The number of what was chosen, said as an action or as its number; errors as of `encode`."""
    return choice if isinstance(choice, int) else encode(choice)


def stands_right(laid: Laid) -> bool:
    """Whether a card may have this place: a natural card its own (an ace has two), a joker any or none."""
    if laid.card == JOKER:
        return laid.place is None or (0 <= laid.place < 4 * LANE and laid.place % LANE <= ACE_HIGH)
    return laid.place == laid.card or (laid.card % LANE == 0 and laid.place == laid.card + ACE_HIGH)


def is_set(cards: Iterable[Laid]) -> bool:
    """Whether these cards are written as a set: all of one rank, or with a joker that has no place."""
    places = [laid.place for laid in cards]
    return None in places or len({place % LANE % ACE_HIGH for place in places if place is not None}) <= 1


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
    naturals = [laid.card for laid in cards if laid.card != JOKER]
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
    """A place as a set has it: an ace is neither low nor high there."""
    return place - place % LANE + place % LANE % ACE_HIGH
