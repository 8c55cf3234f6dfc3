"""Reads written cards and knows their positions in the text, for plays, positions and records."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from rum500.cards import ACE_HIGH, JOKER, LANE, CardError, card_from_text, card_text
from rum500.normalised_text import plain_characters, quoted
from rum500.rules.interpretations import WrittenCard
from rum500.rules.refusals import Part, sentence
from rum500.values import PicklableError

_TOKEN = re.compile(r"[=:]|[^\s,+=:]+")


class NotationError(PicklableError, ValueError):
    """An error in a text of the notation, with its location.

    `code` is stable. `line` and `column` (from 1) locate the fault, and `found` is the text there. `message`
    is one line and does not repeat the location. `card` and `parts` are the facts in the message, as in a
    `Refusal`; errors in the lines of a position or a record have none.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        found: str = "",
        card: int | None = None,
        parts: Mapping[str, Part] | None = None,
    ) -> None:
        """Set the location and the message."""
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.found = found
        self.card = card
        self.parts = parts or {}
        super().__init__(f"line {line}, column {column}: {message}")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text and its column, from 1."""

    text: str
    column: int


class CardReader:
    """Reads a text of cards, token by token."""

    def __init__(self, text: str, line: int = 1, column: int = 1) -> None:
        """Set the text, which begins at this line and column."""
        self.line = line
        places: Sequence[int] = range(len(text))
        plain = text
        if not text.isascii():
            written = list(plain_characters(text))
            plain, places = "".join(char for char, _ in written), [place for _, place in written]
        self.tokens = [Token(found[0], column + places[found.start()]) for found in _TOKEN.finditer(plain)]
        self.end = Token("", column + len(text.rstrip()))
        self.at = 0

    @property
    def next(self) -> Token:
        """The next token, which stays unread; at the end of the text an empty one."""
        return self.tokens[self.at] if self.at < len(self.tokens) else self.end

    def pop(self) -> Token:
        """Read and return the next token."""
        token = self.next
        self.at += 1
        return token

    def skip(self, *texts: str) -> bool:
        """Read the next token if it is one of these. Return whether it was."""
        if self.next.text.lower() in texts:
            self.at += 1
            return True
        return False

    def skip_all(self, *texts: str) -> None:
        """Read tokens as long as they are among these."""
        while self.skip(*texts):
            pass

    def fail(self, code: str, token: Token, parts: Mapping[str, Part], card: int | None = None) -> NoReturn:
        """Raise `NotationError` at this token.

        The message is the sentence of `code` in `refusals.toml`, with `parts` in its gaps; `card` is the card
        that the sentence is about.
        """
        message = sentence(code, {"card": card, **parts})
        raise NotationError(
            code, message, line=self.line, column=token.column, found=token.text, card=card, parts=parts
        )

    def wanted(self, token: Token, wanted: str) -> NoReturn:
        """Raise `NotationError` at this token: it should be `wanted`, a word of `refusals.toml`."""
        self.fail("notation.expected", token, {"found": token.text, "wanted": wanted})

    def unexpected(self, token: Token, expected: str) -> NoReturn:
        """Raise `NotationError` at this token of a position or a record: it should be `expected`."""
        found = quoted(token.text) if token.text else "the end"
        message = f"found {found}, expected {expected}"
        raise NotationError(
            "notation.expected", message, line=self.line, column=token.column, found=token.text
        )

    def card(self, token: Token) -> int:
        """Return the code of the card that the token names. Raises `NotationError` if it names no card."""
        try:
            return card_from_text(token.text)
        except CardError as error:
            if error.meant is not None:
                self.fail("notation.suit_first", token, {"found": token.text}, error.meant)
            self.wanted(token, "card")

    @staticmethod
    def as_number(token: Token) -> int | None:
        """Return the token's number, from 1 to 999; None if it is no such number."""
        digits = token.text.lstrip("#")
        fits = digits.isascii() and digits.isdigit() and len(digits) < 4 and int(digits) > 0
        return int(digits) if fits else None

    def number(self, token: Token, wanted: str) -> int:
        """Return the token's number, from 1 to 999. Raises `NotationError` if it is no such number."""
        number = self.as_number(token)
        if number is None:
            self.wanted(token, wanted)
        return number

    def words(self) -> list[WrittenCard]:
        """Parse cards up to the end of the text, or up to the word `on` or `to`."""
        words: list[WrittenCard] = []
        while self.next.text and self.next.text.lower() not in ("on", "to"):
            token = self.pop()
            if token.text.lower() == "and":
                continue
            parts = token.text.split("-")
            if len(parts) == 2 and all(parts):
                words += self.range(token, *parts)
            else:
                words.append(self.word(token))
        if not words:
            self.wanted(self.next, "card")
        return words

    def word(self, token: Token) -> WrittenCard:
        """Return one card and, after `=`, the card that it stands for."""
        low = self.low_ace(token.text)
        if low is not None:
            return WrittenCard(low, low, pinned=True)
        card = self.card(token)
        if not self.skip("="):
            return WrittenCard(card, None if card == JOKER else card)
        stands = self.pop()
        place = self.low_ace(stands.text)
        pinned = place is not None
        if place is None:
            place = self.card(stands)
        if card == JOKER and place != JOKER:
            return WrittenCard(card, place, pinned)
        if card != place:
            self.wanted(stands, "stands")
        return WrittenCard(card, None if card == JOKER else place, pinned)

    @staticmethod
    def low_ace(text: str) -> int | None:
        """Return the code of the ace that a text such as `1S` names as a low ace; None for another text."""
        if len(text) < 2 or text[0] != "1" or text[1] == "0":
            return None
        try:
            return card_from_text("A" + text[1:])
        except CardError:
            return None

    def range(self, token: Token, first: str, last: str) -> list[WrittenCard]:
        """Return the cards of a run written `6S-9S` or `6-9S`, in either direction.

        An ace is low or high according to the end at which it is written.
        """
        high = self.card(Token(last, token.column + len(token.text) - len(last)))
        suit = card_text(high)[-1]
        low = self.low_ace(first)
        if low is None:
            whole = first + suit if first.upper() in (*"A23456789JQKT", "10") else first
            low = self.card(Token(whole, token.column))
        if JOKER in (low, high) or low // LANE != high // LANE or low == high:
            self.wanted(token, "run")
        bottom, top = low % LANE, high % LANE
        if bottom > top:
            bottom, top = (bottom, ACE_HIGH) if top == 0 else (top, bottom)
        lane = low - low % LANE
        return [WrittenCard(lane + p % ACE_HIGH, lane + p, pinned=True) for p in range(bottom, top + 1)]
