"""The points of a card by its place, defined once for score sheets, recounts and bots."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rum500.cards import JOKER
from rum500.rules.action_codes import decode, ends_on_high_ace, play_counts
from rum500.rules.actions import Laid, LayOff, Meld, is_set
from rum500.rules.profiles import ruleset
from rum500.rules.scoring import card_points, four_double
from rum500.state import deal
from tests.support.games import random_players, random_rules
from tests.support.table import table


@pytest.mark.parametrize(
    ("name", "cards", "points"),
    [
        ("500-rum", "AS AH AD", [15, 15, 15]),
        ("500-rum", "1S 2S 3S", [1, 2, 3]),
        ("500-rum", "QS KS AS", [10, 10, 15]),
        ("500-rummy", "1S 2S 3S", [5, 5, 5]),
    ],
)
def test_a_meld_is_counted_card_by_card(name: str, cards: str, points: list[int]) -> None:
    """R-SCORE-2, D8."""
    state = table(name, [cards.replace("1S", "AS") + " 9D", "2D"], phase="play")
    meld = max((a for a in state.legal_actions() if isinstance(a, Meld)), key=lambda a: len(a.cards))
    assert card_points(ruleset(name), meld.cards, run=cards != "AS AH AD") == points


def test_a_joker_counts_its_own_points() -> None:
    """D9, R-SCORE-2: also one that stands for no card (R-MELD-4, H3)."""
    assert card_points(ruleset("persian"), [Laid(JOKER, None)] * 3, run=False) == [20, 20, 20]
    laid = [Laid(0, 0), Laid(JOKER, 1), Laid(2, 2)]
    assert card_points(ruleset("rummy-500"), laid, run=True) == [1, 15, 3]


@pytest.mark.parametrize(("doubles", "told"), [("none", (0, 0)), ("sets", (1, 0)), ("melds", (1, 1))])
def test_which_four_cards_count_double(doubles: str, told: tuple[int, int]) -> None:
    """R-SCORE-3, D11."""
    rules = ruleset("500-rum", doubles=doubles)
    assert (four_double(rules, run=False), four_double(rules, run=True)) == told


@given(seed=st.integers(0, 2**32))
def test_every_play_counts_what_its_cards_do(seed: int) -> None:
    """R-SCORE-2, R-SCORE-3, D8, D11: the engine agrees, card by card, in any game of the family."""
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed)
    for _ in range(40):
        legal = state.legal_ints()
        if not legal:
            return
        plays = {code: play for code in legal if isinstance(play := decode(code), Meld | LayOff)}
        for code, play in chance.sample(list(plays.items()), min(3, len(plays))):
            run = play.run if isinstance(play, LayOff) else not is_set(play.cards)
            cards = [laid.card for laid in play.cards]
            double = isinstance(play, Meld) and len(cards) == 4 and four_double(rules, run)
            assert state.core.doubled(code) == double
            assert state.core.points(code) == sum(card_points(rules, play.cards, run)) * (1 + double)
            naturals = [card for card in cards if card != JOKER]
            mask = sum(1 << card for card in set(naturals))
            assert play_counts(code) == (mask, len(naturals), len(cards) - len(naturals))
            assert ends_on_high_ace(code) == (run and any(p.place and p.place % 16 == 13 for p in play.cards))
        state.apply_int(chance.choice(list(plays) or legal))
