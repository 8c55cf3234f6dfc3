"""`Record`: rules, names and deals; replaying them, and verifying that everything in them is so."""

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

    `names` by seat, "Seat 0" and so on where none are given; `tags` are free lines of the header, in order.
    `seal` tells of a record that was read: "right", "wrong" (changed since it was sealed), "none" (it says
    itself that it has no checksum: written by hand) or "missing" (cut short, or still being written).

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
        """Begin a record; `ValueError` for names or tags that cannot be written."""
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
        """Whether two records say the same; how they were sealed does not matter."""
        if not isinstance(other, Record):
            return NotImplemented
        return self._content() == other._content()

    __hash__ = None  # type: ignore[assignment]

    def _content(self) -> tuple[object, ...]:
        return (self.rules, self.players, self.names, self.tags, self.deals, self.digest)

    def __repr__(self) -> str:
        """Rules, names and the number of deals."""
        return f"<Record {self.rules.name} {', '.join(self.names)}: {len(self.deals)} deals>"

    # --- text ---------------------------------------------------------------------------------------

    def to_text(self, *, sealed: bool = True) -> str:
        """Write the record, with its checksum unless `sealed` is False."""
        return _format.write(self, sealed=sealed)

    @classmethod
    def from_text(cls, text: str) -> Record:
        """Read a record; `RecordError` with line and column for a text that is none.

        A record that is read need not be right: `verify` says what is wrong with it.
        """
        from rum500.record._reader import read  # noqa: PLC0415 - the reader makes records

        return read(text)

    # --- replaying ----------------------------------------------------------------------------------

    def number(self, deal: int) -> int:
        """Which deal of its match a deal of the record is, both counted from 1.

        A record that begins with other totals than zero begins in mid-match: with the second deal, as far as
        it tells.
        """
        return usual_number(self.deals[0].totals) + deal - 1

    def begin(self, deal: int, restock_seed: int = 0) -> State:
        """The state at the start of a deal, counted from 1."""
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
        """Add a deal that is about to be played, and give its state; nothing is added where that fails.

        Errors as those of `State.new`, and `ValueError` for a tag that cannot be written.
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
        """Play the record, or one deal of it, again: each action with the state before it.

        Every state is a copy of its own. `IllegalPlay` or `ValueError` where the record is not right.
        """
        for number in range(1, len(self.deals) + 1) if deal is None else [deal]:
            state = self.begin(number)
            for step, play in enumerate(self.deals[number - 1].plays, 1):
                before = state.copy()
                events = carry_out(state, play)
                yield ReplayStep(before, play.action, events, number, step, play.restock)

    def final(self, deal: int) -> State:
        """The state at the end of a deal, counted from 1."""
        state = self.begin(deal)
        for play in self.deals[deal - 1].plays:
            carry_out(state, play)
        return state

    def verify(self) -> list[Problem]:
        """Everything that is wrong with the record; empty if it is right.

        Codes: `record.checksum`, `record.truncated`, `record.digest`, `record.deck`, `record.dealer`,
        `record.totals`, `record.illegal`, `record.notation`, `record.restock`, `record.result`,
        `record.no_result`, `record.points`, `record.unfinished`, and where it tells of fair shuffles
        `record.fair_commitment`, `record.fair_deck` and the like. A record that says itself that it has no
        checksum can be right. Whether the match was over before a deal says `rum500.match.problems_of_match`.
        """
        return list(_verify.problems(self))

    def fairness(self) -> FairnessReport:
        """What the record's lines about fair shuffles bear out; its problems are among those of `verify`."""
        return fairness(self)


def carry_out(state: State, play: RecordedPlay) -> tuple[Event, ...]:
    """Do a recorded play; `IllegalPlay`, or `ValueError` for a restock that cannot be."""
    if play.restock:
        state.restock_order(play.restock)
        told = Event("restock", state.actor, {"cards": tuple(sorted(play.restock))})
        return (told, *state.apply(play.action))
    return state.apply(play.action)


class DealRecorder:
    """Plays a deal and keeps its record: a `State` to act on, whose every action is written down."""

    def __init__(
        self,
        record: Record,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
        tags: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Begin a deal and add it to the record; errors as those of `Record.add`."""
        self.record = record
        self.state = record.add(deck, dealer, totals, tags, restock_seed)
        self.deal = record.deals[-1]

    def apply(self, action: Action | int) -> tuple[Event, ...]:
        """Do an action and write it down; `IllegalPlay` if the rules refuse it."""
        events = self.state.apply(action)
        self.deal.plays.append(RecordedPlay(*_told(self.state, events, action)))
        if self.state.result is not None:
            self.deal.outcome = Outcome.of(self.state.result)
        return events

    def comment(self, text: str) -> None:
        """A remark after the last play, in braces."""
        check_comment(text)
        self.deal.comments[len(self.deal.plays) - 1] = text


def _told(state: State, events: tuple[Event, ...], action: Action | int) -> tuple[Action, tuple[int, ...]]:
    """The action, and the order of the stock that it made anew, if it did."""
    done = decode(action) if isinstance(action, int) else action
    if isinstance(done, Draw) and events[0].kind == "restock":
        drawn = events[1].private[events[1].seat]["card"]
        return done, (drawn, *state.stock)
    return done, ()
