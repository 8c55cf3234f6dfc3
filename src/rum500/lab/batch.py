"""Many deals at once, in buffers that are reused, stepped without the GIL."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import Any, Literal, NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.lab.deal_array import (
    LEARNER,
    MARGIN,
    MATCH_EQUITY,
    PICK,
    POINTS,
    POLICY,
    RANDOM,
    REFRESH,
    RESET,
    STEP,
    ZERO_SUM,
    DealArray,
    DealStepper,
)
from rum500.lab.deal_team import DealTeam
from rum500.lab.match_equity import judge
from rum500.rng import Rng, checked_seed
from rum500.rules.engine.core import PHASE_OVER, Core
from rum500.rules.ruleset import Ruleset
from rum500.spaces import Actions, Features, HiddenState
from rum500.state import State
from rum500.state.core_setup import new_core
from rum500.state.deal_bytes import BytesError, seal, unseal
from rum500.values import whole_number

Reward = Literal["points", "margin", "zero_sum", "match_equity"]
REWARDS: dict[Reward, int] = {
    "points": POINTS,
    "margin": MARGIN,
    "zero_sum": ZERO_SUM,
    "match_equity": MATCH_EQUITY,
}
"""The kinds of reward, with the engine's numbers for them."""
OPPONENTS = {"club": POLICY, "casual": POLICY, "random": RANDOM}
"""The levels that can play within a batch."""
MOST_DEALS, MOST_THREADS = 1 << 24, 1_024
"""The largest numbers of deals and of threads of a batch."""
KIND = b"R5B"
"""The first bytes of a saved batch."""


class Step(NamedTuple):
    """The output of a batch after a step: its own buffers, which the next step overwrites."""

    obs: NDArray[np.float32]
    """Per deal, the features of the actor: what the seat that has to decide may know."""
    mask: NDArray[np.uint8]
    """Per deal, 1 for each number of a legal action."""
    actor: NDArray[np.int32]
    """Per deal, the seat that has to decide."""
    rewards: NDArray[np.float32]
    """Per deal, the reward of each seat; zeros unless the deal ended in this step."""
    done: NDArray[np.uint8]
    """Per deal, 1 if the deal ended in this step. The other fields then show the next deal."""


class _Saved(msgspec.Struct):
    players: int
    n: int
    seed: int
    sampled: int
    opponents: list[str | None]
    reward: Reward
    features: str
    hidden: bool
    skip_forced: bool
    totals: list[int]
    number: int
    deals: list[bytes]
    numbers: bytes
    chances: bytes
    rewards: bytes
    done: bytes


