"""The two words that two screens show for comparison."""

from __future__ import annotations

from itertools import product

from rum500.server.two_words import two_words


def test_each_pair_of_bytes_below_64_gives_another_pair_of_words() -> None:
    pairs = {
        two_words(lambda count, drawn=drawn: bytes(drawn)[:count]) for drawn in product(range(64), repeat=2)
    }
    assert len(pairs) == 64 * 64
    assert all(len(pair.split()) == 2 for pair in pairs)


def test_words_follow_from_the_bytes() -> None:
    assert two_words(lambda count: bytes([3, 32])[:count]) == "blue lantern"
