"""The batch: its deals are those of `State`, the seed decides all bytes, and wrong input changes nothing."""

from __future__ import annotations

import copy
import gc
import json
import os
import pickle
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import rum500
from rum500 import Rng, RulesetError, _compiled, ruleset
from rum500.bots import get
from rum500.lab import REWARDS, Batch, match_equity
from rum500.spaces import Actions, Features, HiddenState
from rum500.state import RETURN_KINDS
from rum500.state.deal_bytes import BytesError
from tests.support.depth import depth
from tests.support.waiting import until
from tests.test_compiled_equals_interpreted import run, run_both

if TYPE_CHECKING:
    from rum500 import Ruleset, State
    from rum500.lab import Step

RULES = ruleset("500-rum")
GAMES = [
    ("500-rum", (), 2, {}),
    ("rummy-500", ("H3", "H5"), 3, {}),
    ("rummy-500", ("H2", "H4", "H6"), 5, {}),
    ("persian-rummy", (), 4, {"number": 2}),
    ("michigan-rum", ("H6",), 3, {"totals": (400, 350, 20)}),
    ("500-rummy", (), 6, {}),
]


def a_deal(rules: Ruleset, players: int, seed: int, number: int, /, **place: Any) -> State:
    """The deal of this number, as a simulation of this seed deals it."""
    return rum500.deal(rules, players, Rng(seed).spawn(number).next64(), number % players, **place)


def returns(state: State, kind: str) -> list[float]:
    """The rewards of a finished deal, from its scores alone."""
    points = state.scores()
    if kind == "points":
        return list(points)
    if kind == "match_equity":
        return list(match_equity(state))
    sides = state.rules.sides or state.players
    own = [sum(points[seat % sides :: sides]) for seat in range(state.players)]
    others = [(sum(points) - one) / (sides - 1) for one in own]
    mean = sum(points) / sides
    return [one - (other if kind == "margin" else mean) for one, other in zip(own, others, strict=True)]


@pytest.mark.sample(8)
@pytest.mark.compiled
@pytest.mark.parametrize(("profile", "house_rules", "players", "place"), GAMES)
@pytest.mark.parametrize("reward", REWARDS)
def test_deals_are_those_of_states(
    profile: str, house_rules: tuple[str, ...], players: int, place: dict[str, Any], reward: Any
) -> None:
    """Each row beside a `State` that makes the same choices: masks, vectors, rewards, the next deals."""
    rules, n, seed = ruleset(profile, house_rules=house_rules), 4, 9
    batch = Batch(rules, players, n, seed, reward=reward, hidden=True, **place)
    actions, features, hidden = Actions(rules, players), Features(rules, players), HiddenState(rules, players)
    numbers = list(range(n))
    states = [a_deal(rules, players, seed, number, **place) for number in numbers]
    ended = 0
    for turn in range(depth(150, 3000)):
        ids = batch.sample()
        counts = batch.play_counts(ids)
        variants = np.arange(turn, turn + n) % counts
        codes = [actions.decode(*choice) for choice in zip(states, ids, variants, strict=True)]
        step = batch.step(ids, variants if turn % 2 or variants.any() else None)
        for row, (state, code) in enumerate(zip(states, codes, strict=True)):
            state.apply_int(code)
            assert step.done[row] == state.is_over
            wanted = returns(state, reward) if state.is_over else [0.0] * players
            assert step.rewards[row].tolist() == pytest.approx(wanted, abs=1e-4)
            if reward in RETURN_KINDS:
                assert step.rewards[row].tolist() == pytest.approx(state.returns(reward), abs=1e-4)
            if state.is_over:
                ended += 1
                numbers[row] += n
                states[row] = a_deal(rules, players, seed, numbers[row], **place)
            now = states[row]
            assert batch.deal_numbers[row] == numbers[row]
            assert step.actor[row] == now.actor
            assert step.mask[row].tobytes() == bytes(actions.mask(now))
            assert step.obs[row].tobytes() == features.write(now.view(now.actor), now.actor).tobytes()
            assert batch.hidden[row].tobytes() == hidden.write(now, now.actor).tobytes()
        assert [batch.state(row).core.pack(()) for row in range(n)] == [one.core.pack(()) for one in states]
    assert ended >= depth(1, 2)


