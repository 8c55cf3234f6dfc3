"""The house rules H1 to H5; H6 has a file of its own."""

from __future__ import annotations

import pytest

from rum500 import Laid, LayOff, Meld, RulesetError
from rum500.cards import JOKER, card_from_text, cards_from_text
from rum500.rules.profiles import ruleset
from tests.support.table import can, hand, pile, play, refusal, table, texts

H1 = ruleset("rummy-500", house_rules=("H1",))
H2 = ruleset("rummy-500", house_rules=("H2",))
H3 = ruleset("rummy-500", house_rules=("H3",))
H4 = ruleset("rummy-500", house_rules=("H4",))
H5 = ruleset("rummy-500", house_rules=("H5",))
OTHER = "4H 9C"


def test_the_top_discard_too_may_only_be_taken_to_be_melded():
    """H1: laying it off is melding it (D3b)."""
    state = table(H1, ["9S 9H KD", OTHER], pile="8C 2D")
    wrong = refusal(state, "take 2D")
    assert (wrong.code, wrong.rule, wrong.card) == ("take.useless", "H1", card_from_text("2D"))
    state = table(H1, ["9S 9H KD", OTHER], pile="8C 2D", melds=["3D 4D 5D"])
    play(state, "take 2D")
    assert refusal(state, "discard KD").rule == "H1"
    play(state, "lay 2D on 1")


def test_house_rules_that_could_not_apply_are_refused():
    """H1, H2, H3, H4: with the reason."""
    for name, rule in (
        ("500-rum", "H1"),
        ("persian-rummy-gamerules", "H2"),
        ("500-rum", "H3"),
        ("500-rum", "H4"),
    ):
        with pytest.raises(RulesetError):
            ruleset(name, house_rules=(rule,))
    with pytest.raises(RulesetError):
        ruleset("rummy-500", house_rules=("H1", "H4"))
    assert ruleset("persian-rummy-gamerules", house_rules=("H5",)).house_rules == ("H5",)


# --- H2: floaters ----------------------------------------------------------------------------------


def test_player_that_melds_the_last_card_floats_and_the_deal_continues():
    """H2: the turn ends without a discard, so that the pile may be empty."""
    state = table(H2, ["6S 7S", OTHER], stock="8S 2C KD", pile="")
    events = play(state, "draw", "meld 6S 7S 8S")
    assert [event.kind for event in events] == ["draw", "meld", "float"]
    assert not state.is_over and state.actor == 1 and pile(state) == ""
    assert texts(state) == {"draw"}
    play(state, "draw", "discard 2C")
    assert state.actor == 0 and state.floater


def test_one_who_does_not_float_goes_out_by_any_discard():
    """H2: must discard to go out, and then it may be any card."""
    state = table(H2, ["6S 7S 8S", OTHER], stock="9S", pile="QD")
    play(state, "draw", "meld 6S 7S 8S", "discard 9S")
    assert (state.result.reason, state.result.out) == ("out", 0)


def test_a_floater_must_lay_off_a_drawn_card_that_fits():
    """H2, D26: and floats on; one that fits nowhere is discarded, which is going out."""
    state = table(H2, ["", OTHER], stock="9S KD 2C", pile="QD", melds=["6S 7S 8S"])
    play(state, "draw")
    assert texts(state) == {"lay 9S on 1"}
    wrong = refusal(state, "discard 9S")
    assert (wrong.code, wrong.rule, wrong.card) == ("discard.floater", "D26", card_from_text("9S"))
    play(state, "lay 9S on 1")
    assert not state.is_over and state.actor == 1
    play(state, "draw", "discard KD", "draw")
    assert texts(state) == {"discard 2C"}
    play(state, "discard 2C")
    assert (state.result.reason, state.result.out) == ("out", 0)


