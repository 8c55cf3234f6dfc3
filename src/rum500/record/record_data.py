"""The contents of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import index
from os import PathLike
from typing import NamedTuple

from rum500.rules.actions import Action
from rum500.rules.digest import digest
from rum500.rules.problems import Problem
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.state import State, default_deal_number
from rum500.values import PicklableError, Plain
from rum500.view import Event, Result

MOST_RECORD = 1 << 26
"""The largest size of a record's text, in characters or bytes."""
_TAG = re.compile(r"[A-Z][A-Za-z0-9 _-]*")


class RecordError(PicklableError, ValueError):
    """A text that is not a record. `code` is stable; `line` and `column` (from 1) locate the fault."""

    def __init__(self, problem: Problem) -> None:
        """Store the problem."""
        self.problem = problem
        self.code = problem.code
        self.line = problem.line or 1
        self.column = problem.column or 1
        super().__init__(str(problem))


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """One action, and the order of the new stock if the action needed a restock (H5)."""

    action: Action
    restock: tuple[int, ...] = ()
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Outcome(Plain):
    """The end of a deal as recorded: the reason, the seat that went out, the points by seat."""

    reason: str
    out: int | None
    points: tuple[int, ...]

    @classmethod
    def of(cls, result: Result) -> Outcome:
        """Return the part of a deal's result that a record contains."""
        return cls(result.reason, result.out, result.points)


CUT = "Cut"
"""The name of a deal's line with the number of cards that the cut lifted."""
STAND_INS = "Stand-ins"
"""The name of a deal's line with the numbers of the plays that stand-ins made."""


@dataclass(slots=True)
class DealRecord:
    """A deal in a record."""

    deck: tuple[int, ...]
    """The deck in the order dealt."""
    dealer: int = 0
    """The dealer's seat."""
    totals: tuple[int, ...] = ()
    """The match totals by seat before the deal."""
    tags: list[tuple[str, str]] = field(default_factory=list)
    """The lines above the plays with free names, (name, text) in order."""
    plays: list[RecordedPlay] = field(default_factory=list)
    """The plays."""
    comments: dict[int, str] = field(default_factory=dict)
    """Remarks, by the index, from 0, of the play that each follows."""
    outcome: Outcome | None = None
    """The result; None if unfinished."""
    end_tags: list[tuple[str, str]] = field(default_factory=list)
    """The lines below the plays with free names, (name, text) in order."""
    fault: Problem | None = field(default=None, compare=False)
    """The first problem, if the deal could not be replayed to its end; else None."""
    unread: list[str] = field(default_factory=list)
    """The lines that were not read: those from the first problem on."""
    lines: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    """The line numbers of the deal, its deck and its result, by key."""

    @property
    def stand_ins(self) -> frozenset[int]:
        """The numbers, from 1, of the plays that a stand-in bot made for a player.

        They are read from the line `STAND_INS`; words there that are no numbers are ignored.
        """
        lines = [value for name, value in (*self.tags, *self.end_tags) if name == STAND_INS]
        words = [word for line in lines for word in line.split()]
        return frozenset(int(word) for word in words if word.isascii() and word.isdigit())

    def note_stand_ins(self, numbers: Iterable[int]) -> None:
        """Add the `STAND_INS` line to `end_tags`: the numbers, from 1, of the plays that stand-ins made.

        Without numbers, no line is added.

        >>> deal = DealRecord(deck=())
        >>> deal.note_stand_ins([4, 3])
        >>> deal.end_tags
        [('Stand-ins', '3 4')]
        """
        if line := " ".join(map(str, sorted(numbers))):
            self.end_tags.append((STAND_INS, line))


class ReplayStep(NamedTuple):
    """One step of a replay."""

    state: State
    """The state before the action."""
    action: Action
    """The action."""
    events: tuple[Event, ...]
    """The events of the action."""
    deal: int
    """The number of the deal, from 1."""
    number: int
    """The number of the play in the deal, from 1."""
    restock: tuple[int, ...]
    """The order of the stock that the action made; empty if it made none."""


def check_names(names: Sequence[str], players: int) -> None:
    """Raise `ValueError` unless these are valid, different names for all seats."""
    if len(names) != players:
        raise ValueError(f"{len(names)} names are given for {players} players")
    if len({name.casefold() for name in names}) != players:
        raise ValueError("two players have the same name")
    for name in names:
        if fault := _fault(name, ':;#{}|"') if name else "is empty":
            raise ValueError(f"{name!r} is not a name for a record: it {fault}")


