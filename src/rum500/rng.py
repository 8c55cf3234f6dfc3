"""The seeded random number generator, SplitMix64: the same numbers on every platform, compiled or not."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from operator import index
from os import urandom
from typing import Any, SupportsIndex

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

U64 = (1 << 64) - 1
"""The largest seed or stream number, 2**64 - 1; also the mask of 64 bits."""

if not cython.compiled:
    MASK64 = 0xFFFFFFFFFFFFFFFF
    GAMMA = 0x9E3779B97F4A7C15
    MIX_A = 0xBF58476D1CE4E5B9
    MIX_B = 0x94D049BB133111EB


def mix64(x):  # type: ignore[no-untyped-def]
    """Return the output function of SplitMix64 for x; it is also a good hash of a counter."""
    if cython.compiled:
        return inline_mix64(x)  # type: ignore[name-defined]  # noqa: F821
    else:
        x = ((x ^ (x >> 30)) * MIX_A) & MASK64
        x = ((x ^ (x >> 27)) * MIX_B) & MASK64
        return x ^ (x >> 31)


def advance(state):  # type: ignore[no-untyped-def]
    """Return the generator's next state; `mix64` of that state is the next random number."""
    if cython.compiled:
        return inline_advance(state)  # type: ignore[name-defined]  # noqa: F821
    else:
        return (state + GAMMA) & MASK64


def checked_seed(seed: SupportsIndex) -> int:
    """Return a seed as a plain integer.

    Raises `ValueError` unless it is from 0 to 2**64 - 1, and `TypeError` if it is not an integer.
    """
    try:
        number = index(seed)
    except TypeError:
        raise TypeError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}") from None
    if number >> 64:
        raise ValueError(f"a seed is from 0 to 2**64 - 1, not {number}")
    return number


def fresh_seed() -> int:
    """Return a random seed from the operating system, for a caller that gave none.

    All other random numbers of rules, records, matches and bots follow from a given seed.
    """
    return int.from_bytes(urandom(8), "little")


def shuffle_by(below: Callable[[int], int], items: MutableSequence[Any]) -> None:
    """Shuffle a list in place (Fisher-Yates). `below(n)` returns the next random number from 0 to n - 1."""
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1)
        items[last], items[other] = items[other], items[last]


class Rng:
    """A stream of random numbers from a seed of 0 to 2**64 - 1.

    >>> Rng(7).below(6), Rng(7).below(6)
    (3, 3)
    """

    # A parameter of type `int` would be rounded where this is compiled.
    def __init__(self, seed: SupportsIndex = 0) -> None:
        """Start the stream of this seed. Raises `ValueError` and `TypeError` as `checked_seed` does."""
        self.state = checked_seed(seed)

    def __eq__(self, other: object) -> bool:
        """Return whether both streams give the same numbers from here on."""
        return isinstance(other, Rng) and self.state == other.state

    __hash__ = None  # type: ignore[assignment]  # a stream changes

    def __repr__(self) -> str:
        """Return a Python expression that makes a stream in this state."""
        return f"Rng({self.state})"

    def next64(self) -> int:
        """Return the next number, 0 to 2**64 - 1."""
        self.state = advance(self.state)
        result: int = mix64(self.state)
        return result

    def below(self, n: int) -> int:
        """Return an unbiased number from 0 to n - 1. Raises `ValueError` if n is not positive."""
        n = index(n)
        if n <= 0:
            raise ValueError(f"below() needs a positive bound, not {n}")
        limit = (1 << 64) - (1 << 64) % n
        while True:
            x = self.next64()
            if x < limit:
                return x % n

    def random(self) -> float:
        """Return a number in [0, 1), in steps of 2**-53."""
        return (self.next64() >> 11) * (1.0 / 9007199254740992.0)

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle a list in place; every order is equally likely."""
        shuffle_by(self.below, items)

    def spawn(self, *keys: int) -> Rng:
        """Return a new stream that depends on this stream's state and the keys. This stream is unchanged.

        >>> Rng(7).spawn(1).next64() == Rng(7).spawn(1).next64() != Rng(7).spawn(2).next64()
        True
        """
        state: int = mix64(advance(self.state))
        for key in keys:
            state = mix64(advance(state ^ mix64(advance(index(key) & 0xFFFFFFFFFFFFFFFF))))
        return Rng(state)
