"""States for tree search: resampled deals, perfect recall, explicit chance, checked steps, returns."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import Discard, Draw, Ruleset, State, bots, deal, encode, ruleset
from rum500.ai import Resampler, expected, resample
from rum500.ai.resampling import BELIEFS, Belief
from rum500.rng import U64, Rng
from rum500.rules.profiles import profile_names
from rum500.state import BytesError, IllegalPlay, PositionError
from rum500.state.dealing import opening
from rum500.state.information_state import InformationState
from tests.support.bridge import play_text
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, random_style, small_deck
from tests.support.indistinguishable_deals import permuted
from tests.support.lockstep import started_core

seeds = st.integers(min_value=0, max_value=2**64 - 1)
STEPS = 400


def played(rules: Ruleset, chance: random.Random, most: int = STEPS) -> State:
    """A random deal, played in a random style for a random time."""
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    core = started_core(rules, players, deck, chance.randrange(players), [], chance.getrandbits(64))
    state, weights = State(rules, core, opening(core)), random_style(chance)
    for _ in range(chance.randrange(most)):
        if state.is_over:
            break
        legal = state.legal_ints()
        chances = [weights.get(play_text(code, state.core).split()[0], 1.0) for code in legal]
        state.apply_int(chance.choices(legal, chances)[0])
    return state


def cards_of(state: State) -> Counter[int]:
    """All cards of a deal."""
    laid = [placed.card for meld in state.melds for placed in meld.cards]
    return Counter([*state.stock, *state.pile, *laid, *(card for hand in state.hands for card in hand)])


def played_again(state: State) -> State:
    """The deal from its first hands on, each play checked and each draw as given."""
    rules, players, hands = state.rules, state.players, []
    for seat in range(players):
        hands.append(list(state.information_state(seat).first_hand))
        assert len(hands[-1]) == rules.hand_size(players)
    order = [(state.dealer + 1 + i) % players for i in range(players)]
    deck = [hands[seat][i] for i in range(len(hands[0])) for seat in order]
    deck.append(state.past[0] >> 4)
    deck += list((cards_of(state) - Counter(deck)).elements())
    again_core = started_core(rules, players, deck, state.dealer, [], 0)
    again, draws = State(rules, again_core, opening(again_core)), iter(state.draws)
    for code in state.past[1:]:
        if code == 0:
            again.draw_card(next(draws))
        else:
            again.apply_int(code)
    return again


def check_resampled(rules: Ruleset, seed: int, most: int = STEPS) -> int:
    """Resample one deal for one seat; the number of hidden hands that are others."""
    chance = random.Random(seed)
    state = played(rules, chance, most)
    seat = chance.randrange(state.players)
    twin = state.resample(seat, Rng(seed))
    assert twin.view(seat) == state.view(seat)
    assert twin.information_state(seat) == state.information_state(seat)
    # What the seat does not know has no part in the result.
    assert twin.resample(seat, Rng(seed ^ U64)) == state.resample(seat, Rng(seed ^ U64))
    assert cards_of(twin) == cards_of(state)
    assert twin.is_over or twin.legal_ints()
    again = played_again(twin)
    for other in range(state.players):
        assert again.view(other) == twin.view(other)
        assert again.information_state(other) == twin.information_state(other)
    return sum(a != b for a, b in zip(state.hands, twin.hands, strict=True))


@pytest.mark.parametrize("name", profile_names())
@settings(max_examples=depth(6, 60))
@given(seed=seeds)
def test_resampled_deals_of_profiles(name: str, seed: int) -> None:
    check_resampled(ruleset(name), seed)


@settings(max_examples=depth(30, 400))
@given(seed=seeds)
def test_resampled_deals_under_house_rules(seed: int) -> None:
    check_resampled(random_rules(random.Random(~seed)), seed)


@settings(max_examples=depth(15, 300))
@given(seed=seeds)
def test_resampled_deals_after_restocks(seed: int) -> None:
    """Cards that were seen on the pile come back (H5), with jokers and two packs as several copies."""
    chance = random.Random(~seed)
    rules = ruleset(chance.choice(["rummy-500", "500-rummy", "500-rum"]), ["H5"])
    if chance.random() < 0.5:
        rules = rules.changed(options={"second_pack_from": 2})
    check_resampled(rules, seed)


def test_something_changes() -> None:
    assert sum(check_resampled(ruleset("rummy-500"), seed, 15) for seed in range(20)) > 20


def test_every_arrangement_is_equally_likely() -> None:
    """Two cards of another hand and three of the stock, one draw, one of its cards shown."""
    rules = ruleset("500-rum").changed(options={"hand_two": 2})
    deck = [3, 19, 5, 22, 40, 7, 9, 10]
    core = started_core(rules, 2, deck, 0, [], 0)
    state = State(rules, core, opening(core))
    state.apply_int(0)
    state.apply_int(encode(Discard(state.hands[1][0])))
    rng, counts = Rng(5), Counter()
    for _ in range(6000):
        twin = state.resample(0, rng)
        assert state.past == twin.past
        counts[twin.hands[1], twin.stock] += 1
    # Of four hidden cards two are held and two lie in the stock, in order.
    assert len(counts) == 12
    assert all(abs(count - 500) < 80 for count in counts.values())
    drawn = Counter(state.resample(0, rng).draws for _ in range(3000))
    # The shown card was drawn in one of three deals, since it may be any of three cards held then.
    assert abs(drawn[deck[3],] - 1000) < 120 or abs(drawn[state.past[-1] >> 4,] - 1000) < 120


@settings(max_examples=depth(25, 200))
@given(seed=seeds)
def test_hidden_cards_change_no_byte_of_the_information_state(seed: int) -> None:
    chance = random.Random(seed)
    state = played(random_rules(random.Random(~seed)), chance)
    if state.is_over:
        return
    seat = chance.randrange(state.players)
    twin = permuted(state, seat, [], chance)
    one, other = state.information_state(seat), twin.information_state(seat)
    assert one.text.encode() == other.text.encode()
    assert one.tensor(STEPS).tobytes() == other.tensor(STEPS).tobytes()


def test_perfect_recall() -> None:
    """The same view, but the seat drew the same cards in another order: it can distinguish the deals."""
    start = deal(ruleset("500-rum"), 2, seed=7)
    first, second = start.stock[:2]
    ways = []
    for one, two in ((first, second), (second, first)):
        state = start.copy()
        for card in (one, two):
            state.draw_card(card)
            state.apply(Discard(next(c for c in state.hands[1] if c not in (first, second))))
            state.draw_card(state.stock[-1])
            state.apply(Discard(state.hands[0][0]))
        ways.append(state)
    assert ways[0].hands[1] == ways[1].hands[1]
    views = [state.view(1) for state in ways]
    assert views[0] == views[1]
    one, two = (state.information_state(1) for state in ways)
    assert one.text != two.text and one.tensor(20) != two.tensor(20)
    assert ways[0].information_state(0) == ways[1].information_state(0)


@settings(max_examples=depth(25, 200))
@given(seed=seeds)
def test_what_a_seat_can_tell_apart_has_different_strings(seed: int) -> None:
    """Each step that it notices, and each other first hand or draw of its own, changes its string."""
    chance = random.Random(seed)
    rules = random_rules(random.Random(~seed))
    state = played(rules, chance)
    seat = chance.randrange(state.players)
    other = (seat + 1) % state.players
    twin = state.resample(other, Rng(seed))
    own, changed = state.information_state(seat), twin.information_state(seat)
    same = (own.first_hand, own.draws, own.hands) == (changed.first_hand, changed.draws, changed.hands)
    assert (own.text == changed.text) == same
    if not own.hands:
        assert (own.tensor(STEPS) == changed.tensor(STEPS)) == same
    if not state.is_over:
        before = own.text
        state.apply_int(state.legal_ints()[0])
        assert state.information_state(seat).text != before


def test_the_information_state_in_full() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    state.apply(Draw())
    state.apply(Discard(2))
    text = state.information_state(1).text
    assert text == (
        "seat 1 of 2, dealer 0, deal 1\n"
        "totals: 0 0\n"
        "first hand: 3S 5S 6S 9S QS KS 7H 8H 2C 4C 8C JC QC\n"
        "course: 454 0=3C 38"
    )
    assert state.information_state(0).text.endswith("course: 454 0 38")
    tensor = state.information_state(1).tensor(5)
    assert len(tensor) == InformationState.size(2, 5) == 53 + 5 + 6 * 102
    assert sum(tensor[:53]) == 13 and tensor[58 + 102 + 2 + 11 + 41] == 1
    with pytest.raises(ValueError, match="2 actions, more than 1"):
        state.information_state(1).tensor(1)


def test_a_course_that_is_unknown() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    state.apply(Draw())
    bare = "".join(line for line in state.to_text().splitlines(True) if not line.startswith("draws"))
    with pytest.raises(ValueError, match="the cards drawn in this deal are unknown"):
        State.from_text(bare).resample(0, Rng(1))
    barer = "".join(line for line in bare.splitlines(True) if not line.startswith("course"))
    with pytest.raises(ValueError, match="the course of this deal is unknown"):
        State.from_text(barer).information_state(0)
    with pytest.raises(ValueError, match="seat 2 is not at this table"):
        state.resample(2, Rng(1))


def test_draws_in_text_and_bytes() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    for _ in range(6):
        state.apply_int(state.legal_ints()[0] if state.phase.name == "DRAW" else state.legal_ints()[-1])
    assert state.draws and State.from_text(state.to_text()) == state
    assert State.from_bytes(state.to_bytes(), state.rules).draws == state.draws
    with pytest.raises(PositionError, match="4 cards drawn, 3 draws in the course"):
        State.from_text(state.to_text().replace("draws: ", "draws: AS "))
    wrong = State(state.rules, state.core, state.past, (*state.draws, 0))
    with pytest.raises(BytesError, match="4 cards drawn, 3 draws"):
        State.from_bytes(wrong.to_bytes(), state.rules)
    wrong = State(state.rules, state.core, state.past, (62, *state.draws[1:]))
    with pytest.raises(BytesError, match="not in this game"):
        State.from_bytes(wrong.to_bytes(), state.rules)


# --- beliefs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("belief", ["even", "odds", pytest.param("hands", marks=pytest.mark.compiled)])
@pytest.mark.parametrize(("name", "house"), [("500-rum", ()), ("rummy-500", ("H5",)), ("persian-rummy", ())])
def test_deals_by_belief_look_the_same_to_the_seat(belief: Belief, name: str, house: tuple[str, ...]) -> None:
    rules = ruleset(name, house)
    for seed in range(depth(4, 40)):
        chance = random.Random(seed)
        state = deal(rules, random_players(rules, chance), seed)  # beliefs are about whole decks
        for _ in range(chance.randrange(60)):
            if not state.is_over:
                state.apply_int(chance.choice(state.legal_ints()))
        seat = seed % state.players
        twin = resample(state, seat, Rng(seed), belief)
        assert twin.view(seat) == state.view(seat)
        assert twin.information_state(seat) == state.information_state(seat)
        assert resample(twin, seat, Rng(seed ^ U64), belief) == resample(state, seat, Rng(seed ^ U64), belief)
        played_again(twin)


def test_a_belief_is_believed() -> None:
    """A card whose neighbours a seat threw away is held by it less often than evenly."""
    state = deal(ruleset("500-rum"), 2, seed=11)
    club, rng = bots.get("club"), Rng(3)
    for _ in range(24):
        state.apply(club.choose(state.view(state.actor), rng))
    view = state.view(0)
    shares = expected(view)[1]
    card = max(shares, key=lambda c: shares[c] * (shares[c] < 0.999))
    held = {}
    for belief in BELIEFS:
        found = Resampler(state, 0, belief)
        held[belief] = sum(card in found.state(rng).hands[1] for _ in range(400)) / 400
    assert held["odds"] > held["even"] + 0.1
    with pytest.raises(ValueError, match="beliefs are even, odds, hands, not 'sure'"):
        resample(state, 0, rng, "sure")  # type: ignore[arg-type]


# --- explicit chance ------------------------------------------------------------------------------


@settings(max_examples=depth(15, 100))
@given(seed=seeds)
def test_a_deal_whose_draws_are_decided_one_by_one(seed: int) -> None:
    """Each outcome of chance can be drawn, restocks included, and the deal stays sound."""
    chance = random.Random(seed)
    rules = random_rules(random.Random(~seed))
    state = played(rules, chance, 5)
    cards = cards_of(state)
    while not state.is_over and len(state.past) < 150:
        code = chance.choice(state.legal_ints())
        outcomes = state.chance_outcomes()
        assert bool(outcomes) == (0 in state.legal_ints())
        if code != 0:
            state.apply_int(code)
            continue
        pool = Counter(state.stock or state.pile[:-1])
        assert [card for card, _ in outcomes] == sorted(pool)
        assert all(share == pool[card] / pool.total() for card, share in outcomes)
        card = chance.choice(outcomes)[0]
        restock = not state.stock
        twin = state.copy()
        events = state.draw_card(card)
        twin.step_draw(card)
        assert twin == state and (twin.past, twin.draws) == (state.past, state.draws)
        assert [event.kind for event in events] == (["restock"] if restock else []) + ["draw"]
        assert state.draws[-1] == card and len(state.stock) == pool.total() - 1
    assert cards_of(state) == cards


def test_draws_that_cannot_be() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    before = state.copy()
    for draw in (state.draw_card, state.step_draw):
        with pytest.raises(ValueError, match="the stock does not contain"):
            draw(state.hands[0][0])
        assert state == before
    state.apply(Draw())
    before = state.copy()
    assert state.chance_outcomes() == ()
    for draw in (state.draw_card, state.step_draw):
        with pytest.raises(IllegalPlay):
            draw(state.stock[0])
        assert state == before


# --- checked steps --------------------------------------------------------------------------------


@settings(max_examples=depth(20, 200))
@given(seed=seeds)
def test_apply_int_applies_legal_codes_and_refuses_all_others(seed: int) -> None:
    chance = random.Random(seed)
    state = played(random_rules(random.Random(~seed)), chance)
    legal, before = state.legal_ints(), state.copy()
    wrong = [-1, 1 << 64, chance.getrandbits(64), chance.getrandbits(12)]
    wrong += [code ^ (1 << chance.randrange(44)) for code in legal[:6]]
    for code in wrong:
        if code not in legal:
            with pytest.raises(IllegalPlay):
                state.apply_int(code)
    assert state == before
    for code in legal:
        one, other = state.copy(), state.copy()
        one.apply_int(code)
        other.apply(code)
        assert one == other


def test_apply_int_takes_whole_numbers_only() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    for wrong in (0.0, "0", None, Draw()):
        with pytest.raises(TypeError):
            state.apply_int(wrong)  # type: ignore[arg-type]
    assert len(state.past) == 1


# --- returns --------------------------------------------------------------------------------------
