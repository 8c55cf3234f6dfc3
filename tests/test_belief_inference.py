"""What plays reveal about hidden hands: from views alone, exact where possible, and better than chance."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rum500 import State, deal, ruleset
from rum500.ai import ODDS_ONE, beliefs, expected, known_deal, odds
from rum500.ai.card_odds import CLASSES, course_of, nets, opening, profile_class
from rum500.ai.clues import ClueTracker
from rum500.rules.action_codes import play_counts
from rum500.rules.engine.core import DISCARD, MELD_RUN, Core, Moves
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.test_compiled_equals_interpreted import run
from tools.belief_data import GAMES, TRAINING, check_games, samples
from tools.belief_report import Exam, gain, ratio
from tools.train_belief import FILE, accepted, net_of

if TYPE_CHECKING:
    from rum500.view import View

seeds = st.integers(min_value=0, max_value=2**64 - 1)
PUBLIC = (
    *(
        "n",
        "hn",
        "k1",
        "k2",
        "kj",
        "laid",
        "pile_n",
        "pile_mask",
        "pile_j",
        "meld_n",
        "ups",
        "downs",
        "opens",
    ),
    *("runs", "sets", "r1", "r2", "rj", "dealer", "turn", "actor", "phase", "must", "claiming", "ban"),
    *("floater", "progress", "idle", "passes", "restocks", "totals", "reason"),
)


def moved_on(seed: int, plays: int = 200) -> tuple[State, random.Random]:
    """A random deal after some random plays."""
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed)
    for _ in range(chance.randrange(plays)):
        code = chance.choice(state.legal_ints())
        before = state.copy()
        state.apply_int(code)
        if state.is_over:
            return before, chance
    return state, chance


@settings(max_examples=depth(37, 150))
@given(seed=seeds)
def test_the_course_leads_to_the_table_as_it_is(seed: int) -> None:
    """Replayed without a hidden card, the course gives every number that everybody can see."""
    state, _ = moved_on(seed)
    table = course_of(state.view(state.actor)).table
    for name in PUBLIC:
        assert getattr(table, name) == getattr(state.core, name), name
    assert table.pile_cards() == state.core.pile_cards() and table.melds() == state.core.melds()
    assert table.stock_end - table.stock_next == len(state.stock)
    assert (table.h1, table.h2, table.hj) == (table.k1, table.k2, table.kj)  # and no card besides


@settings(max_examples=depth(37, 150))
@given(seed=seeds, other=st.one_of(st.integers(0, 2**12), st.integers(0, 2**64 - 1)))
def test_a_course_that_is_not_this_deals_is_refused(seed: int, other: int) -> None:
    """Left out, doubled, put elsewhere or changed: never believed, and never followed to where nothing is."""
    state, chance = moved_on(seed)
    view = state.view(state.actor)
    at = chance.randrange(len(view.past))
    spoilt = (
        view.past[:at] + view.past[at + 1 :],
        view.past[:at] + (view.past[at],) * 2 + view.past[at + 1 :],
        (*view.past[:at], other, *view.past[at + 1 :]),
        (*view.past, other),
    )
    for past in spoilt:
        wrong = replace(view, past=past)
        try:
            table = course_of(wrong).table
        except ValueError:
            if len(past) > 1:
                with pytest.raises(ValueError, match=r"the (course|actions) of the deal"):
                    beliefs(wrong)
        else:  # the change is none, or there is another way to the same table
            assert table.pile_cards() == state.core.pile_cards() and table.melds() == state.core.melds()


@settings(max_examples=depth(25, 100))
@given(seed=seeds)
@example(seed=285)  # the cards that cannot be in the new stock fill the hands
@example(seed=706)  # slow to converge
def test_certain_cards_have_probability_one_and_sums_are_right(seed: int) -> None:
    state, _ = moved_on(seed)
    view = state.view(state.actor)
    reported = expected(view)
    unseen = Counter(known_deal(view).unseen)
    assert reported[state.actor] == Counter(view.hand)
    for seat, held in enumerate(reported):
        assert sum(held.values()) == pytest.approx(view.hand_sizes[seat], abs=1e-6)
        known = Counter(view.known[seat])
        for card, copies in held.items():
            if seat != state.actor:
                assert known[card] - 1e-9 <= copies <= known[card] + unseen[card] + 1e-6
        if seat != state.actor and view.hand_sizes[seat] == len(view.known[seat]):
            assert {card: n for card, n in held.items() if n} == known
    shares = Counter[int]()
    for seat, held in enumerate(reported):
        if seat != state.actor:
            shares.update({card: n - view.known[seat].count(card) for card, n in held.items()})
    assert all(shares[card] <= copies + 1e-6 for card, copies in unseen.items())
    if view.restocked:  # what cannot be in the new stock is in hands (H5)
        bound = Counter(known_deal(view).unseen[: known_deal(view).bound])
        assert all(shares[card] >= copies - 1e-6 for card, copies in bound.items())


@settings(max_examples=depth(10, 40))
@given(seed=seeds)
def test_view_without_its_course_gives_no_beliefs(seed: int) -> None:
    view = replace(moved_on(seed)[0].view(0), past=())
    assert beliefs(view) == ([[0] * 64] * view.players, [0] * view.players)
    seat = known_deal(view)
    hidden = sum(seat.room) + seat.stock
    for other, held in enumerate(expected(view)):
        known = Counter(view.hand if other == 0 else view.known[other])
        for card, copies in Counter(seat.unseen).items():
            if seat.room[other] and not seat.bound:
                even = copies * seat.room[other] / hidden
                assert held[card] - known[card] == pytest.approx(even, abs=1e-6)


def test_a_spectator_and_a_deal_that_is_over_get_nothing() -> None:
    state = deal(ruleset("500-rum"), 2, 5)
    while not state.is_over:
        assert not any(map(any, odds(state.view(None))))
        state.apply_int(state.legal_ints()[-1])
    assert not any(map(any, odds(state.view(0))))


def kept(view: View, other: int) -> set[int]:
    """Cards that fitted the table when this seat last discarded, and still do."""
    before = ClueTracker(opening(view))
    before.run(view.past[1 : _last_discard(view) + 1])
    table, now = before.table, course_of(view).table
    unseen = set(known_deal(view).unseen)
    return {card for card in unseen if card < 62 and table.fits_table(card) and now.fits_table(card)}


def _last_discard(view: View) -> int:
    return max(i for i, code in enumerate(view.past) if code & 15 == DISCARD)


def test_a_card_that_could_have_been_laid_is_hardly_held() -> None:
    """In deals of players who lay at once a card that fitted the table a turn ago is hardly in a hand."""
    reported = []
    for sample in samples(GAMES["two"], ("prompt",), 5, 40, 0.3):
        view = sample.view
        if view.past[-1] & 15 == DISCARD and len(view.past) > 20:
            rows = odds(view)
            reported += [rows[1 - view.actor][card] for card in kept(view, 1 - view.actor)]
    assert len(reported) > 50
    assert sum(reported) / len(reported) < -ODDS_ONE / 2


@pytest.mark.whole
@pytest.mark.compiled
@pytest.mark.parametrize("name", depth(["two"], CLASSES))
def test_better_than_chance_on_seeds_kept_for_it(name: str) -> None:
    """Log-loss and hit rate on deals the networks never saw, played by the kinds they were trained on."""
    check_games()
    exam = Exam()
    for sample in samples(GAMES[name], TRAINING, 909, depth(8, 40), 0.15):
        exam.take(sample)
    deals = list(exam.deals.values())
    less, by = gain(deals)
    assert less - by > 0.005
    assert ratio(deals, "hits", "hidden")[0] > 1.05 * ratio(deals, "plain_hits", "hidden")[0]
    for count, believed, true in exam.bins:
        if count > 400:
            share = believed / count
            chance = (share * (1 - share) / count) ** 0.5  # and a point more: cards of one deal go together
            assert abs(true / count - share) < 0.01 + 3 * chance


def test_hands_that_could_lay_something_are_drawn_as_often_as_they_are_held() -> None:
    """Of players who lay at once, doubted worlds have fewer ready hands, nearer to the truth."""
    moves, real, plain, doubted = Moves(), 0.0, 0.0, 0.0
    for sample in samples([(ruleset("500-rum"), 3)], ("prompt",), 78, 40, 0.15):
        view, seat = sample.view, known_deal(sample.view)
        reported, doubts = beliefs(view, seat)
        weights = [[*(row[card] // 4 for row in reported), 0] for card in seat.unseen]
        even, fewer = seat.worlds(), seat.worlds()
        even.set_weights(weights)
        fewer.set_weights(weights)
        fewer.set_ready_meld_penalties([doubt // 4 for doubt in doubts])
        assert fewer.world(1).h1 == fewer.world(1).h1
        for other, room in enumerate(seat.room):
            if room:
                hidden = sum(1 << card for card in sample.hidden[other] if card < 62)
                real += ready(seat.core, moves, seat.core.h1[other] | hidden)
                plain += sum(ready(seat.core, moves, even.world(i).h1[other]) for i in range(4)) / 4
                doubted += sum(ready(seat.core, moves, fewer.world(i).h1[other]) for i in range(4)) / 4
    assert abs(doubted - real) < abs(plain - real)


def ready(core: Core, moves: Moves, cards: int) -> bool:
    """Whether some of these cards could be laid now."""
    return any(core.can_use(moves, card, cards, 0, 0) for card in range(62) if cards >> card & 1)


@pytest.mark.whole
@pytest.mark.compiled
@pytest.mark.parametrize("name", depth(["several"], ["several", "double"]))
def test_network_is_accepted_by_its_accuracy_alone(name: str) -> None:
    """The sequential test takes those that are there for better than nothing, and a raving one for none."""
    part = tomllib.loads(FILE.read_text())[name]
    raving = net_of(part | {"outer": [-weight for weight in part["outer"]]})
    assert f"{accepted(name, net_of(part), None)}, than the even belief" == part["accepted"]
    assert not accepted(name, raving, None)


def test_every_game_has_a_network() -> None:
    assert tuple(nets()) == CLASSES
    for seed in range(200):
        chance = random.Random(seed)
        rules = random_rules(chance)
        assert profile_class(rules, random_players(rules, chance)) in CLASSES


SCRIPT = """
import random
from rum500 import _compiled, deal, ruleset
from rum500.ai import beliefs
print(_compiled.engine_kind())
for name, house, players in (("500-rum", [], 2), ("persian-rummy", [], 4), ("rummy-500", ["H5", "H6"], 3)):
    state, chance = deal(ruleset(name, house), players, 4), random.Random(4)
    for number in range(60):
        if state.is_over:
            break
        if number % 6 == 5:
            print(beliefs(state.view(state.actor)))
        state.apply_int(chance.choice(state.legal_ints()))
"""


def test_compiled_and_interpreted_believe_the_same() -> None:
    one, other = (run(SCRIPT, interpreted=way).split("\n") for way in (False, True))
    assert len(one) > 20 and one[1:] == other[1:]


def test_plays_show_their_cards() -> None:
    """The course finds the cards that an action shows as the rest of the package does."""
    shown = Counter[bool]()
    for seed in range(60):
        state, _ = moved_on(seed)
        codes = [code for code in state.past if code & 15 >= MELD_RUN]
        before = course_of(state.view(0)).table
        laid = sum(play_counts(code)[1] + play_counts(code)[2] for code in codes)
        assert sum(before.meld_count(meld) for meld, _ in before.melds()) == laid
        shown[laid > 0] += 1
    assert shown[True] > 20
