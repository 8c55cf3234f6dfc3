"""The environments of Gymnasium and PettingZoo: their own projects' tests, legal play, and wrong input."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, parallel_api_test, performance_benchmark, seed_test
from pettingzoo.test.state_test import test_state as state_holds
from pettingzoo.test.state_test import test_state_space as state_space_holds

import rum500
from rum500.adapters import pettingzoo
from rum500.adapters.game import Game
from rum500.adapters.gymnasium import RumEnv
from rum500.adapters.gymnasium_vector import RumVectorEnv
from rum500.extras import install_command
from rum500.lab import Batch
from rum500.spaces import Features, HiddenState
from tests.support.depth import depth

#: What PettingZoo remarks on its own games with a mask too.
REMARKS = [
    "ignore:Observation space for each agent",
    "ignore:Observation is not a NumPy array",
]


def test_registered() -> None:
    importlib.import_module("rum500.adapters")
    env = gymnasium.make("rum500/500-rum-v0", opponent="random")
    assert isinstance(env.unwrapped, RumEnv)
    assert {f"rum500/{name}-v0" for name in rum500.profile_names()} <= set(gymnasium.registry)
    vector = gymnasium.make_vec("rum500/persian-rummy-v0", num_envs=3, opponent="random")
    assert vector.unwrapped.batch.rules.name == "persian-rummy"
    assert vector.reset(seed=1)[0]["action_mask"].shape == (3, 487)
    vector.close()


@pytest.mark.parametrize("profile", ["500-rum", "rummy-500"])
def test_gymnasium_check(profile: str) -> None:
    check_env(gymnasium.make(f"rum500/{profile}-v0", opponent="random").unwrapped)


@pytest.mark.parametrize("profile", ["500-rum", "persian-rummy"])
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
@pytest.mark.filterwarnings(*REMARKS)
def test_pettingzoo_api(make: object, profile: str) -> None:
    api_test(make(profile), num_cycles=depth(100, 1000))
    seed_test(lambda: make(profile), num_cycles=depth(50, 500))


@pytest.mark.parametrize("profile", ["500-rum", "persian-rummy"])
@pytest.mark.filterwarnings(*REMARKS)
def test_pettingzoo_parallel_api(profile: str) -> None:
    parallel_api_test(pettingzoo.parallel_env(profile), num_cycles=depth(100, 1000))


@pytest.mark.parametrize("profile", ["500-rum", "persian-rummy"])
def test_pettingzoo_state(profile: str) -> None:
    """By its own tests; and it is all of the deal: features and hidden state of the first seat."""
    env = pettingzoo.env(profile)
    state_space_holds(env)
    state_holds(env, depth(20, 200))
    env.reset(seed=2)
    rules, deal = env.unwrapped.game.rules, env.unwrapped.deal
    spaces = Features(rules, deal.players), HiddenState(rules, deal.players)
    assert env.state().tobytes() == b"".join(space.write(deal, 0).tobytes() for space in spaces)


@pytest.mark.whole
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
def test_pettingzoo_performance_benchmark(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays for five seconds, through the ends of many deals."""
    performance_benchmark(make())
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_a_parallel_step_is_the_step_of_the_seat_that_decides() -> None:
    both, table = pettingzoo.parallel_env("500-rum", 3), pettingzoo.raw_env("500-rum", 3)
    observations, _ = both.reset(seed=6)
    table.reset(seed=6)
    rewards: dict[str, float] = {}
    while both.agents:
        deciding = [agent for agent in both.agents if observations[agent]["action_mask"].any()]
        assert deciding == [table.agent_selection]
        action = int(observations[deciding[0]]["action_mask"].argmax())
        observations, rewards, _, _, _ = both.step(
            {agent: action if agent in deciding else 482 for agent in both.agents}
        )
        table.step(action)
        for agent in table.possible_agents:
            seen = table.observe(agent)
            assert {name: array.tobytes() for name, array in observations[agent].items()} == {
                name: array.tobytes() for name, array in seen.items()
            }
    assert table.deal.is_over
    assert rewards == table.rewards


def test_an_episode_is_the_deal() -> None:
    env = RumEnv(opponent="greedy", seat=1, reward="points")
    observation, _ = env.reset(seed=5)
    over, rewards = False, []
    while not over:
        assert env.state.actor == 1
        assert env.observation_space.contains(observation)
        expected = Features(env.game.rules, 2).write(env.state.view(1), 1)
        assert observation["observation"].tobytes() == expected.tobytes()
        assert observation["action_mask"].sum() == len(env.state.legal_ints())
        observation, reward, over, cut, info = env.step(np.int64(observation["action_mask"].argmax()))
        assert (cut, info) == (False, {})
        rewards.append(reward)
    assert env.state.is_over
    assert not observation["action_mask"].any()
    assert rewards == [0.0] * (len(rewards) - 1) + [env.state.scores()[1]]
    with pytest.raises(ResetNeeded):
        env.step(np.int64(0))


