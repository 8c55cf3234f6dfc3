"""What card programs get wrong, one position each."""

from __future__ import annotations

import pytest

from rum500 import Phase
from rum500.cards import cards_text
from rum500.rules.profiles import ruleset
from tests.support.table import can, hand, owners, pile, play, table, texts

G = "persian-rummy-gamerules"
OTHERS = ("4H 9C", "5H 9D", "6H 10D")


def rest(rules) -> list[str]:
    game = ruleset(rules) if isinstance(rules, str) else rules
    return list(OTHERS[: game.players[0] - 1])


# --- the lowest card taken -------------------------------------------------------------------------


def test_the_taken_card_may_be_melded_with_cards_just_taken_alone():
    """R-DRAW-3, D27: no card from hand in it."""
    state = table("500-rum", ["KD 2H", "4H 9C"], pile="3C 8C 9C 10C")
    assert texts(state) == {"draw", "take 8C"}
    play(state, "take 8C", "meld 8C 9C 10C")
    assert hand(state, 0) == "2H KD"


def test_the_taken_card_may_be_laid_off():
    """R-DRAW-3, D3b: on anybody's meld."""
    state = table("500-rum", ["KD 2H", "4H 9C"], pile="3C 8C QH", melds=[(1, "8S 8H 8D")])
    play(state, "take 8C", "lay 8C on 1", "discard KD")
    assert owners(state, 1)["8C"] == 0


def test_the_taken_card_may_go_under_a_run_with_one_from_hand():
    """R-DRAW-3, D3: a taken 2 under 4-5-6 with the 3 from hand, in one play."""
    state = table("500-rum", ["3S KD", "4H 9C"], pile="2S QH", melds=[(1, "4S 5S 6S")])
    play(state, "take 2S", "lay 2S 3S on 1", "discard KD")
    assert owners(state, 1) == {"2S": 0, "3S": 0, "4S": 1, "5S": 1, "6S": 1}
    none = table("500-rum", ["KC KD", "4H 9C"], pile="2S QH", melds=[(1, "4S 5S 6S")])
    assert texts(none) == {"draw"}


def test_the_taken_card_may_go_under_a_run_with_one_just_taken():
    """R-DRAW-3, D27: the 3 lies above the 2 in the pile."""
    state = table("500-rum", ["KC KD", "4H 9C"], pile="2S QH 3S", melds=[(1, "4S 5S 6S")])
    assert texts(state) == {"draw", "take 2S", "take 3S"}
    play(state, "take 2S")
    assert texts(state) == {"lay 2S 3S on 1"}


def test_the_taken_card_itself_is_used_and_not_a_joker_in_its_name():
    """R-DRAW-3."""
    state = table("rummy-500", ["6S 7S JK KD", "4H 9C"], pile="8S QH")
    play(state, "take 8S")
    assert not can(state, "meld 6S 7S JK=8S") and can(state, "meld 6S 7S 8S")


# --- points ----------------------------------------------------------------------------------------


def test_a_lay_off_scores_for_the_hand_it_came_from():
    """R-LAY-3: each card of a meld by itself, whoever owns the meld."""
    state = table(
        "500-rum", ["7S 3S KD 2H", "8S 9C KC"], melds=[(1, "4S 5S 6S")], stock="2D 2C", phase="play"
    )
    play(state, "lay 3S 7S on 1", "discard KD", "draw", "lay 8S on 1", "discard KC")
    assert state.laid == (10, 15 + 8)


def test_four_at_once_is_not_three_and_then_one():
    """R-SCORE-3: nor three and one in the same turn, nor with the taken card laid on."""
    at_once = table("persian-rummy", ["KS KH KD KC 2C", *OTHERS], phase="play")
    play(at_once, "meld KS KH KD KC")
    assert at_once.laid[0] == 80 and at_once.melds[0].at_once
    later = table("persian-rummy", ["KS KH KD KC 2C", *OTHERS], phase="play")
    play(later, "meld KS KH KD", "lay KC on 1")
    assert later.laid[0] == 40 and not later.melds[0].at_once


