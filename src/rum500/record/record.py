"""Records of deals and matches: reading, writing, replaying and verifying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rum500.file_reading import NoTextError, TooLargeError, read_text
from rum500.record import _format, _verify
from rum500.record._fair_check import FairnessReport, fairness
from rum500.record._reader import read
from rum500.record._sheet_picture import sheet_svg
from rum500.record.record_data import (
    MOST_RECORD,
    DealRecord,
    Outcome,
    RecordData,
    RecordedPlay,
    RecordError,
    ReplayStep,
    carry_out,
    check_comment,
    check_tag,
)
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, Draw
from rum500.rules.problems import Problem
from rum500.state import State
from rum500.view import Event

if TYPE_CHECKING:
    from rum500.match import Match


class Record(RecordData):
    """A record of one deal or of a match.

    `names` are by seat, by default "Seat 0" and so on. `tags` are further header lines, in order, whose names
    the caller chooses. `seal` is the state of the checksum in the text: "right", "wrong" (the text was
    changed), "none" (the text says that it has none, because it was written by hand) or "missing" (the text
    was cut short, or is still being written).

    >>> from rum500.rules.profiles import ruleset
    >>> Record(ruleset("500-rum"), players=2).names
    ('Seat 0', 'Seat 1')
    """

    # --- text ---------------------------------------------------------------------------------------

    def to_text(self, *, sealed: bool = True) -> str:
        """Return the record as text, with its checksum unless `sealed` is False."""
        return _format.write(self, sealed=sealed)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a record from text. Raises `RecordError` with line and column for a text that is no record.

        The record need not be correct; `verify` returns what is wrong with it.
        """
        return read(text, cls)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a record from a file. Raises `RecordError` as `from_text` does, and `OSError`."""
        try:
            return cls.from_text(read_text(path, MOST_RECORD).replace("\r\n", "\n"))
        except NoTextError as error:
            raise RecordError(Problem("record.encoding", "", "", f"{path}: {error}")) from None
        except TooLargeError as error:
            raise RecordError(Problem("record.size", "", "", f"{path}: {error.strerror}")) from None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record with its checksum to a file."""
        Path(path).write_text(self.to_text(), encoding="utf-8")

    def match(self) -> Match:
        """Return the recorded match, to inspect or to continue it; `Match.record` is the reverse.

        Raises `MatchError` for a record that begins in mid-match, and `MatchError` or `IllegalPlay` for the
        first deal or play that the rules refuse.
        """
        from rum500.match import Match  # noqa: PLC0415 - the one call upwards

        return Match.of_record(self)

    def to_svg(self) -> str:
        """Return a picture of the points of each deal and the totals, as an SVG document."""
        return sheet_svg(self)

    def _repr_html_(self) -> str:
        return self.to_svg()

    # --- replaying ----------------------------------------------------------------------------------

    def add(
        self,
        deck: Sequence[int],
        dealer: int | None = None,
        totals: Sequence[int] = (),
        tags: Iterable[tuple[str, str]] = (),
        restock_seed: int = 0,
    ) -> State:
        """Add a deal that is about to be played, and return its state.

        By default the dealer is the next player to the left (D15), and the totals follow from earlier deals.
        If an argument is refused, with the errors of `State.new` or with `ValueError` for a tag that cannot
        be written, the record is unchanged.
        """
        dealer = self.usual_dealer() if dealer is None else dealer
        deal = DealRecord(
            tuple(deck), dealer, tuple(totals) or self.totals_after(len(self.deals)), list(tags)
        )
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

        Every state is an independent copy. Raises `IllegalPlay` or `ValueError` if the record is not correct.
        """
        for number in range(1, len(self.deals) + 1) if deal is None else [deal]:
            state = self.begin(number)
            for step, play in enumerate(self.deals[number - 1].plays, 1):
                before = state.copy()
                events = carry_out(state, play)
                yield ReplayStep(before, play.action, events, number, step, play.restock)

    def final(self, deal: int | None = None) -> State:
        """Return the state at the end of deal number `deal`, from 1; by default of the last deal.

        An unfinished deal ends with its last recorded play. Raises `IndexError` for a record without deals.
        """
        deal = len(self.deals) if deal is None else deal
        state = self.begin(deal)
        for play in self.deals[deal - 1].plays:
            carry_out(state, play)
        return state

    def verify(self) -> list[Problem]:
        """Return everything that is wrong with the record; empty if it is correct.

        Codes: `record.checksum`, `record.truncated`, `record.digest`, `record.deck`, `record.dealer`,
        `record.totals`, `record.illegal`, `record.notation`, `record.restock`, `record.result`,
        `record.no_result`, `record.points`, `record.unfinished`, and for fair shuffles
        `record.fair_commitment`, `record.fair_deck` and similar ones. A record that is explicitly without a
        checksum can be correct. `rum500.match.problems_of_match` checks that no deal follows the end of the
        match.
        """
        return list(_verify.problems(self))

    def fairness(self) -> FairnessReport:
        """Return the result of checking the lines about fair shuffles; `verify` includes its problems."""
        return fairness(self)


class DealRecorder:
    """Plays a deal and records it. `state` is the deal."""

    def __init__(
        self,
        record: Record,
        deck: Sequence[int],
        dealer: int | None = None,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
        tags: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Start a deal and add it to the record. Raises the errors of `Record.add`."""
        self.record = record
        self.state = record.add(deck, dealer, totals, tags, restock_seed)
        self.deal = record.deals[-1]

    def apply(self, action: Action | int) -> tuple[Event, ...]:
        """Apply an action, record it, and return its events. Raises `IllegalPlay` if it is not legal."""
        events = self.state.apply(action)
        self.deal.plays.append(RecordedPlay(*_recorded_action(self.state, events, action)))
        if self.state.result is not None:
            self.deal.outcome = Outcome.of(self.state.result)
        return events

    def comment(self, text: str) -> None:
        """Add a remark after the last play, in braces."""
        check_comment(text)
        self.deal.comments[len(self.deal.plays) - 1] = text


def _recorded_action(
    state: State, events: tuple[Event, ...], action: Action | int
) -> tuple[Action, tuple[int, ...]]:
    """Return the action, and the order of the new stock if the action made one (else empty)."""
    done = decode(action) if isinstance(action, int) else action
    if isinstance(done, Draw) and events[0].kind == "restock":
        drawn = events[1].private[events[1].seat]["card"]
        return done, (drawn, *state.stock)
    return done, ()