def test_gymnasium_wrong_input() -> None:
    env = RumEnv(opponent="random")
    with pytest.raises(ResetNeeded):
        env.step(np.int64(0))
    observation, _ = env.reset(seed=1)
    before = env.state.copy()
    illegal = np.int64(observation["action_mask"].argmin())
    same, reward, over, cut, info = env.step(illegal)
    assert (reward, over, cut) == (-1.0, False, False)
    assert f"({illegal}) is not legal here" in info["illegal"]
    assert same["observation"].tobytes() == observation["observation"].tobytes()
    for wrong in (np.int64(-1), np.int64(483), 0.5, np.array([1, 2]), None):
        with pytest.raises(ValueError, match="is not in Discrete"):
            env.step(wrong)
    assert env.state == before
    env.close()
    for call in (env.reset, lambda: env.step(np.int64(0))):
        with pytest.raises(ClosedEnvironmentError):
            call()
    for wrong_type in ({"seat": 0.5}, {"rules": None}):
        with pytest.raises(TypeError):
            RumEnv(**wrong_type)
    for options in ({"seat": 2}, {"opponent": "nobody"}, {"reward": "gold"}):
        with pytest.raises(ValueError, match=r"2|nobody|gold"):
            RumEnv(**options)


def test_a_deal_is_shown_as_text() -> None:
    env = gymnasium.make("rum500/500-rum-v0", opponent="random", render_mode="ansi")
    env.reset(seed=1)
    table = pettingzoo.env(render_mode="ansi")
    table.reset(seed=1)
    for shown, state in ((env.render(), env.unwrapped.state), (table.render(), table.unwrapped.deal)):
        assert shown == str(state) and shown.startswith("500 Rum, deal 1, 2 players")
    assert pettingzoo.raw_env().render() is None
    for make in (RumEnv, pettingzoo.raw_env):
        with pytest.raises(ValueError, match="render modes are ansi, not 'human'"):
            make(render_mode="human")


def test_pettingzoo_wrong_input() -> None:
    env = pettingzoo.raw_env()
    env.reset(seed=3)
    before = env.deal.copy()
    agent = env.agent_selection
    waiting = next(other for other in env.agents if other != agent)
    assert not env.observe(waiting)["action_mask"].any()
    for wrong in (2, -1, 483, np.array([0, 0])):
        with pytest.raises(ValueError, match=r"not legal|0 to 482|one number"):
            env.step(wrong)
    for wrong in (None, 0.5):
        with pytest.raises(TypeError):
            env.step(wrong)
    assert env.deal == before
    while env.agents and not env.terminations[env.agent_selection]:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env.rewards == dict(zip(env.possible_agents, env.deal.returns("margin"), strict=True))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    while env.agents:
        env.step(None)
    ended = pettingzoo.env()
    ended.reset(seed=3)
    first = ended.agent_selection
    ended.step(2)
    assert ended.terminations == {"seat_0": True, "seat_1": True}
    assert ended.rewards[first] == -1.0


def test_all_plays_have_an_id() -> None:
    game = Game("rummy-500", 3, variants=True)
    chance = rum500.Rng(4)
    shared = 0
    for seed in range(depth(12, 200)):
        state = rum500.deal(game.rules, 3, seed)
        while not state.is_over:
            legal = state.legal_ints()
            ids = game.mask(state, state.actor).nonzero()[0]
            assert sorted(game.code(state, i) for i in ids) == sorted(legal)
            shared += bool((ids >= game.actions.n).any())
            state.apply_int(legal[chance.below(len(legal))])
    assert shared > 0


def test_vector_is_the_batch() -> None:
    env = RumVectorEnv(8, opponent="club", reward="points")
    observation, _ = env.reset(seed=2)
    again, _ = RumVectorEnv(8, opponent="club", reward="points").reset(seed=np.int64(2))
    assert observation["observation"].tobytes() == again["observation"].tobytes()
    batch = Batch(env.batch.rules, 2, 8, env.batch.seed, opponents="club", reward="points")
    ended = 0
    for _ in range(100):
        assert env.observation_space.contains(observation)
        ids = batch.sample().copy()
        expected = batch.step(ids)
        observation, rewards, over, cut, _ = env.step(ids)
        assert observation["observation"].tobytes() == expected.obs.tobytes()
        assert observation["action_mask"].tobytes() == expected.mask.tobytes()
        assert (rewards.tolist(), over.tolist()) == (expected.rewards[:, 0].tolist(), expected.done.tolist())
        assert not cut.any()
        ended += int(over.sum())
    assert ended > 0


