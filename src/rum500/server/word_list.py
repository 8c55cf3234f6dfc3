"""A list of 2,048 English words, for recovery words and codes, and how people type them."""

from __future__ import annotations

import re
import secrets
import unicodedata
from functools import cache

from mnemonic import Mnemonic

from rum500.normalised_text import plain_text

_TYPED = re.compile(r"[^\W\d_]+|\d+")
_DOTLESS = {ord("ı"): "i"}  # Turkish keyboards


@cache
def word_list() -> tuple[str, ...]:
    """Return the 2,048 words, the English list of BIP 39. No two begin with the same four letters."""
    return tuple(Mnemonic("english").wordlist)


def random_words(count: int) -> list[str]:
    """Return words chosen at random by the system."""
    return [secrets.choice(word_list()) for _ in range(count)]


def typed_words(text: str) -> list[str]:
    """Return the words and numbers in a typed text: lower case, without accents, in plain digits.

    >>> typed_words(" Lantern\u00a0４８２１, Harbour"), typed_words("LİMON4۸")
    (['lantern', '4821', 'harbour'], ['limon', '48'])
    """
    apart = unicodedata.normalize("NFKD", plain_text(text)).casefold().translate(_DOTLESS)
    return _TYPED.findall("".join(char for char in apart if unicodedata.category(char) != "Mn"))
