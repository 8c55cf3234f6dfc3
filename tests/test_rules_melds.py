"""Melds and lay-offs, rule by rule."""

from __future__ import annotations

import pytest

from rum500 import Laid, LayOff, Meld
from rum500.cards import JOKER, card_from_text, cards_text
from rum500.rules.profiles import profile_names, ruleset
from tests.support.table import can, hand, owners, play, refusal, table, texts

PROFILES = profile_names()
REST = ("4H", "5H", "6H", "7H", "8H")
"""Hands of others, where five or six sit at the table."""


def melds(rules, cards: str, players: int = 2, **more) -> set[str]:
    """All new melds of a hand, written plainly."""
    state = table(rules, [cards, *REST[: players - 1]], phase="play", **more)
    return {text.removeprefix("meld ") for text in texts(state, "meld")}


# --- sets and runs ---------------------------------------------------------------------------------


def test_a_set_is_three_or_four_of_a_rank():
    """R-MELD-1."""
    assert melds("500-rum", "6S 6H KD") == set()
    assert melds("500-rum", "6S 6H 6D KD") == {"6S 6H 6D"}
    fours = {"6S 6H 6D 6C", "6S 6H 6D", "6S 6H 6C", "6S 6D 6C", "6H 6D 6C"}
    assert melds("500-rum", "6S 6H 6D 6C KD") == fours


def test_a_run_is_three_or_more_of_a_suit_in_sequence():
    """R-MELD-2."""
    assert melds("500-rum", "6S 7S 8H KD") == set()
    assert melds("500-rum", "6S 7S 8S KD") == {"6S 7S 8S"}
    assert melds("500-rum", "6S 7S 8S 9S KD") == {"6S 7S 8S", "7S 8S 9S", "6S 7S 8S 9S"}


@pytest.mark.parametrize("name", PROFILES)
def test_no_run_goes_round_the_corner(name):
    """R-MELD-2."""
    seats = ruleset(name).players[0]
    state = table(name, ["KS AS 2S 9C", *["4H"] * (seats - 1)], phase="play")
    assert texts(state, "meld") == set()
    cards = tuple(Laid(card_from_text(c), card_from_text(c)) for c in ("KS", "AS", "2S"))
    assert refusal(state, Meld(cards)).code == "run.corner"
    assert refusal(state, Meld(cards)).message == "K♠ A♠ 2♠ go round the corner: a run ends at A♠"


def test_the_ace_is_high_or_low_in_runs_and_only_high_in_gs_game():
    """R-MELD-2."""
    hand_text = "AS 2S 3S QS KS 9C"
    assert melds("persian-rummy", hand_text, 4) == {"AS 2S 3S", "QS KS AS"}
    assert melds("persian-rummy-gamerules", hand_text, 4) == {"QS KS AS"}


def test_no_card_moves_from_one_meld_to_another():
    """R-MELD-3: there is no play that takes a card off a meld."""
    state = table("500-rum", ["6H 6C KD", "4H"], melds=["5S 6S 7S 8S"], phase="play")
    assert texts(state) == {"discard 6H", "discard 6C", "discard KD"}
    wrong = refusal(state, "meld 6S 6H 6C")
    assert (wrong.code, wrong.rule, wrong.card) == ("card.on_table", "R-MELD-3", card_from_text("6S"))


def test_jokers_of_their_own_rank_meld_only_together():
    """R-MELD-4: three or four, and with no other card."""
    assert melds("persian-rummy", "JK JK 6S 7S KD", 4) == set()
    assert melds("persian-rummy", "JK JK JK 6S 7S 6D", 4) == {"JK JK JK"}
    assert melds("persian-rummy", "JK JK JK JK KD", 4) == {"JK JK JK", "JK JK JK JK"}
    state = table(
        "persian-rummy", ["JK JK 6S 6H KD", *REST[:3]], melds=["6D 7D 8D", "JK JK JK"], phase="play"
    )
    assert texts(state, "meld", "lay") == {"lay JK on 2"}
    assert refusal(state, "meld 6S 6H JK").rule == "R-MELD-4"


