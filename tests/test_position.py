"""Positions as text: everything can be read back, a few lines are enough, and errors show their place."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rum500 import Phase, State, deal, ruleset
from rum500.cards import cards_from_text, cards_text
from rum500.rules.engine.core import Core
from rum500.rules.notation import parse_play, play_text
from rum500.state import PositionError, position_from_text, view_to_text
from tests.support.depth import depth
from tests.support.games import random_players, random_rules

FIELDS = (
    "n", "totals", "number", "h1", "h2", "hj", "hn", "k1", "k2", "kj", "laid", "pile_n", "pile_j",
    "pile_mask", "meld_n", "ups", "downs", "r1", "r2", "rj", "dealer", "turn", "actor", "phase", "must",
    "claiming", "ban", "floater", "progress", "idle", "passes", "restocks", "drawn", "reason", "out", "rng"
)  # fmt: skip
MINIMAL = """\
rum500 position 1
profile: 500-rum
hand 0: 8C 9C KD 4S       # the player to move
hand 1: 2H 3H QS
pile: 10C 5D              # 5D lies on top
meld 1 by 1: 5S 6S 7S
"""


def snapshot(core: Core) -> dict[str, Any]:
    """All that the core holds and play depends on; of the cards just taken only while one must be used."""
    found = {name: getattr(core, name) for name in FIELDS}
    found |= {"stock": core.stock_cards(), "pile": core.pile_cards(), "melds": core.melds()}
    if core.phase == Phase.USE:
        found["taken"] = core.taken_cards()
    return found


def play_on(state: State, chance: random.Random, plays: int) -> None:
    """Random plays, laying cards often."""
    for _ in range(plays):
        legal = state.legal_ints()
        if not legal:
            return
        busy = [code for code in legal if code & 15 >= 7 or code & 15 in (4, 5)]
        state.apply_int(chance.choice(busy if busy and chance.random() < 0.5 else legal))


def random_state(seed: int) -> State:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    totals = [chance.randrange(-200, rules.target) if rules.match_end == "deal" else 0] * players
    number = chance.choice((None, 1, 2, 17))
    state = deal(rules, players, seed, chance.randrange(players), totals, number)
    play_on(state, chance, chance.choice((0, 1, 2, 5, 20, 60, 150, 400)))
    return state


@settings(max_examples=depth(37, 150), deadline=None)
@given(st.integers(0, 2**32))
def test_a_position_comes_back_whole(seed: int) -> None:
    state = random_state(seed)
    text = state.to_text()
    back = State.from_text(text)
    assert back.rules == state.rules
    assert snapshot(back.core) == snapshot(state.core)
    assert back.to_text() == text
    ends = []
    for one in (state, back):
        play_on(one, random.Random(seed), 1000)
        ends.append(snapshot(one.core))
    assert ends[0] == ends[1]


@settings(max_examples=depth(20, 80), deadline=None)
@given(st.integers(0, 2**32))
def test_what_one_seat_sees_comes_back_and_says_nothing_else(seed: int) -> None:
    state = random_state(seed)
    for seat in (None, *range(state.players)):
        view = state.view(seat)
        text = view_to_text(view)
        position = position_from_text(text)
        assert (position.seat, position.complete) == (seat, False)
        assert position.view == replace(view, past=())  # a position does not tell its course
        assert view_to_text(position.view) == text
        assert f"rng: {state.core.rng:016x}" not in text


def test_a_few_lines_are_enough() -> None:
    state = State.from_text(MINIMAL)
    assert (state.players, state.dealer, state.actor, state.phase) == (2, 1, 0, Phase.DRAW)
    assert [play_text(action, state) for action in state.legal_actions()] == ["draw", "take 10C"]
    assert state.laid == (0, 18)
    assert state.stock[0] == cards_from_text("AS")[0]
    assert len(state.stock) == 52 - 7 - 2 - 3


def test_the_canonical_text() -> None:
    state = State.from_text(MINIMAL)
    state.apply(parse_play("take 10C", state))
    assert state.to_text() == (
        "rum500 position 1\n"
        "profile: 500-rum\n"
        "players: 2\n"
        "dealer: 1\n"
        "totals: 0 0\n"
        "hand 0: 4S 5D KD 8C 9C 10C\n"
        "hand 1: QS 2H 3H\n"
        "known 0: 5D 10C\n"
        "pile:\n"
        f"stock: {cards_text(state.stock)}\n"
        "meld 1 by 1: 5S 6S 7S\n"
        "laid: 0 18\n"
        "turn: 0\n"
        "phase: use\n"
        "must use: 10C\n"
        "taken: 5D 10C\n"
    )


def position(*lines: str, profile: str = "500-rum") -> State:
    return State.from_text("\n".join(["rum500 position 1", f"profile: {profile}", *lines]))


def test_rest_stands_for_the_cards_not_named() -> None:
    state = position("hand 0: 8C", "hand 1: rest", "pile: 5D", "stock:")
    assert len(state.hands[1]) == 50
    assert state.stock == ()
    state = position("hand 0: 8C", "hand 1: 9C", "pile: rest 5D", "stock: AS")
    assert state.pile[-1] == cards_from_text("5D")[0]
    assert len(state.pile) == 49


def test_must_use_means_that_cards_were_just_taken() -> None:
    state = position("hand 0: 8C 9C 10C KD", "hand 1: 2H", "pile: 5D", "must use: 8C")
    assert (state.phase, state.known(0)) == (Phase.USE, tuple(cards_from_text("8C")))
    assert [play_text(action, state) for action in state.legal_actions()] == ["meld 8C 9C 10C"]


def test_h2_a_floater_is_who_has_no_card_before_the_draw() -> None:
    lines = ["hand 0:", "hand 1: 2H", "pile: 5D", "house rules: H2"]
    assert position(*lines).floater
    assert not position(*lines, "turn: 1").floater


def test_r_lay_3_who_laid_each_card() -> None:
    state = position(
        "hand 0: 2H",
        "hand 1: 3H",
        "pile: 4H",
        "meld 1 by 0: 5S 6S 7S 8S@1 4S@1",
        "meld 2 by 1: KS KH +KD@0 KC",
    )
    assert [(meld.owner, [placed.seat for placed in meld.cards]) for meld in state.melds] == [
        (0, [1, 0, 0, 0, 1]),
        (1, [1, 1, 0, 1]),
    ]
    assert state.laid == (5 + 6 + 7 + 10, 4 + 8 + 30)


def test_r_score_3_four_at_once() -> None:
    lines = ["hand 0: 2H", "hand 1: 3H", "hand 2: 4H", "hand 3: 5H", "pile: JK"]
    once = position(*lines, "meld by 0: 6S 6H 6D 6C at once", profile="persian-rummy")
    later = position(*lines, "meld by 0: 6S 6H 6D 6C", profile="persian-rummy")
    assert (once.laid, later.laid) == ((48, 0, 0, 0), (24, 0, 0, 0))


def test_d11_a_doubled_run_that_grew_has_its_points_stated() -> None:
    lines = [
        'option doubles: "melds"',
        "hand 0: 2H",
        "hand 1: 3H",
        "pile: 4H",
        "meld by 0: 5S 6S 7S 8S 9S at once",
    ]
    assert position(*lines, f"laid: {5 + 2 * (6 + 7 + 8 + 9)} 0").laid == (65, 0)
    assert position(*lines, f"laid: {9 + 2 * (5 + 6 + 7 + 8)} 0").laid == (61, 0)
    with pytest.raises(PositionError, match="line 8, column 7: found 60 0, but the melds count 61 0"):
        position(*lines, "laid: 60 0")


def test_rules_are_a_profile_with_changes_or_a_block() -> None:
    own = ruleset("rummy-500", ("H3",)).replace(name="our-club", title="Our Club: # 1")
    for rules in (
        ruleset("500-rum"),
        ruleset("rummy-500", ("H1", "H2", "H3", "H5", "H6")),
        ruleset("michigan-rum", ("H5",), target=120, match_end="at_once"),
        ruleset("persian-rummy").replace(title='Persian "at home" # 2'),
        own,
    ):
        text = deal(rules, rules.players[0], 1).to_text()
        assert State.from_text(text).rules == rules
        assert ("ruleset:" in text) == (rules is own)


ERRORS = [
    ("", "line 1, column 1: expected 'rum500 position 1'"),
    ("rum500 position 2", "this is position format 2, which this rum500 cannot"),
    ("rum500 record 1", "line 1, column 1: this is a record, expected a position ('rum500 position 1')"),
    ("hello", "line 1, column 1: found 'hello', expected 'rum500 position 1'"),
    ("profile: 500-rum > # none", "no line 'profile: NAME'; the profiles are 500-rum"),
    ("profile: 500-rum > profile: 500-rm", "column 10: there is no profile '500-rm'; did you mean 500-rum"),
    ("+house rules: H99", "line 7, column 14: "),
    ("+option target: many", "line 7, column 16: target: found 'many', expected a value such as 300"),
    ("+option target: -5", "line 7, column 16: target: "),
    ("+option targt: 5", "line 7, column 15: targt: is not an option of a rule set; did you mean target?"),
    ("+mold 2 by 1: 5H", "line 7, column 1: found key 'mold 2 by 1'; did you mean 'meld N by N'?"),
    ("+just words", "line 7, column 1: found 'just words', expected 'key: value'"),
    ("+pile: 4H", "line 7, column 1: 'pile' is in line 5 already"),
    ("+players: 9", "line 7, column 10: found '9', expected a number from 1 to 8"),
    ("+players: 3", "line 7, column 1: no line 'hand 2: CARDS'"),
    ("+hand 2: 4H\n+players: 2", "line 7, column 1: seat 2 is not at this table: seats are 0 to 1"),
    ("KD 4S > KD ZS", "line 3, column 18: found 'ZS', expected a card such as QD, 10S or JK"),
    ("KD 4S > KD 4S 2H", "line 4, column 9: 2H in hand 1 is one too many: it is there once, in hand 0"),
    ("KD 4S > KD 4S JK", "line 3, column 21: JK: 500 Rum is played without jokers"),
    ("+stock: AS 2S", "line 7, column 8: the cards do not add up: 3S 8S"),
    ("+laid: 0 17", "line 7, column 7: found 0 17, but the melds count 0 18 (R-SCORE-1)"),
    ("+laid: 0", "line 7, column 7: found '0', expected 2 numbers, one a seat"),
    ("+dealer: West", "line 7, column 9: found 'West', expected a number from 0 to 1"),
    ("+turn: 2", "line 7, column 7: found '2', expected a number from 0 to 1"),
    ("+actor: 1", "line 7, column 8: in phase draw the actor is the player in turn (R-TURN-2)"),
    ("+phase: night", "line 7, column 8: found 'night', expected draw, use, play, claim, over"),
    ("+phase: claim", "line 7, column 8: in this game nobody calls (H6)"),
    ("+phase: use", "line 7, column 8: phase use and 'must use: CARD' go together (R-DRAW-3)"),
    ("+phase: over", "the deal is over: say how"),
    ("+ended: out by 0", "line 7, column 8: 'ended' belongs to phase over"),
    ("+phase: over\n+ended: out by 0", "line 8, column 8: seat 0 is out but holds cards (R-END-1)"),
    ("+phase: over\n+ended: rain", "line 8, column 8: found 'rain', expected 'out by N'"),
    ("+phase: over\n+ended: stock", "line 8, column 8: the stock did not end this deal (D5)"),
    ("+phase: over\n+ended: no_progress", "line 8, column 8: the limit without progress was not reached"),
    ("+must use: KD", "line 7, column 11: seat 0 cannot use the card taken (R-DRAW-3)"),
    ("+must use: 2H", "line 7, column 11: 2H known of seat 0 is not in hand 0 (D21)"),
    ("+taken: KD", "line 7, column 8: list the cards taken only while one of them must be used (R-DRAW-3)"),
    ("+known 0: 2H", "line 7, column 10: 2H known of seat 0 is not in hand 0 (D21)"),
    ("+banned: KD", "line 7, column 9: no card is banned here (H4)"),
    ("+drawn: KD", "line 7, column 8: a card drawn belongs to phase play, and is progress (R-DRAW-1)"),
    ("+floater: yes", "line 7, column 10: in this game nobody floats (H2)"),
    ("+floater: maybe", "line 7, column 10: found 'maybe', expected yes or no"),
    ("+progress: yes", "line 7, column 11: in phase draw the turn has made none yet (D7)"),
    ("+idle: 8", "line 7, column 7: after 8 turns without progress the deal is over (D7)"),
    ("+passes: 1", "line 7, column 9: in this game nobody passes (D6)"),
    ("+restocks: 1", "line 7, column 11: at most 2, and with a line 'restocked: CARDS' (H5)"),
    ("+restocked: AS", "line 7, column 12: no new stock is made in this game (H5)"),
    ("+rng: xyz", "line 7, column 6: found 'xyz', expected up to 16 hexadecimal digits"),
    ("hand 1: 2H 3H QS > hand 1:", "seat 1 has no card left, so the deal is over (R-END-1)"),
    ("pile: 10C 5D > pile:", "the pile is empty, though every turn ends with a discard (R-TURN-1)"),
    ("5S 6S 7S > 5S 6S 8S", "line 6, column 14: 5S 6S 8S: neither a set nor a run in this game (R-MELD-1)"),
    ("5S 6S 7S > 5S 6S", "line 6, column 14: 5S 6S: neither a set nor a run in this game (R-MELD-1)"),
    ("5S 6S 7S > QS KS AS 2S", "neither a set nor a run in this game (R-MELD-1)"),
    ("5S 6S 7S > 5S 6S@0 7S", "line 6, column 14: its owner, seat 1, laid 3 of its cards"),
    ("5S 6S 7S > 5S 6S 7S@7", "line 6, column 14: seats are 0 to 1"),
    ("5S 6S 7S > 5S 6S +7S", "line 6, column 14: '+' marks the one card laid later on a set of three"),
    ("5S 6S 7S > 5S 5H 5C at once", "line 6, column 14: 'at once' is said of four cards laid in one play"),
    ("5S 6S 7S > 5S 5H@0 5C", "line 6, column 14: only one card of a set is laid later"),
    ("meld 1 by 1 > meld 2 by 1", "line 6, column 1: found meld 2, expected meld 1"),
    ("+seat: 0", "line 4, column 9: found '2H 3H QS', expected such as '7 cards'"),
    ("hand 1: 2H 3H QS > hand 1: 3 cards", "line 4, column 9: found a number of cards, expected the cards"),
    ("hand 1: 2H 3H QS > hand 1: rest\n+stock: rest", "'rest' may be in one place only"),
    ("+| name = 3", "lines that begin with '|' belong under 'ruleset:'"),
]  # fmt: skip


def edited(change: str) -> str:
    """The minimal position with a line added (`+`) or some text replaced (`a > b`); or all of it new."""
    if change in ("", "rum500 position 2", "rum500 record 1", "hello"):
        return change
    text = MINIMAL
    for part in change.split("\n"):
        if part.startswith("+"):
            text += part[1:] + "\n"
        else:
            old, _, new = part.partition(" > ")
            assert old in text
            text = text.replace(old, new)
    return text


@pytest.mark.parametrize(("change", "said"), ERRORS)
def test_whatever_is_wrong_is_said_with_its_place(change: str, said: str) -> None:
    with pytest.raises(PositionError) as caught:
        State.from_text(edited(change))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert all(problem.line and problem.column for problem in caught.value.problems)


def test_error_lists_all_problems() -> None:
    with pytest.raises(PositionError) as caught:
        State.from_text(edited("KD 4S > KD 8C\n5S 6S 7S > 5S 7S 9S\n+turn: 5\n+laid: many"))
    assert [(problem.line, problem.column) for problem in caught.value.problems] == [
        (3, 18), (6, 14), (7, 7), (8, 7)
    ]  # fmt: skip
    assert str(caught.value).startswith("4 problems: (1) line 3, column 18: 8C in hand 0 is one too many")


ONE_SEAT = """\
rum500 position 1
profile: rummy-500
seat: 0
hand 0: 8C 9C KD 4S
hand 1: 5 cards, known 2H
pile: 10C 5D
"""


def test_d21_one_seats_position_tells_only_what_it_sees() -> None:
    position = position_from_text(ONE_SEAT)
    assert (position.seat, position.complete) == (0, False)
    assert (position.view.hand_sizes, position.view.stock) == ((4, 5), 54 - 4 - 5 - 2)
    assert position.view.known == ((), tuple(cards_from_text("2H")))
    assert len(position.view.legal_actions()) == 3
    with pytest.raises(PositionError, match="this is only what seat 0 sees"):
        State.from_text(ONE_SEAT)
    assert position_from_text(ONE_SEAT.replace("seat: 0", "turn: 1\nseat: 0")).view.legal == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("5 cards", "0 cards", "line 5, column 9: 0 cards, but 1 are known"),
        ("5 cards, known 2H", "2H 3H", "this hand is hidden from the observer"),
        ("8C 9C KD 4S", "4 cards", "this hand is the observer's own"),
        ("known 2H", "known 2X", "line 5, column 24: found '2X', expected a card"),
        (
            "pile: 10C",
            "stock: 9 cards\npile: 10C",
            "line 6, column 8: the cards do not add up: 47 are not seen",
        ),
        ("pile: 10C", "stock: AS 2S\npile: 10C", "the stock is hidden"),
        ("seat: 0", "seat: 4", "line 3, column 7: found '4', expected a number from 0 to 1"),
        ("pile: 10C", "known 1: 2H\npile: 10C", "write what is known of a hidden hand in the line 'hand 1'"),
    ],
)
def test_what_is_wrong_with_one_seats_position(old: str, new: str, said: str) -> None:
    with pytest.raises(PositionError) as caught:
        position_from_text(ONE_SEAT.replace(old, new))
    assert said in str(caught.value)


def test_r_claim_1_the_claim_phase() -> None:
    lines = [
        "house rules: H6",
        "hand 0: 2C",
        "hand 1: KD",
        "hand 2: QD",
        "meld by 0: 3C 4C 5C",
        "phase: claim",
        "turn: 2",
    ]
    state = position(*lines, "pile: 9H 6C 8H")
    assert (state.turn, state.actor, [play_text(a, state) for a in state.legal_actions()]) == (
        2,
        0,
        ["call 6C", "let go"],
    )
    with pytest.raises(
        PositionError, match=r"line 8, column 8: no card of the pile can be called for \(R-CLAIM-1\)"
    ):
        position(*lines, "pile: 9H 8H")


def test_unfit_rules_are_named() -> None:
    text = (
        "rum500 position 1\nruleset:\n| name = 'own'\n| players = 'two'\nhand 0: 2H\nhand 1: 3H\npile: 5D\n"
    )
    with pytest.raises(PositionError) as caught:
        State.from_text(text)
    assert any((p.line, p.field) == (4, "players") for p in caught.value.problems)
