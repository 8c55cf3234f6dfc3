"""Finished deals: frames for replays, and records that can be replayed and verified offline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import asdict, replace

from rum500.cards import card_text
from rum500.record import DealRecord, Outcome, Record, RecordedPlay
from rum500.record.fair import fair_draw_tags
from rum500.rules.action_codes import decode
from rum500.server.live.broadcast.snapshot_builder import Presence, snapshot_of
from rum500.server.live.log import entries as log
from rum500.server.live.log.deals import DealHistory
from rum500.server.live.log.event_messages import ScopedEvent
from rum500.server.live.log.seats import guest_of, unique_name
from rum500.server.live.log.shuffles import inputs
from rum500.server.live.log.table_options import table_info
from rum500.server.live.log.table_state import TableState
from rum500.server.messages import Snapshot, SnapshotPatch, http
from rum500.server.messages.options import TableOptions
from rum500.server.messages.render import rows, texts
from rum500.server.messages.struct_diff import diff
from rum500.store import StoredEntry

_OF_THE_TABLE = frozenset({
    "asked", "host", "watching", "votes", "clock", "banks", "claim", "fairness", "rematch", "sheet", "result",
    "speed",
})  # fmt: skip
"""The fields that a replay leaves out, because they describe the table, not the deal."""
_NOT_IN_NAMES = re.compile(r'[:;#{}|"\x00-\x1f]')


# --- frames -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Step:
    """The part of a replay that one entry of the log adds."""

    snapshot: Snapshot
    """The table after the entry; without frames, the table after the last entry that has frames."""
    frames: list[http.ReplayFrame] = field(default_factory=list)
    """One frame for each event of the entry."""


def replay(table: str, entries: Iterable[StoredEntry], number: int) -> http.Replay | None:
    """Return the replay of deal `number` from the entries of a table's log; None unless the deal is over."""
    state = TableState(table, keep_deals=True)
    steps: list[_Step] = []
    for entry in entries:
        line = state.read(entry)
        if isinstance(line, log.CutMade | log.TriedAgain):
            steps = [_first(state)] if state.deals[-1].number == number else []
        elif isinstance(line, log.Undone) and steps:
            steps.pop()
        elif isinstance(line, log.Played | log.Called | log.LetGone) and steps:
            steps.append(_next(state, steps[-1].snapshot))
            if state.deals[-1].over:
                return _replay(state, [frame for step in steps for frame in step.frames])
    return None


def _replay(state: TableState, frames: list[http.ReplayFrame]) -> http.Replay:
    deal, sheet = state.deals[-1], state.sheet
    assert sheet is not None
    return http.Replay(
        table=state.table,
        deal=deal.number,
        options=table_info(state.options, state.rules, deal.players, state.tried),
        names=_names(state, deal),
        draw=_spreading(state),
        fairness=_shuffling(state, deal),
        frames=frames,
        sheet=sheet,
    )


def _seen(state: TableState) -> Snapshot:
    """Return the table as spectators see it, but with all players connected, and the latest deal's dealer."""
    everyone = Presence(here=frozenset(state.seating))
    return replace(snapshot_of(state, everyone), dealer=state.deals[-1].dealer)


def _patch(fields: dict[str, Any]) -> Any:
    return SnapshotPatch(**{name: fields[name] for name in fields if name not in _OF_THE_TABLE})


def _first(state: TableState) -> _Step:
    seen = _seen(state)
    dealt = next(event for event in reversed(state.events) if event.shared.kind == "deal")
    frame = http.ReplayFrame(dealt.shared, _patch(asdict(seen)), _hands(state))
    return _Step(seen, [frame])


def _next(state: TableState, before: Snapshot) -> _Step:
    """Return the step of the log's last entry. Its first frame has all changes since the snapshot `before`.

    The event `settle` has no frame, because it is not visible at the table. Changes by an entry
    without a frame are in the next frame.
    """
    seen = _seen(state)
    changed = _patch(diff(before, seen))
    frames: list[http.ReplayFrame] = []
    for event in _shown(state):
        patch = SnapshotPatch() if frames else changed
        frames.append(http.ReplayFrame(event.own or event.shared, patch, _hands(state)))
    return _Step(seen if frames else before, frames)


def _shown(state: TableState) -> Iterator[ScopedEvent]:
    """Yield those events of the log's last entry that get a frame in the replay."""
    for event in state.events:
        if event.number == state.number and event.shared.kind != "settle":
            yield event


def _hands(state: TableState) -> tuple[tuple[str, ...], ...]:
    assert state.match is not None
    assert state.match.state is not None
    return rows(state.match.state.hands)


def _names(state: TableState, deal: DealHistory) -> list[str]:
    """Return the names of the players in this deal, by seat."""
    return [state.seats[player].name for player in deal.seating]


def _spreading(state: TableState) -> http.DrawProof | None:
    """Return the proof of the last draw for deal; None if there was no draw. The draw must be over."""
    spread = state.shuffles.last_spread
    if spread is None:
        return None
    return http.DrawProof(
        **inputs(spread.shuffle),
        pack=_pack(state, len(state.seats)),
        drawn=[(place, card_text(card)) for place, card in spread.drawn],
    )


def _pack(state: TableState, players: int) -> list[str]:
    """Return the pack for this number of players, in canonical order, as texts."""
    return texts(sorted(state.rules.deck(players)))