def test_a_wild_joker_stands_for_the_card_declared_for_good():
    """R-MELD-5: even for one that lies elsewhere; the right card never replaces it (D10)."""
    state = table("rummy-500", ["6S 7S JK 8S", "4H"], melds=["8H 8D 8C"], phase="play")
    assert can(state, "meld 6S 7S JK=8S") and can(state, "meld JK=5S 6S 7S")
    play(state, "meld 6S 7S JK=8S")
    joker = state.melds[1].cards[2]
    assert (joker.card, joker.place) == (JOKER, card_from_text("8S"))
    assert texts(state, "lay") == {"lay 8S on 1"}
    assert refusal(state, LayOff(1, (Laid(card_from_text("8S"), card_from_text("8S")),), True)).rule == "D10"


def test_any_number_of_melds_a_turn():
    """R-MELD-6, R-LAY-5: and lay-offs without limit, none of them owed."""
    cards = "2S 3S 4S 6H 6D 6C 9S 9H 9C KD QD"
    state = table("500-rum", [cards, "4H"], melds=["JC QC KC"], phase="play")
    play(state, "meld 2S 3S 4S", "meld 6H 6D 6C", "meld 9S 9H 9C")
    assert len(state.melds) == 4 and can(state, "discard KD")


# --- two packs -------------------------------------------------------------------------------------


def test_with_two_packs_a_set_has_different_suits_in_h_and_r():
    """D2."""
    for name in ("500-rum", "rummy-500", "michigan-rum"):
        assert melds(name, "6S 6S 6H KD", 5) == set()
        assert melds(name, "6S 6S 6H 6C KD", 5) == {"6S 6H 6C"}
        state = table(name, ["6S 6S 6H KD", *REST[:4]], phase="play")
        cards = tuple(Laid(card_from_text(c), card_from_text(c)) for c in ("6S", "6S", "6H"))
        assert refusal(state, Meld(cards)).rule == "D2"


def test_with_two_packs_a_suit_may_come_twice_in_fs_sets():
    """D20: at most as often as there are packs, counting what jokers stand for."""
    assert melds("500-rummy", "6S 6S 6H KD", 5) == {"6S 6S 6H"}
    assert melds("500-rummy", "6S 6S 6H 6H KD", 5) == {"6S 6S 6H", "6S 6H 6H", "6S 6S 6H 6H"}
    for name, lays in (("500-rummy", {"lay 6S on 1"}), ("500-rum", set())):
        state = table(name, ["6S KD", *REST[:4]], melds=["6S 6H 6D"], phase="play")
        assert texts(state, "lay") == lays
    rules = ruleset("500-rummy", variations=("jokers-1",))
    found = melds(rules, "6S 6S JK KD", 5)
    assert found == {"6S 6S JK=6H", "6S 6S JK=6D", "6S 6S JK=6C"}


def test_a_run_holds_each_rank_once_with_two_packs_too():
    """D4."""
    assert melds("500-rummy", "6S 6S 7S 8S KD", 5) == {"6S 7S 8S"}
    state = table("500-rummy", ["6S KD", *REST[:4]], melds=["6S 7S 8S"], phase="play")
    assert texts(state, "lay") == set()


# --- the ace's two ends ----------------------------------------------------------------------------


def test_no_ace_at_both_ends_with_two_packs_either():
    """D4."""
    run = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    state = table("500-rummy", ["AS AS 9C", *REST[:4]], melds=[run], phase="play")
    assert texts(state, "lay") == {"lay AS on 1", "lay AS=1S on 1"}
    ace = card_from_text("AS")
    both = LayOff(0, (Laid(ace, ace), Laid(ace, ace + 13)), True)
    assert refusal(state, both).rule == "D4"
    play(state, "lay AS=1S on 1")
    assert texts(state, "lay") == set()
    assert refusal(state, LayOff(0, (Laid(ace, ace + 13),), True)).code == "run.ace_twice"


def test_an_ace_that_fits_both_ends_takes_the_one_the_player_says():
    """D4: high if nothing is said; the low one is written AS=1S and counts as low."""
    whole = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    state = table("500-rum", [whole + " 9C", "4H"], phase="play")
    assert can(state, f"meld {whole[3:]} AS") and can(state, f"meld AS=1S {whole[3:]}")
    play(state, f"meld {whole}")
    assert state.melds[0].cards[-1].place == 13 and state.laid == (44 + 40 + 15, 0)
    state = table("500-rum", [whole + " 9C", "4H"], phase="play")
    play(state, f"meld AS=1S {whole[3:]}")
    assert state.melds[0].cards[0].place == 0 and state.laid == (44 + 40 + 1, 0)


# --- wild jokers -----------------------------------------------------------------------------------