def test_buffers_are_kept() -> None:
    """A step returns the same arrays, and each array's memory stays where it is."""
    batch = Batch(RULES, 2, 8)
    first = batch.now
    places = [array.ctypes.data for array in first]
    assert all(again is array for again, array in zip(batch.step(batch.sample()), first, strict=True))
    assert [array.ctypes.data for array in batch.reset(5)] == places
    assert {name: (array.shape, array.dtype) for name, array in first._asdict().items()} == {
        "obs": ((8, 506), np.float32),
        "mask": ((8, 483), np.uint8),
        "actor": ((8,), np.int32),
        "rewards": ((8, 2), np.float32),
        "done": ((8,), np.uint8),
    }


def bytes_of(step: Step) -> bytes:
    return b"".join(array.tobytes() for array in step)


def course(batch: Batch, steps: int) -> list[bytes]:
    return [bytes_of(batch.step(batch.sample())) for _ in range(steps)]


@pytest.mark.compiled
@pytest.mark.parametrize("opponents", [None, "club", (None, "random", "casual")])
def test_threads_do_not_change_a_byte(opponents: Any) -> None:
    """One, two, three threads, more threads than deals; the same seed, and another."""
    steps = depth(60, 600)
    with Batch(RULES, 3, 7, 3, opponents=opponents) as batch:
        wanted = course(batch, steps)
        batch.reset()
        assert course(batch, steps) == wanted
        assert course(batch, 1) != [batch.reset(4) and bytes_of(batch.now)]
    for threads in (2, 3, 20):
        with Batch(RULES, 3, 7, 3, threads, opponents) as batch:
            assert course(batch, steps) == wanted
    with Batch(RULES, 3, 7, 4, opponents=opponents) as other:
        assert course(other, steps) != wanted


@pytest.mark.compiled
@pytest.mark.parametrize("level", ["club", "casual"])
def test_opponents_play_as_the_bots_do(level: str) -> None:
    """The learner's seat follows random choices, the others the level's bot with a view of its own."""
    bot, actions = get(level), Actions(RULES, 3)
    batch = Batch(RULES, 3, 1, 11, opponents=(level, None, level), reward="points")
    state, number = a_deal(RULES, 3, 11, 0), 0

    def others(state: State) -> None:
        while not state.is_over and state.actor != 1:
            code = bot.choose_int(state.view(state.actor), Rng(0))
            state.apply_int(code if isinstance(code, int) else rum500.encode(code))

    others(state)
    for _ in range(depth(60, 400)):
        assert batch.state(0).core.pack(()) == state.core.pack(())
        number_chosen = int(batch.sample()[0])
        state.apply_int(actions.decode(state, number_chosen))
        others(state)
        step = batch.step([number_chosen])
        if state.is_over:
            assert step.done[0] and step.rewards[0].tolist() == list(state.scores())
            number += 1
            state = a_deal(RULES, 3, 11, number)
            others(state)
    assert number > 0


@pytest.mark.compiled
@pytest.mark.parametrize("level", ["club", "casual"])
@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("persian-rummy", 4)])
def test_choices_to_imitate_are_those_of_the_bots(level: str, profile: str, players: int) -> None:
    """Of all seats, in deals of random choices; asking for them changes nothing."""
    bot, rules = get(level), ruleset(profile)
    batch, plain = Batch(rules, players, 6, 2), Batch(rules, players, 6, 2)
    for _ in range(depth(40, 400)):
        chosen = batch.choices(level)
        for row, number in enumerate(chosen):
            state = batch.state(row)
            assert batch.actions.encode(state, bot.choose_int(state.view(state.actor), Rng(0))) == number
        assert bytes_of(batch.step(batch.sample())) == bytes_of(plain.step(plain.sample()))
    with pytest.raises(ValueError, match="only club and casual give their choices, not 'random'"):
        batch.choices("random")


@pytest.mark.compiled
def test_forced_moves_are_skipped() -> None:
    with Batch(RULES, 2, 16, 1, skip_forced=True) as batch:
        for _ in range(200):
            assert (batch.now.mask.sum(axis=1) > 1).all()
            batch.step(batch.sample())
    with Batch(RULES, 2, 16, 1) as batch:
        assert (batch.now.mask.sum(axis=1) == 1).any()


