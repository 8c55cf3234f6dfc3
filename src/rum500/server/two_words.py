"""Two words that two screens show at the same time, so that people can compare them by voice."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources


def two_words(entropy: Callable[[int], bytes]) -> str:
    """Return one of 4,096 pairs of words; `entropy` returns the requested number of random bytes.

    >>> two_words(lambda count: bytes([3, 32])[:count])
    'blue lantern'
    """
    qualities, things = _words()
    first, second = entropy(2)
    # Both lists have 64 words, so each word is equally likely.
    return f"{qualities[first % len(qualities)]} {things[second % len(things)]}"


@cache
def _words() -> tuple[list[str], list[str]]:
    text = resources.files("rum500.server").joinpath("two_words.toml").read_text(encoding="utf-8")
    words: dict[str, list[str]] = tomllib.loads(text)
    return words["qualities"], words["things"]
