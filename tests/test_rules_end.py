"""How a deal ends: going out, an empty stock, passes, no progress."""

from __future__ import annotations

import pytest

from rum500 import Phase
from rum500.cards import cards_from_text
from rum500.rules.profiles import profile_names, ruleset
from tests.support.table import can, play, refusal, table, texts

G = "persian-rummy-gamerules"
MELD_OR_DISCARD = [name for name in profile_names() if name != G]


def seated(name: str, *hands: str) -> list[str]:
    """Hands for the fewest players that the game is for."""
    return [*hands, *["4H 9C"] * (ruleset(name).players[0] - len(hands))]


# --- going out -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MELD_OR_DISCARD)
def test_going_out_by_a_discard_or_by_a_meld_ends_the_deal_at_once(name):
    """R-END-1."""
    state = table(name, seated(name, "6S 7S"), stock="8S KD")
    play(state, "draw", "meld 6S 7S 8S")
    assert (state.result.reason, state.result.out) == ("out", 0)
    state = table(name, seated(name, "6S 7S 8S"), stock="KC KD")
    play(state, "draw", "meld 6S 7S 8S", "discard KC")
    assert (state.result.reason, state.result.out) == ("out", 0)
    assert state.legal_ints() == []


def test_in_gs_game_only_melding_the_last_card_goes_out():
    """R-END-1, D16: a player who discards it stays in, draws in turn, and goes out by melding."""
    state = table(G, ["6S 7S 8S", "4H 9C", "4H 9C", "4H 9C"], stock="KC 2D 2H 2C 9S 5C", pile="QD")
    play(state, "draw", "meld 6S 7S 8S", "discard KC")
    assert not state.is_over and state.actor == 1 and state.hands[0] == ()
    for card in ("2D", "2H", "2C"):
        play(state, "draw", f"discard {card}")
    assert state.actor == 0
    play(state, "draw", "lay 9S on 1")
    assert (state.result.reason, state.result.out, state.result.bonus) == ("out", 0, (25, 0, 0, 0))


def test_a_floating_player_of_gs_game_need_not_lay_the_drawn_card():
    """D16: the rule that binds a floater is H2's alone."""
    state = table(G, ["", "4H 9C", "4H 9C", "4H 9C"], stock="9S 5C", pile="QD", melds=["6S 7S 8S"])
    play(state, "draw")
    assert texts(state) == {"lay 9S on 1", "discard 9S"}


def test_after_the_end_nothing_more_is_melded():
    """R-END-2: a card held counts against its holder even if it would fit."""
    state = table("500-rum", ["6S 7S", "8H 9S"], stock="8S 2C")
    play(state, "draw", "meld 6S 7S 8S")
    assert state.is_over and state.result.held == (0, 17) and state.result.points == (21, -17)
    wrong = refusal(state, "lay 9S on 1")
    assert (wrong.code, wrong.rule) == ("deal.over", "R-END-2")


def test_going_out_looks_at_nothing_that_is_left_in_the_pile():
    """R-END-3, R-CLAIM-4: no claim after that."""
    rules = ruleset("rummy-500", house_rules=("H6",))
    state = table(rules, ["9S", "4H 9C"], stock="2S 2C", pile="5S", melds=["6S 7S 8S"])
    play(state, "draw", "lay 9S on 1", "discard 2S")
    assert state.is_over and state.result.out == 0
    assert (refusal(state, "call 5S").rule, refusal(state, "call 5S").code) == ("R-CLAIM-4", "deal.over")


def test_no_play_may_leave_a_turn_without_a_legal_end():
    """D3a: with H4, melding all but the card that may not be discarded would strand its player."""
    rules = ruleset("rummy-500", house_rules=("H4",))
    state = table(rules, ["6S 7S 8S", "4H 9C"], pile="KD 2C")
    play(state, "take 2C")
    wrong = refusal(state, "meld 6S 7S 8S")
    assert (wrong.code, wrong.rule, wrong.card) == ("play.stranding", "D3a", cards_from_text("2C")[0])
    assert texts(state) == {"discard 6S", "discard 7S", "discard 8S"}
    fits = table(rules, ["6S 7S 8S", "4H 9C"], pile="KD 9S")
    play(fits, "take 9S")
    play(fits, "meld 6S 7S 8S", "lay 9S on 1")
    assert fits.result.out == 0


def test_all_hands_are_shown_at_settlement():
    """D22."""
    state = table("500-rum", ["6S 7S", "8H 9S"], stock="8S 2C", pile="3D")
    events = play(state, "draw", "meld 6S 7S 8S")
    assert events[-1].kind == "over"
    assert events[-1].seen_by(0)["hands"] == ((), tuple(sorted(cards_from_text("8H 9S"))))
    assert state.view(0).result == state.result and state.result.hands == events[-1].public["hands"]


# --- the stock is empty ----------------------------------------------------------------------------


def test_with_the_stock_empty_one_takes_what_one_can_meld_or_ends_the_deal():
    """D5: the top card too must be melded at once then, in R's game as well."""
    state = table("rummy-500", ["8S 8H KD 9H", "4H 9C"], stock="", pile="8C 9D")
    assert texts(state) == {"take 8C", "end"}
    assert (refusal(state, "draw").code, refusal(state, "draw").rule) == ("draw.no_stock", "D5")
    assert refusal(state, "take 9D").rule == "D5"
    state = table("rummy-500", ["9S 9H KD", "4H 9C"], stock="", pile="8C 9D")
    play(state, "take 9D")
    assert refusal(state, "discard KD").rule == "D5"
    play(state, "meld 9S 9H 9D")


