"""The fingerprint of a rule set: records, tables and bytes carry it to say by which rules they were made."""

from __future__ import annotations

import hashlib

from rum500.rules.options import IDENTITY, stated
from rum500.rules.ruleset import Ruleset
from rum500.rules.toml_text import value_text


def digest(rules: Ruleset) -> str:
    """Return a fingerprint of the options that play depends on: 16 hexadecimal digits.

    Options that were added later count only where they are not neutral, so that the digest of an old rule set
    stays what it was.
    """
    told = "\n".join(
        f"{key}={value_text(value)}" for key, value in stated(rules.options()).items() if key not in IDENTITY
    )
    return hashlib.sha256(told.encode()).hexdigest()[:16]
