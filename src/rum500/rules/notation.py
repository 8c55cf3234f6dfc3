"""Plays as text, in the notation of a score sheet: writing and reading.

>>> from types import SimpleNamespace
>>> from rum500.rules.profiles import ruleset
>>> table = SimpleNamespace(pile=(43, 7), melds=(), rules=ruleset("500-rum"), players=4)
>>> parse_play("t q♦", table)
take QD
>>> play_text(parse_play("meld 8s-6s", table), table)
'meld 6S 7S 8S'

Each play is written in one canonical form; reading accepts variants. See `docs/notation.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol

from rum500.cards import JOKER
from rum500.rules.action_codes import code_of, decode, encode
from rum500.rules.actions import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    LayOff,
    LetGo,
    Meld,
    MeldsOnTable,
    Pass,
    Take,
    laid_text,
    text_of,
    with_text,
)
from rum500.rules.interpretations import (
    Interpretation,
    WrittenCard,
    as_meld,
    on_meld,
    plain,
)
from rum500.rules.notation_tokens import CardReader, NotationError, Token

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

__all__ = [
    "VERBS",
    "MeldsOnTable",
    "NotationError",
    "PlayContext",
    "laid_text",
    "parse_play",
    "play_text",
    "split_plays",
]

NotationError.__module__ = __name__


class PlayContext(MeldsOnTable, Protocol):
    """The part of a table on which the meaning of a text depends: pile, melds, rule set and number of
    players.
    """

    @property
    def rules(self) -> Ruleset: ...  # noqa: D102
    @property
    def players(self) -> int: ...  # noqa: D102


# --- writing ---------------------------------------------------------------------------------------


class TableText:
    """The pile and melds of a table at one moment, on which the texts of actions depend."""

    def __init__(self, table: MeldsOnTable) -> None:
        """Copy pile and melds of a state or a view."""
        self.pile, self.melds = table.pile, table.melds

    def actions(self, codes: Iterable[int]) -> list[Action]:
        """Return the actions with these codes, each with its text at this table."""
        return [with_text(decode(code), self) for code in codes]


def play_text(action: Action | int, table: MeldsOnTable) -> str:
    """Return the canonical text of an action before it is made: `take 8C`, `lay AS=1S on 2`."""
    return text_of(decode(code_of(action)) if not isinstance(action, Action) else _tidy(action), table)


def _tidy(action: Action) -> Action:
    """Return the action with its cards in canonical order if they form a meld; else return it unchanged."""
    try:
        return decode(encode(action))
    except (ValueError, KeyError):
        return action


# --- reading ---------------------------------------------------------------------------------------

VERBS = {
    "draw": ("draw", "d", "stock"),
    "take": ("take", "t", "pick"),
    "meld": ("meld", "m"),
    "lay": ("lay", "l", "add"),
    "discard": ("discard", "x", "throw"),
    "call": ("call", "c", "rummy", "rummy!"),
    "let go": ("let", "letgo", "g"),
    "pass": ("pass", "p"),
    "end": ("end", "e"),
}
"""The verbs of each play; the first is the canonical one."""

_VERB = {name: verb for verb, names in VERBS.items() for name in names}


def parse_play(text: str, table: PlayContext, *, line: int = 1, column: int = 1) -> Action:
    """Return the play that a text describes. `line` and `column` are the start of the text, for error
    messages.

    The action need not be legal; `State.why_not` gives the reason. Raises `NotationError` for a text that is
    no play, a card that is not in the pile, a joker that does not state its card and has several
    interpretations, and a lay-off that fits several melds and names none. Raises `TypeError` for a wrong type
    of text or table.
    """
    if not isinstance(text, str):
        raise TypeError(f"a play is written as a text, not {text!r}")
    if not hasattr(table, "melds"):
        raise TypeError(f"a play is read for a State or a View, not {table!r}")
    return with_text(_PlayReader(text, table, line, column).play(), table)


def split_plays(text: str, column: int = 1) -> Iterator[tuple[str, int]]:
    """Yield the plays of a turn, which are separated by `;`, each with its first column."""
    for piece in text.replace("；", ";").split(";"):
        bare = piece.strip()
        if bare:
            yield bare, column + len(piece) - len(piece.lstrip())
        column += len(piece) + 1


class _PlayReader(CardReader):
    """Reads one play."""

    def __init__(self, text: str, table: PlayContext, line: int, column: int) -> None:
        """Set the text, which begins at this line and column."""
        super().__init__(text, line, column)
        self.table = table

    # Plays

    def play(self) -> Action:
        verb = self.pop()
        kind = _VERB.get(verb.text.lower().rstrip("."), "")
        if not kind:
            self.wanted(verb, "play")
        action = self.body(kind)
        if self.next.text:
            self.fail("notation.rest", self.next, {"found": self.next.text, "verb": kind})
        return action

    def body(self, kind: str) -> Action:
        match kind:
            case "take":
                return Take(self.count())
            case "call":
                return Call(self.count())
            case "discard":
                return Discard(self.card(self.pop()))
            case "meld":
                return self.meld()
            case "lay":
                self.skip("off")
                return self.lay()
            case "let go":
                self.skip("it")
                if self.tokens[0].text.lower() == "let" and not self.skip("go"):
                    self.wanted(self.next, "go")
                return LetGo()
            case "draw":
                self.skip_all("from", "the", "stock")
            case "end":
                self.skip_all("the", "deal")
                return EndDeal()
        return Draw() if kind == "draw" else Pass()

    def count(self) -> int:
        """Return how many cards a take or call takes, written `8C`, `8C:5`, `3`, `3 cards`, `top`, `all`."""
        self.skip_all("up", "from", "the", "pile")
        pile, first = self.table.pile, self.pop()
        if not first.text:
            self.wanted(first, "cards")
        if first.text.lower() in ("top", "all"):
            self.skip("card", "cards")
            return 1 if first.text.lower() == "top" else max(1, len(pile))
        if self.skip("card", "cards") or (first.text.isascii() and first.text.isdigit()):
            self.skip("card", "cards")
            return self.number(first, "count")
        card = self.card(first)
        if not pile:
            self.fail("take.no_pile", first, {})
        if card not in pile:
            self.fail("notation.not_in_pile", first, {"cards": tuple(pile)}, card)
        count = 1 + list(reversed(pile)).index(card)
        if self.skip(":"):
            stated = self.pop()
            count = self.number(stated, "count")
            if count > len(pile) or pile[-count] != card:
                self.fail("notation.not_there", stated, {"count": count}, card)
        return count

    # Melds and lay-offs

    @property
    def packs(self) -> int:
        rules, players = self.table.rules, self.table.players
        return rules.packs(players) if players in rules.players else 1

    def meld(self) -> Action:
        start = self.next
        words = self.words()
        readings = as_meld(words, self.table.rules, self.packs)
        if len(readings) > 1:
            self.ambiguous(start, [Meld(reading) for reading in readings])
        if not readings and self.open_wild(words) and any(word.card != JOKER for word in words):
            self.fail("notation.no_reading", start, {"cards": plain(words)})
        return _tidy(Meld(readings[0] if readings else plain(words)))

    def lay(self) -> Action:
        start = self.next
        words = self.words()
        if self.next.text:
            return self.lay_on(start, words)
        melds = range(len(self.table.melds))
        found = [LayOff(m, reading, self.is_run(m)) for m in melds for reading in self.readings(words, m)]
        if not melds:
            self.fail("lay.no_melds", start, {})
        if not found:
            self.fail("notation.no_target", start, {"cards": plain(words)})
        if len({action.meld for action in found}) > 1:
            self.fail("notation.target", self.end, {"plays": self.texts(found)})
        if len(found) > 1:
            self.ambiguous(start, found)
        return _tidy(found[0])

    def lay_on(self, start: Token, words: list[WrittenCard]) -> Action:
        self.pop()
        self.skip("meld")
        token = self.pop()
        melds = len(self.table.melds)
        if not melds:
            self.fail("lay.no_melds", token, {})
        number = self.as_number(token)
        if number is None:
            self.fail("notation.meld", token, {"found": token.text, "melds": melds})
        if number > melds:
            self.fail("lay.no_meld", token, {"meld": number, "melds": melds})
        meld = number - 1
        readings = self.readings(words, meld)
        if len(readings) > 1:
            self.ambiguous(start, [LayOff(meld, reading, self.is_run(meld)) for reading in readings])
        if not readings and self.open_wild(words):
            self.fail("notation.no_place", start, {"meld": number, "cards": plain(words)})
        return _tidy(LayOff(meld, readings[0] if readings else plain(words), self.is_run(meld)))

    def readings(self, words: list[WrittenCard], meld: int) -> list[Interpretation]:
        return on_meld(words, self.table.melds[meld], self.table.rules, self.packs)

    def is_run(self, meld: int) -> bool:
        return self.table.melds[meld].kind == "run"

    def open_wild(self, words: list[WrittenCard]) -> bool:
        """Return whether one of the cards is a wild joker that does not state its card."""
        return self.table.rules.joker_kind == "wild" and any(word.place is None for word in words)

    def ambiguous(self, token: Token, actions: Sequence[Meld | LayOff]) -> NoReturn:
        self.fail("notation.ambiguous", token, {"plays": self.texts(actions)})

    def texts(self, actions: Sequence[Meld | LayOff]) -> tuple[str, ...]:
        return tuple(play_text(action, self.table) for action in actions)
