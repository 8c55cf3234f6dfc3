"""Rules that card programs often get wrong, one position each."""

from __future__ import annotations

import pytest

from rum500.rules.profiles import ruleset
from tests.support.table import can, play, table, texts

G = "persian-rummy-gamerules"
OTHERS = ("4H 9C", "5H 9D", "6H 10D")


def rest(rules) -> list[str]:
    game = ruleset(rules) if isinstance(rules, str) else rules
    return list(OTHERS[: game.players[0] - 1])


# --- the lowest card taken -------------------------------------------------------------------------


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


# --- one card, several places ------------------------------------------------------------------------


def test_one_card_that_fits_a_set_and_two_runs():
    """R-LAY-1, R-LAY-2, R-MELD-3: two runs that meet at the card do not become one."""
    melds = ["7S 7H 7D", "4C 5C 6C", "8C 9C 10C"]
    state = table("500-rum", ["7C KD", "4H 9C"], melds=melds, phase="play")
    assert texts(state, "lay") == {"lay 7C on 1", "lay 7C on 2", "lay 7C on 3"}
    play(state, "lay 7C on 2")
    assert texts(state, "lay") == set() and [len(meld.cards) for meld in state.melds] == [3, 4, 3]


# --- jokers ----------------------------------------------------------------------------------------


def test_each_declaration_of_a_joker_is_a_play_of_its_own():
    """R-MELD-5, D10: on a set of two suits there are two, on a run's ends two."""
    state = table("rummy-500", ["6S 6H JK 2C", "4H 9C"], phase="play")
    assert texts(state, "meld") == {"meld 6S 6H JK=6D", "meld 6S 6H JK=6C"}
    state = table("rummy-500", ["JK 2C", "4H 9C"], melds=["6S 7S 8S", "9S 9H 9D"], phase="play")
    assert texts(state, "lay") == {"lay JK=5S on 1", "lay JK=9S on 1", "lay JK=9C on 2"}


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


# --- settlement ------------------------------------------------------------------------------------


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