def test_a_floater_may_not_take_the_top_discard_alone_to_throw_it():
    """H2: that take is refused, unless the card fits a meld on the table."""
    state = table(H2, ["", OTHER], pile="QD 2C", melds=["6S 7S 8S"])
    wrong = refusal(state, "take 2C")
    assert (wrong.code, wrong.rule, wrong.card) == ("take.stranding", "H2", card_from_text("2C"))
    state = table(H2, ["", OTHER], pile="QD 9S", melds=["6S 7S 8S"])
    play(state, "take 9S")
    assert texts(state) == {"lay 9S on 1"}


def test_a_floater_who_takes_several_cards_plays_an_ordinary_turn():
    """H2: only the last card is bound."""
    state = table(H2, ["", OTHER], pile="9S 2C KD", melds=["6S 7S 8S"])
    play(state, "take 9S", "lay 9S on 1")
    assert texts(state) == {"discard 2C", "discard KD"}
    state = table(H2, ["", OTHER], pile="9S 10S", melds=["6S 7S 8S"])
    play(state, "take 9S", "lay 9S on 1")
    assert texts(state) == {"lay 10S on 1"}


def test_a_player_with_a_card_is_not_bound_as_a_floater():
    """H2: binding is for those who began the turn without a card."""
    state = table(H2, ["2C 3C", OTHER], stock="4C 9S", pile="QD", melds=["6S 7S 8S"])
    play(state, "draw")
    assert not state.floater and can(state, "discard 4C")


# --- H3: two jokers and one other card ---------------------------------------------------------------


def test_two_jokers_beside_one_other_card_are_not_named():
    """H3: and any natural card of the rank may fill the fourth place."""
    state = table(H3, ["2S JK JK 2H KD 9C", OTHER], phase="play")
    two = card_from_text("2S")
    named = Meld((Laid(two, two), Laid(JOKER, 16 + 1), Laid(JOKER, 32 + 1)))
    assert (refusal(state, named).code, refusal(state, named).rule) == ("joker.named", "H3")
    play(state, "meld 2S JK JK")
    assert [placed.place for placed in state.melds[0].cards] == [two, None, None]
    assert state.laid == (2 + 30, 0)
    assert texts(state, "lay") == {"lay 2H on 1"}
    play(state, "lay 2H on 1")
    assert state.laid == (34, 0) and len(state.melds[0].cards) == 4


def test_no_joker_joins_such_a_set_nor_four_kings():
    """H3: four cards at most."""
    state = table(H3, ["JK KD 9C", OTHER], melds=["2S JK JK", "KS KH KD KC"], phase="play")
    assert texts(state, "lay") == set()
    assert refusal(state, LayOff(0, (Laid(JOKER, 17),), False)).rule == "H3"
    assert refusal(state, LayOff(1, (Laid(JOKER, 12),), False)).code == "lay.full"


def test_a_single_joker_in_a_set_and_jokers_in_runs_are_still_named():
    """H3: and two jokers beside two cards."""
    state = table(H3, ["2S 2H JK JK KD", OTHER], phase="play")
    two, three = card_from_text("2S"), card_from_text("2H")
    single = Meld((Laid(two, two), Laid(three, three), Laid(JOKER, None)))
    assert (refusal(state, single).code, refusal(state, single).rule) == ("joker.unnamed", "H3")
    found = texts(state, "meld")
    assert (
        "meld 2S 2H JK=2D" in found and "meld 2S JK=3S JK=4S" in found and "meld 2S 2H JK=2D JK=2C" in found
    )
    assert "meld 2S JK JK" in found and "meld 2S JK=2D JK=2C" not in found


def test_with_suits_twice_an_unnamed_set_takes_its_own_suit_again():
    """H3, D20: what the set rule allows."""
    rules = ruleset("500-rummy", variations=("jokers-2",), house_rules=("H3",))
    state = table(rules, ["2S 2H KD", OTHER, OTHER, OTHER, OTHER], melds=["2S JK JK"], phase="play")
    assert texts(state, "lay") == {"lay 2S on 1", "lay 2H on 1"}
    state = table(H3, ["2S 2H KD", OTHER, OTHER, OTHER, OTHER], melds=["2S JK JK"], phase="play")
    assert texts(state, "lay") == {"lay 2H on 1"}