class Batch:
    """`n` deals of one game that continue side by side. A deal that is over is replaced by the next one.

    Deal number i of a seed is the same as in `rum500.sim.simulate`: seat i modulo `players` deals it, and the
    seed of its shuffle is the first number of `Rng(seed).spawn(i)`. Row k of a batch plays the deals k, k +
    n, k + 2n and so on. So the same choices lead to the same bytes, whatever the number of threads.

    With `opponents=None` the learner plays all seats. With a level, a bot of that level plays all seats
    except seat 0. A sequence has a level, or None for the learner, for each seat. The levels are `club`,
    `casual` and `random`.

    `reward` is one of four values: `points`, the points of the deal; `margin`, the points of the seat's side
    less the mean of the other sides; `zero_sum`, the points of the seat's side less the mean of all sides;
    `match_equity`, the chance to win the match. `totals` and `number` are as in `rum500.deal`, the same for
    all deals. Calls from several threads are executed one after another.

    With `hidden`, `batch.hidden` has what the actor may not know, for a critic. With `skip_forced`, a single
    legal action is applied without a step. A deal in which no learner has to decide is skipped.
    """

    def __init__(  # noqa: PLR0913 - what makes an environment, most of it by keyword
        self,
        rules: Ruleset,
        players: int,
        n: int,
        seed: int = 0,
        threads: int = 1,
        opponents: str | Sequence[str | None] | None = None,
        reward: Reward = "margin",
        *,
        features: str = "v1",
        hidden: bool = False,
        skip_forced: bool = False,
        totals: Sequence[int] = (),
        number: int | None = None,
    ) -> None:
        """Deal the first `n` deals.

        Raises `RulesetError` for a wrong number of players, and `ValueError` for other wrong arguments.
        """
        self.rules, self.players = rules, index(players)
        self.actions, self.features = Actions(rules, players), Features(rules, players, features)
        self.hidden_state = HiddenState(rules, players, features) if hidden else None
        self.n = whole_number("n", n, 1, MOST_DEALS)
        self.threads = min(whole_number("threads", threads, 1, MOST_THREADS), self.n)
        self.opponents = _opponents(opponents, players)
        if reward not in REWARDS:
            raise ValueError(f"rewards are {', '.join(REWARDS)}, not {reward!r}")
        self.reward: Reward = reward
        self.skip_forced = bool(skip_forced)
        self._fresh = new_core(rules, players, totals, number)
        self._sampled = 0
        # The deals are C structs that are stepped without the GIL, so only one thread may call at a time.
        self._turn = threading.RLock()
        self._deals = DealArray(
            self._fresh,
            self.n,
            self.actions,
            self.features,
            self.hidden_state,
            [LEARNER if level is None else OPPONENTS[level] for level in self.opponents],
            REWARDS[reward],
            self.skip_forced,
        )
        self._make_buffers()
        bounds = [self.n * k // self.threads for k in range(self.threads + 1)]
        self._team = DealTeam([self._stepper(*part) for part in pairwise(bounds)])
        weakref.finalize(self, self._team.stop)
        self.reset(seed)

    # --- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Step:
        """Begin again with deals 0 to n - 1, of `seed`; without it, of the batch's current seed."""
        with self._turn:
            self._check_open()
            if seed is not None:
                self.seed = checked_seed(seed)
            self._sampled = 0
            self._deals.stream = Rng(self.seed).next64()
            self.deal_numbers[:] = np.arange(self.n)
            self._team.run(RESET)
        return self.now

    def step(self, ids: ArrayLike, variants: ArrayLike | None = None) -> Step:
        """Apply one action in each deal, given by its number in `Actions`; advance to the learner's next
        decisions.

        `variants` select among plays that share a number, by default the first. Raises `ValueError` for an
        array of another shape, a number that is not in its deal's mask or a variant that the number does not
        have, and `TypeError` for numbers that are not integers. After an error no deal has changed.
        """
        numbers = self._numbers("ids", ids)
        slots = None if variants is None else self._numbers("variants", variants)
        with self._turn:
            self._check_open()
            self._deals.choose(numbers.data, None if slots is None else slots.data, 0)
            wrong = self._team.check()
            self._deals.choose(self._picked.data, None, 0)  # keep no reference to the caller's arrays
            if wrong >= 0:
                raise ValueError(
                    self._refusal(wrong, int(numbers[wrong]), 0 if slots is None else int(slots[wrong]))
                )
            self._team.run(STEP)
        return self.now

    def sample(self) -> NDArray[np.int64]:
        """Return numbers of random legal actions, one for each deal, all actions equally likely.

        The array is the batch's own and is overwritten by the next call. The choices follow from the seed.
        """
        with self._turn:
            self._check_open()
            self._sampled += 1
            random = Rng(self.seed).spawn(self._sampled, self.n).next64()
            self._deals.choose(self._picked.data, None, random)
            self._team.run(PICK)
        return self._picked

    def choices(self, level: str) -> NDArray[np.int64]:
        """Return the action numbers that `club` or `casual` would choose, one for each deal, for imitation.

        They depend only on what the actor may know. The array is new. Raises `ValueError` for another level.
        """
        if OPPONENTS.get(level) != POLICY:
            raise ValueError(f"only club and casual give their choices, not {level!r}")
        advisers: Any = SeatPolicies([policy(self.rules, self.players, level)] * self.players)
        chosen = np.zeros(self.n, np.int64)
        with self._turn:
            self._check_open()
            self._deals.advise(chosen.data, advisers)
        return chosen

    def play_counts(self, ids: ArrayLike) -> NDArray[np.int64]:
        """Return, for each deal, how many legal plays (variants) share the action number in `ids`."""
        numbers = self._numbers("ids", ids)
        with self._turn:
            self._check_open()
            counts = [self._deals.play_count(i, int(number)) for i, number in enumerate(numbers)]
        return np.array(counts, np.int64)

    def state(self, i: int) -> State:
        """Return a copy of deal i as a `State`, with all its cards but without its past actions."""
        core = Core()
        with self._turn:
            self._check_open()
            if not 0 <= index(i) < self.n:
                raise IndexError(f"the deals of this batch are 0 to {self.n - 1}, not {i}")
            core.copy_from(self._deals.core(i))
        return State(self.rules, core)

    # --- as bytes, and the end --------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return this batch with all its deals as bytes, which include a digest of the rules."""
        with self._turn:
            self._check_open()
            saved = _Saved(
                players=self.players,
                n=self.n,
                seed=self.seed,
                sampled=self._sampled,
                opponents=list(self.opponents),
                reward=self.reward,
                features=self.features.version,
                hidden=self.hidden_state is not None,
                skip_forced=self.skip_forced,
                totals=[self._fresh.totals[seat] for seat in range(self.players)],
                number=self._fresh.number,
                deals=[self._deals.core(i).pack(()) for i in range(self.n)],
                numbers=_little(self.deal_numbers),
                chances=_little(self._chances),
                rewards=_little(self.now.rewards),
                done=_little(self.now.done),
            )
        return seal(KIND, self.rules, msgspec.msgpack.encode(saved))

    @classmethod
    def from_bytes(cls, data: bytes, rules: Ruleset, threads: int = 1) -> Self:
        """Return the batch of these bytes, under the same rules; it continues as the original would have.

        Raises `BytesError` if the bytes are of another kind or version, are damaged, were made under other
        rules, or are no possible batch. Raises `ValueError` for a wrong number of threads.
        """
        body = unseal(KIND, rules, data)
        whole_number("threads", threads, 1, MOST_THREADS)
        try:
            return cls._restored(msgspec.msgpack.decode(body, type=_Saved), rules, threads)
        except (ValueError, OverflowError) as error:
            raise BytesError("bytes.invalid", f"these bytes are no batch: {error}") from None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy the batch by its bytes."""
        return _unpickled, (type(self), self.to_bytes(), self.rules, self.threads)

    @classmethod
    def _restored(cls, saved: _Saved, rules: Ruleset, threads: int) -> Self:
        """Return the batch of these data. Raises `ValueError` or `OverflowError` if they are impossible."""
        if len(saved.deals) != saved.n:
            raise ValueError(f"{len(saved.deals)} deals instead of {saved.n}")
        batch = cls(
            rules,
            saved.players,
            saved.n,
            saved.seed,
            threads,
            saved.opponents,
            saved.reward,
            features=saved.features,
            hidden=saved.hidden,
            skip_forced=saved.skip_forced,
            totals=saved.totals,
            number=saved.number,
        )
        for array, kept in (
            (batch.deal_numbers, saved.numbers),
            (batch._chances, saved.chances),
            (batch.now.rewards, saved.rewards),
            (batch.now.done, saved.done),
        ):
            if array.nbytes != len(kept):
                raise ValueError("a number for each deal is missing")
            array.reshape(-1)[:] = np.frombuffer(kept, array.dtype.newbyteorder("<"))
        for i, packed in enumerate(saved.deals):
            core = batch._deals.core(i)
            core.unpack(packed)
            if core.phase == PHASE_OVER or batch.opponents[core.actor] is not None:
                raise ValueError(f"deal {i} is not at a decision of a learner")
        batch._sampled = saved.sampled
        batch._team.run(REFRESH)
        return batch

    def close(self) -> None:
        """End the threads. The buffers remain; every later call raises `ValueError`."""
        with self._turn:
            self._team.stop()

    @property
    def closed(self) -> bool:
        """Whether the batch is closed."""
        return self._team.stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Batch {self.rules.name} players={self.players} n={self.n} threads={self.threads}>"

    # --- parts ------------------------------------------------------------------------------------

    def _make_buffers(self) -> None:
        n, players = self.n, self.players
        width = 0 if self.hidden_state is None else self.hidden_state.size
        obs, mask = np.zeros((n, self.features.size), np.float32), np.zeros((n, self.actions.n), np.uint8)
        actor, done = np.zeros(n, np.int32), np.zeros(n, np.uint8)
        rewards, hidden = np.zeros((n, players), np.float32), np.zeros((n, width), np.float32)
        self.now = Step(obs, mask, actor, rewards, done)
        """The output of the last step."""
        self.hidden = hidden
        """Per deal, what the actor may not know (`HiddenState`); without columns unless `hidden` was set."""
        self.deal_numbers = np.arange(n, dtype=np.int64)
        """Per deal, its number in the sequence of this seed's deals."""
        self._chances, self._codes = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
        self._picked = np.zeros(n, np.int64)
        flat = (mask, done, obs, hidden, rewards, actor, self.deal_numbers, self._chances, self._codes)
        self._deals.use(*(array.reshape(-1).data for array in flat))

    def _stepper(self, first: int, end: int) -> DealStepper:
        levels = [level if level in ("club", "casual") else "club" for level in self.opponents]
        seating: Any = SeatPolicies([policy(self.rules, self.players, level) for level in levels])
        judging = judge(self.rules, self._fresh) if self.reward == "match_equity" else None
        return DealStepper(self._deals, first, end, seating, judging)

    def _numbers(self, name: str, given: ArrayLike) -> NDArray[np.int64]:
        array = np.asarray(given)
        if array.dtype.kind not in "iu":
            raise TypeError(f"{name} are whole numbers, not {array.dtype}")
        if array.shape != (self.n,):
            raise ValueError(
                f"{name} have the shape {array.shape}, this batch has {self.n} deals: ({self.n},)"
            )
        whole = np.ascontiguousarray(array, np.int64)
        return whole if whole.flags.writeable else whole.copy()  # jax's arrays are read-only

    def _refusal(self, i: int, number: int, variant: int) -> str:
        if not 0 <= number < self.actions.n:
            return f"deal {i}: the numbers of actions are 0 to {self.actions.n - 1}, not {number}"
        name = self.actions.names[number]
        count = self._deals.play_count(i, number)
        if count:
            return f"deal {i}: {name} ({number}) has {count} variants, not a variant {variant}"
        return f"deal {i}: {name} ({number}) is not legal"

    def _check_open(self) -> None:
        if self._team.stopped:
            raise ValueError("this batch is closed")


def _unpickled(cls: type[Batch], data: bytes, rules: Ruleset, threads: int) -> Batch:
    return cls.from_bytes(data, rules, threads)


def _opponents(given: str | Sequence[str | None] | None, players: int) -> tuple[str | None, ...]:
    if given is None or isinstance(given, str):
        given = [None, *[given] * (players - 1)]
    if len(given) != players:
        raise ValueError(f"opponents are given for {len(given)} seats, the deal has {players}")
    for level in given:
        if level is not None and level not in OPPONENTS:
            raise ValueError(f"opponents in a batch are {', '.join(OPPONENTS)}, not {level!r}")
    if None not in given:
        raise ValueError("no seat is the learner's: give None for one seat at least")
    return tuple(given)


def _little(array: NDArray[Any]) -> bytes:
    """Return an array's bytes, each number with its low byte first."""
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
