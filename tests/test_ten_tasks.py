"""Ten everyday tasks with the library, as users write them; docs/library.md begins with them too."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import rum500
from rum500 import NotationError, State
from rum500.bots.registry import BuiltIn
from rum500.rules.problems import UnknownProfile
from tests.support.games import random_players, random_rules

RULES = rum500.ruleset("500-rum")


# --- deal, look, play -------------------------------------------------------------------------------


def test_deal_takes_a_name_a_path_or_a_rule_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(RULES.to_toml())
    deals = [rum500.deal(rules, players=2, seed=7) for rules in ("500-rum", RULES, path, str(path))]
    assert deals == [deals[0]] * 4
    assert rum500.Match.quick("500 Rum", 2, seed=7) == rum500.Match.quick(path, 2, seed=7)
    assert rum500.Record("500-rum", 2) == rum500.Record(RULES, 2)
    assert State.from_bytes(deals[0].to_bytes(), path) == deals[0]
    assert rum500.best_melds("3S 4S 5S", "500-rum") == rum500.best_melds("3S 4S 5S", RULES)
    assert rum500.simulate("500-rum", 2, 3).checksum == rum500.simulate(RULES, 2, 3).checksum
    with pytest.raises(UnknownProfile):
        rum500.deal("600-rum")


def test_deal_without_a_seed_is_random_and_keeps_its_seed() -> None:
    deals = [rum500.deal("500-rum") for _ in range(3)]
    assert len({state.to_bytes() for state in deals}) == 3
    for state in deals:
        assert state.seed is not None
        assert rum500.deal("500-rum", seed=state.seed) == state
        assert state.copy().seed == state.seed
    match = rum500.Match.quick("500-rum", 2)
    assert match.seed is not None
    assert rum500.Match.quick("500-rum", 2, match.seed) == match != rum500.Match.quick("500-rum", 2)


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70])
def test_seed_out_of_range_is_refused(seed: int) -> None:
    for use in (
        lambda: rum500.deal("500-rum", seed=seed),
        lambda: rum500.Match.quick("500-rum", 2, seed),
        lambda: rum500.Rng(seed),
        lambda: rum500.simulate("500-rum", 2, 3, seed),
        lambda: State.new(RULES, 2, RULES.deck(2), restock_seed=seed),
    ):
        with pytest.raises(ValueError, match="a seed is from 0 to 2\\*\\*64 - 1"):
            use()


@pytest.mark.parametrize("seed", [None, 1.5, "1"])
def test_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    for use in (rum500.Rng, lambda seed: rum500.simulate("500-rum", 2, 3, seed)):
        with pytest.raises(TypeError, match="a seed is a whole number from 0 to 2\\*\\*64 - 1, not "):
            use(seed)


def test_actions_are_their_notation() -> None:
    state = rum500.deal("500-rum", players=2, seed=8)
    while len(state.legal_actions()) < 2:
        state = rum500.deal("500-rum", players=2, seed=(state.seed or 0) + 1)
    draw, take = state.legal_actions()
    assert (str(draw), repr(take)) == ("draw", f"take {state.pile[-1]}")
    assert take == rum500.Take(1) and str(rum500.Take(1)) == "take 1 cards"
    assert state.view(state.actor).legal_actions() == [draw, take]
    assert [str(each) for each in state.view(state.actor).legal_actions()] == [str(draw), str(take)]


def test_apply_takes_text_action_or_code() -> None:
    one, two, three = (rum500.deal("500-rum", seed=7) for _ in range(3))
    assert one.apply("draw") == two.apply(rum500.Draw()) == three.apply(three.legal_ints()[0])
    discard = rum500.Action.from_text("discard 3♠", one)
    assert one.apply("DISCARD 3s") == two.apply(discard) == three.apply(rum500.encode(discard))
    assert one == two == three
    before = one.copy()
    for wrong, error in (
        ("discard", NotationError),
        ("sing", NotationError),
        ("discard 3S", rum500.IllegalPlay),
    ):
        with pytest.raises(error):
            one.apply(wrong)
        assert one == before
    refusal = one.why_not("discard 3S")
    assert refusal is not None and refusal.code == "turn.draw_first" and not one.is_legal("discard 3S")


@pytest.mark.parametrize("code", [-1, 2**63, 2**64, 2**80, 12, 15, 9 + (63 << 34), 6 + (63 << 4)])
def test_apply_int_refuses_what_is_not_legal(code: int) -> None:
    state = rum500.deal("500-rum", seed=7)
    for _ in range(3):
        before = state.copy()
        for use in (state.apply_int, state.apply):
            with pytest.raises(rum500.IllegalPlay):
                use(code)
        assert state == before
        state.apply_int(state.legal_ints()[0])


# --- taking back ------------------------------------------------------------------------------------


def read_again(state: State) -> State:
    return State.from_bytes(state.to_bytes(), state.rules)


@pytest.mark.parametrize("through", [State.copy, read_again], ids=["played", "read"])
@pytest.mark.parametrize("seed", range(8))
def test_undo_goes_back_to_every_earlier_deal(seed: int, through: Callable[[State], State]) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance) if seed % 2 else rum500.ruleset("rummy-500", house_rules=("H5",))
    state = rum500.deal(rules, random_players(rules, chance), seed)
    earlier = []
    while not state.is_over:
        earlier.append(state.copy())
        state.apply_int(chance.choice(state.legal_ints()))
    state = through(state)
    while earlier:
        state.undo()
        assert state == earlier.pop()
        assert state.draws == state.copy().draws and state.legal_ints() == state.copy().legal_ints()
    with pytest.raises(ValueError, match="there is no action to take back"):
        state.undo()


def test_undo_and_play_go_on_as_if_nothing_had_been() -> None:
    chance, rules = random.Random(5), rum500.ruleset("rummy-500", house_rules=("H5", "H6"))
    state = rum500.deal(rules, 3, 6)
    while not state.is_over:
        code = chance.choice(state.legal_ints())
        plain = state.copy()
        state.apply_int(chance.choice(state.legal_ints()))
        state.undo()
        assert state.apply(code) == plain.apply(code)
        assert state == plain


def test_undo_takes_back_a_given_order_of_the_stock() -> None:
    state = rum500.deal("rummy-500", seed=1)
    begun = state.copy()
    last = state.stock[-1]
    state.draw_card(last)
    state.apply_int(next(code for code in state.legal_ints() if code & 15 == 6))
    after = state.copy()
    state.draw_card(state.stock[-1])
    state.undo()
    assert state == after
    state.undo()
    assert state.hands[state.actor].count(last) == 1 and state.draws == (last,)
    state.undo()
    assert state == begun


def test_undo_takes_back_a_given_new_stock() -> None:
    state, chance = rum500.deal(rum500.ruleset("rummy-500", house_rules=("H5",)), 8, 3), random.Random(1)
    while state.stock or not state.is_legal("draw"):
        plays = [code for code in state.legal_ints() if code & 15 in (0, 6)]
        state.apply_int(chance.choice(plays or state.legal_ints()))
        assert not state.is_over
    before = state.copy()
    order = sorted(state.pile[:-1])
    state.restock_order(order)
    state.apply("draw")
    assert state.stock == tuple(order[1:])
    state.undo()
    assert state == before
    state.undo()
    state.apply_int(before.past[-1])
    assert state == before


def test_undo_needs_the_course() -> None:
    state = rum500.deal("500-rum", seed=1)
    unknown = State(state.rules, state.copy().core)
    with pytest.raises(ValueError, match="the course of this deal is unknown"):
        unknown.undo()
    forged = State(state.rules, state.copy().core, (*state.past, 0), (state.hands[0][0],))
    with pytest.raises(ValueError, match="the course of this deal does not lead to it"):
        forged.undo()


# --- cards ------------------------------------------------------------------------------------------


def test_a_card_is_an_integer_with_a_text() -> None:
    queen, joker = rum500.Card("QD"), rum500.Card("jk")
    assert queen is rum500.Card(43) is rum500.Card("q♦") is rum500.Card["QD"]
    assert (queen, str(queen), repr(queen), f"{queen:>3}", hash(queen)) == (43, "QD", "QD", " QD", hash(43))
    assert (queen.rank, queen.suit, queen.is_joker) == (11, 2, False)
    assert (joker, joker.rank, joker.suit, joker.is_joker) == (62, None, None, True)
    for wrong in (13, 61, 63, -1):
        with pytest.raises(ValueError, match=f"^{wrong} is not a card"):
            rum500.Card(wrong)


def test_hands_piles_and_melds_hold_cards() -> None:
    chance = random.Random(2)
    for name in ("rummy-500", "persian-rummy"):
        state = rum500.deal(name, seed=4)
        while not state.is_over:
            view = state.view(state.actor)
            cards = [*view.hand, *view.pile, *view.taken, *sum(view.known, ()), *state.stock, *state.pile]
            cards += [card for hand in state.hands for card in hand]
            cards += [one.card for meld in (*state.melds, *view.melds) for one in meld.cards]
            cards += [card for card in (view.must_use, view.drawn, view.banned) if card is not None]
            assert {type(card) for card in cards} == {rum500.Card}
            state.apply_int(chance.choice(state.legal_ints()))
        assert state.result is not None
        assert {type(card) for hand in state.result.hands for card in hand} <= {rum500.Card}


@pytest.mark.parametrize(("text", "card"), [("S7", "7S"), ("♦Q", "QD"), ("h10", "10H")])
def test_a_suit_before_the_rank_gets_a_hint(text: str, card: str) -> None:
    with pytest.raises(rum500.CardError, match=f"write the rank before the suit, {card}") as caught:
        rum500.Card(text)
    assert caught.value.meant is rum500.Card(card)
    with pytest.raises(NotationError, match="write the rank before the suit"):
        rum500.Action.from_text(f"discard {text}", rum500.deal("500-rum"))


# --- bots, matches, records -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "greedy", "casual", "club", "strong:worlds=4"])
def test_a_bot_chooses_an_action_without_a_generator(name: str) -> None:
    state, bot = rum500.deal("500-rum", players=2, seed=7), rum500.bots.get(name)
    for _ in range(4):
        view = state.view(state.actor)
        chosen = bot.choose(view)  # type: ignore[call-arg]
        assert chosen == bot.choose(view) and isinstance(chosen, rum500.Action)  # type: ignore[call-arg]
        assert str(chosen) in map(str, state.legal_actions())
        waiting = state.view(1 - state.actor)
        with pytest.raises(ValueError, match="has nothing to decide"):
            bot.choose(waiting)  # type: ignore[call-arg]
        state.apply(chosen)


def test_type_checkers_know_the_names_of_the_built_in_bots() -> None:
    assert get_args(BuiltIn) == tuple(level.name for level in rum500.bots.levels())


def test_a_match_and_its_record_lead_to_each_other(tmp_path: Path) -> None:
    chance = random.Random(3)
    for seed in range(6):
        rules = random_rules(chance)
        match = rum500.Match.quick(rules, random_players(rules, chance), seed)
        for _ in range(250 * seed):
            if not match.is_over:
                match.apply(chance.choice(match.state.legal_ints()))  # type: ignore[union-attr]
        record = match.record()
        assert [problem for problem in record.verify() if problem.code != "record.unfinished"] == []
        record.save(tmp_path / "match.rum500")
        again = rum500.Record.load(tmp_path / "match.rum500").match()
        assert again.record() == record and (again.totals, again.result) == (match.totals, match.result)
        assert [row.result for row in again.sheet] == [row.result for row in match.sheet]


def test_matches_that_no_record_holds_are_refused(tmp_path: Path) -> None:
    match = rum500.Match.quick("500-rum", 3, 1)
    match.apply(rum500.match.Resign(0))
    with pytest.raises(rum500.MatchError, match="the same players"):
        match.record()
    match.forget()
    with pytest.raises(rum500.MatchError, match="the inputs were dropped"):
        match.record()
    record = rum500.Record("500-rum", 2)
    record.add(RULES.deck(2), totals=(100, 50))
    with pytest.raises(rum500.MatchError, match="in the middle of a match"):
        record.match()
    (tmp_path / "x").write_bytes(b"rum500 record 1\xff")
    with pytest.raises(rum500.RecordError, match="is not UTF-8 text"):
        rum500.Record.load(tmp_path / "x")


def test_a_match_takes_a_play_as_text() -> None:
    one, two = (rum500.Match.quick("500-rum", 2, 1) for _ in range(2))
    assert one.apply("draw") == two.apply(rum500.Draw()) and one == two
    with pytest.raises(NotationError):
        one.apply("sing")
    asked = rum500.Match("500-rum", 2)
    with pytest.raises(rum500.MatchError, match="a play answers no"):
        asked.apply("draw")


def test_long_values_show_themselves_in_one_line() -> None:
    rules = RULES.replace(name="a" * 300)
    record = rum500.Record(rules, 8, names=[f"{seat}" + "n" * 40 for seat in range(8)])
    state, match = rum500.deal(rules, 8, 1), rum500.Match.quick(rules, 8, 1)
    for value in (rules, state, state.view(0), match, record):
        assert len(repr(value)) <= 120 and "\n" not in repr(value), repr(value)