def test_gymnasiums_own_vector_of_single_environments() -> None:
    made = gymnasium.make_vec(
        "rum500/500-rum-v0", num_envs=3, vectorization_mode="sync", opponent="random", seat=1
    )
    observation, _ = made.reset(seed=3)
    ended = 0
    for _ in range(100):
        assert made.observation_space.contains(observation)
        observation, _, over, cut, _ = made.step(observation["action_mask"].argmax(axis=1))
        ended += int(over.sum())
        assert not cut.any()
    assert ended > 0
    made.close()


@pytest.mark.filterwarnings("ignore:.*final_obs")
def test_gymnasiums_statistics_of_episodes() -> None:
    """Its wrapper for vectors counts what the batch plays, where deals begin again in the same step."""
    env = RecordEpisodeStatistics(gymnasium.make_vec("rum500/500-rum-v0", num_envs=4, opponent="random"))
    observation, _ = env.reset(seed=3)
    ended = 0
    for _ in range(200):
        ids = observation["action_mask"].argmax(axis=1)
        observation, rewards, over, _, info = env.step(ids)
        for row in over.nonzero()[0]:
            assert info["episode"]["r"][row] == pytest.approx(rewards[row])
            assert info["episode"]["l"][row] > 1
            ended += 1
    assert ended > 0
    env.close()


def test_vector_wrong_input() -> None:
    env = RumVectorEnv(2, opponent="random")
    with pytest.raises(ResetNeeded):
        env.step(np.array([0, 0]))
    env.reset(seed=1)
    before = env.batch.to_bytes()
    for wrong in ([2, 2], [0], [-1, 0], [[0, 0]]):
        with pytest.raises(ValueError, match=r"not legal|shape|0 to 482"):
            env.step(np.array(wrong))
    with pytest.raises(ValueError, match="one seed"):
        env.reset(seed=[1, 2])
    with pytest.raises(TypeError):
        env.reset(seed="1")
    assert env.batch.to_bytes() == before
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.step(np.array([0, 0]))
    with pytest.raises(ClosedEnvironmentError):
        env.reset()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_an_environment_goes_on_as_it_would(copied: Callable[[Any], Any]) -> None:
    """From the middle of a deal, into the next one, with all its chance."""

    def single(env: RumEnv) -> Iterator[bytes]:
        for _ in range(60):
            observation, _, over, _, _ = env.step(np.int64(env.action_masks().argmax()))
            yield (env.reset()[0] if over else observation)["observation"].tobytes()

    def table(env: pettingzoo.raw_env) -> Iterator[bytes]:
        for _ in range(60):
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
            if env.deal.is_over:
                env.reset()
            yield env.observe("seat_0")["observation"].tobytes()

    def many(env: RumVectorEnv) -> Iterator[bytes]:
        for _ in range(60):
            yield env.step(env.batch.sample())[0]["observation"].tobytes()

    for play, env in (
        (single, RumEnv(opponent="club")),
        (table, pettingzoo.raw_env()),
        (many, RumVectorEnv(3, threads=2)),
    ):
        env.reset(seed=3)
        first = play(env)
        for _ in range(5):
            next(first)
        twin = copied(env)
        assert [*play(twin)] == [*play(env)]


@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("persian-rummy", 4)])
def test_cards_that_a_seat_cannot_see_change_nothing_it_observes(profile: str, players: int) -> None:
    """An agent observes the same, to the byte, at a deal with other hidden cards."""
    table = pettingzoo.raw_env(profile, players)
    chance, changed = np.random.default_rng(3), 0
    table.reset(seed=4)
    for step in range(depth(60, 600)):
        if table.deal.is_over:
            table.reset(seed=step)
        true = table.deal
        for seat, agent in enumerate(table.possible_agents):
            seen = table.observe(agent)
            table._deal = true.resample(seat, rum500.Rng(step))
            changed += table.deal != true
            other = table.observe(agent)
            table._deal = true
            assert {name: value.tobytes() for name, value in seen.items()} == {
                name: value.tobytes() for name, value in other.items()
            }
        mask = table.observe(table.agent_selection)["action_mask"]
        table.step(int(chance.choice(mask.nonzero()[0])))
    assert changed > 60


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("lab", "numpy", "lab"),
        ("adapters.gymnasium", "gymnasium", "learn"),
        ("adapters.pettingzoo", "pettingzoo", "learn"),
        ("adapters.open_spiel", "pyspiel", "spiel"),
    ],
)
def test_without_its_package_a_module_names_the_extra(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import rum500.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: ")
    assert package in last
    assert last.endswith(f"it comes with: {install_command(extra)}")
