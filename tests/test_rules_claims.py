"""H6, "Rummy!": who may call for which card of the pile, and when."""

from __future__ import annotations

from rum500 import Phase
from rum500.cards import card_from_text, cards_text
from rum500.rules.profiles import ruleset
from tests.support.table import can, hand, owners, pile, play, refusal, table, texts

H6 = ruleset("rummy-500", house_rules=("H6",))
RUN = "6S 7S 8S"


def discarded(*hands: str, discard: str = "9S", rules=H6, melds=(RUN,), below: str = "QD", **more):
    """A table at which seat 0 has just thrown a card."""
    state = table(
        rules, [f"{hands[0]} {discard}", *hands[1:]], pile=below, melds=list(melds), phase="play", **more
    )
    play(state, f"discard {discard}")
    return state


# --- callers and moments ---------------------------------------------------------------------------


def test_anybody_but_the_one_who_just_played_may_call():
    """H6, R-CLAIM-1: after a discard, and before the next player draws."""
    state = discarded("KD 2C", "4H 9C", "4D 9H")
    asked = []
    while state.phase is Phase.CLAIM:
        asked.append(state.actor)
        assert texts(state) == {"call 9S", "let go"}
        play(state, "let go")
    assert asked == [1, 2] and state.phase is Phase.DRAW and state.actor == 1


def test_only_those_with_a_call_are_asked_and_only_after_a_turn():
    """R-CLAIM-2: nobody where the pile holds nothing of use; nothing precedes the first turn."""
    state = discarded("KD 2C", "4H 9C", discard="JH")
    assert state.phase is Phase.DRAW and state.actor == 1
    first = table(H6, ["KD 2C", "4H 9C"], pile="9S", melds=[RUN])
    assert first.phase is Phase.DRAW
    assert (refusal(first, "call 9S").code, refusal(first, "call 9S").rule) == ("claim.not_now", "R-CLAIM-1")
    plain = table("rummy-500", ["KD 2C", "4H 9C"], pile="9S", melds=[RUN])
    assert (refusal(plain, "call 9S").code, refusal(plain, "call 9S").rule) == ("claim.not_played", "H6")


def test_no_card_of_anybodys_hand_makes_a_call():
    """R-CLAIM-1: pile and table alone; several pile cards may make the meld."""
    state = discarded("KD 2C", "9H 9D", melds=(), discard="9C")
    assert state.phase is Phase.DRAW
    state = discarded("KD 2C", "4H 5H", melds=(), below="9H 3C 9D", discard="9C")
    assert texts(state) == {"call 9H", "let go"}
    wrong = refusal(state, "call 9D")
    assert (wrong.code, wrong.rule, wrong.card) == ("call.useless", "R-CLAIM-1", card_from_text("9D"))
    assert "only 9♦ 9♣ would do for a set and 9♦ for a run" in wrong.message


def test_whoever_is_asked_calls_or_lets_go_before_anything_else():
    """R-CLAIM-1."""
    state = discarded("KD 2C", "4H 9C")
    for text in ("draw", "take 9S", "discard 4H", "pass", "end"):
        assert (refusal(state, text).code, refusal(state, text).rule) == ("claim.open", "R-CLAIM-1")


def test_a_call_follows_a_float_and_a_pass_too():
    """R-CLAIM-1."""
    both = ruleset("rummy-500", house_rules=("H2", "H6"))
    state = table(both, ["10S 10H 10D", "4H 9C"], pile="9S QD", melds=[RUN], phase="play")
    play(state, "meld 10S 10H 10D")
    assert state.phase is Phase.CLAIM and texts(state) == {"call 9S", "let go"}
    passing = ruleset("persian-rummy-gamerules", house_rules=("H6",))
    state = table(passing, ["KD", "4H", "4S", "4D"], stock="", pile="9S QD", melds=[RUN])
    play(state, "pass")
    assert state.phase is Phase.CLAIM and state.actor == 1


# --- calls -----------------------------------------------------------------------------------------


def test_the_caller_takes_the_card_and_all_above_it_and_lays_it_first():
    """R-CLAIM-2: out of turn; then it is an ordinary turn, and play goes on to the caller's left."""
    state = discarded("KD 2C", "4H 9C", "10S 4D 9H", "5C 5D", below="QD 9S", discard="JH")
    play(state, "let go", "call 9S")
    assert state.turn == state.actor == 2 and pile(state) == "QD"
    assert cards_text([state.must_use]) == "9S" and hand(state, 2) == "9S 10S 9H JH 4D"
    assert texts(state) == {"lay 9S on 1"}
    play(state, "lay 9S on 1", "lay 10S on 1", "discard 4D")
    assert owners(state, 1)["9S"] == 2 and state.laid == (21, 0, 19, 0)
    assert state.phase is Phase.DRAW and state.actor == 3