def test_a_new_meld_needs_a_natural_card_and_a_lay_off_none():
    """D9: any number of jokers besides; fifteen points wherever one lies."""
    state = table("rummy-500", ["6S JK JK JK JK KD", *REST[:4]], phase="play")
    assert can(state, "meld JK=4S JK=5S 6S JK=7S JK=8S")
    three = tuple(Laid(JOKER, place) for place in (5, 6, 7))
    assert refusal(state, Meld(three)).rule == "D9"
    state = table("rummy-500", ["JK JK KD", "4H"], melds=["6S 7S 8S"], phase="play")
    play(state, "lay JK=4S JK=5S on 1")
    assert state.laid == (21 + 30, 0)


def test_a_joker_laid_off_names_its_card_and_is_never_replaced():
    """D10."""
    state = table("rummy-500", ["JK 6C KD 9C", "4H"], melds=["6S 6H 6D"], phase="play")
    assert texts(state, "lay") == {"lay JK=6C on 1", "lay 6C on 1"}
    unnamed = refusal(state, LayOff(0, (Laid(JOKER, None),), False))
    assert (unnamed.code, unnamed.rule) == ("joker.unnamed", "R-MELD-5")
    play(state, "lay JK=6C on 1")
    assert texts(state, "lay") == set()
    assert refusal(state, "lay 6C on 1").code == "lay.joker_stays"


# --- lay-offs --------------------------------------------------------------------------------------


def test_cards_are_laid_off_on_any_players_meld():
    """R-LAY-1: at either end of a run, the missing card of a set."""
    laid = [(1, "4D 5D 6D"), (2, "9S 9H 9C"), (0, "JC QC KC")]
    state = table("500-rum", ["3D 7D 9D 10C AC 2H", "4H", "8H"], melds=laid, phase="play")
    ends = {"lay 3D on 1", "lay 7D on 1", "lay 3D 7D on 1", "lay 9D on 2"}
    assert texts(state, "lay") == {*ends, "lay 10C on 3", "lay AC on 3", "lay 10C AC on 3"}


def test_laid_off_card_scores_for_the_player_that_laid_it():
    """R-LAY-3, D28: card by card, in R's game too."""
    for name in ("500-rum", "rummy-500"):
        state = table(name, ["3D 7D KC", "4H"], melds=[(1, "4D 5D 6D")], phase="play")
        play(state, "lay 3D 7D on 1")
        assert state.laid == (10, 15)
        assert owners(state, 1) == {"3D": 0, "4D": 1, "5D": 1, "6D": 1, "7D": 0}
        assert state.melds[0].owner == 1


def test_a_lay_off_may_be_built_upon():
    """R-LAY-4: by others as well."""
    state = table("500-rum", ["7D KC 5H", "8D 2C 9D"], melds=["4D 5D 6D"], phase="play")
    play(state, "lay 7D on 1", "discard KC", "draw")
    assert {"lay 8D on 1", "lay 8D 9D on 1"} == texts(state, "lay")


def test_one_is_never_obliged_to_lay_off():
    """R-LAY-5: and there is no limit in a turn."""
    state = table("500-rum", ["7D 9C 2C 6S", "4H"], melds=["4D 5D 6D", "9S 9H 9D", "3S 4S 5S"], phase="play")
    assert can(state, "discard 7D")
    play(state, "lay 7D on 1", "lay 9C on 2", "lay 6S on 3")
    assert hand(state, 0) == "2C"


def test_lay_offs_on_anyones_meld_in_plain_and_partnership_games():
    """D29: in plain 500 Rum as with partners."""
    for name in ("500-rum", "partnership-500-rum"):
        state = table(
            name, ["QD 2C", "4H", "5H", "6H"], melds=[(1, "9D 10D JD"), (2, "QS QH QC")], phase="play"
        )
        assert texts(state, "lay") == {"lay QD on 1", "lay QD on 2"}


def test_partners_lay_off_on_each_others_melds_into_one_account():
    """R-MATCH-5: partners sit opposite; the points are the side's, by either partner's card."""
    rules = ruleset("partnership-500-rum")
    assert [rules.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    state = table(rules, ["7D KC", "4H", "5H", "6H"], melds=[(2, "4D 5D 6D")], phase="play")
    play(state, "lay 7D on 1")
    assert state.laid == (7, 0, 15, 0) and owners(state, 1)["7D"] == 0
    assert cards_text(placed.card for placed in state.melds[0].cards) == "4D 5D 6D 7D"
