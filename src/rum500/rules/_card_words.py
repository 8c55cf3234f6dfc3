"""Written cards, read one by one with their places in the text: for plays, positions and records."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from rum500.cards import ACE_HIGH, JOKER, LANE, CardError, card_from_text, card_text
from rum500.rules._readings import Word

_TOKEN = re.compile(r"[=:]|[^\s,+=:]+")
_DASH = re.compile(r"[-–—]")
_CARD = "a card such as QD, 10S or JK"


class NotationError(ValueError):
    """A text that is no play, or more than one.

    `code` is stable; `line` and `column` (from 1) are the place at fault, `found` what stands there,
    `expected` what should; `message` says it all in one line, without the place.
    """

    def __init__(
        self, code: str, message: str, *, line: int = 1, column: int = 1, found: str = "", expected: str = ""
    ) -> None:
        """Say what is wrong and where."""
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        super().__init__(f"line {line}, column {column}: {message}")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text and its column, from 1."""

    text: str
    column: int


class CardReader:
    """Reads cards, token by token."""

    def __init__(self, text: str, line: int = 1, column: int = 1) -> None:
        """Read `text`, which begins at this line and column."""
        self.line = line
        self.tokens = [Token(found[0], column + found.start()) for found in _TOKEN.finditer(text)]
        self.end = Token("", column + len(text.rstrip()))
        self.at = 0

    @property
    def next(self) -> Token:
        """The token to be read next; an empty one at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else self.end

    def pop(self) -> Token:
        """Read a token."""
        token = self.next
        self.at += 1
        return token

    def skip(self, *texts: str) -> bool:
        """Read a token if it is one of these."""
        if self.next.text.lower() in texts:
            self.at += 1
            return True
        return False

    def fail(self, code: str, message: str, token: Token, expected: str = "") -> NoReturn:
        """Raise `NotationError` at this token."""
        raise NotationError(
            code, message, line=self.line, column=token.column, found=token.text, expected=expected
        )

    def unexpected(self, token: Token, expected: str) -> NoReturn:
        """Raise `NotationError`: something else should stand here."""
        found = repr(token.text) if token.text else "the end"
        self.fail("notation.expected", f"found {found}, expected {expected}", token, expected)

    def card(self, token: Token) -> int:
        try:
            return card_from_text(token.text)
        except CardError:
            self.unexpected(token, _CARD)

    def number(self, token: Token, expected: str) -> int:
        digits = token.text.lstrip("#")
        if not (digits.isascii() and digits.isdigit() and 0 < int(digits[:4]) < 1000 and len(digits) < 4):
            self.unexpected(token, expected)
        return int(digits)

    def words(self) -> list[Word]:
        """Cards up to the end or to `on`."""
        words: list[Word] = []
        while self.next.text and self.next.text.lower() not in ("on", "to"):
            token = self.pop()
            if token.text.lower() == "and":
                continue
            parts = _DASH.split(token.text)
            if len(parts) == 2 and all(parts):
                words += self.range(token, *parts)
            else:
                words.append(self.word(token))
        if not words:
            self.unexpected(self.next, _CARD)
        return words

    def word(self, token: Token) -> Word:
        """One card and, after `=`, what it stands for."""
        low = self.low_ace(token.text)
        if low is not None:
            return Word(low, low, pinned=True)
        card = self.card(token)
        if not self.skip("="):
            return Word(card, None if card == JOKER else card)
        stands = self.pop()
        place = self.low_ace(stands.text)
        pinned = place is not None
        if place is None:
            place = self.card(stands)
        if card == JOKER and place != JOKER:
            return Word(card, place, pinned)
        if card != place:
            self.unexpected(stands, "a card after 'JK=', or '1' and its suit for an ace that is low")
        return Word(card, None if card == JOKER else place, pinned)

    @staticmethod
    def low_ace(text: str) -> int | None:
        """The ace that `1S` means."""
        if len(text) < 2 or text[0] != "1" or text[1] == "0":
            return None
        try:
            return card_from_text("A" + text[1:])
        except CardError:
            return None

    def range(self, token: Token, first: str, last: str) -> list[Word]:
        """A run written `6S-9S` or `6-9S`, either way round; an ace is at the end where it stands."""
        high = self.card(Token(last, token.column + len(token.text) - len(last)))
        suit = card_text(high)[-1]
        low = self.low_ace(first)
        if low is None:
            whole = first + suit if first.upper() in (*"A23456789JQKT", "10") else first
            low = self.card(Token(whole, token.column))
        if JOKER in (low, high) or low // LANE != high // LANE or low == high:
            self.unexpected(token, "a run of one suit, such as 6S-9S")
        bottom, top = low % LANE, high % LANE
        if bottom > top:
            bottom, top = (bottom, ACE_HIGH) if top == 0 else (top, bottom)
        lane = low - low % LANE
        return [Word(lane + p % ACE_HIGH, lane + p, pinned=True) for p in range(bottom, top + 1)]
