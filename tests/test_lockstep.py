"""Random deals played in the engine and in the reference side by side, compared at every decision.

What is compared: legal plays, actor, phase, hands, pile, stock, melds with who laid each card, known cards,
points laid, the card to use, and the account at the end.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from rum500.rules.engine.core import Moves
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from tests.reference import lay_offs, read_rules
from tests.support.bridge import card_code, card_name
from tests.support.depth import depth
from tests.support.games import HOUSE_RULES, random_players, random_rules, random_style, small_deck
from tests.support.lockstep import Lockstep, Mismatch
from tests.support.positions import random_position, reference_meld

PLAYERS = [
    (name, players)
    for number, name in enumerate(profile_names())
    for players in depth([(min, max)[number % 2](ruleset(name).players)], ruleset(name).players)
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "players"), PLAYERS)
def test_profiles_with_whole_decks(name: str, players: int) -> None:
    """Every profile with the fewest or the most players; in a whole run with every number allowed."""
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


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", range(depth(3, 6)))
def test_house_rules_and_options_with_short_decks(part: int) -> None:
    """Random permitted mixes of house rules and options, with decks that bring about what is rare."""
    games = [random_lockstep(f"mix {part} {number}") for number in range(depth(4, 14))]
    assert len({(game.state.rules, game.state.players) for game in games}) > depth(2, 10)


@dataclass(frozen=True)
class Rare:
    """A game in which something rare is common: rules, table, the deck's cards, and how it is played."""

    name: str
    profile: str
    house_rules: tuple[str, ...]
    options: dict[str, Any]
    players: int
    cards: str
    stock: int
    style: dict[str, float]


MELDING = {"meld": 5.0, "lay": 2.0, "discard": 0.5}
TAKING = {"take": 5.0, "draw": 0.3, "meld": 3.0}
SLOW = {"meld": 0.1, "lay": 0.1, "take": 0.3, "let": 0.3}
SMALL = {"hand": 3, "hand_two": 3}
TWICE = {"second_pack_from": 2, "hand": 3, "hand_two": 3}
AT_ONCE = {"count": "as_laid", "match_end": "at_once", "target": 45}
RARE = (
    Rare("floaters", "500-rum", ("H2",), SMALL, 3, "A23456 SHD", 9, MELDING),
    Rare("floaters with jokers", "rummy-500", ("H2", "H3"), SMALL, 3, "A2345 SHD", 9, MELDING),
    Rare("floaters who keep the upcard", "rummy-500", ("H2", "H4"), SMALL, 2, "56789 SHD", 12, MELDING),
    Rare("twins to keep", "rummy-500", ("H4",), TWICE, 2, "5678 SH", 9, TAKING),
    Rare("twins to float", "rummy-500", ("H2", "H4"), TWICE, 3, "5678 SH", 6, TAKING),
    Rare("passing and claiming", "500-rum", ("H6",), {**SMALL, "stock_out": "pass"}, 3, "56789 SHD", 4, SLOW),
    Rare("restocks and passes", "500-rum", ("H5",), {**SMALL, "stock_out": "pass"}, 2, "5678 SHD", 2, SLOW),
    Rare("restocks and the upcard free", "rummy-500", ("H5",), SMALL, 2, "5678 SHD", 2, SLOW),
    Rare("restocks and the upcard kept", "rummy-500", ("H4", "H5"), SMALL, 3, "5678 SHD", 3, TAKING),
    Rare("a target in mid-deal", "500-rum", ("H2",), {**SMALL, **AT_ONCE}, 3, "56789 SHD", 9, MELDING),
    Rare("a target for sides", "partnership-500-rum", (), {**SMALL, **AT_ONCE}, 4, "56789 SHD", 9, MELDING),
    Rare("restocks and claims", "500-rum", ("H5", "H6"), SMALL, 3, "56789 SHD", 4, MELDING),
    Rare(
        "sides that collect",
        "partnership-500-rum",
        (),
        {**SMALL, "hands": "winner"},
        4,
        "34567 SHD",
        3,
        MELDING,
    ),
    Rare(
        "a long suit", "500-rum", (), {"hand_two": 9}, 2, "A234567890JQK SH", 7, {"lay": 3.0, "discard": 0.3}
    ),
    Rare("a long suit afloat", "500-rum", ("H2",), {"hand_two": 9}, 2, "A234567890JQK SH", 7, MELDING),
    Rare("nobody to discard to", "persian-rummy-gamerules", (), SMALL, 4, "89QK SHDC", 3, MELDING),
    Rare(
        "melds that double",
        "persian-rummy",
        (),
        {"doubles": "melds", "hand": 5},
        4,
        "A456789 SHDC",
        6,
        MELDING,
    ),
)