def check_tag(name: str, value: str) -> None:
    """Raise `ValueError` unless name and value can be written as a line of a record."""
    if not _TAG.fullmatch(name) or name.strip() != name or "  " in name:
        raise ValueError(
            f"{name!r} is not a tag: it begins with a capital letter and has only letters, digits, - and _, "
            "with single blanks between them"
        )
    if fault := _fault(value, "#"):
        raise ValueError(f"the value of {name!r} cannot be written: it {fault}")


def check_comment(comment: str) -> None:
    """Raise `ValueError` unless this text can be written as a remark."""
    if fault := _fault(comment, "{}") if comment else "is empty":
        raise ValueError(f"the comment cannot be written: it {fault}")


def _fault(text: str, signs: str) -> str:
    """Return why a line of a record cannot contain this text; empty if it can.

    The text must not contain any of the characters in `signs`.
    """
    if text.strip() != text:
        return "begins or ends with a blank"
    for char in text:
        if char in signs:
            return f"contains {char}"
        if ord(char) < 32:
            return f"contains {_CONTROLS.get(char, f'the control character U+{ord(char):04X}')}"
        if 0xD800 <= ord(char) < 0xE000:
            return f"contains half a character, U+{ord(char):04X}"
    return ""


_CONTROLS = {"\n": "a line break", "\r": "a line break", "\t": "a tab"}


class RecordData:
    """The contents of a record; `Record` writes, reads, replays and verifies it."""

    def __init__(
        self,
        rules: Ruleset | str | PathLike[str],
        players: int,
        names: Sequence[str] = (),
        tags: Iterable[tuple[str, str]] = (),
        deals: Iterable[DealRecord] = (),
    ) -> None:
        """Begin a record. Raises `ValueError` for names or tags that cannot be written."""
        rules, players = ruleset_of(rules), index(players)
        rules.check_players(players)
        self.rules = rules
        self.players = players
        self.names = tuple(names) or tuple(f"Seat {seat}" for seat in range(players))
        check_names(self.names, players)
        self.tags = list(tags)
        for name, value in self.tags:
            check_tag(name, value)
        self.deals = list(deals)
        self.seal = "right"
        self.digest = digest(rules)
        self.lines: dict[str, int] = {}
        self.last_line = 0

    def __eq__(self, other: object) -> bool:
        """Return whether two records have the same contents; checksums are ignored."""
        if not isinstance(other, RecordData):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[object, ...]:
        return (self.rules, self.players, self.names, self.tags, self.deals, self.digest)

    def __repr__(self) -> str:
        """Return the name of the rules, the players' names and the number of deals."""
        names = ", ".join(self.names)
        return f"<{type(self).__name__} {self.rules.name:.30} {names:.50}: {len(self.deals)} deals>"

    def number(self, deal: int) -> int:
        """Return a deal's number in the match, given its number in the record; both count from 1.

        If the record starts with totals other than zero, the true number is unknown, and its first deal is
        numbered 2.
        """
        return default_deal_number(self.deals[0].totals) + deal - 1

    def usual_dealer(self) -> int:
        """Return the seat that deals next: at the last dealer's left (D15), or seat 0 at first."""
        return (self.deals[-1].dealer + 1) % self.players if self.deals else 0

    def totals_after(self, deal: int) -> tuple[int, ...]:
        """Return the totals by seat after this many deals; partners have one account (R-MATCH-5).

        They are zero before the first deal, and after a deal without a result.
        """
        last = self.deals[deal - 1] if deal else None
        if last is None or last.outcome is None:
            return (0,) * self.players
        points, seats, side = last.outcome.points, range(self.players), self.rules.side
        before = last.totals or (0,) * self.players
        return tuple(before[s] + sum(points[o] for o in seats if side(o) == side(s)) for s in seats)

    def begin(self, deal: int, restock_seed: int = 0) -> State:
        """Return the state at the start of a deal; deals are counted from 1."""
        entry = self.deals[deal - 1]
        return State.new(
            self.rules,
            self.players,
            entry.deck,
            entry.dealer,
            entry.totals,
            restock_seed,
            self.number(deal),
        )


def carry_out(state: State, play: RecordedPlay) -> tuple[Event, ...]:
    """Apply a recorded play and return its events.

    Raises `IllegalPlay`, or `ValueError` for an impossible restock.
    """
    if play.restock:
        state.restock_order(play.restock)
        event = Event("restock", state.actor, {"cards": tuple(sorted(play.restock))})
        return (event, *state.apply(play.action))
    return state.apply(play.action)
