"""Names at a table: no two that look alike. People keep theirs, a second one gets a number, bots give way."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

BOT_NAMES = (
    "Ada", "Bruno", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedda", "Ines", "Jonas", "Kaya", "Leo", "Mira",
    "Nils", "Oda", "Pablo",
)  # fmt: skip
_LIKE = str.maketrans(
    "авеікмнорстухјѕԁһԛԝ" + "αβεζηικμνορτυχ" + "ıيىك",
    "abeikmhopctyxjsdhqw" + "abezhikmnoptyx" + "iییک",
)
"""Letters of other alphabets that are drawn like these, as small letters."""
_VARIANTS = "\ufe0e\ufe0f"


def look(name: str) -> str:
    r"""What one sees of a name: without case, width, spaces at its ends, and signs that are not drawn.

    Letters that are drawn alike in the Latin, Cyrillic and Greek alphabets count as one.

    >>> look("  ADA ") == look("Аdа\u200d")
    True
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    drawn = "".join(char for char in plain if unicodedata.category(char) != "Cf" and char not in _VARIANTS)
    return " ".join(drawn.translate(_LIKE).split())


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number if it looks like one of the others'."""
    taken = {look(other) for other in others}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(one for one in (name, *numbered) if look(one) not in taken)


def bot_name(others: Iterable[str]) -> str:
    """A name for a bot that looks like none of the others'."""
    taken = {look(other) for other in others}
    numbered = (f"{name} {number}" for number in range(2, 10) for name in BOT_NAMES)
    return next(name for name in (*BOT_NAMES, *numbered) if look(name) not in taken)