def _shuffling(state: TableState, deal: DealHistory) -> http.ShuffleProof | None:
    """Return the proof of a finished deal's shuffle, with the seed; None if the log has no shuffle."""
    shuffle = deal.shuffle
    if shuffle is None:
        return None
    return http.ShuffleProof(
        **inputs(shuffle),
        cut=shuffle.cut,
        cut_by=shuffle.cut_by,
        pack=_pack(state, deal.players),
        deck=texts(deal.deck),
        restocks=[texts(stock) for stock in deal.stocks.values()],
    )


# --- for reviews ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A finished deal of a table, with all that its review needs."""

    record: Record
    """A record of this deal and of the earlier deals of the match with the same players."""
    players: tuple[int, ...]
    """The player at each seat."""
    guests: tuple[str | None, ...]
    """By seat, the guest to whom the seat belonged at the end of the deal; None for bots."""
    names: tuple[str, ...]
    """The names of the players, by seat."""
    numbers: tuple[int, ...]
    """For each deal of the record, its number in the match."""
    frames: tuple[int, ...]
    """By play, the index of its first frame in the `Replay`."""
    options: TableOptions
    """The options of the table."""
    levels: tuple[str | None, ...]
    """The levels of the bots, by seat; None for people."""


def finished_deal(table: str, entries: Iterable[StoredEntry], number: int) -> FinishedDeal | None:
    """Return deal `number` from the entries of a table's log; None unless the deal is over."""
    state = TableState(table, keep_deals=True)
    steps: list[tuple[int, int]] = []  # by entry: how many frames and plays there are after it
    frames: list[int] = []
    for entry in entries:
        line = state.read(entry)
        if isinstance(line, log.CutMade):
            steps, frames = ([(1, 0)], []) if state.deals[-1].number == number else ([], [])
        elif isinstance(line, log.TriedAgain):
            frames = [0] * len(line.plays)
            steps = [(1, len(frames))] if line.of.deal == number else []
        elif isinstance(line, log.Undone) and steps:
            steps.pop()
            del frames[steps[-1][1] :]
        elif isinstance(line, log.Played | log.Called | log.LetGone) and steps:
            deal = state.deals[-1]
            shown, played = steps[-1]
            frames += [shown] * (len(deal.plays) - played)
            steps.append((shown + sum(1 for _ in _shown(state)), len(deal.plays)))
            if deal.over:
                return _finished(state, deal, tuple(frames))
    return None


def _finished(state: TableState, deal: DealHistory, frames: tuple[int, ...]) -> FinishedDeal:
    deals = [one for one in state.deals if one.over and one.seating == deal.seating]
    names = _names(state, deal)
    record = Record(
        state.rules, deal.players, record_names(names), [], [_deal_record(state, one) for one in deals]
    )
    guests = tuple(guest_of(state.seats[player]) for player in deal.seating)
    return FinishedDeal(
        record,
        deal.seating,
        guests,
        tuple(names),
        tuple(one.number for one in deals),
        frames,
        state.options,
        tuple(state.seats[player].level for player in deal.seating),
    )


# --- records ----------------------------------------------------------------------------------------


def record(table: str, entries: Iterable[StoredEntry], number: int | None) -> str | None:
    """Return the record of deal `number` as text, or the record of the match if `number` is None.

    Returns None if the deal, or every deal of the match, is unfinished.

    All deals of a record have the same players. If a player resigned and the other players continued, the
    record of the match has only the deals before the resignation; each later deal has its own record.
    """
    state = TableState.fold(table, entries, keep_deals=True)
    over = [deal for deal in state.deals if deal.over]
    if number is not None:
        over = [deal for deal in over if deal.number == number]
    if not over:
        return None
    first = over[0]
    deals = [_deal_record(state, deal) for deal in over if deal.seating == first.seating]
    spread = state.shuffles.last_spread
    tags = fair_draw_tags(spread.shuffle, spread.drawn) if spread else []
    names = record_names(_names(state, first))
    return Record(state.rules, first.players, names, tags, deals).to_text()


def _deal_record(state: TableState, deal: DealHistory) -> DealRecord:
    assert state.match is not None
    result = next(score.result for score in state.match.sheet if score.number == deal.number)
    plays = [RecordedPlay(decode(code), deal.stocks.get(at, ())) for at, code in enumerate(deal.plays)]
    tags = deal.shuffle.tags() if deal.shuffle else []
    if state.tried:
        tried = state.tried
        cards = "dealt again" if tried.redealt else "the same cards"
        place = f"deal {tried.deal}, turn {tried.turn} of seat {tried.seat}, {cards}"
        of_day = f"{'practice of ' if tried.practice else ''}the deal of the day {tried.day}"
        which = f"lesson {tried.lesson}" if tried.lesson else of_day if tried.day else place
        tags = [*tags, ("TriedAgain", which)]
    if deal.hints:
        tags = [*tags, ("Hints", " ".join(str(deal.hints[player]) for player in deal.seating))]
    found = DealRecord(deal.deck, deal.dealer, deal.totals, tags, plays, outcome=Outcome.of(result))
    found.note_stand_ins(at + 1 for at in deal.stand_ins)
    return found


def record_names(names: Sequence[str]) -> list[str]:
    """Return these names as a record can contain them: all different, without characters of its syntax."""
    found: list[str] = []
    for seat, name in enumerate(names):
        plain = " ".join(_NOT_IN_NAMES.sub(" ", name).split()) or f"Seat {seat}"
        found.append(unique_name(plain, found))
    return found
