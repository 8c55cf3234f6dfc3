"""The deal, the turn and the draw, rule by rule."""

from __future__ import annotations

import pytest

import rum500
from rum500 import Discard, Draw, Phase, State, Take
from rum500.cards import cards_from_text, cards_text
from rum500.rules.profiles import profile_names, ruleset
from tests.support.table import can, hand, owners, pile, play, refusal, table, texts

PROFILES = profile_names()


# --- the deal --------------------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    """R-DEAL-2."""
    rules = ruleset("500-rum")
    deck = rules.deck(3)
    state = State.new(rules, 3, deck, dealer=1)
    assert state.hands[2] == tuple(sorted(deck[0:21:3]))
    assert state.hands[0] == tuple(sorted(deck[1:21:3]))
    assert state.hands[1] == tuple(sorted(deck[2:21:3]))


@pytest.mark.parametrize("name", PROFILES)
def test_the_next_card_is_turned_up_and_the_rest_is_the_stock(name):
    """R-DEAL-3, R-DEAL-6; D1: two packs from five players on; 13 cards for two, else seven."""
    rules = ruleset(name)
    for players in rules.players:
        deck = rules.deck(players)
        assert len(deck) == (52 + rules.jokers) * (2 if players >= 5 else 1)
        state = State.new(rules, players, deck)
        dealt = players * (13 if players == 2 else 7)
        assert {len(held) for held in state.hands} == {dealt // players}
        assert state.pile == (deck[dealt],)
        assert state.stock == tuple(deck[dealt + 1 :])


def test_players_look_at_their_hands_before_anybody_plays():
    """R-DEAL-4: sorted, and one's own alone."""
    state = rum500.deal(ruleset("500-rum"), players=3, seed=4, dealer=2)
    for seat in range(3):
        assert state.view(seat).hand == state.hands[seat] == tuple(sorted(state.hands[seat]))


# --- the turn --------------------------------------------------------------------------------------


def test_a_turn_is_draw_then_melds_then_discard():
    """R-TURN-1: one draws first and but once, and must discard."""
    state = table("500-rum", ["6S 7S 8S KD", "4H 5H"], pile="9C", stock="2C 3C")
    assert texts(state) == {"draw"}
    assert refusal(state, "discard KD").rule == "R-TURN-1"
    assert refusal(state, "meld 6S 7S 8S").rule == "R-TURN-1"
    play(state, "draw")
    assert texts(state) == {"meld 6S 7S 8S", *(f"discard {card}" for card in ("6S", "7S", "8S", "2C", "KD"))}
    assert refusal(state, "draw").code == refusal(state, "take 9C").code == "turn.drawn"
    assert refusal(state, "pass").rule == "R-TURN-1"
    play(state, "meld 6S 7S 8S", "discard KD")
    assert state.actor == 1 and state.phase is Phase.DRAW and pile(state) == "9C KD"


def test_melding_the_last_card_ends_the_turn_without_a_discard():
    """R-TURN-1, R-END-1."""
    state = table("500-rum", ["6S 7S", "4H 5H"], stock="8S 3C")
    play(state, "draw", "meld 6S 7S 8S")
    assert state.is_over and state.result.reason == "out" and state.result.out == 0


@pytest.mark.parametrize("name", PROFILES)
def test_the_dealers_left_starts_and_play_goes_clockwise(name):
    """R-TURN-2, and D31: also where the source is silent."""
    state = rum500.deal(ruleset(name), players=4, seed=3, dealer=2)
    order = []
    for _ in range(5):
        order.append(state.actor)
        state.apply(Draw())
        state.apply(Discard(state.hands[state.actor][0]))
    assert order == [3, 0, 1, 2, 3]


def test_no_card_is_played_after_the_discard():
    """R-TURN-3: a meld may be kept in hand for as long as one likes, and then waits for one's turn."""
    state = table("500-rum", ["6S 7S 8S KD", "4H 5H"], stock="2C 3C 9C", pile="QD")
    play(state, "draw", "discard KD")
    assert state.actor == 1
    assert not can(state, "meld 6S 7S 8S")
    play(state, "draw", "discard 3C", "draw")
    assert can(state, "meld 6S 7S 8S")


# --- the draw --------------------------------------------------------------------------------------


def test_a_drawn_card_is_shown_to_nobody():
    """R-DRAW-1."""
    state = table("500-rum", ["6S", "4H", "5H"], stock="8D 3C", pile="QD")
    (event,) = play(state, "draw")
    assert event.seen_by(0) == {"kind": "draw", "seat": 0, "stock": 1, "card": cards_from_text("8D")[0]}
    assert event.seen_by(1) == event.seen_by(None) == {"kind": "draw", "seat": 0, "stock": 1}
    assert state.view(0).drawn is not None and state.view(1).drawn is None
    assert state.view(1).known[0] == ()


def test_any_discard_may_be_taken_with_all_the_cards_above_it():
    """R-DRAW-2."""
    state = table("500-rum", ["8S 8H KD", "4H 5H"], pile="2C 8C 9D JH")
    play(state, "take 8C")
    assert pile(state) == "2C"
    assert hand(state, 0) == "8S 8H JH 9D KD 8C"
    assert refusal(state, Draw()).card == cards_from_text("8C")[0]


@pytest.mark.parametrize("name", PROFILES)
def test_the_lowest_card_of_several_taken_is_used_at_once_in_every_profile(name):
    """R-DRAW-3."""
    seats = ruleset(name).players[0]
    state = table(name, ["8S 8H KD 3S", *["4H 5H"] * (seats - 1)], pile="2C 8C 9D")
    assert refusal(state, Take(3)).rule == "R-DRAW-3"
    play(state, "take 8C")
    assert state.phase is Phase.USE and cards_text([state.must_use]) == "8C"
    assert texts(state) == {"meld 8S 8H 8C"}
    assert refusal(state, "discard KD").rule == "R-DRAW-3"
    play(state, "meld 8S 8H 8C")
    assert state.must_use is None and can(state, "discard 9D")


@pytest.mark.parametrize("name", PROFILES)
def test_the_top_card_alone_must_be_melded_where_the_profile_says_so(name):
    """R-DRAW-4: in all but R's game."""
    seats = ruleset(name).players[0]
    state = table(name, ["8S 8H KD", *["4H 5H"] * (seats - 1)], pile="8C 9D")
    if name == "rummy-500":
        play(state, "take 9D")
        assert state.phase is Phase.PLAY and can(state, "discard 9D")
    else:
        assert (refusal(state, "take 9D").code, refusal(state, "take 9D").rule) == (
            "take.useless",
            "R-DRAW-4",
        )
    state = table(name, ["9S 9H KD", *["4H 5H"] * (seats - 1)], pile="8C 9D")
    play(state, "take 9D")
    assert can(state, "discard KD") == (name == "rummy-500")
    play(state, "meld 9S 9H 9D")


def test_the_other_cards_taken_may_be_used_in_the_same_turn_or_kept():
    """R-DRAW-5."""
    state = table("500-rum", ["8S 8H KS KH 2D", "4H 5H"], pile="8C KD 3C")
    play(state, "take 8C", "meld 8S 8H 8C", "meld KS KH KD", "discard 2D")
    assert hand(state, 0) == "3C"


def test_the_other_cards_taken_help_in_the_first_play_already():
    """D27, R-DRAW-5: in F's game as in all."""
    for name in ("500-rummy", "500-rum", "rummy-500"):
        state = table(name, ["KD 2D", "4H 5H"], pile="8C 9C 10C JH")
        play(state, "take 8C", "meld 8C 9C 10C")
        assert state.laid == ((20, 0) if name == "500-rummy" else (27, 0))
        assert hand(state, 0) == "JH 2D KD"


def test_the_pile_is_open_to_all_and_so_is_what_was_taken():
    """R-DRAW-6, D21: known until it is played."""
    state = table("500-rum", ["8S 8H KD", "4H 5H", "2D"], pile="JC 8C 9D QH")
    assert [state.view(seat).pile for seat in (0, 1, 2, None)] == [tuple(cards_from_text("JC 8C 9D QH"))] * 4
    play(state, "take 8C")
    known = [state.view(seat).known[0] for seat in (0, 1, 2, None)]
    assert known == [tuple(sorted(cards_from_text("8C 9D QH")))] * 4
    play(state, "meld 8S 8H 8C", "discard QH")
    assert state.known(0) == tuple(cards_from_text("9D"))


# --- "at once" -------------------------------------------------------------------------------------


def test_at_once_is_the_first_play_after_the_draw_and_may_lay_several_cards():
    """D3: a taken 2 goes under 4-5-6 together with the 3 from hand."""
    state = table("500-rum", ["3D KD 9C", "4H 5H"], pile="JC 2D QH", melds=[(1, "4D 5D 6D")])
    play(state, "take 2D")
    assert texts(state) == {"lay 2D 3D on 1"}
    play(state, "lay 2D 3D on 1")
    assert owners(state, 1) == {"2D": 0, "3D": 0, "4D": 1, "5D": 1, "6D": 1}


def test_a_taken_card_for_a_meld_still_in_hand_is_laid_with_it():
    """D3: 9D joins 6-7-8 from hand as one meld; the three may not go first."""
    state = table("500-rum", ["6D 7D 8D KC", "4H 5H"], pile="9D QH")
    play(state, "take 9D")
    assert texts(state) == {"meld 7D 8D 9D", "meld 6D 7D 8D 9D"}
    assert refusal(state, "meld 6D 7D 8D").code == "use.first"


def test_one_play_lays_cards_on_one_meld_at_both_ends():
    """D3b: the order of the cards has no meaning, and laying off is melding."""
    state = table("500-rum", ["3D 7D KD", "4H 5H"], pile="QH 2D", melds=["4D 5D 6D"])
    assert can(state, "take 2D")
    play(state, "take 2D")
    assert texts(state) == {"lay 2D 3D on 1", "lay 2D 3D 7D on 1"}
    assert can(state, "lay 7D 3D 2D on 1")
    play(state, "lay 7D 3D 2D on 1")
    assert cards_text(placed.card for placed in state.melds[0].cards) == "2D 3D 4D 5D 6D 7D"


def test_a_take_that_leaves_no_legal_end_of_the_turn_is_refused():
    """D18, D3a: with H4 the only card in hand could neither be laid off nor discarded."""
    rules = ruleset("rummy-500", house_rules=("H4",), go_out="meld")
    state = table(rules, ["", "4H 5H"], pile="9D", melds=["4C 5C 6C"])
    assert (refusal(state, "take 9D").code, refusal(state, "take 9D").rule) == ("take.stranding", "D18")
    state = table(rules, ["", "4H 5H"], pile="7C", melds=["4C 5C 6C"])
    assert can(state, "take 7C")


def test_twins_of_two_packs_are_interchangeable_and_the_known_copy_goes_first():
    """D20."""
    state = table("rummy-500", ["9D KC 2S", "4H", "5H", "6H", "7H"], pile="9D")
    play(state, "take 9D")
    assert state.known(0) == tuple(cards_from_text("9D"))
    assert texts(state, "discard") == {"discard 9D", "discard KC", "discard 2S"}
    play(state, "discard 9D")
    assert state.known(0) == () and hand(state, 0) == "2S 9D KC"


def test_no_seat_sees_anothers_hand_or_the_order_of_the_stock():
    """D21."""
    state = table("500-rum", ["6S 7S", "4H 5H"], stock="8D 3C", pile="QD")
    view = state.view(1)
    assert view.hand == state.hands[1] and view.hand_sizes == (2, 2) and view.stock == 2
    twin = table("500-rum", ["9C 10C", "4H 5H"], stock="3C 8D", pile="QD")
    assert twin.view(1) == view
