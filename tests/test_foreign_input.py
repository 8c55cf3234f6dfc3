"""Files and texts of others: too large, too long, in the wrong encoding, or without an end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from rum500 import Card, NotationError, PositionError, Record, Ruleset, State, deal, ruleset
from rum500.bots import UnknownBot, get
from rum500.cards import CardError
from rum500.cli import main
from rum500.cli.terminal.saves import folder, last_path, resumed
from rum500.cli.user_error import UserError
from rum500.match import Match
from rum500.puzzles.collection import Collection
from rum500.puzzles.puzzle import PuzzleError
from rum500.record import MOST_RECORD, RecordError
from rum500.rules.notation import parse_play
from rum500.rules.problems import RulesetError
from rum500.rules.toml_text import MOST_TOML
from rum500.sim.study.study_definition import Study, StudyError
from rum500.state import MOST_POSITION, BytesError
from rum500.state.deal_bytes import MATCH as MATCH_BYTES
from rum500.state.deal_bytes import seal
from tests.test_position import MINIMAL
from tests.test_record import HAND_WRITTEN

READING = {
    "replay": ["replay", "{file}"],
    "verify": ["replay", "--verify", "{file}"],
    "analyse": ["analyse", "{file}"],
    "legal": ["legal", "{file}"],
    "perft": ["perft", "{file}"],
    "rules": ["rules", "{file}"],
    "simulate": ["simulate", "--profile", "{file}", "--deals", "1"],
    "puzzles": ["puzzles", "solve", "--file", "{file}"],
}
"""Commands that read a file."""


@pytest.mark.parametrize("command", READING)
def test_file_without_end_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    endless = tmp_path / "endless.toml"
    endless.symlink_to("/dev/zero")
    assert main([word.format(file=endless) for word in READING[command]]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "endless.toml: is larger than " in err


def test_standard_input_without_end_is_refused() -> None:
    with Path("/dev/zero").open("rb") as zero:
        command = [sys.executable, "-m", "rum500", "replay", "-"]
        done = subprocess.run(command, stdin=zero, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "rum500 replay: standard input: is larger than 67,108,864 bytes\n"


@pytest.mark.parametrize("command", ["replay", "legal"])
def test_pipe_is_read_to_its_end(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = HAND_WRITTEN if command == "replay" else MINIMAL
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert main([command, str(pipe)]) == 0
    writer.join()
    assert capsys.readouterr().out


def test_match_to_resume_is_read_up_to_a_size(tmp_path: Path) -> None:
    endless = tmp_path / "rum500" / "endless.rum500"
    endless.parent.mkdir()
    endless.symlink_to("/dev/zero")
    with pytest.raises(UserError, match=r"endless\.rum500: is larger than"):
        resumed(endless)
    with pytest.raises(UserError, match="there is no unfinished match"):
        last_path({"XDG_STATE_HOME": str(tmp_path)})


@pytest.mark.parametrize(
    ("read", "error"), [(Record.load, RecordError), (ruleset, RulesetError)], ids=["record", "rules"]
)
def test_file_that_is_no_text_is_refused_with_its_place(
    read: Callable[[Path], object], error: type[Exception], tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"one\ntwo\xff")
    with pytest.raises(error, match=f"{path}: line 2: is not UTF-8 text .byte 8."):
        read(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(error, match=f"{path}: is larger than"):
        read(path)


@pytest.mark.parametrize(
    ("read", "error"), [(Study.read, StudyError), (Collection.read, PuzzleError)], ids=["study", "puzzles"]
)
def test_study_or_collection_without_end_is_refused(
    read: Callable[[Path], object], error: type[Exception], tmp_path: Path
) -> None:
    path = tmp_path / "endless"
    path.symlink_to("/dev/zero")
    with pytest.raises(error, match="is larger than"):
        read(path)


MATCH = {"names": ["A", "B"], "dealer": 0, "seed": 1, "auto": ["cut"], "inputs": []}
CRAFTED: dict[str, object] = {
    "no map": [],
    "no field": {},
    "more fields": {**MATCH, "more": 1},
    "no name": {**MATCH, "names": []},
    "many names": {**MATCH, "names": ["A"] * 9},
    "dealer": {**MATCH, "dealer": 7},
    "huge dealer": {**MATCH, "dealer": 2**63},
    "seed below 0": {**MATCH, "seed": -1},
    "input without a class": {**MATCH, "inputs": [["Match", {}]]},
    "input with another's fields": {**MATCH, "inputs": [["CutAt", {"cards": [1]}]]},
    "cut outside the pack": {**MATCH, "inputs": [["CutAt", {"position": 2**62}]]},
    "no pack": {**MATCH, "inputs": [["PackOrder", {"cards": [2**60] * 52}]]},
    "illegal play": {**MATCH, "inputs": [["CutAt", {"position": 20}], ["Discard", {"card": 999}]]},
    "seat that is not there": {**MATCH, "inputs": [["Resign", {"seat": -1}]]},
    "list for an integer": {**MATCH, "inputs": [["Take", {"count": [[[]]]}]]},
}
"""Contents of matches in bytes that nobody could have played, each with a right checksum."""


@pytest.mark.parametrize("kind", CRAFTED)
def test_crafted_bytes_of_a_match_are_refused(kind: str) -> None:
    data = seal(MATCH_BYTES, RULES, msgspec.msgpack.encode(CRAFTED[kind]))
    with pytest.raises(BytesError, match=r"^these bytes are no match: ") as caught:
        Match.from_bytes(data, RULES)
    assert caught.value.code == "bytes.invalid"


RULES = ruleset("500-rum")
STATE = deal(RULES, 2, 1)
LONG = "x" * 1_000_000
TOO_LONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "record": (lambda: Record.from_text("\n" * (MOST_RECORD + 1)), RecordError, "is longer than 67,108,864"),
    "line": (
        lambda: Record.from_text(f"rum500 record 1\nA: {LONG}"),
        RecordError,
        "line 2, column 1: the line",
    ),
    "position": (
        lambda: State.from_text("\n" * (MOST_POSITION + 1)),
        PositionError,
        "is longer than 1,048,576",
    ),
    "lines": (lambda: State.from_text(MINIMAL + "a:\n" * 3000), PositionError, "or 2,000 lines"),
    "rules": (lambda: Ruleset.from_toml("#" * (MOST_TOML + 1)), RulesetError, "is longer than 1,048,576"),
    "keys": (
        lambda: Ruleset.from_toml("".join(f"a{n} = 1\n" for n in range(50_000))),
        RulesetError,
        "50,000 keys",
    ),
    "deal": (lambda: State.from_bytes(bytes(MOST_POSITION + 1), RULES), BytesError, "these are more than "),
    "match": (lambda: Match.from_bytes(bytes(MOST_RECORD + 1), RULES), BytesError, "these are more than "),
    "card": (lambda: Card(LONG), CardError, "is not a card"),
    "play": (lambda: parse_play(LONG, STATE), NotationError, "found 'xxx"),
    "play's card": (lambda: parse_play(f"discard {LONG}", STATE), NotationError, "found 'xxx"),
    "profile": (lambda: ruleset(LONG), RulesetError, "there is no profile 'xxx"),
    "house rule": (lambda: ruleset("500-rum", (LONG,)), RulesetError, "there is no house rule 'xxx"),
    "variation": (lambda: ruleset("500-rum", variations=(LONG,)), RulesetError, "there is no variation 'xxx"),
    "option": (lambda: Ruleset.from_toml(f"{LONG} = 1"), RulesetError, "is not an option of a rule set"),
    "bot": (lambda: get(LONG), UnknownBot, "there is no bot 'xxx"),
}


@pytest.mark.parametrize("kind", TOO_LONG)
def test_text_too_long_is_refused_in_a_short_line(kind: str) -> None:
    read, error, message = TOO_LONG[kind]
    with pytest.raises(error) as caught:
        read()
    assert message in str(caught.value)
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no rating: "),
        ("[" * 100_000, "holds no rating: "),
        ('{"x":' * 100_000, "holds no rating: "),
        ('{"rating":{"mean":1e300},"answers":{}}', "holds no rating: Expected `float` <= 100000.0"),
        (None, "is larger than 4,194,304 bytes"),
    ],
)
def test_damaged_file_of_a_solver_is_refused(
    text: str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = folder(os.environ) / "puzzles.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.symlink_to("/dev/zero") if text is None else kept.write_text(text)
    assert main(["puzzles", "solve"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and f"{kept}: {said}" in err
