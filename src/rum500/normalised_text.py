"""Normal forms of typed text, used for cards, plays, and names of profiles, rules and bots."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_MINUS = "\N{MINUS SIGN}"
_SHOWN = 60
_GAPS = re.compile(r"[\s_-]+")


def plain_characters(text: str) -> Iterator[tuple[str, int]]:
    """Yield the characters of a typed text in plain form, each with its index in the text.

    Full-width characters become narrow ones. Digits of every script become the digits 0 to 9. Every dash
    becomes a hyphen, and every blank a space. Invisible characters are dropped: variation selectors,
    zero-width characters, direction marks.
    """
    for at, char in enumerate(text):
        category = unicodedata.category(char)
        if char.isascii():
            yield char, at
        elif category == "Nd":
            yield str(unicodedata.decimal(char)), at
        elif category == "Pd" or char == _MINUS:
            yield "-", at
        elif char.isspace():
            yield " ", at
        elif category != "Cf" and ord(char) not in _VARIATION_SELECTORS:
            for plain in unicodedata.normalize("NFKC", char):
                yield plain, at


def plain_text(text: str) -> str:
    """Return a typed text with its characters in plain form, as `plain_characters` yields them.

    >>> plain_text("７♥︎")
    '7♥'
    """
    return text if text.isascii() else "".join(char for char, _ in plain_characters(text))


def quoted(text: str) -> str:
    """Return a text in quotes for a message, cut short if it is long.

    >>> quoted("seven"), len(quoted("x" * 1000))
    ("'seven'", 62)
    """
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def plain_name(text: str) -> str:
    """Return a typed name in normal form: lower case, with single hyphens for blanks, underscores and dashes.

    >>> plain_name(" Persian_Rummy "), plain_name("５００–Rum")
    ('persian-rummy', '500-rum')
    """
    return _GAPS.sub("-", plain_text(text).casefold()).strip("-")
