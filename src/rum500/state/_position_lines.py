"""The lines of a position file, and their values: numbers, cards, yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rum500.rules.notation_tokens import CardReader, NotationError, Token
from rum500.rules.problems import Problem
from rum500.state import rules_text
from rum500.state.text_lines import (
    KeyLine,
    bare,
    check_head,
    key_line,
    physical_lines,
    problems_text,
    unknown_key,
    whole_number,
)

KIND, VERSION = "position", 1
REST = "rest"
SINGLE = (
    "players", "seat", "dealer", "totals", "deal", "pile", "stock", "restocked", "laid", "turn", "actor",
    "phase", "drawn", "must use", "banned", "taken", "called", "floater", "progress", "idle", "passes",
    "restocks", "rng", "ended", "course", "draws",
)  # fmt: skip
KNOWN_KEYS = (*rules_text.KEYS, "hand N", "known N", "meld N by N", *SINGLE)
HEX = re.compile(r"(0x)?[0-9a-f]{1,16}", re.IGNORECASE)
COUNT = re.compile(r"([0-9]{1,3})\s+cards?\s*(?:,\s*known\s*(.*))?", re.IGNORECASE)


class PositionError(ValueError):
    """A text that is not a position. `problems` lists everything that is wrong, with line and column."""

    code = "position.invalid"

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Store the problems."""
        self.problems = tuple(problems)
        super().__init__(self.problems)

    @property
    def line(self) -> int:
        """The line of the first problem."""
        return self.problems[0].line or 1

    @property
    def column(self) -> int:
        """The column of the first problem."""
        return self.problems[0].column or 1

    def __str__(self) -> str:
        return problems_text(self.problems)


@dataclass(frozen=True, slots=True)
class Spot:
    """A written card and its location in the text."""

    card: int
    where: str
    line: int
    column: int


