"""Search: its sums equal those of playing out, threads and stretches change nothing; it can be stopped."""

from __future__ import annotations

import math
import random
from threading import Thread
from typing import cast

import numpy as np
import pytest

from rum500 import State, ai, bots, deal
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import Search, SearchWorker
from rum500.bots import halving, search_bot
from rum500.bots.search_bot import SearchBot, expert, strong
from rum500.external_bots import open_bot
from rum500.rng import Rng, mix64
from rum500.rules.action_codes import joker_count
from rum500.rules.engine.core import Core, Moves
from rum500.rules.profiles import profile_names, ruleset
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.support.stopping import stopped

pytestmark = pytest.mark.compiled

ENDLESS = 1 << 40
"""Worlds that take years."""

FEW = 12
"""Worlds enough for a test of what does not depend on their number."""


def middle(name: str = "500-rum", players: int = 2, seed: int = 3, plays: int = 12) -> State:
    """A deal some plays on, played by the policy, at a decision with a choice."""
    rules = ruleset(name)
    state = deal(rules, players, seed=seed)
    mind = policy(rules, players)
    while not state.is_over and (plays > 0 or len(state.legal_ints()) < 4):
        state.apply_int(mind.choice(state.core))
        plays -= 1
    assert not state.is_over
    return state


def task_of(state: State) -> Search:
    seat = ai.known_deal(state.view(state.actor))
    return Search(seat.worlds(), state.actor, state.legal_ints())


def worker_of(task: Search, state: State) -> SearchWorker:
    return SearchWorker(task, policy(state.rules, state.players))


def all_sums(task: Search) -> list[tuple[int, int, int, int]]:
    return [task.statistics(i) for i in range(task.n)]


def run(state: State, worlds: int, threads: int, seed: int = 5) -> list[tuple[int, int, int, int]]:
    task = task_of(state)
    workers = [worker_of(task, state) for _ in range(threads)]
    halving.search(task, workers, seed, worlds, 8)
    assert task.done == worlds
    return all_sums(task)


@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("500-rum", 3), ("persian-rummy", 4)])
def test_sums_are_what_playing_out_brings(name: str, players: int) -> None:
    """Each world dealt, each candidate made and played out by hand: the same sums and squares."""
    state = middle(name, players)
    task = task_of(state)
    worker = worker_of(task, state)
    worker.run(9, 0, FEW)
    task.add(worker)
    rows = [played_out(state, number) for number in range(FEW)]
    for i in range(task.n):
        values, leads = [row[i] for row in rows], [row[i] - row[0] for row in rows]
        squares = sum(value * value for value in values), sum(lead * lead for lead in leads)
        assert task.statistics(i) == (sum(values), squares[0], sum(leads), squares[1])


def played_out(state: State, number: int) -> list[int]:
    """What each legal action brings in this world: own side's points, times n - 1, less the others'."""
    seat, mind = state.actor, SeatPolicies([policy(state.rules, state.players)])
    worlds = ai.known_deal(state.view(seat)).worlds()
    found = []
    for code in state.legal_ints():
        world = worlds.world(mix64(9 ^ mix64(number + 1)))
        world.apply(code, Moves())
        mind.playout(world, Moves())
        points = [world.score(other) for other in range(state.players)]
        own = sum(p for other, p in enumerate(points) if state.rules.side(other) == state.rules.side(seat))
        found.append(own * (1 if state.rules.sides else state.players - 1) - (sum(points) - own))
    return found


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_nothing(threads: int) -> None:
    """The same sums for every candidate, round by round, with however many threads."""
    for name, players in (("500-rum", 2), ("rummy-500", 4)):
        state = middle(name, players)
        assert run(state, 96, threads) == run(state, 96, 1)


def test_stretches_change_nothing() -> None:
    state = middle()
    task, whole = task_of(state), task_of(state)
    worker, other = worker_of(task, state), worker_of(whole, state)
    for first, end in ((0, 5), (5, 6), (6, FEW)):
        worker.run(1, first, end)
    other.run(1, 0, FEW)
    task.add(worker)
    whole.add(other)
    assert all_sums(task) == all_sums(whole)
    other.run(2, 0, FEW)
    whole.add(other)
    assert all_sums(task) != all_sums(whole) and whole.done == 2 * FEW


