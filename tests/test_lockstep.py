"""Random deals played in the engine and in the reference side by side, compared at every decision.

What is compared: legal plays, actor, phase, hands, pile, stock, melds with who laid each card, known cards,
points laid, the card to use, and the account at the end.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rum500.rules.ruleset import profile_names, ruleset
from tests.support.bridge import card_code
from tests.support.games import HOUSE_RULES, random_players, random_rules, random_style, small_deck
from tests.support.lockstep import Lockstep, Mismatch

PLAYERS = [(name, players) for name in profile_names() for players in ruleset(name).players]


@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_profiles_with_whole_decks(name: str, players: int) -> None:
    """Every profile with every number of players allowed."""
    chance = random.Random(f"{name} {players}")
    rules = ruleset(name)
    deck = rules.deck(players)
    chance.shuffle(deck)
    dealer = chance.randrange(players)
    assert Lockstep(rules, players, deck, dealer).play(chance, random_style(chance)) > 0


def random_lockstep(seed: str) -> Lockstep:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    totals = [chance.choice((0, 0, 30, 490))] * players
    game = Lockstep(rules, players, deck, chance.randrange(players), totals, chance.getrandbits(64))
    game.play(chance, random_style(chance))
    return game


@pytest.mark.parametrize("part", range(6))
def test_house_rules_and_options_with_short_decks(part: int) -> None:
    """Random permitted mixes of house rules and options, with decks that bring about what is rare."""
    games = [random_lockstep(f"mix {part} {number}") for number in range(14)]
    assert len({(game.state.rules, game.state.players) for game in games}) > 10


def test_the_mixes_reach_every_rule() -> None:
    """The random mixes are worth their name: all house rules and all ways for a deal to end come up."""
    chance = random.Random(5)
    mixes = [random_rules(chance) for _ in range(300)]
    assert {rule for rules in mixes for rule in rules.house_rules} == set(HOUSE_RULES)
    for option in ("stock_out", "doubles", "match_end", "hands", "sides", "ace", "low_cards", "go_out"):
        values = Counter(getattr(rules, option) for rules in mixes)
        assert len(values) >= 2 and min(values.values()) >= 5, option


@pytest.mark.parametrize(
    ("rules", "hands", "upcard", "takes"),
    [
        # an ace that cannot be low makes no run with a two and a joker
        (ruleset("rummy-500", ["H1"], ace="high", ace_low=0, hand_two=2), ["2C JK", "KC 9D"], "AC", 0),
        (ruleset("rummy-500", ["H1"], hand_two=2), ["2C JK", "KC 9D"], "AC", 1),
        (ruleset("rummy-500", ["H1"], ace="high", ace_low=0, hand_two=2), ["QC JK", "KC 9D"], "AC", 1),
    ],
)
def test_found_by_lockstep(rules: object, hands: list[str], upcard: str, takes: int) -> None:
    """Deals that engine and reference once disagreed about: how many takes the first player has."""
    first, second = (hand.split() for hand in hands)
    names = [card for pair in zip(first, second, strict=True) for card in pair]
    deck = [card_code(name) for name in [*names, upcard, "5H", "7D"]]
    game = Lockstep(rules, 2, deck, dealer=1)  # type: ignore[arg-type]
    assert sum(text.startswith("take") for text in game.legal()) == takes


def test_a_difference_is_told() -> None:
    """The driver itself: a table changed behind its back is noticed."""
    rules = ruleset("500-rum")
    game = Lockstep(rules, 2, rules.deck(2))
    game.compare()
    game.core.set_pile([1])
    with pytest.raises(Mismatch, match="pile"):
        game.compare()