@dataclass(slots=True)
class PositionLines:
    """The lines of a position by key, their values, and the problems found in them."""

    lines: dict[str, KeyLine] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    rules_lines: list[KeyLine] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    hands: dict[int, KeyLine] = field(default_factory=dict)
    known: dict[int, KeyLine] = field(default_factory=dict)
    melds: list[tuple[int | None, int, KeyLine]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    rest: tuple[list[int], int] | None = None
    """Where 'rest' (all other cards) is written: a line's cards and the index in them; None if nowhere."""
    last: int = 1

    # Lines

    def bad(
        self, code: str, message: str, line: KeyLine | None, rule: str = "", column: int | None = None
    ) -> None:
        """Add a problem. It is located at `column` of a line, by default at the line's value.

        Without a line, it is located at the last line of the text.
        """
        at = (self.last, 1) if line is None else (line.line, column or line.at)
        self.problems.append(Problem(f"position.{code}", "", rule, message, *at))

    def read_lines(self, text: str) -> None:
        """Store the lines of a text by key, and the problems of lines without a known key."""
        headed = False
        for number, physical in enumerate(physical_lines(text), 1):
            stripped = physical.lstrip()
            if headed and stripped.startswith("|"):
                self.block.append(stripped[2:] if stripped.startswith("| ") else stripped[1:])
                continue
            content = bare(physical)
            if not content.strip():
                continue
            self.last = number
            if not headed:
                headed = True
                wrong = check_head(content, number, KIND, VERSION)
                if wrong:
                    raise PositionError([wrong])
                continue
            line = key_line(content, number)
            if line is None:
                self.problems.append(_no_key(content, number))
            else:
                self.sort_in(line)
        if not headed:
            raise PositionError(
                [check_head("", 1, KIND, VERSION) or Problem("position.head", "", "", "", 1, 1)]
            )

    def sort_in(self, line: KeyLine) -> None:
        words = tuple(word.lower() for word in line.key)
        name = " ".join(words)
        if words[0] in ("profile", "option", "ruleset") or name == "house rules":
            self.rules_lines.append(replace(line, key=words))
        elif name in SINGLE:
            if name in self.lines:
                self.bad(
                    "twice",
                    f"{name!r} is in line {self.lines[name].line} already",
                    line,
                    column=line.column,
                )
            self.lines.setdefault(name, line)
        elif (
            words[0] in ("hand", "known") and len(words) == 2 and (seat := whole_number(words[1])) is not None
        ):
            rows = self.hands if words[0] == "hand" else self.known
            if seat in rows:
                self.bad("twice", f"{name!r} is in line {rows[seat].line} already", line, column=line.column)
            rows.setdefault(seat, line)
        elif words[0] == "meld" and (found := _meld_key(words)):
            self.melds.append((*found, line))
        else:
            self.problems.append(unknown_key(KIND, line, KNOWN_KEYS))

    # Values

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return the number on the line with this key; `default` if there is no such line.

        A value that is no number from `low` to `high` adds a problem, and `default` is returned.
        """
        line = self.lines.get(key)
        if line is None:
            return default
        number = whole_number(line.value)
        if number is None or not low <= number <= high:
            wanted = f"a number from {low} to {high}" if low < high else str(low)
            self.bad("number", f"found {shown(line.value)}, expected {wanted}", line)
            return default
        return number

    def numbers(self, key: str, count: int) -> list[int] | None:
        """Return the numbers on the line with this key, one for each of `count` seats.

        Returns None without such a line, and if the line is wrong, which also adds a problem.
        """
        line = self.lines.get(key)
        if line is None:
            return None
        numbers = [whole_number(word) for word in line.value.replace(",", " ").split()]
        if len(numbers) != count or None in numbers:
            self.bad("number", f"found {shown(line.value)}, expected {count} numbers, one a seat", line)
            return None
        return [number for number in numbers if number is not None]

    def yes(self, key: str, default: bool) -> bool:
        line = self.lines.get(key)
        if line is None:
            return default
        if line.value.lower() not in ("yes", "no"):
            self.bad("yes", f"found {shown(line.value)}, expected yes or no", line)
        return line.value.lower() == "yes"

    def card(self, key: str) -> int | None:
        cards = self.cards(self.lines.get(key))
        if key in self.lines and len(cards) != 1:
            found = shown(self.lines[key].value)
            self.bad("card", f"found {found}, expected one card", self.lines[key])
        return cards[0] if len(cards) == 1 else None

    def cards(self, line: KeyLine | None, where: str = "") -> list[int]:
        """Return the cards of a line; words that are no cards add problems.

        `where` names the cards' place in messages. If `where` is empty, the cards do not count for the deck.
        """
        reader = line.reader() if line else CardReader("")
        cards: list[int] = []
        while line and reader.next.text:
            token = reader.pop()
            if where and token.text.lower() == REST:
                self.take_rest(line, token, cards)
                continue
            try:
                cards.append(reader.card(token))
            except NotationError as error:
                self.problems.append(problem(error))
                continue
            if where:
                self.spots.append(Spot(cards[-1], where, line.line, token.column))
        return cards

    def take_rest(self, line: KeyLine, token: Token, cards: list[int]) -> None:
        if self.rest is not None:
            self.bad("rest", "'rest' may be in one place only", line, column=token.column)
        self.rest = (cards, len(cards))


def _meld_key(words: tuple[str, ...]) -> tuple[int | None, int] | None:
    """Return (number or None, owner) of `meld 1 by 0` or `meld by 0`; None for other keys."""
    numbers = [whole_number(word) for word in words[1:] if word != "by"]
    if (
        words[-2:-1] != ("by",)
        or len(words) - 2 != len(numbers)
        or None in numbers
        or not 1 <= len(numbers) <= 2
    ):
        return None
    found = [number for number in numbers if number is not None]
    if found[-1] < 0:
        return None
    return (found[0] if len(found) == 2 else None), found[-1]


def problem(error: NotationError) -> Problem:
    """Convert an error in a written card to a problem of the position."""
    return Problem(
        error.code.replace("notation", "position"), "", "", error.message, error.line, error.column
    )


def _no_key(content: str, number: int) -> Problem:
    text = content.strip()
    message = f"found {shown(text)}, expected 'key: value'"
    return Problem("position.line", "", "", message, number, 1 + len(content) - len(content.lstrip()))


def shown(text: str) -> str:
    """Return a text in quotes for an error message."""
    return repr(text if len(text) <= 40 else text[:39] + "…") if text else "nothing"