@pytest.mark.compiled
def test_saved_in_the_middle() -> None:
    """The bytes give the same batch: what it shows, and how it goes on, with other threads too."""
    rules = ruleset("rummy-500", house_rules=("H5", "H6"))
    batch = Batch(rules, 3, 9, 5, opponents=(None, None, "random"), hidden=True, totals=(10, 20, 30))
    course(batch, depth(40, 300))
    data = batch.to_bytes()
    again = Batch.from_bytes(data, rules, threads=2)
    assert again.to_bytes() == data
    assert bytes_of(again.now) == bytes_of(batch.now) and again.hidden.tobytes() == batch.hidden.tobytes()
    assert course(again, 100) == course(batch, 100)
    assert again.to_bytes() == batch.to_bytes()
    for twin in (pickle.loads(pickle.dumps(again)), copy.deepcopy(again)):
        assert twin.threads == 2 and course(twin, 20) == course(batch, 20)
        batch = Batch.from_bytes(again.to_bytes(), rules)


def test_foreign_bytes_are_refused() -> None:
    batch = Batch(RULES, 2, 3)
    data = batch.to_bytes()

    def code(data: bytes, rules: Ruleset = RULES) -> str:
        with pytest.raises(BytesError) as caught:
            Batch.from_bytes(data, rules)
        return caught.value.code

    assert code(b"") == code(b"foreign") == code(batch.state(0).to_bytes()) == "bytes.kind"
    assert code(data, ruleset("500-rummy")) == "bytes.rules"
    assert {code(data[:-1]), code(data[:60] + b"?" + data[61:])} == {"bytes.damaged"}
    for change in (
        {"n": 2},
        {"n": "3"},
        {"n": 2**40},
        {"totals": [2**40, 0]},
        {"players": 3},
        {"reward": "luck"},
        {"deals": [b"", b"", b""]},
        {"numbers": b""},
        {"opponents": ["club", None]},
    ):
        assert code(changed(data, change)) == "bytes.invalid", change
    with pytest.raises(ValueError, match="threads is 1 or more, not 0") as caught:
        Batch.from_bytes(data, RULES, threads=0)
    assert not isinstance(caught.value, BytesError)


def changed(data: bytes, change: dict[str, Any]) -> bytes:
    """A saved batch with some of it replaced, under a header and a checksum that fit."""
    from msgspec import msgpack

    from rum500.lab.batch import KIND
    from rum500.state.deal_bytes import seal, unseal

    return seal(KIND, RULES, msgpack.encode(msgpack.decode(unseal(KIND, RULES, data)) | change))


