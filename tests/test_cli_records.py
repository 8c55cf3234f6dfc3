"""`rum500 replay`, `legal` and `perft`: what they print, and exit codes 0, 1 and 2."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from rum500 import deal, ruleset
from rum500.cli import main
from rum500.record import Record
from rum500.rules.engine.playouts import perft
from rum500.rules.notation import play_text
from rum500.state import State, position_from_text, view_to_text
from tests.support.records import random_record
from tests.test_position import MINIMAL, ONE_SEAT
from tests.test_record import HAND_WRITTEN, sealed


class Ran(NamedTuple):
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str


class Runner:
    """Runs a command in a folder of its own."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch

    def __call__(self, *words: str, file: str | bytes | None = None, stdin: str = "") -> Ran:
        """Run it; `file` becomes the file that FILE names."""
        path = self.folder / "file.txt"
        if file is not None:
            path.write_bytes(file.encode() if isinstance(file, str) else file)
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        try:
            code = main([str(path) if word == "FILE" else word for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        told = self.capsys.readouterr()
        if code == 2:
            assert told.err.count("\n") == 1, told.err
            assert told.err.startswith(f"rum500 {words[0]}: ")
        return Ran(code, told.out.replace(str(path), "FILE"), told.err.replace(str(path), "FILE"))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(tmp_path, capsys, monkeypatch)


# --- legal -------------------------------------------------------------------------------------------


def test_legal_lists_the_plays(run: Runner) -> None:
    assert run("legal", "FILE", file=MINIMAL) == (0, "draw\ntake 10C\n", "")
    assert run("legal", "-", stdin=MINIMAL) == (0, "draw\ntake 10C\n", "")
    state = deal(ruleset("rummy-500"), 3, 5)
    state.apply(state.legal_actions()[0])
    wanted = [play_text(action, state) for action in state.legal_actions()]
    assert run("legal", "FILE", file=state.to_text()).out.splitlines() == wanted
    ran = run("legal", "FILE", "--json", file=view_to_text(state.view(state.actor)))
    assert json.loads(ran.out)["plays"] == wanted


def test_legal_as_json(run: Runner) -> None:
    assert json.loads(run("legal", "--json", "FILE", file=MINIMAL).out) == {
        "profile": "500-rum",
        "house_rules": [],
        "players": 2,
        "complete": True,
        "seat": None,
        "turn": 0,
        "actor": 0,
        "phase": "draw",
        "must_use": None,
        "plays": ["draw", "take 10C"],
    }


def test_legal_why(run: Runner) -> None:
    assert run("legal", "FILE", "--why", "t 10c", file=MINIMAL) == (0, "legal\n", "")
    ran = run("legal", "FILE", "--why", "discard KD", file=MINIMAL)
    assert (ran.code, ran.out.partition(":")[0], ran.err) == (1, "R-TURN-1", "")
    ran = run("legal", "FILE", "--json", "--why", "take 5D", file=MINIMAL)
    turn = "take 10C; meld 8C 9C 10C; discard KD"
    assert run("legal", "FILE", "--why", turn, file=MINIMAL) == (0, "legal\n", "")
    ran_turn = run("legal", "FILE", "--why", turn.replace("8C 9C 10C", "8C 9C KD"), file=MINIMAL)
    assert (ran_turn.code, ran_turn.out.split(": ")[:2]) == (1, ["play 2, meld 8C 9C KD", "R-DRAW-3"])
    ran_turn = run("legal", "FILE", "--why", turn.replace("8C 9C", "8C S9"), file=MINIMAL)
    assert ran_turn.err == "rum500 legal: --why: column 19: found 'S9', write the rank before the suit: 9♠\n"
    ran_turn = run("legal", "FILE", "--why", turn, file=ONE_SEAT)
    assert (ran_turn.code, "needs a position with all cards" in ran_turn.err) == (2, True)
    answer = json.loads(ran.out)
    assert (ran.code, answer["play"], answer["legal"], answer["rule"]) == (1, "take 5D", False, "R-DRAW-4")
    assert json.loads(run("legal", "FILE", "--json", "--why", "d", file=MINIMAL).out) == {
        "play": "draw",
        "legal": True,
    }


def test_legal_of_one_seats_position_tells_nothing_of_another(run: Runner) -> None:
    other = ONE_SEAT.replace("seat: 0", "turn: 1\nseat: 0")
    ran = run("legal", "FILE", file=other)
    assert ran == (0, "Seat 1 is to decide; this file has the view of seat 0.\n", "")
    assert json.loads(run("legal", "--json", "FILE", file=other).out)["plays"] == []
    ran = run("legal", "FILE", "--why", "draw", file=other)
    assert (ran.code, ran.err) == (
        2,
        "rum500 legal: --why: seat 1 is to decide, and the file has the view of seat 0\n",
    )


def test_legal_when_the_deal_is_over(run: Runner) -> None:
    record = random_record(ruleset("500-rum"), 2, 1)
    assert run("legal", "FILE", file=record.final(1).to_text()).out == "The deal is over.\n"


@pytest.mark.parametrize(
    ("words", "file", "said"),
    [
        (["legal", "nowhere.txt"], None, "nowhere.txt: No such file or directory"),
        (["legal"], None, "FILE is missing; see rum500 legal --help"),
        (["legal", "--what"], None, "there is no option --what; a file of that name is written ./--what"),
        (["legal", "FILE"], b"rum500 position 1\n\xff", "FILE: line 2: is not UTF-8 text (byte 19)"),
        (["legal", "FILE"], b"\0\0", "FILE: line 1, column 1: found '\\x00\\x00', expected"),
        (["legal", "FILE"], MINIMAL.replace("QS", "8C").encode(), "FILE: line 4, column 15: 8C in hand 1"),
        (["legal", "FILE", "--why", "fold"], MINIMAL.encode(), "--why: column 1: found 'fold', expected"),
        (["perft", "FILE"], ONE_SEAT.encode(), "FILE: lines of play can be counted only where all cards"),
        (["perft", "FILE", "--depth", "x"], MINIMAL.encode(), "--depth: found 'x', expected a whole number"),
        (["perft", "FILE", "--depth", "-1"], MINIMAL.encode(), "--depth: found -1, expected 0 to 100"),
        (["replay", "FILE"], MINIMAL.encode(), "FILE: line 1, column 1: this is a position"),
        (["replay", "FILE", "--seat", "2"], HAND_WRITTEN.encode(), "--seat: found 2, expected 0 to 1"),
        (["replay", "FILE", "--deal", "2"], HAND_WRITTEN.encode(), "--deal: found 2, expected 1 to 1"),
        (["replay", "FILE", "--step", "9"], HAND_WRITTEN.encode(), "--step: found 9, expected 0 to 8"),
    ],
)  # fmt: skip
def test_bad_option_is_refused_in_one_line(
    run: Runner, words: list[str], file: bytes | None, said: str
) -> None:
    ran = run(*words, file=file)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


# --- perft -------------------------------------------------------------------------------------------


def test_perft_counts_lines(run: Runner) -> None:
    core = State.from_text(MINIMAL).core
    counts = [perft(core, depth) for depth in (1, 2, 3)]
    wanted = "".join(f"{depth} {count}\n" for depth, count in enumerate(counts, 1))
    assert run("perft", "FILE", "--depth", "3", file=MINIMAL) == (0, wanted, "")
    assert run("perft", "FILE", "--depth", "0", file=MINIMAL).out == "0 1\n"


def test_perft_divide(run: Runner) -> None:
    assert run("perft", "FILE", "--divide", file=MINIMAL).out == "draw: 6\ntake 10C: 1\n2 7\n"


# --- replay ------------------------------------------------------------------------------------------

TOLD = """\
500 Rum: Ann, Bob
Place: the kitchen

Deal 1: Ann deals, the upcard is KD
  Ann holds QS 2H 3H 4H
  Bob holds 7S 8C 9C 10C
     1 Bob  draw (5S)
     2 Bob  meld 8C 9C 10C  [27 points]
     3 Bob  discard 5S {Bob melds 27 points}
     4 Ann  draw (6S)
     5 Ann  discard 3H
     6 Bob  draw (JC)
     7 Bob  lay JC on 1  [10 points]
     8 Bob  discard 7S
  End: Bob goes out. Points: Ann -22, Bob 37
"""


def test_replay_steps_through(run: Runner) -> None:
    assert run("replay", "FILE", file=HAND_WRITTEN) == (0, TOLD, "")
    assert run("replay", "-", stdin=sealed(HAND_WRITTEN)) == (0, TOLD, "")


def test_d21_replay_for_one_seat(run: Runner) -> None:
    told = TOLD.replace("  Bob holds 7S 8C 9C 10C\n", "").replace(" (5S)", "").replace(" (JC)", "")
    told = told.replace("Place: the kitchen\n", "").replace(" {Bob melds 27 points}", "")
    assert run("replay", "FILE", "--seat", "0", file=HAND_WRITTEN).out == told
    record = random_record(ruleset("rummy-500", ("H5",), hand_two=24), 2, 1)
    assert any(play.restock for play in record.deals[0].plays)
    out = run("replay", "FILE", "--seat", "1", file=record.to_text()).out
    shown = [line for line in out.splitlines() if "new stock of" in line]
    assert shown and all(" cards; draw" in line for line in shown)


def test_d21_free_lines_and_remarks_are_not_for_one_seat(run: Runner) -> None:
    """A record that `play` kept has the seed in it, of which every hand and the stock follow."""
    text = HAND_WRITTEN.replace("Place: the kitchen", "Seed: 7007\nBots: greedy")
    text = text.replace("dealer: Ann", "Peeked: KD\ndealer: Ann").replace("checksum", "Left: AS\nchecksum")
    everything = run("replay", "FILE", file=text).out
    secrets = ("Seed", "7007", "Bots", "Peeked", "Left", "Bob melds 27 points")
    assert all(secret in everything for secret in secrets)
    for words in ([], ["--deal", "1"], ["--step", "0"], ["--step", "8"]):
        for seat in ("0", "1"):
            ran = run("replay", "FILE", "--seat", seat, *words, file=text)
            assert (ran.code, ran.err) == (0, "")
            assert not any(secret in ran.out for secret in secrets)


@pytest.mark.parametrize("words", [[], ["--step", "0"]])
def test_d21_what_is_wrong_is_not_told_to_one_seat(run: Runner, words: list[str]) -> None:
    """Why a play was refused, or what a deck lacks, may speak of cards that the seat has not seen."""
    refused = HAND_WRITTEN.replace("discard 3h", "discard 9h") if not words else ""
    for text, line in ((refused, 19), (HAND_WRITTEN.replace("| KD", "| KS"), 11)):
        if text:
            ran = run("replay", "FILE", "--seat", "1", *words, file=text)
            assert ran.code == 2
            assert ran.err.endswith(f"line {line}: the record is not right; --verify says why\n")


def test_replay_shows_a_position(run: Runner) -> None:
    ran = run("replay", "FILE", "--step", "2", file=HAND_WRITTEN)
    state = State.from_text(ran.out)
    assert (state.turn, state.laid) == (1, (0, 27))
    assert (
        run("replay", "FILE", "--step", "0", file=HAND_WRITTEN).out
        == Record.from_text(HAND_WRITTEN).begin(1).to_text()
    )
    seen = position_from_text(run("replay", "FILE", "--step", "2", "--seat", "0", file=HAND_WRITTEN).out)
    assert seen.view == replace(state.view(0), past=())  # a seat's position has no course


def test_replay_verify(run: Runner) -> None:
    assert run("replay", "--verify", "FILE", file=sealed(HAND_WRITTEN)) == (
        0,
        "right: one deal, eight plays\n",
        "",
    )
    ran = run("replay", "FILE", "--verify", file=HAND_WRITTEN)
    assert ran == (0, "legal, not sealed (checksum: none): one deal, eight plays\n", "")
    ran = run("replay", "FILE", "--verify", file=sealed(HAND_WRITTEN).replace("kitchen", "cellar"))
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("FILE: line 22, column 1: the checksum does not fit")
    ran = run("replay", "FILE", "--verify", file=HAND_WRITTEN.replace("-22 37", "-22 38"))
    assert (ran.code, ran.out) == (
        1,
        "FILE: line 21, column 1: found points -22 38, expected -22 37 (R-SCORE-1)\n",
    )


def test_replay_of_a_deal_after_the_end_of_the_match(run: Runner) -> None:
    """R-MATCH-1, D15: the deals are right one by one, and are no match together."""
    record = random_record(ruleset("persian-rummy"), 4, 1, deals=3)
    text = record.to_text()
    line = text.splitlines().index("deal: 3") + 1
    ran = run("replay", "FILE", "--verify", file=text)
    said = f"line {line}, column 1: deal 3: the match was over before this deal: it has two deals (R-MATCH-1)"
    assert ran == (1, f"FILE: {said}\n", "")
    ran = run("replay", "FILE", file=text)
    assert (ran.code, ran.err) == (2, f"rum500 replay: FILE: {said}\n")


def test_replay_of_what_is_not_right_tells_how_far_it_came_and_why(run: Runner) -> None:
    ran = run("replay", "FILE", file=HAND_WRITTEN.replace("discard 3h", "discard 9h"))
    assert (ran.code, ran.out) == (2, "".join(TOLD.splitlines(keepends=True)[:9]))
    assert ran.err == "rum500 replay: FILE: line 19, column 14: you do not hold 9♥ (R-TURN-1)\n"
    ran = run("replay", "FILE", file=HAND_WRITTEN.partition("checksum")[0])
    assert (ran.code, ran.out) == (2, TOLD)
    assert "line 21, column 1: no checksum: the record was cut short" in ran.err
    ran = run("replay", "FILE", file=HAND_WRITTEN.replace("| KD", "| KS"))
    assert (ran.code, "the deck of 52 cards is not 500 Rum's 52" in ran.err) == (2, True)
    ran = run("replay", "FILE", "--verify", file=HAND_WRITTEN.replace("| KD", "| KS"))
    assert (ran.code, ran.err) == (1, "")
