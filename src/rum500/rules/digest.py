"""The fingerprint of a rule set. Records, tables and binary forms contain it to identify their rules."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from rum500.rules.options import IDENTITY, OPTIONS, stated
from rum500.rules.ruleset import Ruleset
from rum500.rules.toml_text import value_text

_OF_MATCH = frozenset(spec.field for spec in OPTIONS if spec.section == "The match")


def digest(rules: Ruleset) -> str:
    """Return a fingerprint of the options that affect play: 16 hexadecimal digits.

    An option that is at its neutral value is left out. So digests of old rule sets do not change when
    options are added.
    """
    return _fingerprint(rules, frozenset(IDENTITY))


def deal_digest(rules: Ruleset) -> str:
    """Return a fingerprint of the options that affect a single deal, without the options of the match."""
    return _fingerprint(rules, _OF_MATCH | frozenset(IDENTITY))


@lru_cache(256)
def _fingerprint(rules: Ruleset, ignored: frozenset[str]) -> str:
    text = "\n".join(
        f"{key}={value_text(value)}" for key, value in stated(rules.options()).items() if key not in ignored
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]