def test_ending_the_deal_is_a_play_of_its_own_after_which_nobody_acts():
    """D5: even where nothing else is legal; nobody is out, and hands are settled."""
    state = table("500-rum", ["8S 8H KD", "4H 9C"], stock="", pile="2C")
    assert texts(state) == {"end"}
    events = play(state, "end")
    assert [event.kind for event in events] == ["end", "over"]
    assert (state.result.reason, state.result.out) == ("stock", None)
    assert state.result.points == (-26, -13) and state.legal_ints() == []


def test_the_last_card_of_the_stock_is_drawn_and_its_turn_played_out():
    """D5: the deal goes on until somebody would draw and cannot."""
    state = table("500-rum", ["8S 8H KD", "4H 9C"], stock="2C", pile="3C")
    play(state, "draw", "discard KD")
    assert state.actor == 1 and not state.is_over and texts(state) == {"end"}


def test_rs_letter_may_be_had_back_and_then_the_upcard_is_free():
    """D5's option; D7 ends such a deal."""
    rules = ruleset("rummy-500", upcard_free_when_stock_empty=True)
    state = table(rules, ["8S KD", "4H 9C"], stock="", pile="2C")
    assert texts(state) == {"take 2C", "end"}
    for _ in range(8):
        play(state, "take 2C", "discard 2C")
    assert (state.result.reason, state.result.out) == ("no_progress", None)


def test_in_gs_game_one_may_pass_when_the_stock_is_empty():
    """D6: a pass is the whole turn, and open to a player with no cards."""
    state = table(G, ["", "4H 9C", "4D 9C", "4S 9H"], stock="", pile="QD")
    assert texts(state) == {"pass"}
    assert refusal(state, "end").rule == "D6"
    play(state, "pass")
    assert state.actor == 1 and state.phase is Phase.DRAW
    assert refusal(state, "discard 4H").rule == "R-TURN-1"
    state = table(G, ["KD", "4H 9C", "4D 9C", "4S 9H"], stock="2C", pile="QD")
    assert refusal(state, "pass").rule == "D6"


def test_as_many_passes_as_players_end_the_deal_and_a_take_restarts_the_count():
    """D6: the take must be melded at once; the last pass ends the deal."""
    state = table(G, ["KD QD JD", "4H 9C", "4D 9C", "8S 8H 2C 3D"], stock="", pile="8C")
    play(state, "pass", "pass", "pass")
    play(state, "take 8C", "meld 8S 8H 8C", "discard 2C")
    play(state, "pass", "pass", "pass")
    assert not state.is_over
    play(state, "pass")
    assert (state.result.reason, state.result.out, state.result.bonus) == ("passes", None, (0, 0, 0, 0))


# --- no progress -----------------------------------------------------------------------------------


def test_four_rounds_without_progress_end_the_deal():
    """D7: a turn makes progress that drew from the stock or laid a card."""
    state = table("rummy-500", ["8S KD", "4H 9C"], pile="2C", idle=7)
    play(state, "take 2C", "discard 8S")
    assert (state.result.reason, state.result.out) == ("no_progress", None)
    assert state.result.points == (-12, -13)
    for move in ("draw", "take"):
        state = table("rummy-500", ["8S 8D KD 3C", "4H 9C"], pile="2C 8C", idle=7)
        play(state, "draw") if move == "draw" else play(state, "take 8C", "meld 8S 8D 8C")
        play(state, "discard KD")
        assert not state.is_over and state.core.idle == 0


def test_the_no_progress_limit_comes_before_any_call():
    """D7: and counts passes."""
    rules = ruleset("rummy-500", house_rules=("H6",))
    state = table(rules, ["9S KD", "4H 9C"], pile="2C", melds=["6S 7S 8S"], idle=7)
    play(state, "take 2C", "discard 9S")
    assert state.is_over and state.result.reason == "no_progress"
    state = table(G, ["KD", "4H 9C", "4D 9C", "4S 9H"], stock="", pile="QD", idle=15)
    play(state, "pass")
    assert state.result.reason == "no_progress"


def test_both_bounds_of_no_progress_are_options():
    """D7."""
    rules = ruleset("rummy-500", no_progress_rounds=1)
    state = table(rules, ["8S KD", "4H 9C"], pile="2C", idle=1)
    play(state, "take 2C", "discard 8S")
    assert state.result.reason == "no_progress"
    rules = ruleset("rummy-500", house_rules=("H5",), restock_limit=1)
    state = table(rules, ["8S KD", "4H 9C"], stock="", pile="2C 5D 9H", restocks=1)
    assert (refusal(state, "draw").code, refusal(state, "draw").rule) == ("draw.no_restock", "D7")


def test_after_two_restocks_without_a_card_laid_no_stock_is_made():
    """D7, H5: then D5 holds; a card laid since restarts the count."""
    rules = ruleset("rummy-500", house_rules=("H5",))
    state = table(rules, ["8S 8D 8C KD", "4H 9C"], stock="", pile="2C 5D 9H", restocks=1)
    play(state, "draw")
    assert state.core.restocks == 2
    state = table(rules, ["8S KD", "4H 9C"], stock="", pile="2C 5D 9H", restocks=2)
    assert texts(state) == {"end"}
    state = table(rules, ["8S 8D 8C KD", "4H 9C"], stock="", pile="2C 5D 9H", restocks=1)
    play(state, "draw", "meld 8S 8D 8C")
    assert state.core.restocks == 0
    assert can(state, "discard KD")
