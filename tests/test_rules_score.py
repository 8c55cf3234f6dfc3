"""Points, rule by rule."""

from __future__ import annotations

import pytest

from rum500.rules.profiles import profile_names, ruleset
from tests.support.table import owners, play, table

PROFILES = profile_names()
FIVES = ("500-rummy", "partnership-500-rummy", "persian-rummy-fosdick")
DOUBLING = ("persian-rummy", "persian-rummy-fosdick", "persian-rummy-gamerules")


def laid(name: str, cards: str, *plays: str, melds: tuple[str, ...] = ()) -> int:
    """Points on the table for seat 0 after these plays, the melds before being seat 1's."""
    rules = ruleset(name) if isinstance(name, str) else name
    rest = ["4H 9C"] * (rules.players[0] - 1)
    state = table(rules, [cards, *rest], melds=[(1, meld) for meld in melds], phase="play")
    play(state, *plays)
    return state.laid[0]


# --- a deal's points -------------------------------------------------------------------------------


def test_points_are_melded_cards_less_cards_held_and_may_be_negative():
    """R-SCORE-1."""
    state = table("500-rum", ["6S 7S", "AH KD 5C"], stock="8S", melds=[(1, "9D 10D JD")])
    play(state, "draw", "meld 6S 7S 8S")
    result = state.result
    assert (result.melded, result.held, result.deducted) == ((21, 29), (0, 30), (0, 30))
    assert state.scores() == result.points == (21, -1)


def test_a_sides_points_are_counted_together():
    """R-SCORE-1, R-MATCH-5: each hand is taken from its holder, and the side's account is the sum."""
    hands = ["6S 7S", "AH KD", "2C", "5H"]
    state = table("partnership-500-rum", hands, stock="8S", melds=[(2, "9D 10D JD")])
    play(state, "draw", "meld 6S 7S 8S")
    assert state.result.points == (21, -25, 29 - 2, -5)


@pytest.mark.parametrize("name", PROFILES)
def test_the_values_of_cards_are_the_profiles(name):
    """R-SCORE-2: melded, and held with an ace at 15 throughout; D29: a ten is 10 in G's game too."""
    low = 5 if name in FIVES else 2
    assert laid(name, "2S 2H 2D 9C", "meld 2S 2H 2D") == 3 * low
    assert laid(name, "9S 9H 9D 2C", "meld 9S 9H 9D") == (15 if name in FIVES else 27)
    assert laid(name, "10S JS QS KS 2C", "meld 10S JS QS KS") == 40
    assert laid(name, "AS AH AD 2C", "meld AS AH AD") == 45
    assert laid(name, "QS KS AS 2C", "meld QS KS AS") == 35
    rest = ["4H"] * (ruleset(name).players[0] - 1)
    state = table(name, ["AS 2S 10D KH", *rest], phase="play")
    assert state.core.held(0) == 15 + low + 20


def test_jokers_count_twenty_in_persian_and_fifteen_where_wild():
    """R-SCORE-2, D9: melded or held."""
    for name in DOUBLING:
        assert laid(name, "JK JK JK 2C", "meld JK JK JK") == 60
        assert table(name, ["JK JK", "4H", "4S", "4D"]).core.held(0) == 40
    assert laid("rummy-500", "JK 6S 6H 2C", "meld 6S 6H JK=6D") == 27
    assert table("rummy-500", ["JK JK", "4H"]).core.held(0) == 30


def test_a_low_ace_counts_low_only_below_a_two():
    """D8, R-SCORE-2: one point, five in F's games; above a king and in a set 15."""
    for name in PROFILES:
        if name != "persian-rummy-gamerules":
            low = 5 if name in FIVES else 1
            others = 10 if name in FIVES else 5
            assert laid(name, "AS 2S 3S 9C", "meld AS 2S 3S") == low + others
            assert laid(name, "AS 9C", "lay AS on 1", melds=("2S 3S 4S",)) == low
        assert laid(name, "AS 9C", "lay AS on 1", melds=("JS QS KS",)) == 15
        assert laid(name, "AS 9C", "lay AS on 1", melds=("AH AD AC",)) == 15


# --- four at once ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_a_set_of_four_laid_in_one_play_counts_double_where_the_profile_says_so(name):
    """R-SCORE-3: three first and the fourth later does not."""
    factor = 2 if name in DOUBLING else 1
    assert laid(name, "JS JH JD JC 2C", "meld JS JH JD JC") == 40 * factor
    assert laid(name, "JS JH JD JC 2C", "meld JS JH JD", "lay JC on 1") == 40
    assert laid(name, "10S JS QS KS 2C", "meld 10S JS QS KS") == 40


