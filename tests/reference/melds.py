"""What a meld is, every new meld that some cards make, and every lay-off they allow.

The definitions `is_run` and `is_set` come first; the enumerations try every place and every face, let
each be filled by its own card or by a wild joker, and keep what the definitions allow.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from .cards import JOKER, RANKS, RUN_ORDER, SUITS, card_at, rank_of, suit_of, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rules import Rules


class Laid(NamedTuple):
    """One card of a meld, `stands` being its place in a run or the card it stands for in a set.

    An unnamed joker stands for None. On the table `seat` is who laid it, `doubled` whether it counts twice.
    """

    card: str
    stands: str | None
    seat: int = -1
    doubled: bool = False


class Meld(NamedTuple):
    """A meld on the table. `kind`: "run" (its cards in ascending order), "set" or "jokers"."""

    kind: str
    laid: tuple[Laid, ...]


# ---- definitions ------------------------------------------------------------------------------------


def is_run(places: list[str], ace: str) -> bool:
    """R-MELD-2, D4: three or more of a suit in sequence, no rank twice, not round the corner."""
    if len(places) < 3 or len({suit_of(place) for place in places}) > 1:
        return False
    ranks = [rank_of(place) for place in places]
    if "1" in ranks and ("A" in ranks or ace == "high"):
        return False
    start = RUN_ORDER.index(ranks[0])
    return ranks == list(RUN_ORDER[start : start + len(ranks)])


def is_set(faces: list[str], most_of_a_suit: int) -> bool:
    """R-MELD-1, D2, D20: three or four of a rank; a suit as often as the set rule allows."""
    if len(faces) not in (3, 4) or len({rank_of(face) for face in faces}) > 1:
        return False
    return suits_allowed(faces, most_of_a_suit)


def suits_allowed(faces: list[str], most_of_a_suit: int) -> bool:
    """D20: no suit more often than allowed, counting what jokers stand for."""
    suits = [suit_of(face) for face in faces]
    return all(suits.count(suit) <= most_of_a_suit for suit in suits)


def is_unnamed(laid: tuple[Laid, ...], rules: Rules) -> bool:
    """H3: a set of exactly two jokers and one other card, whose jokers are not named."""
    return rules.unnamed_jokers and len(laid) == 3 and [one.card for one in laid].count(JOKER) == 2


# ---- enumeration ------------------------------------------------------------------------------------


def ways_to_fill(places: list[str], cards: list[str], wild: bool) -> Iterator[list[Laid]]:
    """Every way to fill the places in order, each with its own card or, where wild, with a joker."""
    if not places:
        yield []
        return
    for card in (card_at(places[0]), JOKER):
        if card in cards and (card != JOKER or wild):
            for rest in ways_to_fill(places[1:], without(cards, card), wild):
                yield [Laid(card, places[0]), *rest]


@lru_cache
def run_places(ace: str) -> list[list[str]]:
    """The places of every run there is."""
    runs = []
    for suit in SUITS:
        for start in range(len(RUN_ORDER)):
            for end in range(start + 3, len(RUN_ORDER) + 1):
                places = [rank + suit for rank in RUN_ORDER[start:end]]
                if is_run(places, ace):
                    runs.append(places)
    return runs


@lru_cache
def set_faces(most_of_a_suit: int) -> list[list[str]]:
    """The faces of every set there is (own-rank jokers apart)."""
    groups = [
        list(faces)
        for rank in RANKS
        for size in (3, 4)
        for faces in combinations_with_replacement([rank + suit for suit in SUITS], size)
    ]
    return [faces for faces in groups if is_set(faces, most_of_a_suit)]


def each_new_meld(
    cards: tuple[str, ...], rules: Rules, packs: int, using: str | None = None
) -> Iterator[tuple[str, tuple[Laid, ...]]]:
    """Every new meld that can be made of the cards, as (kind, cards), none twice (R-MELD-1..6).

    With `using`, only those that lay this card, as itself (D3).
    """
    seen = set()
    hand = list(cards)
    wild = rules.joker_kind == "wild"
    for kind, shapes in (("run", run_places(rules.ace)), ("set", set_faces(most_of_a_suit(rules, packs)))):
        for places in shapes:
            own_cards = [card_at(place) for place in places]
            if not any(card in hand for card in own_cards):
                continue  # D9: a new meld needs a natural card
            if using not in (None, JOKER, *own_cards):
                continue
            for laid in ways_to_fill(places, hand, wild):
                used = [one.card for one in laid]
                meld = (kind, _in_order(kind, laid, rules))
                if any(card != JOKER for card in used) and using in (None, *used) and meld not in seen:
                    seen.add(meld)
                    yield meld
    if rules.joker_kind == "rank" and using in (None, JOKER):  # R-MELD-4
        for size in (3, 4):
            if hand.count(JOKER) >= size:
                yield "jokers", (Laid(JOKER, None),) * size


@lru_cache(maxsize=20_000)
def new_melds(cards: tuple[str, ...], rules: Rules, packs: int) -> tuple[tuple[str, tuple[Laid, ...]], ...]:
    """All of `each_new_meld`, remembered."""
    return tuple(each_new_meld(cards, rules, packs))


def _in_order(kind: str, laid: list[Laid], rules: Rules) -> tuple[Laid, ...]:
    """Runs ascending; sets with naturals first, then jokers, both by suit; H3's jokers without a name."""
    if kind == "run":
        return tuple(laid)
    naturals = tuple(one for one in laid if one.card != JOKER)  # faces are tried in suit order already
    jokers = tuple(one for one in laid if one.card == JOKER)
    if is_unnamed(naturals + jokers, rules):
        jokers = (Laid(JOKER, None), Laid(JOKER, None))
    return naturals + jokers