def rare_game(rare: Rare, number: int) -> Lockstep:
    chance = random.Random(f"{rare.name} {number}")
    rules = ruleset(rare.profile, rare.house_rules, **rare.options)
    ranks, suits = rare.cards.split()
    names = {("10" if rank == "0" else rank) + suit for rank in ranks for suit in suits} | {"JK"}
    deck = [card for card in rules.deck(rare.players) if card_name(card) in names]
    chance.shuffle(deck)
    size = rules.hand_size(rare.players) * rare.players + 1 + rare.stock
    assert len(deck) >= size - rare.stock
    game = Lockstep(rules, rare.players, deck[:size], chance.randrange(rare.players))
    game.play(chance, rare.style)
    return game


@pytest.mark.sample(9)
@pytest.mark.parametrize("rare", RARE, ids=lambda rare: rare.name)
def test_what_is_rare(rare: Rare) -> None:
    """Floaters and their last card (D26), twins (H4, D20), passes (D6), restocks, collected hands (D14)."""
    games = [rare_game(rare, number) for number in range(depth(4, 40))]
    assert len({tuple(game.story) for game in games}) == len(games)


@pytest.mark.parametrize("part", range(depth(2, 4)))
def test_from_positions_laid_out(part: int) -> None:
    """From tables with long runs and jokers on them; twenty plays on from each."""
    for number in range(depth(10, 60)):
        chance = random.Random(f"position {part} {number}")
        rules = random_rules(chance, changes=2)
        game = random_position(rules, random_players(rules, chance), chance)
        game.play(chance, random_style(chance), most=20)


@pytest.mark.parametrize("ace", ["AS=1S", "AS"])
@pytest.mark.parametrize("house_rules", [(), ("H2",), ("H6",)])
def test_from_ace_to_king(ace: str, house_rules: tuple[str, ...]) -> None:
    """A run of all thirteen takes no second ace (D4), neither low nor high, in any hand."""
    spades = [rank + "S" for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")]
    others = ["AS", "2H", "AH", "9D", "5C", "4D", "JH", "8C", "QD", "3C", "10H", "7D", "KC"]
    names = [card for pair in zip(spades, others, strict=True) for card in pair]
    rules = ruleset("rummy-500", house_rules, second_pack_from=2)
    for last in ("JK", "6H"):
        deck = [card_code(card) for card in [*names, "2D", last, "9C", "JK", "6C", "3H", "AD"]]
        game = Lockstep(rules, 2, deck, dealer=1)
        whole = " ".join([ace, *spades[1:]] if ace != "AS" else [*spades[1:], "AS"])
        for text in ("draw", f"meld {whole}", f"discard {last}", "let go", "draw", "discard AS", "draw"):
            legal = game.legal()
            if text in legal:
                game.make(text, *legal[text])
            assert not any(play.startswith("lay") and play.endswith("on 1") for play in game.legal())


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("rules", "players"),
    [
        (ruleset("rummy-500"), 4),
        (ruleset("rummy-500", ["H3"], ace="high", ace_low=0), 6),
        (ruleset("500-rummy"), 5),
        (ruleset("persian-rummy"), 4),
    ],
)
def test_what_fits_a_meld(rules: Ruleset, players: int) -> None:
    """Each card on each meld of natural cards, and on some with jokers: the engine's short cut is right."""
    core = new_core(rules, players)
    reference = read_rules(rules)
    moves, pack = Moves(), sum(1 << card for card in range(61) if card % 16 < 13)
    core.gen_plays(moves, pack, pack if core.packs == 2 else 0, 1 if core.wild else rules.jokers, -1)
    melds = moves.actions()
    for code in melds if len(melds) < depth(80, 1000) else random.Random(1).sample(melds, depth(80, 700)):
        meld = reference_meld(code, 0)
        for card in (*range(13), *range(16, 29), *range(32, 45), *range(48, 61), 62):
            expected = bool(lay_offs((card_name(card),), meld, reference, core.packs))
            assert bool(core.fits_meld(code, card)) == expected, (meld, card_name(card))


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


def test_difference_is_reported() -> None:
    """The driver itself: a table changed behind its back is noticed."""
    rules = ruleset("500-rum")
    game = Lockstep(rules, 2, rules.deck(2))
    game.compare()
    game.core.set_pile([1])
    with pytest.raises(Mismatch, match="pile"):
        game.compare()
