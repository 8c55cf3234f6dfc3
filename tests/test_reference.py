"""The reference enumerator plays whole deals; test_lockstep compares it with the engine play by play."""

from __future__ import annotations

import random
from itertools import chain, combinations
from typing import Any

import pytest

from tests.reference import (
    HOUSE_RULES,
    PROFILES,
    IllegalPlayError,
    Reference,
    full_deck,
    perft,
    permitted,
    read_rules,
    with_house_rules,
)
from tests.support.depth import depth


def profile(name: str, *house_rules: str, **changes: Any) -> dict[str, Any]:
    return {**with_house_rules(PROFILES[name], house_rules), **changes}


def run_of(deal: Reference, *texts: str) -> Reference:
    for text in texts:
        deal.play(text)
    return deal


# ---- whole deals ----------------------------------------------------------------------------------------


def house_rule_choices(name: str) -> list[tuple[str, ...]]:
    choices = [c for size in range(7) for c in combinations(HOUSE_RULES, size)]
    return [c for c in choices if permitted(PROFILES[name], c)]


def every_card(deal: Reference) -> list[str]:
    laid = [one.card for meld in deal.melds for one in meld.laid]
    return sorted([*chain(*deal.hands), *deal.pile, *deal.stock, *laid])


def eager(rng: random.Random, plays: list[str]) -> str:
    """Mostly at random, with a liking for laying cards and for the pile."""
    liked = [text for text in plays if text.split()[0] in ("meld", "lay", "take", "call")]
    return rng.choice(liked if liked and rng.random() < 0.6 else plays)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROFILES)
def test_random_deals(name: str) -> None:
    """Every deal ends (D7), always with a legal play (D3a), cards conserved, in every kind of rule set."""
    rng = random.Random(name)
    for house_rules in rng.sample(house_rule_choices(name), depth(1, 3)):
        rules = read_rules(profile(name, *house_rules))
        players = rng.choice(rules.players)
        deck = full_deck(rules.packs(players), rules.jokers)
        rng.shuffle(deck)
        deal = Reference(rules, players, deck, dealer=rng.randrange(players))
        while deal.phase != "over":
            plays = deal.plays()
            assert plays
            assert len(set(plays)) == len(plays)
            for seat in range(players):
                assert all(deal.known[seat].count(c) <= deal.hands[seat].count(c) for c in deal.known[seat])
            deal.play(eager(rng, plays))
        assert every_card(deal) == sorted(deck)
        result = deal.result()
        assert result is not None
        assert result.melded == deal.points_laid


def test_copy_is_apart_and_refusals() -> None:
    deal = Reference(PROFILES["rummy-500"], 2, full_deck(1, 2))
    twin = deal.copy()
    run_of(twin, "draw", "discard 3S")
    assert (deal.phase, len(deal.hand), len(deal.stock)) == ("draw", 13, 27)
    with pytest.raises(IllegalPlayError):
        deal.play("discard AS")


def test_perft_of_a_small_deal() -> None:
    """Counted by hand: draw, three discards, and then the top card cannot be used."""
    rules = profile("500-rum", hand_two=2)
    deal = Reference(rules, 2, ["2S", "9H", "5C", "QD", "7S", "KD", "3H"])
    assert [perft(deal, depth) for depth in range(5)] == [1, 1, 3, 3, 9]