def most_of_a_suit(rules: Rules, packs: int) -> int:
    """How often a set may hold a suit: D2, or D20 where the profile lets suits repeat."""
    return packs if rules.same_suit_in_sets else 1


@lru_cache(maxsize=100_000)
def lay_offs(cards: tuple[str, ...], meld: Meld, rules: Rules, packs: int) -> tuple[tuple[Laid, ...], ...]:
    """Every way to lay one or more of the cards on one meld (R-LAY-1, D3b, D9, D10)."""
    if meld.kind == "run":
        found = _on_run(list(cards), meld, rules)
    elif meld.kind == "jokers":
        found = [[Laid(JOKER, None)]] if JOKER in cards and len(meld.laid) == 3 else []
    else:
        found = _on_set(list(cards), meld, rules, packs)
    return tuple(dict.fromkeys(tuple(laid) for laid in found))


def _on_run(cards: list[str], meld: Meld, rules: Rules) -> list[list[Laid]]:
    """At the low end, the high end or both, as long as the whole is still a run (D4)."""
    there = [one.stands or "" for one in meld.laid]
    suit = suit_of(there[0])
    low, high = RUN_ORDER.index(rank_of(there[0])), RUN_ORDER.index(rank_of(there[-1])) + 1
    found = []
    for start in range(low + 1):
        for end in range(high, len(RUN_ORDER) + 1):
            below = [rank + suit for rank in RUN_ORDER[start:low]]
            above = [rank + suit for rank in RUN_ORDER[high:end]]
            if (below or above) and is_run(below + there + above, rules.ace):
                found += ways_to_fill(below + above, cards, rules.joker_kind == "wild")
    return found


def _on_set(cards: list[str], meld: Meld, rules: Rules, packs: int) -> list[list[Laid]]:
    """The missing card of a set of three (R-LAY-1); beside unnamed jokers only a natural one (H3)."""
    if len(meld.laid) > 3:
        return []
    natural = next(one.card for one in meld.laid if one.card != JOKER)
    named = [one.stands for one in meld.laid if one.stands is not None]
    wild = rules.joker_kind == "wild" and not is_unnamed(meld.laid, rules)
    found = []
    for suit in SUITS:
        face = rank_of(natural) + suit
        if suits_allowed([*named, face], most_of_a_suit(rules, packs)):
            found += ways_to_fill([face], cards, wild)
    return found