def test_rounds_halve_the_field() -> None:
    """After the last round two candidates are left at least, the first among them."""
    state = middle()
    task = task_of(state)
    halving.search(task, [worker_of(task, state)], 3, 256, 8)
    left = task.in_running()
    assert 2 <= len(left) <= -(-task.n // 8) + 2 and 0 in left and task.done == 256


@pytest.mark.parametrize(
    ("lead", "square", "gate", "index"),
    [(100, 200, 8, 1), (40, 500, 8, 0), (40, 500, 0, 1), (-5, 100, 0, 0), (45, 500, 8, 1)],
)
def test_a_lead_must_be_beyond_doubt(lead: int, square: int, gate: int, index: int) -> None:
    """Of 100 worlds: 40 / sqrt(484) = 1.8 standard errors are too few, 45 / sqrt(479) = 2.06 suffice."""

    class Sums:
        done = 100

        def in_running(self) -> list[int]:
            return [0, 1]

        def statistics(self, i: int) -> tuple[int, int, int, int]:
            return (lead, 0, lead, square) if i else (0, 0, 0, 0)

    assert halving._chosen(Sums(), gate) == index  # type: ignore[arg-type]


def test_a_stop_ends_the_search_with_an_answer() -> None:
    """Stopped before it begins it answers with the policy's choice; in the middle, with the best so far."""
    state = middle()
    task = task_of(state)
    task.stop()
    assert halving.search(task, [worker_of(task, state)], 1, 1 << 16, 8) == 0
    assert task.done == 0
    task = task_of(state)
    with stopped(task.stop, lambda: task.done):
        index = halving.search(task, [worker_of(task, state) for _ in range(2)], 1, ENDLESS, 8)
    assert 0 <= index < task.n and 0 < task.done < ENDLESS


def test_a_bot_that_is_stopped_plays_what_it_has() -> None:
    state, bot = middle(), expert(worlds=ENDLESS)
    bot.stop()  # nothing is under way: nothing happens
    view = state.view(state.actor)
    with stopped(bot.stop, lambda: any(task.done for task in bot._tasks[:1])):
        assert bot.choose_int(view, Rng(1)) in view.legal


@pytest.mark.parametrize("where", ["winning_play", "candidates", "HandBelief", "Search", "set_match_value"])
def test_a_stop_during_the_set_up_is_heard(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From another thread, between any two steps of what comes before the search: it ends at once."""
    state = middle()
    view = state.view(state.actor)
    bot = expert(worlds=ENDLESS)
    place = halving if where == "candidates" else search_bot
    step = getattr(place, where)

    def stopped(*args: object) -> object:
        stopping = Thread(target=bot.stop)
        stopping.start()
        stopping.join()
        return step(*args)

    with monkeypatch.context() as changed:
        changed.setattr(place, where, stopped)
        assert bot.choose_int(view, Rng(1)) in view.legal
    bot.stop()  # for nothing: it holds for the choice in the making alone
    bot.worlds, bot.seconds = 64, 0
    assert bot.choose_int(view, Rng(1)) == expert(worlds=64).choose_int(view, Rng(1))


def test_a_limit_in_seconds_holds() -> None:
    state = middle()
    view = state.view(state.actor)
    assert expert(worlds=ENDLESS, seconds=0.05).choose_int(view, Rng(1)) in view.legal


def tried(bot: SearchBot, players: int) -> int:
    """Return in how many worlds a bot tries its first choice."""
    state = deal(ruleset("500-rum"), players, seed=3)
    while len(state.legal_ints()) == 1:
        state.apply_int(state.legal_ints()[0])
    view, done = state.view(state.actor), []
    real = halving.search
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(halving, "search", lambda task, *rest: (real(task, *rest), done.append(task.done))[0])
        bot.choose_int(view, Rng(1))
    return done[0]


def test_budgets() -> None:
    """In worlds: no limit in time. In seconds: that limit. In neither: the level's own."""
    assert (strong(worlds=64).worlds, strong(worlds=64).seconds) == (64, 0)
    assert expert(seconds=0.5).seconds == 0.5 and expert(seconds=0.5).worlds > 10_000
    assert strong().worlds == 512 and strong().seconds > 0 and expert().seconds == 1
    assert (strong(seconds=0).worlds, strong(seconds=0).seconds) == (512, 0)
    for players, more in ((2, 512), (4, 2048)):
        assert (tried(strong(seconds=0), players), tried(strong(worlds=64), players)) == (more, 64)
        bot = strong()
        bot.worlds, bot.seconds = 32, 0
        assert tried(bot, players) == 32
    for wrong, error, message in (
        ({"worlds": -1}, ValueError, "the number of worlds is 1 or more, not -1"),
        ({"worlds": 0, "seconds": 1.0}, ValueError, "the number of worlds is 1 or more, not 0"),
        ({"worlds": 5.5}, TypeError, "the number of worlds is a whole number, not 5.5"),
        ({"worlds": 5.0}, TypeError, "the number of worlds is a whole number, not 5.0"),
        ({"worlds": 1 << 63}, ValueError, "the number of worlds is 1,099,511,627,776 at most"),
        ({"seconds": -1.0}, ValueError, "the seconds of a choice are 0 to 86,400, not -1.0"),
        ({"seconds": math.inf}, ValueError, "the seconds of a choice are 0 to 86,400, not inf"),
        ({"seconds": math.nan}, ValueError, "the seconds of a choice are 0 to 86,400, not nan"),
        ({"threads": 0}, ValueError, "the number of threads is 1 or more, not 0"),
        ({"threads": 1.5}, TypeError, "the number of threads is a whole number, not 1.5"),
        ({"threads": 65}, ValueError, "the number of threads is 64 at most, not 65"),
    ):
        with pytest.raises(error, match=message):
            bots.get("strong", **wrong)
    assert strong(worlds=np.int64(7)).worlds == 7


@pytest.mark.parametrize("level", ["strong", "expert"])
def test_threads_can_be_asked_for_and_change_no_choice(level: str) -> None:
    """By name and on a command line; a level as it stands has one."""
    assert cast("SearchBot", bots.get(level)).threads == 1
    for seed in range(6):
        state = middle(seed=seed)
        view = state.view(state.actor)
        one = bots.get(level, worlds=48).choose_int(view, Rng(seed))
        for threads in (2, 3):
            many = open_bot(f"{level}:worlds=48:threads={threads}")
            assert cast("SearchBot", many).threads == threads
            assert many.choose_int(view, Rng(seed)) == one


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", profile_names())
def test_every_profile_and_table(name: str) -> None:
    """Every choice is legal, in every profile with every number of players, to the deal's end."""
    for players in depth(ruleset(name).players[-1:], ruleset(name).players):
        state = deal(ruleset(name), players, seed=players)
        finish(state, [strong(worlds=2), expert(worlds=3)], Rng(players))


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(depth(5, 12)))
def test_house_rules_and_options(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed=seed)
    finish(state, [expert(worlds=2)], Rng(seed))


def finish(state: State, seated: list[SearchBot], chance: Rng) -> None:
    """Play a deal out, every choice checked."""
    for _ in range(4000):
        if state.is_over:
            return
        view = state.view(state.actor)
        code = seated[state.actor % len(seated)].choose_int(view, chance)
        assert code in view.legal
        state.apply_int(code)
    raise AssertionError("the deal goes on for ever")


def test_of_many_plays_few_are_tried() -> None:
    """Three wild jokers: thousands of plays, of which those with few jokers and many points are tried."""
    core = Core()
    assert joker_count(0x7 << 20 | 7) == 3
    assert joker_count(0x5 << 16 | 8) == 2 and joker_count(1 << 24 | 8) == 2
    codes = [7 | 7 << 6 << i for i in range(10)] * 5
    core.value = [1] * 14
    tried = halving.candidates(core, [*codes, 6 | 5 << 4], codes[0])
    assert tried[0] == codes[0] and 6 | 5 << 4 in tried and len(tried) <= halving.MOST_PLAYS + 2