# --- H4: the top discard taken alone -----------------------------------------------------------------


def test_the_top_discard_taken_alone_is_not_discarded_in_the_same_turn():
    """H4."""
    state = table(H4, ["8S KD", OTHER], pile="QD 2C")
    play(state, "take 2C")
    wrong = refusal(state, "discard 2C")
    assert (wrong.code, wrong.rule, wrong.card) == ("discard.taken", "H4", card_from_text("2C"))
    assert wrong.message == "you took 2♣ alone and may not discard it this turn: discard another card"
    assert texts(state) == {"discard 8S", "discard KD"}


def test_its_twin_from_a_second_pack_may_be_discarded():
    """H4, D20."""
    state = table(H4, ["2C KD", *[OTHER] * 4], pile="QD 2C")
    play(state, "take 2C")
    assert can(state, "discard 2C")


def test_a_card_taken_with_others_or_melded_is_free():
    """H4: only the top discard taken alone is bound, and only in that turn."""
    state = table(H4, ["8S 8H KD", OTHER], pile="8C 2C")
    play(state, "take 8C", "meld 8S 8H 8C")
    assert can(state, "discard 2C")
    state = table(H4, ["8S KD", OTHER], pile="QD 2C", stock="3H 3D 3C")
    play(state, "take 2C", "discard 8S", "draw", "discard 3H", "draw")
    assert can(state, "discard 2C")


# --- H5: a new stock -------------------------------------------------------------------------------


def test_empty_stock_is_rebuilt_at_the_next_draw():
    """H5: the top discard stays; all know what the new stock holds, nobody its order."""
    state = table(H5, ["8S KD", OTHER], stock="", pile="2C 5D 9H JC")
    restock, draw = play(state, "draw")
    assert restock.kind == "restock" and draw.kind == "draw"
    assert restock.seen_by(1)["cards"] == tuple(sorted(cards_from_text("2C 5D 9H")))
    assert pile(state) == "JC" and len(state.stock) == 2
    assert state.view(1).restocked == tuple(sorted(cards_from_text("2C 5D 9H")))


def test_until_then_the_whole_pile_lies_open_and_the_empty_stock_changes_nothing():
    """H5: the top discard need not be melded in R's game."""
    state = table(H5, ["8S 8H KD", OTHER], stock="", pile="8C 5D 9H JC")
    assert texts(state) == {"draw", "take 8C", "take JC"}
    assert refusal(state, "end").rule == "H5"
    play(state, "take JC")
    assert can(state, "discard JC")


def test_a_restock_needs_two_cards_in_the_pile():
    """H5: with fewer D5 applies, or D6."""
    state = table(H5, ["8S KD", OTHER], stock="", pile="JC")
    assert texts(state) == {"end"}
    assert (refusal(state, "draw").code, refusal(state, "draw").rule) == ("draw.no_restock", "H5")
    rules = ruleset("persian-rummy-gamerules", house_rules=("H5",))
    state = table(rules, ["8S KD", *[OTHER] * 3], stock="", pile="JC")
    assert texts(state) == {"pass"}
    state = table(rules, ["8S KD", *[OTHER] * 3], stock="", pile="JC 2D")
    assert texts(state) == {"draw"}
    assert refusal(state, "pass").rule == "H5"


def test_the_order_of_a_new_stock_can_be_given_by_a_record():
    """H5."""
    state = table(H5, ["8S KD", OTHER], stock="", pile="2C 5D 9H JC")
    state.restock_order(cards_from_text("9H 2C 5D"))
    play(state, "draw")
    assert "9H" in hand(state, 0).split() and state.stock == tuple(cards_from_text("2C 5D"))
    with pytest.raises(ValueError, match="H5"):
        state.restock_order(cards_from_text("2C"))
