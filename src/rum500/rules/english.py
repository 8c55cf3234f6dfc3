"""Numbers in English sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["amount", "counted", "number_word", "numbers"]

_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def number_word(number: int) -> str:
    """Return a number as a word up to twelve, in digits above."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else str(number)


def counted(number: int, thing: str) -> str:
    """Return a number and its noun in words; the noun is in the plural unless the number is 1.

    >>> counted(1, "deal"), counted(2, "deal")
    ('one deal', 'two deals')
    """
    return f"{number_word(number)} {thing}{'' if number == 1 else 's'}"


def amount(points: int) -> str:
    """Return a number of points, in digits.

    >>> amount(1), amount(25)
    ('1 point', '25 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


def numbers(values: Sequence[int]) -> str:
    """Return a list of increasing numbers in short form.

    >>> numbers((2, 3, 4, 5)), numbers((2, 4, 6)), numbers((4,))
    ('2 to 5', '2, 4 or 6', '4')
    """
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]} to {values[-1]}"
    return alternatives([str(value) for value in values])


def alternatives(texts: Sequence[str]) -> str:
    """Return texts joined by commas and "or".

    >>> alternatives(["8♦"]), alternatives(["8♦", "9♦", "10♦"])
    ('8♦', '8♦, 9♦ or 10♦')
    """
    return " or ".join(part for part in (", ".join(texts[:-1]), texts[-1]) if part)
