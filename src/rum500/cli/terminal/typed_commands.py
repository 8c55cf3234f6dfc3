"""Parses typed lines: a command, the number of a suggestion, or plays in the notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rum500.cards import CardError, card_from_text, card_text
from rum500.cli.user_error import nearest
from rum500.match import Suggestion, alternatives
from rum500.rules.actions import Call, Take
from rum500.rules.notation import VERBS, NotationError, split_plays
from rum500.state import State

COMMANDS = {
    "help": ("?", "help", "h"),
    "hint": ("hint", "i"),
    "undo": ("undo", "u", "z"),
    "sort": ("sort", "s"),
    "lays": ("lays",),
    "sheet": ("sheet", "score"),
    "rules": ("rules", "rule", "r"),
    "log": ("log",),
    "hand": ("hand", "cards"),
    "quit": ("quit", "q", "exit"),
}
"""The commands of the table, each with the words for it; no word also begins a play."""

SUGGESTED = (
    *(verb for verb in VERBS if verb not in ("let go", "end")),
    *(name for name in COMMANDS if name not in ("help", "hand")),
)
"""The words suggested instead of a mistyped one; none of them ends the deal."""

OFFERED = 9
"""The largest number of numbered suggestions."""
_COMMAND = {name: command for command, names in COMMANDS.items() for name in names}
_VERB = {name: verb for verb, names in VERBS.items() for name in names}
_NUMBERS = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


class Mistyped(Exception):
    """A line that cannot be understood; the message is for the player."""


@dataclass(frozen=True, slots=True)
class Command:
    """One of `COMMANDS`, and the text after it."""

    name: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class SuggestionNumber:
    """The number of a suggestion, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Typed:
    """A play with cards in place of their numbers, as text for `rum500.rules.notation.parse_play`."""

    text: str


Line = Command | SuggestionNumber | Typed


def read_line(text: str, hand: Sequence[int]) -> list[Line]:
    """Return the parts of a typed line; `hand` is in the order shown and numbered. Raises `Mistyped`."""
    return [_read(piece, hand) for piece, _ in split_plays(text)]


def command(text: str) -> str | None:
    """Return the command, a key of `COMMANDS`, for a typed word; None if there is none."""
    return _COMMAND.get(text.strip().lower())


def _read(text: str, hand: Sequence[int]) -> Line:
    first, _, rest = text.partition(" ")
    word = first.lower()
    if word in _COMMAND:
        return Command(_COMMAND[word], rest.strip())
    if word.isascii() and word.isdigit() and not rest:
        return SuggestionNumber(int(word[:4]))
    verb = _VERB.get(word.rstrip("."))
    if verb is None:
        raise Mistyped(_unknown(first))
    return Typed(" ".join([first, *_expanded(verb, rest.split(), hand)]))


def _unknown(word: str) -> str:
    try:
        card = card_text(card_from_text(word))
    except CardError:
        return f"{word!r} is nothing to do here; {nearest(word, SUGGESTED)}type ? for help"
    return f"say what to do with {card}: m melds, l lays off, x discards, t takes"


def _expanded(verb: str, words: Sequence[str], hand: Sequence[int]) -> Iterator[str]:
    literal = verb not in ("meld", "lay", "discard")
    for word in words:
        literal = literal or word.lower() in ("on", "to")
        numbers = _NUMBERS.fullmatch(word)
        if numbers is None or literal:
            yield word
        else:
            first = int(numbers[1])
            yield from (_held(number, hand) for number in range(first, int(numbers[2] or first) + 1))


def _held(number: int, hand: Sequence[int]) -> str:
    if not 1 <= number <= len(hand):
        raise Mistyped(f"your cards are numbered 1 to {len(hand)}, there is no {number}")
    return card_text(hand[number - 1])


_MISSING = {
    "meld": "which cards? For example meld 6S 7S 8S",
    "lay": "which card? For example lay 9S on 2",
    "discard": "which card? For example discard QD",
    "take": "which cards? For example take 8C, which takes it and all after it, or take 3",
    "call": "which cards? For example call 8C, which takes it and all after it, or call 3",
}


def misread(text: str, error: NotationError, jokers: int) -> str:
    """Return what is wrong with a play that cannot be read; `jokers` is the number of jokers in a pack."""
    verb, *rest = text.lower().split()
    if error.parts.get("wanted") not in ("card", "cards"):
        return error.message
    if not rest or rest == ["off"]:
        return _MISSING[_VERB[verb.rstrip(".")]]
    problem = f"{error.found!r} is not a card" if error.found else "a card is missing"
    return f"{problem}: write rank and suit, such as QD or 10S{', or JK' if jokers else ''}"


def ways(state: State, text: str, error: NotationError, offered: Sequence[Suggestion]) -> list[Suggestion]:
    """Return the plays that an ambiguous text can mean. Takes and calls are selected from `offered`."""
    if error.code in ("notation.target", "notation.ambiguous"):
        cards, meld = _cards_in(text)
        return alternatives(state, cards, lay=text[:1].lower() in "la", meld=meld)
    if error.parts.get("wanted") == "cards":
        return [choice for choice in offered if isinstance(choice.action, Take | Call)]
    return []


def _cards_in(text: str) -> tuple[list[int], int | None]:
    """Return the cards of a typed meld or lay-off, and the number, from 0, of the meld it names, or None."""
    before, _, after = text.partition(" on ")
    words = [word.partition("=")[0] for word in before.replace(",", " ").split()[1:]]
    number = after.strip().lstrip("#").removeprefix("meld").strip()
    return [card_from_text(word) for word in words], int(number) - 1 if number.isdigit() else None