def test_a_claims_first_play_uses_no_card_from_hand():
    """R-CLAIM-2, D19: a fourth from hand never makes it a set of four at once."""
    state = discarded("KD 2C", "9S 4C", melds=(), below="9H 3C 9D", discard="9C")
    play(state, "call 9H")
    assert texts(state) == {"meld 9H 9D 9C"}
    wrong = refusal(state, "meld 9S 9H 9D 9C")
    assert (wrong.code, wrong.rule, wrong.card) == ("claim.from_hand", "R-CLAIM-2", card_from_text("9S"))
    assert (refusal(state, "discard 4C").code, refusal(state, "discard 4C").rule) == (
        "use.first",
        "R-CLAIM-2",
    )
    play(state, "meld 9H 9D 9C", "lay 9S on 1")
    assert not state.melds[0].at_once


def test_a_claimed_turn_is_followed_by_calls_of_its_own():
    """R-CLAIM-1: when a claimed turn has ended, too; those passed over lose their turn."""
    state = discarded("KD 2C", "4H 9C", "10S 4D 9H")
    play(state, "let go", "call 9S", "lay 9S on 1", "discard 10S")
    assert state.phase is Phase.CLAIM and state.actor == 0
    play(state, "let go", "let go")
    assert state.phase is Phase.DRAW and state.actor == 0


def test_a_card_made_playable_by_a_meld_is_open_to_all_but_the_melder():
    """R-CLAIM-3: R's example b; to the melder too once another turn has passed."""
    state = table(H6, ["6S 7S 8S 2C KD", "4H 9C 3D", "4D 9H"], pile="5S QD", stock="2D 2H", phase="play")
    play(state, "meld 6S 7S 8S", "discard KD")
    asked = []
    while state.phase is Phase.CLAIM:
        asked.append(state.actor)
        play(state, "let go")
    assert asked == [1, 2]
    play(state, "draw", "discard 3D")
    assert state.actor == 2 and texts(state) == {"call 5S", "let go"}
    play(state, "let go")
    assert state.actor == 0 and texts(state) == {"call 5S", "let go"}
    play(state, "call 5S", "lay 5S on 1")
    assert owners(state, 1)["5S"] == 0


def test_nobody_calls_once_the_deal_has_ended():
    """R-CLAIM-4, R-END-3: going out with a card that would be called for."""
    state = table(H6, ["9S", "4H 9C"], pile="QD", melds=[RUN], phase="play")
    play(state, "discard 9S")
    assert state.is_over and refusal(state, "call 9S").rule == "R-CLAIM-4"


# --- several callers -------------------------------------------------------------------------------


def test_the_nearest_to_the_left_is_asked_first_and_a_partner_may_call():
    """D19: where there is no clock."""
    sides = ruleset("partnership-500-rum", house_rules=("H6",))
    state = discarded("KD 2C", "4H 9C", "4D 9H", "4S 9D", rules=sides)
    assert state.actor == 1
    play(state, "let go")
    assert state.actor == 2 and sides.side(2) == sides.side(0)
    play(state, "call 9S", "lay 9S on 1", "discard 4D")
    assert state.actor == 3


def test_a_player_without_cards_may_call():
    """D19: and goes out by laying the card where that ends the deal."""
    rules = ruleset("persian-rummy-gamerules", house_rules=("H6",))
    state = discarded("KD 2C", "", "4D", "4S", rules=rules)
    assert state.actor == 1 and can(state, "call 9S")
    play(state, "call 9S", "lay 9S on 1")
    assert (state.result.reason, state.result.out) == ("out", 1)


def test_a_call_ends_a_row_of_passes_and_is_progress():
    """D6, D7: it starts the count anew."""
    rules = ruleset("persian-rummy-gamerules", house_rules=("H6",))
    state = table(rules, ["KD", "4H 2C", "4S", "4D"], stock="", pile="9S", melds=[RUN], passes=1, idle=9)
    play(state, "pass")
    assert state.phase is Phase.CLAIM and state.core.passes == 2
    play(state, "call 9S", "lay 9S on 1", "discard 4H")
    assert state.core.passes == 0 and state.core.idle == 0
