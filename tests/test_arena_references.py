"""The references that see hidden cards, and the best response: they are marked, and as strong as claimed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from rum500 import Rng, State, View, bots, deal
from rum500.ai.card_odds import course_of
from rum500.bots import Bot, UnknownBot, staircase
from rum500.bots.policy_bots import Club
from rum500.cli import main
from rum500.rules.engine.core import Core
from rum500.rules.profiles import profile_names, ruleset
from rum500.sim import SimulationError, simulate
from rum500.sim.arena import arena, references, seat_entrant
from rum500.sim.arena.entrants import notes_on_all
from rum500.sim.arena.references import (
    BestResponse,
    SeesHands,
    SeesStock,
    at_least_one,
    candidates,
    margin,
    reshuffled,
)
from rum500.sim.deals import FullInfoPlayer

pytestmark = pytest.mark.compiled

RULES = ruleset("500-rum")
SEERS = ("sees-hands", "sees-stock", "answers:greedy")
SEER_CLASS = "rum500.sim.arena.references:SeesHands"


class Generous:
    """Draws, never lays a card, and throws its lowest: easily taken advantage of."""

    name = "generous"

    def choose(self, view: View, rng: Rng) -> int:
        return min(view.legal)


# --- no table seats them ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEERS)
def test_no_registry_knows_a_reference(name, capsys):
    assert name not in bots.names()
    with pytest.raises(UnknownBot):
        bots.get(name)
    with pytest.raises((UnknownBot, SimulationError)):
        simulate(RULES, 2, 1, bots=[name])
    for each in (name, SEER_CLASS):
        assert main(["play", "--bot", each]) == 2
    assert main(["simulate", "--bots", name, "--deals", "1"]) == 2
    assert name.split(":")[0] in capsys.readouterr().err


@pytest.mark.parametrize("name", SEERS)
def test_a_reference_is_no_bot(name):
    """It has no `choose`: whoever is asked to play by a view cannot be one."""
    seer = seat_entrant(name)
    assert isinstance(seer, FullInfoPlayer) and not isinstance(seer, Bot)
    assert not hasattr(seer, "choose")


def test_results_mark_them(capsys):
    players = ["sees-hands", SeesStock(), "greedy", "answers:greedy", "answers:hands=true:greedy"]
    shown = notes_on_all(players).as_dict()
    assert shown["references"] == ["sees-hands", "sees-stock", "answers:hands=true:greedy"]
    assert shown["responses"] == ["answers:greedy", "answers:hands=true:greedy"]
    done = arena(RULES, ["sees-stock", "greedy"], 1, unit="deal").as_dict()
    assert (done["references"], done["responses"]) == (["sees-stock"], [])
    words = "arena --bots sees-stock,greedy --pairs 1 --unit deal --workers 1"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert "sees-stock† against greedy" in out
    assert "† sees hidden cards: a reference for measuring, which no table seats" in out and "‡" not in out


# --- knowledge -------------------------------------------------------------------------------------


def middle(name: str = "500-rum", players: int | None = None, seed: int = 3, actions: int = 40) -> State:
    """A deal some way on, with more than one choice."""
    state = deal(ruleset(name), players, seed=seed)
    chance = Rng(seed)
    for _ in range(actions):
        legal = state.legal_ints()
        state.apply_int(legal[chance.below(len(legal))])
        if state.is_over:
            return middle(name, players, seed + 1, actions - 10)
    return state if len(state.legal_ints()) > 1 else middle(name, players, seed, actions + 1)


def with_core(state: State, core: Core) -> State:
    """The same deal, its course too, with other cards where nobody sees them."""
    twin = state.copy()
    twin.core.copy_from(core)
    return twin


def test_worlds_with_the_true_hands_differ_in_the_stock_alone():
    state = middle()
    worlds = [with_core(state, reshuffled(state.core, Rng(seed))) for seed in range(5)]
    assert {world.hands for world in worlds} == {state.hands}
    assert all(sorted(world.stock) == sorted(state.stock) for world in worlds)
    assert len({world.stock for world in worlds}) == 5
    assert all(world.view(seat) == state.view(seat) for world in worlds for seat in (0, 1))


@pytest.mark.parametrize("maker", [lambda: SeesHands(4), lambda: BestResponse(Generous(), 4, hands="true")])
def test_the_stocks_order_changes_no_choice_of_one_that_sees_hands_alone(maker):
    state = middle()
    other = with_core(state, reshuffled(state.core, Rng(9)))
    assert other.stock != state.stock
    assert maker().choose_with_state(state, Rng(1)) == maker().choose_with_state(other, Rng(1))


class Follows:
    """Plays like `greedy` after following the course of its view; `seen` counts."""

    name, seen = "follows", 0

    def choose(self, view: View, rng: Rng) -> int:
        if len(view.past) > 1:
            course_of(view)
            self.seen += 1
        return bots.get("greedy").choose(view, rng)


@pytest.mark.parametrize("name", profile_names())
def test_answered_bot_receives_each_deal(name):
    """In the worlds of a best response too: a bot may think of what was done (as `expert` does)."""
    bot = Follows()
    state = middle(name)
    while bot.seen < 50:
        if state.is_over:
            state = middle(name, seed=len(state.past))
        state.apply_int(BestResponse(bot, 2, turns=3).choose_with_state(state, Rng(1)))


def test_choosing_leaves_the_deal_as_it_was():
    state = middle()
    before = state.to_text()
    for name in SEERS:
        choice = seat_entrant(name).choose_with_state(state, Rng(1))
        assert choice in state.legal_ints() and state.to_text() == before


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", profile_names())
def test_they_play_every_profile(name):
    rules = ruleset(name, house_rules=()).with_house_rules("H5", "H6")
    done = arena(rules, ["sees-hands:worlds=2", "answers:worlds=1:turns=1:random"], 1, unit="deal")
    assert done.scores[0].deals == 2


def test_a_margin_is_the_sides():
    state = deal(ruleset("persian-rummy"), seed=2)
    while not state.is_over:
        state.apply_int(bots.get("greedy").choose_int(state.view(state.actor), Rng(0)))
    a, b, c, d = state.scores()
    assert margin(state.core, 0) == margin(state.core, 2) == a + c - b - d
    state = deal(RULES, 3, seed=2)
    while not state.is_over:
        state.apply_int(bots.get("greedy").choose_int(state.view(state.actor), Rng(0)))
    a, b, c = state.scores()
    assert margin(state.core, 1) == b - (a + c) / 2


def plays_of(state: State) -> int:
    """How many melds and lay-offs there are."""
    return sum(code & 15 >= 7 for code in state.legal_ints())


def test_of_very_many_choices_the_best_by_points_are_tried(monkeypatch):
    monkeypatch.setattr("rum500.sim.arena.references.WIDEST", 10)
    state = next(found for seed in range(200) if plays_of(found := middle("rummy-500", 2, seed, 60)) > 12)
    tried = candidates(state)
    assert set(tried) < set(state.legal_ints())
    plays = [code for code in state.legal_ints() if code & 15 >= 7]
    assert max(plays, key=state.core.points) in tried


def test_options_are_whole_numbers():
    assert at_least_one("worlds", 3) == 3
    for wrong, said in (
        (0, "1 or more"),
        (-1, "1 or more"),
        (2.5, "a whole"),
        ("many", "a whole"),
        (10**9, "1,000,000 at"),
    ):
        with pytest.raises(ValueError, match=f"worlds is {said}"):
            at_least_one("worlds", wrong)
    with pytest.raises(ValueError, match="hands is drawn or true"):
        BestResponse(Generous(), hands="guessed")


# --- values ----------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize("name", ["sees-hands:worlds=16", "sees-stock"])
def test_seeing_more_is_worth_much(name):
    assert arena(RULES, [name, "club"], 8, 5, unit="deal").scores[0].points.low > 20


@pytest.mark.whole
def test_best_response_beats_a_careless_bot():
    """It starts from the bot's own play, which alone would be even."""
    responder = BestResponse(Generous(), worlds=4, turns=2)
    score = arena(RULES, [responder, Generous()], 6, 5, unit="deal").scores[0]
    assert score.points.low > 20
    assert arena(RULES, [Generous(), Generous()], 6, 5, unit="deal").scores[0].points.value == 0


def test_the_same_seed_gives_the_same_choices():
    for name in ("sees-hands:worlds=4", "sees-stock", "answers:worlds=2:turns=2:greedy"):
        runs = [arena(RULES, [name, "greedy"], 1, 4, unit="deal").scores[0].points.value for _ in range(2)]
        assert runs[0] == runs[1]


def test_a_plan_with_references_travels_to_workers():
    assert pickle.loads(pickle.dumps(SeesHands(3))).worlds == 3
    one, two = (
        arena(RULES, ["sees-stock", "greedy"], 4, 2, unit="deal", workers=workers).scores
        for workers in (1, 2)
    )
    assert one == two


def test_each_thread_has_policies_of_its_own() -> None:
    """They contain working memory: two threads that share one would spoil each other's choices."""
    makers: list[Callable[[], object]] = [
        lambda: references._policy(RULES, 2),
        lambda: Club().policy(RULES, 2),
        lambda: staircase._newcomer("two-plain"),
        lambda: staircase._club("two-plain", 2),
    ]
    with ThreadPoolExecutor(1) as thread:
        for make in makers:
            assert make() is make()
            assert thread.submit(make).result() is not make()
