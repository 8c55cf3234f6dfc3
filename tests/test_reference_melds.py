"""The melds and points of the reference enumerator against the rulebook's numbers and the definitions."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import pytest

from tests.reference import (
    PROFILES,
    Reference,
    full_deck,
    is_run,
    is_set,
    new_melds,
    read_rules,
)
from tests.reference.cards import JOKER, RUN_ORDER, SUITS, rank_of
from tests.reference.scoring import held_value
from tests.support.depth import depth

if TYPE_CHECKING:
    from tests.reference.melds import Laid


def melds_of_pack(name: str, packs: int = 1) -> list[tuple[str, tuple[Laid, ...]]]:
    rules = read_rules(PROFILES[name])
    return list(new_melds(tuple(full_deck(packs, rules.jokers)), rules, packs))


def card_sets(melds: list[tuple[str, tuple[Laid, ...]]], kind: str = "") -> int:
    return len({tuple(sorted(one.card for one in laid)) for k, laid in melds if kind in k})


def test_melds_of_a_pack() -> None:
    melds = melds_of_pack("500-rum")
    assert (len(melds), card_sets(melds)) == (373, 369)
    assert (card_sets(melds, "run"), card_sets(melds, "set")) == (304, 65)
    lengths = [len(laid) for kind, laid in melds if kind == "run"]
    assert [lengths.count(n) // 4 for n in range(3, 13)] == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]


def test_melds_of_persian_packs() -> None:
    both, high = melds_of_pack("persian-rummy"), melds_of_pack("persian-rummy-gamerules")
    assert (len(both), card_sets(both)) == (375, 371)
    assert (len(high), card_sets(high), card_sets(high, "run")) == (331, 331, 264)


def test_persian_jokers_told_apart() -> None:
    jokers_apart = len([c for size in (3, 4) for c in combinations("1234", size)])
    assert (369 + jokers_apart, 329 + jokers_apart) == (374, 334)


def test_sets_of_two_packs_with_suits_repeated() -> None:
    assert len([kind for kind, _ in melds_of_pack("500-rummy", packs=2) if kind == "set"]) == 455


def test_melds_with_wild_jokers() -> None:
    kinds = [kind for kind, _ in melds_of_pack("rummy-500")]
    assert (len(kinds), kinds.count("run"), kinds.count("set")) == (9703, 9196, 507)


def is_meld(cards: tuple[str, ...]) -> bool:
    """By the definitions, aces either way."""
    by_rank = sorted(cards, key=lambda card: RUN_ORDER.index(rank_of(card)))
    ace_low = [("1" + card[-1]) if rank_of(card) == "A" else card for card in cards]
    ace_low.sort(key=lambda card: RUN_ORDER.index(rank_of(card)))
    return is_set(list(cards), 1) or is_run(by_rank, "both") or is_run(ace_low, "both")


@pytest.mark.parametrize(("size", "hands", "melds"), [(3, 22_100, 100), *depth([], [(4, 270_725, 57)])])
def test_hands_that_are_melds(size: int, hands: int, melds: int) -> None:
    found = [is_meld(hand) for hand in combinations(full_deck(1, 0), size)]
    assert (len(found), sum(found)) == (hands, melds)


def test_persian_deal_numbers() -> None:
    deal = Reference(PROFILES["persian-rummy"], 4, full_deck(1, 4))
    assert (sum(map(len, deal.hands)), len(deal.pile), len(deal.stock)) == (28, 1, 27)


def test_points_in_a_pack() -> None:
    """F: 380 with all aces high, 396 by pips, Persian 460."""
    totals = [
        sum(held_value(card, read_rules(PROFILES[name])) for card in full_deck(1, jokers))
        for name, jokers in (("500-rummy", 0), ("500-rum", 0), ("persian-rummy-fosdick", 4))
    ]
    assert totals == [380, 396, 460]


def by_definition(hand: list[str], rules: Any, packs: int) -> set[tuple[tuple[str, str | None], ...]]:
    """Every new meld by trying all cards together and every card as everything it might stand for."""
    places = [rank + suit for suit in SUITS for rank in RUN_ORDER]
    most = packs if rules.same_suit_in_sets else 1
    found = set()
    for size in range(3, len(hand) + 1):
        for cards in combinations(hand, size):
            naturals = [card for card in cards if card != JOKER]
            if not naturals:
                continue
            own = [[card, "1" + card[-1]] if rank_of(card) == "A" else [card] for card in naturals]
            jokers = [places] * (size - len(naturals))
            for stands in product(*own, *jokers):
                pairs = list(zip([*naturals, *[JOKER] * len(jokers)], stands, strict=True))
                pairs.sort(key=lambda pair: (RUN_ORDER.index(rank_of(pair[1])), pair[1][-1], pair[0]))
                if is_run([place for _, place in pairs], rules.ace):
                    found.add(tuple(pairs))
                faces = [face for _, face in pairs]
                if is_set(faces, most) and rank_of(faces[0]) != "1":
                    named = not (rules.unnamed_jokers and (size, len(jokers)) == (3, 2))
                    found.add(tuple(pairs) if named else ((JOKER, None), (JOKER, None), (naturals[0],) * 2))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_enumeration_against_definitions(seed: int) -> None:
    """The enumeration finds what trying everything finds, with jokers, two packs and H3."""
    rng = random.Random(seed)
    packs = 1 + seed % 2
    rules = read_rules(
        PROFILES["rummy-500"] | {"same_suit_in_sets": packs == 2, "unnamed_jokers": seed % 4 > 1}
    )
    near = [rank + suit for suit in SUITS[: 3 - packs + 1] for rank in ("Q", "K", "A", "2", "3")] * packs
    hand = rng.sample(near, 5) + [JOKER] * (seed % 3)
    found = set()
    for _, laid in new_melds(tuple(hand), rules, packs):
        pairs = [(one.card, one.stands) for one in laid]
        if all(stands for _, stands in pairs):
            pairs.sort(key=lambda p: (RUN_ORDER.index(rank_of(p[1] or "")), (p[1] or "")[-1], p[0]))
        else:
            pairs.sort(key=lambda p: p[0] != JOKER)
        found.add(tuple(pairs))
    assert found == by_definition(hand, rules, packs)
    assert len(found) == len(new_melds(tuple(hand), rules, packs))