LOW_ACES = [
    ("melded", "AS 2S 3S KD", "meld AS 2S 3S", (), 1 + 5),
    ("laid off", "AS KD", "lay AS on 1", ("2S 3S 4S",), 1),
    ("laid off with a two", "AS 2S KD", "lay AS 2S on 1", ("3S 4S 5S",), 1 + 2),
    ("beside a joker", "AS 3S JK KD", "meld AS JK=2S 3S", (), 1 + 15 + 3),
    ("laid off under a joker", "AS KD", "lay AS on 1", ("JK=2S 3S 4S",), 1),
    ("a joker in its place", "2S 3S JK KD", "meld JK=1S 2S 3S", (), 15 + 5),
    ("low in a full run", "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS KD", "", (), 1 + 44 + 40),
    (
        "laid low on a run to the king",
        "AS KD",
        "lay AS=1S on 1",
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS",),
        1,
    ),
    ("high on a run from the two", "AS KD", "lay AS on 1", ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS",), 15),
    ("high in a run", "QS KS AS KD", "meld QS KS AS", (), 35),
    ("high beside a joker", "KS JK AS KD", "meld JK=QS KS AS", (), 15 + 10 + 15),
    ("in a set", "AS AH AD KD", "meld AS AH AD", (), 45),
]


@pytest.mark.parametrize(
    ("cards", "text", "melds", "points"), [row[1:] for row in LOW_ACES], ids=[r[0] for r in LOW_ACES]
)
def test_what_an_ace_counts(cards, text, melds, points):
    """D8, R-SCORE-2: 1 below a two, natural or joker; 15 anywhere else."""
    state = table("rummy-500", [cards, "4H 9C"], melds=[(1, meld) for meld in melds], phase="play")
    play(state, text or "meld AS=1S " + cards.removeprefix("AS ").removesuffix(" KD"))
    assert state.laid[0] == points


def test_an_ace_held_counts_fifteen_against_its_holder():
    """R-SCORE-1: also where it would have been melded low."""
    for name in ("500-rum", "500-rummy"):
        state = table(name, ["6S 7S", "AH 2H 3H"], stock="8S")
        play(state, "draw", "meld 6S 7S 8S")
        assert state.result.points[1] == -(15 + (10 if name == "500-rummy" else 5))


# --- one card, several places ------------------------------------------------------------------------


def test_one_card_that_fits_a_set_and_two_runs():
    """R-LAY-1, R-LAY-2: two packs, two runs that meet at the card; each is a play of its own."""
    melds = ["7S 7H 7D", "4C 5C 6C", "8C 9C 10C"]
    state = table("500-rum", ["7C KD", "4H 9C"], melds=melds, phase="play")
    assert texts(state, "lay") == {"lay 7C on 1", "lay 7C on 2", "lay 7C on 3"}
    play(state, "lay 7C on 2")
    assert texts(state, "lay") == set() and len(state.melds) == 3


def test_runs_that_meet_do_not_become_one():
    """R-MELD-3, R-LAY-4: a run goes on by cards, never by another meld."""
    state = table("500-rum", ["7C 8H KD", "4H 9C"], melds=["4C 5C 6C", "8C 9C 10C"], phase="play")
    play(state, "lay 7C on 1")
    assert [len(meld.cards) for meld in state.melds] == [4, 3]


# --- jokers ----------------------------------------------------------------------------------------


def test_a_joker_may_be_a_card_that_lies_elsewhere_or_is_in_hand():
    """R-MELD-5: a duplicate, and it stays what it was declared."""
    state = table("rummy-500", ["6S 7S JK 8S 2C", "4H 9C"], melds=[(1, "8H 8D 8C")], phase="play")
    assert {"meld 6S 7S JK=8S", "meld JK=5S 6S 7S", "meld 6S 7S 8S", "meld 6S JK=7S 8S"} <= texts(state)
    play(state, "meld 6S 7S JK=8S")
    assert can(state, "lay 8S on 1") and not can(state, "lay 8S on 2")


def test_each_declaration_of_a_joker_is_a_play_of_its_own():
    """R-MELD-5, D10: on a set of two suits there are two, on a run's ends two."""
    state = table("rummy-500", ["6S 6H JK 2C", "4H 9C"], phase="play")
    assert texts(state, "meld") == {"meld 6S 6H JK=6D", "meld 6S 6H JK=6C"}
    state = table("rummy-500", ["JK 2C", "4H 9C"], melds=["6S 7S 8S", "9S 9H 9D"], phase="play")
    assert texts(state, "lay") == {"lay JK=5S on 1", "lay JK=9S on 1", "lay JK=9C on 2"}


def test_two_jokers_and_a_two_under_h3():
    """H3: one play, where naming them would make three."""
    named = table("rummy-500", ["2S JK JK KD", "4H 9C"], phase="play")
    assert sum(text.startswith("meld 2S JK=2") for text in texts(named, "meld")) == 3
    rules = ruleset("rummy-500", house_rules=("H3",))
    unnamed = table(rules, ["2S JK JK KD", "4H 9C"], phase="play")
    assert "meld 2S JK JK" in texts(unnamed) and not any("2S JK=2" in text for text in texts(unnamed))


# --- two packs -------------------------------------------------------------------------------------


def test_suits_in_sets_with_two_packs():
    """D2, D20: F's game lets them repeat, the others do not."""
    five = ["4H 9C", "5H 9D", "6H 10D", "7H JD"]
    for name, sets in (("500-rummy", {"meld 6S 6S 6H"}), ("500-rum", set()), ("rummy-500", set())):
        state = table(name, ["6S 6S 6H KD", *five], phase="play")
        assert texts(state, "meld") == sets
    state = table("500-rummy", ["6S KD", *five], melds=["6S 6H 6D"], phase="play")
    assert texts(state, "lay") == {"lay 6S on 1"}
    state = table("500-rum", ["6S KD", *five], melds=["6S 6H 6D"], phase="play")
    assert texts(state, "lay") == set()


# --- going out -------------------------------------------------------------------------------------


def test_four_ways_to_have_no_card_left():
    """R-END-1, H2, D16: out by a meld, out by a discard, G's meld only, H2's float."""
    floating = ruleset("500-rum", house_rules=("H2",))
    for rules, by_meld, by_discard in (
        ("500-rum", "out", "out"),
        (G, "out", None),
        (floating, None, "out"),
    ):
        state = table(rules, ["6S 7S", *rest(rules)], stock="8S 2C")
        play(state, "draw", "meld 6S 7S 8S")
        assert (state.result.reason if state.is_over else None) == by_meld
        state = table(rules, ["KC", *rest(rules)], phase="play")
        play(state, "discard KC")
        assert (state.result.reason if state.is_over else None) == by_discard


def test_a_floater_without_a_pile_to_take_from_draws():
    """H2: nobody need discard for the next player's turn to come."""
    rules = ruleset("500-rum", house_rules=("H2",))
    state = table(rules, ["6S 7S 8S", "4H 9C"], stock="2C", pile="", phase="play")
    play(state, "meld 6S 7S 8S")
    assert state.actor == 1 and state.pile == () and texts(state) == {"draw"}


# --- the stock runs out ----------------------------------------------------------------------------


def test_the_empty_stock_in_all_its_forms():
    """D5, D6, H5: the deal ends by choice, a pass, a new stock, or a card that can be melded."""
    restock = ruleset("500-rum", house_rules=("H5",))
    free = ruleset("rummy-500", upcard_free_when_stock_empty=True)
    for rules, legal in (
        ("500-rum", {"end", "take 8C"}),
        ("rummy-500", {"end", "take 8C"}),
        (G, {"pass", "take 8C"}),
        (restock, {"draw", "take 8C"}),
        (free, {"end", "take 8C", "take JC"}),
    ):
        state = table(rules, ["8S 8H KD", *rest(rules)], stock="", pile="2D 8C JC")
        assert texts(state) == legal


def test_a_new_stock_leaves_the_top_discard_and_loses_no_card():
    """H5."""
    rules = ruleset("500-rum", house_rules=("H5",))
    state = table(rules, ["8S KD", "4H 9C"], stock="", pile="2D 8C JC 3H")
    play(state, "draw")
    (drawn,) = set(hand(state, 0).split()) - {"8S", "KD"}
    assert pile(state) == "3H" and {drawn, *cards_text(state.stock).split()} == {"2D", "8C", "JC"}


# --- "Rummy!" ----------------------------------------------------------------------------------------


def test_calls_are_asked_from_the_left_and_play_moves_on_from_the_caller():
    """R-CLAIM-2, D19: out of turn, by a partner, and never by the one who just played."""
    rules = ruleset("partnership-500-rum", house_rules=("H6",))
    hands = ["2C KD", "4H 9H", "5H 9D", "6H 10D"]
    state = table(rules, hands, pile="9S", melds=["6S 7S 8S"], phase="play")
    play(state, "discard KD")
    order = []
    while state.phase is Phase.CLAIM and state.actor != 2:
        order.append(state.actor)
        play(state, "let go")
    assert order == [1] and state.actor == 2
    play(state, "call 9S", "lay 9S on 1", "discard 9D")
    assert state.actor == 3 and state.phase is Phase.DRAW and state.laid == (21, 0, 9, 0)


def test_the_melder_cannot_call_for_what_the_own_meld_opened():
    """R-CLAIM-3: with two at the table, only the other is asked; then the melder's turn is a usual one."""
    rules = ruleset("rummy-500", house_rules=("H6",))
    state = table(rules, ["6S 7S 8S KD 2C", "4H 9C"], pile="5S QD", phase="play")
    play(state, "meld 6S 7S 8S", "discard KD")
    assert state.phase is Phase.CLAIM and state.actor == 1
    play(state, "let go")
    assert state.phase is Phase.DRAW and state.actor == 1


# --- settlement ------------------------------------------------------------------------------------


def test_michigans_settlement_of_a_deal():
    """R-SCORE-4, D14: the others keep what they laid, and lose nothing for what they hold."""
    state = table(
        "michigan-rum", ["QH QS", "AH 2H", "KD KC"], stock="QC", pile="4D", melds=[(1, "9S 10S JS")]
    )
    play(state, "draw", "meld QS QH QC")
    assert state.result.points == (30 + 17 + 20, 29, 0)


def test_points_of_a_deal_may_be_negative():
    """R-SCORE-1: and take a total below zero (the match adds them up)."""
    state = table("500-rum", ["6S 7S", "AH AD KD"], stock="8S", totals=(0, 10))
    play(state, "draw", "meld 6S 7S 8S")
    assert state.result.points == (21, -40) and state.totals == (0, 10)


@pytest.mark.parametrize(
    ("rules", "melds", "pile"),
    [
        (ruleset("rummy-500"), "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD JK=AD", "AD 7H 9S"),
        (ruleset("rummy-500", house_rules=("H1",)), "JK=1D 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD", "AD"),
    ],
)
def test_an_ace_does_not_go_on_a_run_whose_other_end_is_an_ace_by_joker(rules, melds, pile):
    """D4, D18: such an ace cannot be taken, since no play could use it."""
    hand_with_the_way_round = "2D 9C 8S" if "KD" in melds else "KD 9C 8S"
    at_table = table(rules, [hand_with_the_way_round, "4C 5C 6C"], pile=pile, melds=[melds])
    assert "take AD" not in texts(at_table)


def test_nobody_is_asked_to_call_an_ace_that_fits_nowhere():
    """D4, R-CLAIM-1: the pile's two and ace cannot both go below a run that ends in a joker as ace."""
    melds = ["3D 4D 5D 6D 7D 8D 9D 10D JD QD KD JK=AD"]
    at_table = table(
        ruleset("rummy-500", house_rules=("H6",)),
        ["9C 8S 4H", "4C 5C 6C"],
        pile="AD 2D",
        melds=melds,
        phase="play",
    )
    play(at_table, "discard 9C")
    assert texts(at_table) == {"call 2D", "let go"}
