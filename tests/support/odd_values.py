"""Plain data in which one value is another: what a crafted file of JSON may contain."""

from __future__ import annotations

import random

ODD = [None, True, -1, 0, 1, 2, 0.5, 255, 1 << 31, 1 << 64, -(1 << 70), "", "x", "1/1", [], [0], {}, {"a": 1}]


def odd(value: object, chance: random.Random) -> object:
    """Plain data with one value somewhere in it replaced, left out or doubled."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice([*value])
        return {**value, key: odd(value[key], chance)} if chance.random() < 0.9 else {"": value, **value}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], odd(value[at], chance), *value[at + chance.randrange(2) :]]
    if isinstance(value, str) and value and chance.random() < 0.5:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice("\n0z/[{\0é") + value[at + 1 :]
    return chance.choice(ODD)