def test_only_sets_double_unless_the_option_takes_in_runs_of_four():
    """D11: a run of exactly four in one play, not of five; cards added later count once."""
    rules = ruleset("persian-rummy", doubles="melds")
    assert laid(rules, "10S JS QS KS 2C", "meld 10S JS QS KS") == 80
    assert laid(rules, "9S 10S JS QS KS 2C", "meld 9S 10S JS QS KS") == 49
    assert laid(rules, "9S 10S JS QS KS 2C", "meld 10S JS QS KS", "lay 9S on 1") == 89
    assert laid(rules, "JS QS KS 10S 2C", "meld JS QS KS", "lay 10S on 1") == 40
    assert laid(rules, "JS JH JD JC 2C", "meld JS JH JD JC") == 80


def test_a_wild_joker_in_a_set_of_four_doubles_too():
    """R-SCORE-3, D11: where sets double; two jokers count 15 each, doubled."""
    rules = ruleset("rummy-500", doubles="sets")
    assert laid(rules, "JS JH JK JK 2C", "meld JS JH JK=JD JK=JC") == 2 * (20 + 30)
    assert laid(rules, "JS JH JK JK 2C", "meld JS JH JK=JD", "lay JK=JC on 1") == 50


def test_a_doubled_set_may_hold_the_card_just_taken():
    """D12."""
    state = table("persian-rummy", ["6S 6H 6D KC", "4H", "4S", "4D"], pile="6C 9D")
    play(state, "take 6C", "meld 6S 6H 6D 6C")
    assert state.laid == (48, 0, 0, 0) and state.melds[0].at_once


# --- bonus and winner ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_the_bonus_for_going_out(name):
    """D12: paid only if somebody goes out, and only in the Persian games; D24: none in plain 500 Rum."""
    bonus = 25 if name in DOUBLING else 0
    rest = ["4H 9C"] * (ruleset(name).players[0] - 1)
    state = table(name, ["6S 7S", *rest], stock="8S")
    play(state, "draw", "meld 6S 7S 8S")
    assert state.result.bonus == (bonus, *[0] * len(rest))
    assert state.result.points[0] == state.result.melded[0] + bonus + state.result.collected[0]
    state = table(name, ["6S 7S", *rest], stock="", pile="2C")
    play(state, *(["pass"] * 4 if name == "persian-rummy-gamerules" else ["end"]))
    assert set(state.result.bonus) == {0}


def test_in_michigan_hands_count_for_the_player_that_went_out():
    """R-SCORE-4: an ace held counts 15; nothing is taken from anybody."""
    state = table("michigan-rum", ["6S 7S", "AH KD", "5C"], stock="8S", melds=[(1, "9D 10D JD")])
    play(state, "draw", "meld 6S 7S 8S")
    result = state.result
    assert (result.deducted, result.collected) == ((0, 0, 0), (30, 0, 0))
    assert result.points == (51, 29, 0)


def test_in_michigan_melds_count_as_they_are_laid():
    """R-SCORE-4."""
    assert ruleset("michigan-rum").count == "as_laid"
    state = table("michigan-rum", ["6S 7S 8S KD", "AH KH"], phase="play")
    play(state, "meld 6S 7S 8S")
    assert state.scores() == state.laid == (21, 0)


def test_in_michigan_nobody_is_credited_if_nobody_goes_out():
    """D14."""
    state = table("michigan-rum", ["6S 7S", "AH KD"], stock="", pile="2C", melds=[(1, "9D 10D JD")])
    play(state, "end")
    assert state.result.collected == (0, 0) and state.result.points == (0, 29)


def test_five_hundred_in_mid_deal_ends_nothing_by_default():
    """D14."""
    state = table("michigan-rum", ["6S 7S 8S KD", "AH KH"], phase="play", totals=(480, 0))
    play(state, "meld 6S 7S 8S")
    assert not state.is_over


def test_five_hundred_in_mid_deal_ends_all_by_option():
    """D14: by a meld or a lay-off; the player wins, and no hands are credited."""
    rules = ruleset("michigan-rum", match_end="at_once")
    state = table(rules, ["6S 7S 8S KD", "AH KH"], phase="play", totals=(479, 499))
    play(state, "meld 6S 7S 8S")
    assert (state.result.reason, state.result.out) == ("target", 0)
    assert state.result.points == (21, 0) and state.result.collected == (0, 0)
    state = table(rules, ["9S QC KD", "AH KH"], melds=[(1, "6S 7S 8S")], phase="play", totals=(491, 0))
    play(state, "lay 9S on 1")
    assert state.result.reason == "target" and state.result.points == (9, 21)
    state = table(rules, ["6S 7S 8S KD", "AH KH"], phase="play", totals=(478, 499))
    play(state, "meld 6S 7S 8S")
    assert not state.is_over


def test_points_go_card_by_card_to_the_seat_that_laid_it():
    """R-LAY-3, R-SCORE-1: also where a lay-off is built upon by a third."""
    state = table(
        "500-rum",
        ["KC 2D", "9D", "10D"],
        melds=[(1, "4D 5D 6D")],
        lays=[(0, "7D on 1"), (2, "8D on 1"), (1, "9D on 1")],
    )
    assert state.laid == (7, 24, 8)
    assert owners(state, 1) == {"4D": 1, "5D": 1, "6D": 1, "7D": 0, "8D": 2, "9D": 1}
