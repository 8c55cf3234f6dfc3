"""Writes a record during play, one line for each turn, so that an interruption loses at most a turn."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rum500.record import _format
from rum500.record.record import Record
from rum500.record.record_data import (
    DealRecord,
    Outcome,
    RecordedPlay,
    RecordError,
    carry_out,
    check_comment,
    check_tag,
)
from rum500.rules.actions import Action, Discard, EndDeal, LetGo, Pass
from rum500.state import State
from rum500.view import Phase

_TURN = re.compile(r"^[ \t]*[0-9]+[ \t]+[^:\n]*:", re.MULTILINE)
_CLOSING = re.compile(r"\s*(checksum:.*|result:\s*unfinished\s*)", re.IGNORECASE)
_BEARABLE = ("record.truncated", "record.no_result")


class RecordWriter:
    r"""Writes a record by calling `write` with whole lines, which should be stored immediately.

    A turn is written when it ends; until then `undo` can take back its plays. `close` writes the unfinished
    turn and the checksum. `record` is the record so far.

    >>> from rum500.cards import pack
    >>> from rum500.rules.actions import Draw
    >>> from rum500.rules.profiles import ruleset
    >>> lines = []
    >>> writer = RecordWriter(Record(ruleset("500-rum"), players=2, names=("Ann", "Bob")), lines.append)
    >>> writer.begin_deal(pack())
    >>> writer.play(Draw())
    >>> writer.play(Discard(card=0))
    >>> lines[-1]
    '1 Bob: draw; discard AS\n'
    """

    def __init__(self, record: Record, write: Callable[[str], object], *, kept: str = "") -> None:
        """Start a record that has no deals, or continue one.

        `kept`: the text that `resume` returned, to continue a record; otherwise empty.
        """
        self.record = record
        self.closed = False
        self._write = write
        self._hash = hashlib.sha256(kept.encode())
        self._state: State | None = None
        self._before: State | None = None
        self._open: list[RecordedPlay] = []
        self._turns = 0
        if kept:
            self._continue(kept)
        else:
            self._emit(*_format.header(record))

    def _continue(self, kept: str) -> None:
        """Continue the last deal after the text `kept`; its unfinished turn is written when it ends."""
        deals = self.record.deals
        if not deals or deals[-1].outcome is not None:
            return
        self._turns = len(_TURN.findall(kept[kept.rindex("\ndeal:") :]))
        self._open = _open_turn(deals[-1], self.record.final(len(deals)))
        self._before = state = self.record.begin(len(deals))
        for play in deals[-1].plays[: len(deals[-1].plays) - len(self._open)]:
            carry_out(state, play)
        self._state = state.copy()
        for play in self._open:
            carry_out(self._state, play)

    @property
    def state(self) -> State | None:
        """The deal in progress; None between deals."""
        return self._state

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("this record is closed")

    def _emit(self, *lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        self._hash.update(text.encode())
        self._write(text)

    # --- deals --------------------------------------------------------------------------------------

    def begin_deal(
        self,
        deck: Sequence[int],
        dealer: int | None = None,
        totals: Sequence[int] = (),
        tags: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Start a new deal. Raises the errors of `Record.add`."""
        self._check_open()
        if self._state is not None:
            raise ValueError("the deal before is not over")
        state = self.record.add(deck, dealer, totals, tags)
        self._state, self._before, self._turns, self._open = state, state.copy(), 0, []
        self._emit("", *_format.deal_head(self.record, len(self.record.deals)))

    def play(self, action: Action, restock: Sequence[int] = (), comment: str = "") -> None:
        """Apply and record an action; `restock` is the order of the new stock if a draw needs one (H5).

        The turn is written when it ends or gets a comment, the result when the deal ends. Raises
        `IllegalPlay` if the rules refuse the action, and `ValueError` for an impossible comment.
        """
        self._check_open()
        if self._state is None:
            raise ValueError("no deal is going on")
        if comment:
            check_comment(comment)
        deal, seat = self.record.deals[-1], self._state.actor
        play = RecordedPlay(action, tuple(restock))
        carry_out(self._state, play)
        deal.plays.append(play)
        self._open.append(play)
        if comment:
            deal.comments[len(deal.plays) - 1] = comment
        ends = comment or isinstance(action, Discard | Pass | EndDeal | LetGo)
        if ends or self._state.is_over or self._state.actor != seat:
            self._flush()
        if self._state.result is not None:
            deal.outcome = Outcome.of(self._state.result)
            self._emit(_format.result_line(deal.outcome, self.record.names))
            self._state = None

    def undo(self, count: int = 1) -> None:
        """Take back the last `count` plays of the unfinished turn."""
        if not 0 < count <= len(self._open) or self._before is None:
            raise ValueError(f"the open turn holds {len(self._open)} plays")
        del self._open[-count:]
        del self.record.deals[-1].plays[-count:]
        self._state = self._before.copy()
        for play in self._open:
            carry_out(self._state, play)

    def tag(self, name: str, value: str) -> None:
        """Add the line `name: value` below the plays of the last deal, and write it."""
        self._check_open()
        check_tag(name, value)
        if not self.record.deals:
            raise ValueError("free lines of the header are given with the record")
        if self._open:
            self._flush()
        self.record.deals[-1].end_tags.append((name, value))
        self._emit(f"{name}: {value}".rstrip())

    def _flush(self) -> None:
        """Write the unfinished turn."""
        state, words, seat = self._before, list[str](), 0
        assert state is not None
        for play in self._open:
            seat = state.actor
            words += _format.play_words(play, state)
            carry_out(state, play)
        self._turns += 1
        deal = self.record.deals[-1]
        comment = deal.comments.get(len(deal.plays) - 1, "")
        self._emit(_format.turn_line(self._turns, self.record.names[seat], words, comment))
        self._open, self._before = [], state

    def close(self) -> None:
        """Write the unfinished turn, a line for an unfinished deal, and the checksum."""
        if self.closed:
            return
        if self._open:
            self._flush()
        if self._state is not None:
            self._emit(_format.result_line(None, self.record.names))
        digest = self._hash.hexdigest()
        self._write(f"checksum: {digest}\n")
        self.closed = True


