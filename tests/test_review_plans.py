"""Plans by name: measured in the compared rollouts, confirmed by others, and named with cards and a rate."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rum500 import State, bots, deal, ruleset
from rum500.ai.search import MEASURE_NAMES
from rum500.cards import cards_from_text
from rum500.review.case import Case
from rum500.review.judge import Judge
from rum500.review.loss_reasons import Measured, cards_kept
from rum500.review.plans import NEAR, PLANS, Plan, PlanName, confirmed, plan_of, rates_of
from rum500.review.verdict import BUDGETS, Mark, Verdict
from rum500.rng import Rng
from rum500.rules.action_codes import decode, encode
from rum500.rules.notation import parse_play
from tests.support.depth import depth
from tests.support.table import table

pytestmark = pytest.mark.compiled


@cache
def marked(name: str = "500-rum", players: int = 2, seed: int = 1) -> list[tuple[State, int, Verdict]]:
    """The marked decisions of a player who lays at once, with the state before each and the play."""
    rules, found, greedy = ruleset(name), [], bots.get("greedy")
    state = deal(rules, players, seed=seed)
    while not state.is_over:
        view = state.view(state.actor)
        code = greedy.choose_int(view, Rng(1))
        verdict = Judge(BUDGETS["quick"]).judge(view, code, seed, len(view.past) + 1)
        if verdict is not None and verdict.mark.sign:
            found.append((state.copy(), code, verdict))
        state.apply_int(code)
    return found


def test_throwing_a_card_of_a_ready_meld_is_named_with_its_rate() -> None:
    named = [(verdict, code) for _, code, verdict in marked() if verdict.plan and verdict.plan.name == "salt"]
    assert named
    for verdict, _ in named:
        plan = verdict.plan
        assert plan is not None and verdict.best.startswith("discard ") and verdict.played.startswith("meld ")
        assert cards_from_text(verdict.best.removeprefix("discard ")) == list(plan.cards)
        assert plan.best >= 0.5 and plan.explains >= 0.5 and plan.played == 0
        assert verdict.story == plan.sentence and plan.others == "opponent"
        assert plan.sentence.endswith(
            f"take it back with the pile: works in {100 * plan.best:.0f}% of deals."
        )
        assert verdict.as_dict()["plan"]["name"] == "salt"


@pytest.mark.parametrize(
    ("name", "players", "seed"), [("500-rum", 2, 1), pytest.param("500-rum", 4, 1, marks=pytest.mark.whole)]
)
def test_independent_rollouts_confirm_every_named_plan(name: str, players: int, seed: int) -> None:
    """The rate that is shown holds in other worlds, within 10 points."""
    for state, played, verdict in marked(name, players, seed):
        if verdict.plan is None:
            continue
        view = state.view(state.actor)
        best = encode(parse_play(verdict.best, view))
        case = Case.of(view, lays=verdict.ways[0].way == "lay")
        watched = cards_kept(decode(played), decode(best))
        one, two = case.measure([played, best], 99, 0, 1_024, watched)
        rate = rates_of(verdict.plan.name, one[1] + two[1])[1]
        assert abs(rate - verdict.plan.best) <= NEAR


def test_a_mark_without_a_plan_names_a_rate_that_does_harm() -> None:
    found = [verdict for seed in depth((2,), (1, 2)) for _, _, verdict in marked(seed=seed)]
    explained = [verdict for verdict in found if verdict.plan is None and verdict.story]
    assert explained
    for verdict in explained:
        assert verdict.why is not None and verdict.why.change is not None
        change = verdict.why.change
        good = change.name in ("out", "took_back", "at_once")
        worse = change.played < change.best if good else change.played > change.best
        assert worse and abs(change.played - change.best) >= 0.05
        assert f"{100 * change.best:.0f}%" in verdict.story
        # What only the best play makes possible has no other rate.
        only = change.name in ("took_back", "at_once") and change.played < 0.005
        assert only or f"{100 * change.played:.0f}%" in verdict.story


def test_good_plays_have_neither_plan_nor_change() -> None:
    state = deal("500-rum", 2, seed=3)
    state.apply("draw")
    view = state.view(state.actor)
    verdicts = [Judge(BUDGETS["quick"]).judge(view, code) for code in view.legal[:: depth(2, 1)]]
    good = [one for one in verdicts if one is not None and one.mark is Mark.GOOD]
    assert good
    assert all(one.plan is None and one.story == "" for one in good)


def measured(
    event: str, played: int, best: int, gained: int, lost: int = 0, lead: int = 1_000, squares: int = 0
) -> Measured:
    """A hundred deals with a lead, in which an event happens this often after each play.

    `squares` is the sum of the leads' squares. The event's error is that of deals that differ as little as
    they can.
    """

    def row(value: int, of_event: int) -> tuple[int, ...]:
        return tuple({"value": value, event: of_event}.get(name, 0) for name in MEASURE_NAMES)

    contrasts = tuple((gained, lost) if name == event else (0, 0) for name in MEASURE_NAMES)
    return Measured(row(0, played), row(lead, best), row(squares, abs(best - played)), 100, contrasts)


def view_of_run() -> tuple[list[int], dict[str, int]]:
    """The legal plays of a seat that holds a run, and their codes by notation."""
    state = table("500-rum", ["6S 7S 8S QD 2C", "3D 4D 9C"], pile="QS", stock="2H 3H", turn=0, phase="play")
    view = state.view(0)
    words = ("meld 6S 7S 8S", "discard 6S", "discard 2C", "discard QD")
    return list(view.legal), {text: encode(parse_play(text, view)) for text in words}


@pytest.mark.parametrize(
    ("played", "best", "sums", "name"),
    [
        ("meld 6S 7S 8S", "discard 6S", measured("took_back", 0, 60, 700), "salt"),
        ("meld 6S 7S 8S", "discard 6S", measured("took_back", 0, 49, 700), None),  # too seldom
        ("meld 6S 7S 8S", "discard 6S", measured("took_back", 0, 60, 400), None),  # explains too little
        ("meld 6S 7S 8S", "discard 2C", measured("took_back", 0, 60, 700), None),  # no card of a meld
        ("discard QD", "discard 2C", measured("next_takes", 60, 10, 0, 800), "deny"),
        ("meld 6S 7S 8S", "discard 2C", measured("next_takes", 60, 10, 0, 800), None),
        ("discard QD", "discard 2C", measured("other_gets", 60, 10, 0, 800), "bury"),
        ("discard QD", "discard 2C", measured("partner_gets", 10, 60, 800), "feed"),
        ("discard QD", "meld 6S 7S 8S", measured("caught", 60, 10, 0, 800), "lay"),
        ("discard QD", "discard 2C", measured("at_once", 10, 60, 800), "hold"),
        ("discard QD", "discard 2C", measured("out", 10, 60, 800), "race"),
        ("discard QD", "discard 2C", measured("no_out", 10, 60, 800), "wait"),
        ("discard QD", "discard 2C", measured("out", 57, 60, 800), None),  # hardly more often
        ("discard QD", "discard 2C", measured("out", 10, 60, 800, -400), None),  # and lost as much otherwise
        ("discard QD", "discard 2C", measured("out", 10, 60, -800, lead=-1_000), None),  # it is no loss
    ],
)
def test_a_plan_must_occur_often_and_explain_half(
    played: str, best: str, sums: Measured, name: PlanName | None
) -> None:
    legal, codes = view_of_run()
    found = plan_of(sums, codes[played], codes[best], legal)
    assert (None if found is None else found.name) == name
    if found is not None:
        assert found.sentence and "{" not in found.sentence
        assert name != "bury" or found.cards == tuple(cards_from_text("2C QD"))


def test_a_plan_calls_the_next_player_the_opponent_if_there_is_only_one() -> None:
    card = tuple(cards_from_text("5H"))
    sentences = [
        Plan(name, card, 0.6, 0.1, 0.8, others).sentence
        for name in ("deny", "bury")
        for others in ("opponent", "others", "side")
    ]
    assert (
        sentences[0]
        == "Throw 5♥: the opponent takes from the pile at once in 10% of deals, otherwise in 60%."
    )
    assert sentences[1] == sentences[2] == sentences[0].replace("the opponent", "the next player")
    assert sentences[3] == "Throw 5♥: the opponent takes it in 10% of deals, and the other card in 60%."
    assert sentences[4] == sentences[5] == sentences[3].replace("the opponent", "an opponent")
    both = Plan("bury", tuple(cards_from_text("5H KD")), 0.6, 0.1, 0.8, "opponent")
    assert both.sentence == "Throw 5♥: the opponent takes it in 10% of deals, and K♦ in 60%."


def test_a_sentence_fits_each_seat_and_gives_both_rates() -> None:
    """Others read the reviews of a seat too, so that no sentence says "you"."""
    card = tuple(cards_from_text("5H"))
    sentences = [
        Plan(name, card, 0.6, 0.7, 0.8, others).sentence
        for name in PLANS
        for others in ("opponent", "others", "side")
    ]
    assert not [sentence for sentence in sentences if re.search(r"\byou", sentence, re.IGNORECASE)]


def test_a_sentence_has_no_rate_of_the_impossible() -> None:
    sentences = [
        Plan(name, (), played, best, 0.8).sentence
        for name, played, best in (
            ("hold", 0.57, 0.9),
            ("hold", 0.004, 0.9),
            ("hold", 0.0, 1.0),
            ("race", 0.0, 0.9),
            ("race", 0.0, 1.0),
            ("race", 0.57, 1.0),
            ("wait", 0.0, 1.0),
            ("wait", 0.2, 0.997),
        )
    ]
    assert sentences == [
        "Hold everything back and go out with all at once: works in 90% of deals, otherwise in 57%.",
        "Hold everything back and go out with all at once: works in 90% of deals.",
        "Hold everything back and go out with all at once: that works every time.",
        "Play to go out first: works in 90% of deals.",
        "Play to go out first: after the best play that works every time.",
        "Play to go out first: works in 100% of deals, otherwise in 57%.",
        "Play for the end of the stock: nobody goes out in 100% of deals.",
        "Play for the end of the stock: nobody goes out in 99% of deals, otherwise in 20%.",
    ]


def test_certain_and_impossible_events_have_no_rate() -> None:
    cards = tuple(cards_from_text("JK KD"))
    sentences = [
        Plan(name, cards[:count], played, best, 0.8, others).sentence
        for name, count, played, best, others in (
            ("lay", 2, 1.0, 0.1, "opponent"),
            ("lay", 2, 0.999, 0.1, "opponent"),
            ("deny", 1, 0.6, 0.0, "opponent"),
            ("deny", 1, 0.6, 0.001, "side"),
            ("bury", 2, 0.7, 0.0, "opponent"),
            ("bury", 2, 0.7, 0.0, "side"),
            ("bury", 1, 0.7, 0.0, "side"),
        )
    ]
    assert sentences == [
        "Lay now: otherwise a joker or K♦ is left in the hand at the end every time.",
        "Lay now: otherwise a joker or K♦ is left in the hand at the end in 99% of deals.",
        "Throw a joker: then the opponent never takes from the pile at once, otherwise in 60% of deals.",
        "Throw a joker: the next player takes from the pile at once in 1% of deals, otherwise in 60%.",
        "Throw a joker: the opponent never takes it, but takes K♦ in 70% of deals.",
        "Throw a joker: no opponent takes it, but one takes K♦ in 70% of deals.",
        "Throw a joker: an opponent takes it in 0% of deals, and the other card in 70%.",
    ]


@pytest.mark.parametrize(
    ("sums", "named"),
    [
        (measured("took_back", 0, 60, 700, squares=100_000), True),
        (measured("took_back", 0, 60, 700, squares=130_000), False),  # 700 is within 1.96 errors of zero
        (measured("took_back", 0, 60, 2_000, lead=2_500, squares=1_000_000), True),
        (measured("took_back", 0, 60, 2_000, lead=100, squares=1_000_000), False),  # the loss is chance
        (measured("took_back", 46, 56, 700, squares=100_000), True),
        (measured("took_back", 46, 55, 700, squares=100_000), False),  # hardly more often
    ],
)
def test_a_plan_that_may_be_chance_is_not_named(sums: Measured, named: bool) -> None:
    legal, codes = view_of_run()
    found = plan_of(sums, codes["meld 6S 7S 8S"], codes["discard 6S"], legal)
    assert (found is not None) == named


def test_a_plan_is_confirmed_by_the_same_plan_with_about_the_same_rate() -> None:
    def plan(name: PlanName, best: float) -> Plan:
        return Plan(name, (), 0.0, best, 1.0)

    assert confirmed(plan("hold", 0.6), plan("hold", 0.69))
    assert not confirmed(plan("hold", 0.6), plan("hold", 0.71))
    assert not confirmed(plan("hold", 0.6), plan("race", 0.6))
    assert not confirmed(plan("hold", 0.6), None)
    assert len(set(PLANS)) == 8


def test_sums_with_the_actions_exchanged() -> None:
    one = measured("out", 10, 60, 800, -300)
    assert one.reversed.contrast("out") == (300, -800)
    assert one.reversed.reversed == one
    assert (one + one).contrast("out") == (1_600, -600)
