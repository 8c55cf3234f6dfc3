"""The library as its users meet it: names at the root, wrong types, scripts with worker processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rum500
from rum500.sim import SimulationError

RULES = rum500.ruleset("500-rum")


def script(folder: Path, text: str, *, stdin: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a script with this Python, from a file or from standard input."""
    file = folder / "script.py"
    file.write_text(text)
    words = [sys.executable, "-" if stdin else str(file)]
    return subprocess.run(words, input=text if stdin else "", capture_output=True, text=True, check=False)


# --- names ------------------------------------------------------------------------------------------


def test_packages_are_there_when_they_are_asked_for() -> None:
    assert rum500.bots.get("club").name == "club"
    assert rum500.simulate is rum500.sim.simulate
    assert {"bots", "lab", "simulate", "State"} <= set(dir(rum500))
    with pytest.raises(AttributeError, match="module 'rum500' has no attribute 'simulat'"):
        rum500.simulat  # type: ignore[attr-defined]  # noqa: B018 - the name is what is tried


def test_every_public_name_is_there() -> None:
    assert [name for name in rum500.__all__ if not hasattr(rum500, name)] == []


# --- bots by name -----------------------------------------------------------------------------------


def test_a_budget_may_stand_in_the_name() -> None:
    bot = rum500.bots.get(" Strong:worlds=8:seconds=0.5 ")
    assert (bot.name, bot.worlds, bot.seconds) == ("strong", 8, 0.5)  # type: ignore[attr-defined]
    assert rum500.bots.get("strong:worlds=8", threads=2).threads == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "budget", "said"),
    [
        ("strong:worlds", {}, "'worlds' is no option; write name:option=number"),
        ("strong:worlds=many", {}, "'worlds=many' is no option; write name:option=number"),
        ("strong:world=8", {}, "the bot 'strong' takes no 'world': it has only worlds, seconds, threads"),
        ("strong:worlds=8:worlds=9", {}, "'worlds' is given twice"),
        ("strong:worlds=8", {"worlds": 9}, "'worlds' is given twice"),
        ("club:worlds=8", {}, "the bot 'club' takes no 'worlds': it has no budget"),
        ("stronk:worlds=8", {}, "there is no bot 'stronk'; did you mean strong?"),
    ],
)
def test_what_is_wrong_with_a_budget_is_told(name: str, budget: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("?", r"\\?")):
        rum500.bots.get(name, **budget)


# --- wrong types ------------------------------------------------------------------------------------

STATE = rum500.deal(RULES, 2, seed=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: rum500.ruleset(5),  # type: ignore[arg-type]
        lambda: rum500.Ruleset.from_toml(b""),  # type: ignore[arg-type]
        lambda: rum500.deal("500-rum", 2),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, "2"),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2.0),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, seed=1.5),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, dealer="0"),  # type: ignore[arg-type]
        lambda: STATE.apply("draw"),  # type: ignore[arg-type]
        lambda: STATE.apply(None),  # type: ignore[arg-type]
        lambda: STATE.is_legal("draw"),  # type: ignore[arg-type]
        lambda: STATE.why_not(1.5),  # type: ignore[arg-type]
        lambda: STATE.apply(rum500.Discard("QD")),  # type: ignore[arg-type]
        lambda: STATE.apply(rum500.Meld(("QD", "KD", "AD"))),  # type: ignore[arg-type]
        lambda: STATE.view("0"),  # type: ignore[arg-type]
        lambda: STATE.view(0.5),  # type: ignore[arg-type]
        lambda: rum500.card_text("QD"),  # type: ignore[arg-type]
        lambda: rum500.card_from_text(5),  # type: ignore[arg-type]
        lambda: rum500.encode("draw"),  # type: ignore[arg-type]
        lambda: rum500.play_text("draw", STATE),  # type: ignore[arg-type]
        lambda: rum500.State.from_text(5),  # type: ignore[arg-type]
        lambda: rum500.Record.from_text(5),  # type: ignore[arg-type]
        lambda: rum500.Record("500-rum", 2),  # type: ignore[arg-type]
        lambda: rum500.Match.quick("500-rum", 2, 1),  # type: ignore[arg-type]
        lambda: rum500.Match.quick(RULES, 2, 1).apply("draw"),  # type: ignore[arg-type]
        lambda: rum500.bots.get(5),  # type: ignore[arg-type]
        lambda: rum500.simulate("500-rum", 2, 10),  # type: ignore[arg-type]
        lambda: rum500.simulate(RULES, 2, "10"),  # type: ignore[arg-type]
        lambda: rum500.simulate(RULES, 2, 10.5),  # type: ignore[arg-type]
        lambda: rum500.simulate(RULES, 2, 10, bots="club"),
        lambda: rum500.simulate(RULES, 2, 10, bots=[5]),  # type: ignore[list-item]
        lambda: rum500.simulate(RULES, 2, 10, out=5),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_type_is_a_type_error(call: Callable[[], object]) -> None:
    before = STATE.to_bytes()
    with pytest.raises(TypeError):
        call()
    assert STATE.to_bytes() == before


# --- simulations ------------------------------------------------------------------------------------

PLAY = """
import rum500

class First:
    name = "first"

    def choose(self, view, rng):
        return view.legal[0]

def main():
    rules = rum500.ruleset("500-rum")
    print(rum500.simulate(rules, 2, 60, bots=[First()], workers=2).checksum)

"""
GUARDED = PLAY + "if __name__ == '__main__':\n    main()\n"


def test_a_file_to_write_is_a_text_or_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rum500.simulate(RULES, 2, 20, out="one.parquet")
    rum500.simulate(RULES, 2, 20, out=tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_a_script_with_its_usual_lines_has_workers(tmp_path: Path) -> None:
    done = script(tmp_path, GUARDED)
    assert (done.returncode, len(done.stdout.strip())) == (0, 16), done.stderr


def test_a_script_that_workers_would_start_again_is_told(tmp_path: Path) -> None:
    done = script(tmp_path, PLAY + "main()\n")
    last = done.stderr.strip().splitlines()[-1]
    assert "SimulationError: a worker process could not begin: each imports the script that called" in last
    assert "`if __name__ == '__main__':`" in last


def test_a_script_in_no_file_is_told_before_anything_starts(tmp_path: Path) -> None:
    done = script(tmp_path, GUARDED, stdin=True)
    last = done.stderr.strip().splitlines()[-1]
    assert "SimulationError: worker processes cannot import the calling script <stdin>: each" in last
    assert "spawn" not in done.stderr


class Mine:
    """A bot with a function in it that no other process finds."""

    def __init__(self) -> None:
        self.name = "mine"
        self.choose = lambda view, rng: view.legal[0]


def test_bots_that_cannot_be_sent_are_told() -> None:
    with pytest.raises(SimulationError, match=r"this cannot be sent to worker processes: Can't pickle"):
        rum500.simulate(RULES, 2, 60, bots=[Mine()], workers=2)  # type: ignore[list-item]


# --- records ----------------------------------------------------------------------------------------


def test_the_end_of_a_record_is_that_of_its_last_deal() -> None:
    record = rum500.Record(RULES, players=2)
    with pytest.raises(IndexError):
        record.final()
    for seed in (1, 2):
        record.add(_deck(seed))
    assert record.final() == record.final(2) != record.final(1)


def _deck(seed: int) -> list[int]:
    deck = RULES.deck(2)
    rum500.Rng(seed).shuffle(deck)
    return deck