@dataclass(frozen=True, slots=True)
class ResumedRecord:
    """A record that `RecordWriter(record, write, kept=text)` can continue."""

    text: str
    """The usable part of the file's text."""
    record: Record
    """The record, including its unfinished turn."""
    notice: str
    """A description of the part that was dropped; empty if none was."""


def resume(text: str) -> ResumedRecord:
    """Prepare to continue a record that was closed unfinished, or whose writing was interrupted.

    An incomplete last line, and a deal with an incomplete deck, are dropped; `notice` says so. Raises
    `RecordError` for a record that was changed or cannot be replayed.
    """
    text, notice = _without_partial_line(text)
    record = Record.from_text(text)
    lines = [line for line in text.split("\n") if not _CLOSING.fullmatch(line)]
    last = record.deals[-1] if record.deals else None
    if last is not None and last.fault is not None and record.seal == "missing" and "deck" in last.fault.code:
        record.deals.pop()
        del lines[last.lines["deal"] - 1 :]
        notice = notice or "the last deal was cut short before it began, and is dropped"
    wrong = [problem for problem in record.verify() if problem.code not in _BEARABLE]
    if wrong:
        raise RecordError(wrong[0])
    return ResumedRecord(_kept(record, lines), record, notice)


def _without_partial_line(text: str) -> tuple[str, str]:
    whole, newline, rest = text.rpartition("\n")
    if not rest:
        return text, ""
    return whole + newline, f"the last line was cut short, and is dropped: {rest.strip()[:60]!r}"


def _kept(record: Record, lines: list[str]) -> str:
    """Return the record's text without an unfinished turn. Add the result that a finished deal may lack."""
    if record.deals and record.deals[-1].outcome is None:
        deal, state = record.deals[-1], record.final(len(record.deals))
        open_turn = _open_turn(deal, state)
        if open_turn:
            del lines[open_turn[0].line - 1 :]
        if state.result is not None:
            deal.outcome = Outcome.of(state.result)
            lines.append(_format.result_line(deal.outcome, record.names))
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines) + "\n"


def _open_turn(deal: DealRecord, state: State) -> list[RecordedPlay]:
    """Return the plays of the unfinished turn at the end of the deal."""
    last = deal.plays[-1] if deal.plays else None
    if last is None or state.is_over or state.phase in (Phase.DRAW, Phase.CLAIM):
        return []
    first = max((i for i, play in enumerate(deal.plays) if play.line != last.line), default=-1) + 1
    return [play for play in deal.plays[first:] if not isinstance(play.action, LetGo)]