def test_wrong_choices_are_refused() -> None:
    """The exception that one expects, and every deal as it was."""
    batch = Batch(RULES, 2, 4, 7)
    right = batch.sample().copy()
    before = batch.to_bytes()
    for ids, message in (
        ([*right[:3], 2], r"^deal 3: end \(2\) is not legal$"),
        ([right[0], 483, *right[2:]], r"^deal 1: the numbers of actions are 0 to 482, not 483$"),
        ([-1, *right[1:]], "^deal 0: the numbers of actions are 0 to 482, not -1$"),
        (right[:3], r"^ids have the shape \(3,\), this batch has 4 deals: \(4,\)$"),
        (right.reshape(4, 1), "ids have the shape"),
        (0, "ids have the shape"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.step(ids)
    for ids in (right.astype(float), ["a"] * 4, [None] * 4, right > 0):
        with pytest.raises(TypeError, match="ids are whole numbers, not"):
            batch.step(ids)
    with pytest.raises(ValueError, match=r"^deal 2: draw \(0\) has 1 variants, not a variant 1$"):
        batch.step([0] * 4, [0, 0, 1, 0])
    with pytest.raises(ValueError, match="not a variant -1"):
        batch.step([0] * 4, [-1, 0, 0, 0])
    with pytest.raises(ValueError, match="variants have the shape"):
        batch.step([0] * 4, [0])
    with pytest.raises(IndexError, match="the deals of this batch are 0 to 3, not 4"):
        batch.state(4)
    batch.now.mask[:] = 1
    with pytest.raises(ValueError, match="is not legal"):
        batch.step([2] * 4)
    assert batch.to_bytes() == before
    batch.step(np.zeros(4, np.uint8))


def test_wrong_batches_are_refused() -> None:
    for error, message, wrong in (
        (RulesetError, "9", {"players": 9}),
        (ValueError, "n is 1 or more, not 0", {"n": 0}),
        (TypeError, "n is a whole number, not 2.5", {"n": 2.5}),
        (TypeError, "float", {"players": 2.0}),
        (TypeError, "a seed is a whole number", {"seed": 1.0}),
        (ValueError, r"a seed is from 0 to 2\*\*64 - 1, not 18446744073709551616", {"seed": 1 << 64}),
        (ValueError, "n is 16,777,216 at most", {"n": 1 << 25}),
        (TypeError, "expected a Ruleset, .* found '500-rum'", {"rules": "500-rum"}),
        (ValueError, "totals are at most 999,999,999 points", {"totals": (2**40, 0)}),
        (ValueError, "counted from 1 to 100,000, not from 0", {"number": 0}),
        (ValueError, "threads is 1 or more, not 0", {"threads": 0}),
        (ValueError, "rewards are points, margin, zero_sum, match_equity, not 'luck'", {"reward": "luck"}),
        (ValueError, "opponents in a batch are club, casual, random, not 'strong'", {"opponents": "strong"}),
        (ValueError, "given for 3 seats, the deal has 2", {"opponents": (None, "club", "club")}),
        (ValueError, "no seat is the learner's", {"opponents": ("club", "club")}),
        (ValueError, "there is no version 'v9'", {"features": "v9"}),
        (ValueError, "totals are given for 1 seats", {"totals": (1,)}),
    ):
        with pytest.raises(error, match=message):
            Batch(**({"rules": RULES, "players": 2, "n": 2} | wrong))
    with pytest.raises(ValueError, match="after the last deal of a match of 2 deals only, not after deal 1"):
        Batch(ruleset("persian-rummy"), 4, 2, reward="match_equity")


def threads_of_batches() -> int:
    return sum(thread.name == "rum500 batch" for thread in threading.enumerate())


def test_a_closed_batch_answers_nothing() -> None:
    batch = Batch(RULES, 2, 4, threads=3)
    ids = batch.sample().copy()
    batch.close()
    batch.close()
    assert batch.closed
    for call in (
        lambda: batch.step(ids),
        batch.reset,
        batch.sample,
        batch.to_bytes,
        lambda: batch.state(0),
        lambda: batch.play_counts(ids),
        lambda: batch.choices("club"),
    ):
        with pytest.raises(ValueError, match=r"^this batch is closed$"):
            call()
    assert batch.now.obs.shape == (4, 506)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_choice_that_another_thread_finds_wrong_changes_no_deal(threads: int) -> None:
    """The first wrong deal is named, whichever thread has it."""
    with Batch(RULES, 2, 9, 7, threads) as batch:
        right, before = batch.sample().copy(), batch.to_bytes()
        for wrong in ({8}, {4, 8}, {1, 4, 8}):
            ids = [2 if i in wrong else number for i, number in enumerate(right)]
            with pytest.raises(ValueError, match=rf"^deal {min(wrong)}: end \(2\) is not legal$"):
                batch.step(ids)
        assert batch.to_bytes() == before


@pytest.mark.parametrize("threads", [1, 3])
def test_choices_in_any_kind_of_array(threads: int) -> None:
    """Only to be read, with gaps, of another width or byte order, as a list: the choices count."""
    with Batch(RULES, 2, 9, 7, threads) as batch, Batch(RULES, 2, 9, 7) as plain:
        for kind in range(30):
            ids = batch.sample().copy()
            none = np.zeros(9, np.int64)
            ids.flags.writeable = none.flags.writeable = False
            given = (ids, np.repeat(ids, 2)[::2], ids.astype(np.uint16), ids.astype(">i8"), ids.tolist())
            step = batch.step(given[kind % 5], none)
            assert bytes_of(step) == bytes_of(plain.step(plain.sample()))
        last = batch.sample().copy()
        batch.step(last)
        last.resize(3)  # refused while anybody else holds it


@pytest.mark.compiled
def test_calls_from_several_threads_take_turns() -> None:
    """Each steps with what was legal in its own look, so most are refused; no deal is ever out of order."""
    with Batch(RULES, 2, 200, 7, 2) as batch, ThreadPoolExecutor(4) as pool:

        def play() -> int:
            done = 0
            for _ in range(depth(50, 500)):
                with suppress(ValueError):
                    batch.step(batch.sample().copy())
                    done += 1
            return done

        assert sum(pool.map(lambda _: play(), range(4))) > 0
        check_rows(batch)


def check_rows(batch: Batch) -> None:
    """What each row shows is what its deal is."""
    for row in range(batch.n):
        state = batch.state(row)
        assert batch.now.actor[row] == state.actor
        assert batch.now.mask[row].tobytes() == bytes(batch.actions.mask(state))
        assert batch.now.obs[row].tobytes() == batch.features.write(state, state.actor).tobytes()


@pytest.mark.compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers that interrupt")
def test_a_step_that_was_interrupted_was_made_in_all_deals_or_in_none() -> None:
    """As by Ctrl-C in a notebook, anywhere in a step; the batch goes on."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with Batch(RULES, 2, 400, 7, 3, "club") as batch, Batch(RULES, 2, 400, 7, 1, "club") as twin:
            for i in range(depth(60, 600)):
                given: list[Any] = []

                def play(seconds: float, given: list[Any] = given) -> None:
                    signal.setitimer(signal.ITIMER_REAL, seconds)
                    while True:
                        given.append(batch.sample().copy())
                        batch.step(given[-1])

                with pytest.raises(KeyboardInterrupt):
                    play(0.0002 + 0.00003 * i)
                for ids in given[:-1]:
                    twin.step(ids)
                if given and bytes_of(twin.now) != bytes_of(batch.now):
                    twin.step(given[-1])
                assert bytes_of(twin.now) == bytes_of(batch.now)
                ids = batch.sample().copy()
                assert bytes_of(batch.step(ids)) == bytes_of(twin.step(ids))
                if i % 20 == 0:
                    check_rows(batch)
    finally:
        signal.signal(signal.SIGALRM, before)


FORKED = """
import multiprocessing
import rum500
from rum500.lab import Batch

def play(batch):
    return b"".join(batch.step(batch.sample()).obs.tobytes() for _ in range(20))

batch = Batch(rum500.ruleset("500-rum"), 2, 9, 7, threads=3)
play(batch)
context = multiprocessing.get_context("fork")
there, here = context.Pipe()
child = context.Process(target=lambda: there.send_bytes(play(batch)))
child.start()
print(here.poll(60) and here.recv_bytes() == play(batch))
child.kill()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    assert run(FORKED, interpreted=False) == "True\n"


@pytest.mark.compiled
def test_a_closed_and_a_forgotten_batch_end_their_threads() -> None:
    closed, forgotten = Batch(RULES, 2, 4, threads=3), Batch(RULES, 2, 4, threads=2)
    assert threads_of_batches() >= 3
    closed.close()
    del forgotten
    gc.collect()
    until(lambda: threads_of_batches() == 0)


DIGEST = """
import hashlib
import rum500
from rum500 import _compiled
from rum500.lab import Batch
print(_compiled.engine_kind())
for name, players, more in (("500-rum", 2, {"opponents": (None, "random")}),
        ("rummy-500", 3, {"hidden": True, "skip_forced": True, "reward": "zero_sum"}),
        ("michigan-rum", 2, {"opponents": "club", "reward": "match_equity", "totals": (300, 400)})):
    batch, digest = Batch(rum500.ruleset(name), players, 3, 5, **more), hashlib.sha256()
    ended = 0
    while ended < 2:
        step = batch.step(batch.sample())
        ended += step.done.sum()
        for array in (*step, batch.hidden):
            digest.update(array.tobytes())
    print(name, digest.hexdigest())
"""


@pytest.mark.skipif(not _compiled.is_compiled(), reason="NOT COMPARED: the engine is not compiled here")
def test_batches_are_the_same_interpreted() -> None:
    assert len(run_both(DIGEST)) == 3


def test_match_equity_adds_up() -> None:
    """The chances of a deal's accounts add up to one, and points for one are chances for it."""
    state = rum500.deal(RULES, 2, seed=1, totals=(450, 450))
    assert match_equity(state) == (0.0, 0.0)
    while not state.is_over:
        state.apply_int(state.legal_ints()[0])
    chances = match_equity(state)
    assert sum(chances) == pytest.approx(1, abs=0.002)
    better = 0 if state.scores()[0] > state.scores()[1] else 1
    assert chances[better] > chances[1 - better]
    assert json.dumps(chances)


def test_a_deciding_deal_has_match_equity() -> None:
    state = rum500.deal("persian-rummy", 4, seed=1, number=3)
    while not state.is_over:
        state.apply_int(state.legal_ints()[0])
    ours, theirs = match_equity(state)[:2]
    assert {ours, theirs} == {0.0, 1.0}
    with pytest.raises(ValueError, match="not after deal 1"):
        match_equity(rum500.deal("persian-rummy", 4, seed=1))
