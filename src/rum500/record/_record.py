"""Records: their content, replaying and verification."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rum500.record import _format, _verify
from rum500.record._data import (
    DealRecord,
    Outcome,
    RecordedPlay,
    ReplayStep,
    check_comment,
    check_names,
    check_tag,
)
from rum500.record._fair_check import FairnessReport, fairness
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, Draw
from rum500.rules.digest import digest
from rum500.rules.problems import Problem
from rum500.rules.ruleset import Ruleset
from rum500.state import State, usual_number
from rum500.view import Event


class Record:
    """A record of one deal or of a match.

    `names` are by seat, by default "Seat 0" and so on. `tags` are free lines of the header, in order. `seal`
    is the state of the checksum that was read: "right", "wrong" (changed since it was sealed), "none"
    (explicitly without one: written by hand) or "missing" (cut short, or still being written).

    >>> from rum500.rules.profiles import ruleset
    >>> Record(ruleset("500-rum"), players=2).names
    ('Seat 0', 'Seat 1')
    """

    def __init__(
        self,
        rules: Ruleset,
        players: int,
        names: Sequence[str] = (),
        tags: Iterable[tuple[str, str]] = (),
        deals: Iterable[DealRecord] = (),
    ) -> None:
        """Create a record. Raises `ValueError` for names or tags that cannot be written."""
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
        """Return whether two records have the same content, regardless of their checksums."""
        if not isinstance(other, Record):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[object, ...]:
        return (self.rules, self.players, self.names, self.tags, self.deals, self.digest)

    def __repr__(self) -> str:
        """Return rules, names and the number of deals."""
        return f"<Record {self.rules.name} {', '.join(self.names)}: {len(self.deals)} deals>"

    # --- text ---------------------------------------------------------------------------------------

    def to_text(self, *, sealed: bool = True) -> str:
        """Write the record, with its checksum unless `sealed` is False."""
        return _format.write(self, sealed=sealed)

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Read a record. Raises `RecordError` with line and column for a text that is none.

        The record need not be right; `verify` returns what is wrong with it.
        """
        from rum500.record._reader import read  # noqa: PLC0415 - the reader makes records

        return read(text)

    # --- replaying ----------------------------------------------------------------------------------

    def number(self, deal: int) -> int:
        """Return the number in the match of a deal of this record, both from 1.

        A record that begins with totals other than zero begins in mid-match; its first deal is counted as the
        second.
        """
        return usual_number(self.deals[0].totals) + deal - 1

    def begin(self, deal: int, restock_seed: int = 0) -> State:
        """Return the state at the start of a deal, counted from 1."""
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

    def add(
        self,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        tags: Iterable[tuple[str, str]] = (),
        restock_seed: int = 0,
    ) -> State:
        """Add a deal that is about to be played, and return its state.

        Raises the errors of `State.new`, and `ValueError` for a tag that cannot be written; the record is
        unchanged then.
        """
        deal = DealRecord(tuple(deck), dealer, tuple(totals) or (0,) * self.players, list(tags))
        for name, value in deal.tags:
            check_tag(name, value)
        self.deals.append(deal)
        try:
            return self.begin(len(self.deals), restock_seed)
        except ValueError:
            self.deals.pop()
            raise

    def replay(self, deal: int | None = None) -> Iterator[ReplayStep]:
        """Replay the record, or one deal of it: yield each action with the state before it.

        Every state is an independent copy. Raises `IllegalPlay` or `ValueError` if the record is not right.
        """
        for number in range(1, len(self.deals) + 1) if deal is None else [deal]:
            state = self.begin(number)
            for step, play in enumerate(self.deals[number - 1].plays, 1):
                before = state.copy()
                events = carry_out(state, play)
                yield ReplayStep(before, play.action, events, number, step, play.restock)

    def final(self, deal: int) -> State:
        """Return the state at the end of a deal, counted from 1."""
        state = self.begin(deal)
        for play in self.deals[deal - 1].plays:
            carry_out(state, play)
        return state

    def verify(self) -> list[Problem]:
        """Return everything that is wrong with the record; empty if it is right.

        Codes: `record.checksum`, `record.truncated`, `record.digest`, `record.deck`, `record.dealer`,
        `record.totals`, `record.illegal`, `record.notation`, `record.restock`, `record.result`,
        `record.no_result`, `record.points`, `record.unfinished`, and for fair shuffles
        `record.fair_commitment`, `record.fair_deck` and similar ones. A record that is explicitly without a
        checksum can be right. `rum500.match.problems_of_match` checks that no deal follows the end of the
        match.
        """
        return list(_verify.problems(self))

    def fairness(self) -> FairnessReport:
        """Return the result of checking the lines about fair shuffles; `verify` includes its problems."""
        return fairness(self)


def carry_out(state: State, play: RecordedPlay) -> tuple[Event, ...]:
    """Apply a recorded play. Raises `IllegalPlay`, or `ValueError` for an impossible restock."""
    if play.restock:
        state.restock_order(play.restock)
        told = Event("restock", state.actor, {"cards": tuple(sorted(play.restock))})
        return (told, *state.apply(play.action))
    return state.apply(play.action)


class DealRecorder:
    """A deal that is recorded while it is played. `state` is the deal."""

    def __init__(
        self,
        record: Record,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
        tags: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Start a deal and add it to the record. Raises the errors of `Record.add`."""
        self.record = record
        self.state = record.add(deck, dealer, totals, tags, restock_seed)
        self.deal = record.deals[-1]

    def apply(self, action: Action | int) -> tuple[Event, ...]:
        """Apply an action and record it. Raises `IllegalPlay` if the rules refuse it."""
        events = self.state.apply(action)
        self.deal.plays.append(RecordedPlay(*_told(self.state, events, action)))
        if self.state.result is not None:
            self.deal.outcome = Outcome.of(self.state.result)
        return events

    def comment(self, text: str) -> None:
        """Add a remark after the last play, in braces."""
        check_comment(text)
        self.deal.comments[len(self.deal.plays) - 1] = text


def _told(state: State, events: tuple[Event, ...], action: Action | int) -> tuple[Action, tuple[int, ...]]:
    """Return the action, and the order of the new stock if it made one."""
    done = decode(action) if isinstance(action, int) else action
    if isinstance(done, Draw) and events[0].kind == "restock":
        drawn = events[1].private[events[1].seat]["card"]
        return done, (drawn, *state.stock)
    return done, ()
