"""What a bot's choices may hang on beside its view: chance that tells nothing of the cards."""

from __future__ import annotations

from hashlib import blake2b

from rum500.rng import Rng


def chance(seed: int, *keys: int) -> Rng:
    """A bot's generator in a deal of this seed; `keys` tell seats, or choices, apart.

    `Rng.spawn` can be run backwards: who is given a stream of the deal's own seed can deal the cards again
    and see them all. This goes by a hash, which cannot.
    """
    words = b"".join((number & 0xFFFF_FFFF_FFFF_FFFF).to_bytes(8, "little") for number in (seed, *keys))
    return Rng(int.from_bytes(blake2b(words, digest_size=8).digest(), "little"))
