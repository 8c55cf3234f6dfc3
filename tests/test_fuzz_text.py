"""Any text as a play, position or record: it is read, or refused with the place of the error."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import State, ruleset
from rum500.record import Record, RecordError, resume
from rum500.rules.notation import NotationError, parse_play, play_text
from rum500.state import Position, PositionError, position_from_text, view_to_text
from tests.support.depth import depth
from tests.support.records import random_record
from tests.support.table import table
from tests.test_position import MINIMAL, ONE_SEAT, random_state

TABLES = [
    table("rummy-500", ["", ""], pile="8C JK 8C", melds=["6S 7S 8S", "9S 9H 9D", "JK=1H 2H 3H"]),
    table("persian-rummy", ["", "", "", ""], pile="JK", melds=["JK JK JK", "QS KS AS"]),
    table(ruleset("rummy-500", ("H3",)), ["", ""], melds=["6S JK JK"]),
    table("500-rum", ["", ""]),
]
VOCABULARY = (
    "draw d take t meld m lay l on discard x call let go pass end the deal cards top all = : , ; # @ + - 1 2",
    "9 0 1S JK JK=6S =1S 6S-9S A-KS AS 10D TD Q♦ ★ 6♠ rest yes no known by hand stock | { } \x00 ß 𝟛 ²",
)
WORDS = st.sampled_from([word for line in VOCABULARY for word in line.split(" ")])
PLAYS = st.one_of(
    st.text(max_size=40),
    st.lists(WORDS, max_size=9).map(" ".join),
    st.tuples(st.sampled_from(["take", "meld", "lay", "call", "discard"]), st.lists(WORDS, max_size=8)).map(
        lambda pair: " ".join((pair[0], *pair[1]))
    ),
)
SPLICES = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 3), st.one_of(st.text(max_size=3), WORDS, st.just("\n"))),
    min_size=1,
    max_size=4,
)


def spliced(text: str, changes: list[tuple[float, int, str]]) -> str:
    """The text with a few characters taken out and others put in, at a few places."""
    for where, out, new in changes:
        at = int(where * len(text))
        text = text[:at] + new + text[at + out :]
    return text


def check_place(error: NotationError | PositionError | RecordError, text: str) -> None:
    """The error names a line of the text and a column in it, or right after it, and takes one line itself."""
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert "\n" not in str(error)


@settings(max_examples=depth(100, 400), deadline=None)
@given(st.sampled_from(TABLES), PLAYS)
def test_any_play(at: State, text: str) -> None:
    text = text.replace("\n", " ")
    try:
        action = parse_play(text, at)
    except NotationError as error:
        check_place(error, text)
        return
    written = play_text(action, at)
    if at.is_legal(action):
        assert parse_play(written, at) == action
    else:
        assert at.why_not(action) is not None


def check_position(text: str) -> None:
    try:
        position: Position = position_from_text(text)
    except PositionError as error:
        check_place(error, text)
        return
    again = position.state.to_text() if position.complete else view_to_text(position.view)
    back = position_from_text(again)
    assert back.view == position.view
    if position.complete and not position.state.is_over:
        assert position.state.legal_ints()


@settings(max_examples=depth(37, 150), deadline=None)
@given(st.one_of(st.text(max_size=60), st.text(max_size=60).map("rum500 position 1\n".__add__)))
def test_any_text_as_a_position(text: str) -> None:
    check_position(text)


@settings(max_examples=depth(100, 400), deadline=None)
@given(st.sampled_from([MINIMAL, ONE_SEAT]), SPLICES)
def test_changed_positions_written_by_hand(text: str, changes: list[tuple[float, int, str]]) -> None:
    check_position(spliced(text, changes))


@settings(max_examples=depth(75, 300), deadline=None)
@given(st.integers(0, 60), st.booleans(), SPLICES)
def test_changed_positions(seed: int, whole: bool, changes: list[tuple[float, int, str]]) -> None:
    state = random_state(seed)
    text = state.to_text() if whole else view_to_text(state.view(0))
    check_position(spliced(text, changes))


@cache
def record_text(seed: int) -> str:
    rules = ruleset(
        random.Random(seed).choice(("500-rum", "rummy-500", "persian-rummy", "500-rummy")), ("H5", "H6")
    )
    return random_record(rules, rules.players[-1] if seed % 2 else 4, seed, deals=2, stop=40).to_text()


def check_record(text: str) -> None:
    """It is refused with a place, or told apart, or it is the very text that was written."""
    try:
        record = Record.from_text(text)
        problems = record.verify()
    except RecordError as error:
        check_place(error, text)
        return
    if not problems:
        assert record.seal in ("right", "none")
        assert Record.from_text(record.to_text()).verify() == []
    else:
        assert all("\n" not in str(problem) for problem in problems)


@settings(max_examples=depth(37, 150), deadline=None)
@given(st.one_of(st.text(max_size=60), st.text(max_size=60).map("rum500 record 1\n".__add__)))
def test_any_text_as_a_record(text: str) -> None:
    check_record(text)


@settings(max_examples=depth(30, 120), deadline=None)
@given(st.integers(0, 8), SPLICES)
def test_changed_records(seed: int, changes: list[tuple[float, int, str]]) -> None:
    original = record_text(seed)
    text = spliced(original, changes)
    check_record(text)
    unsealed = spliced(original.rpartition("checksum: ")[0] + "checksum: none\n", changes)
    check_record(unsealed)
    try:
        kept = resume(text)
    except RecordError as error:
        check_place(error, text)
    else:
        codes = {problem.code for problem in Record.from_text(kept.text).verify()}
        assert codes <= {"record.truncated", "record.no_result"}


@settings(max_examples=depth(30, 120), deadline=None)
@given(st.integers(0, 8), st.floats(0, 1, exclude_max=True), st.characters())
def test_one_changed_character_of_a_record(seed: int, where: float, char: str) -> None:
    original = record_text(seed)
    at = int(where * len(original))
    for text in (
        original[:at] + char + original[at + 1 :],
        original[:at] + char + original[at:],
        original[:at] + original[at + 1 :],
        original[:at],
    ):
        if text == original:
            continue
        try:
            assert Record.from_text(text).verify() != []
        except RecordError as error:
            check_place(error, text)
