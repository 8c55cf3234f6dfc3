"""The library for its users: names of the package, wrong types, scripts with worker processes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rum500
from rum500.cards import planes_of
from rum500.rules.action_codes import laid_cards
from rum500.rules.engine.core import Moves
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
        lambda: rum500.deal(5, 2),  # type: ignore[arg-type]
        lambda: rum500.Card(None),
        lambda: rum500.Discard("QD"),  # type: ignore[arg-type]
        lambda: rum500.Discard(43.0),  # type: ignore[arg-type]
        lambda: rum500.Take("1"),  # type: ignore[arg-type]
        lambda: rum500.Laid("QD", 43),  # type: ignore[arg-type]
        lambda: rum500.Laid(43, "QD"),  # type: ignore[arg-type]
        lambda: rum500.LayOff(0, (43,), run=False),  # type: ignore[arg-type]
        lambda: STATE.apply_int("draw"),  # type: ignore[arg-type]
        lambda: STATE.apply_int(0.0),  # type: ignore[arg-type]
        lambda: rum500.Ruleset.from_toml(b""),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, "2"),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2.0),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, seed=1.5),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, dealer="0"),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, totals=(1.5, 0)),  # type: ignore[arg-type]
        lambda: rum500.deal(RULES, 2, number=1.5),  # type: ignore[arg-type]
        lambda: rum500.State.from_bytes(STATE.to_bytes(), 5),  # type: ignore[arg-type]
        lambda: STATE.apply(None),  # type: ignore[arg-type]
        lambda: STATE.why_not(1.5),  # type: ignore[arg-type]
        lambda: STATE.apply(rum500.Discard("QD")),  # type: ignore[arg-type]
        lambda: STATE.apply(rum500.Meld(("QD", "KD", "AD"))),  # type: ignore[arg-type]
        lambda: STATE.view("0"),  # type: ignore[arg-type]
        lambda: STATE.view(0.5),  # type: ignore[arg-type]
        lambda: rum500.card_text("QD"),  # type: ignore[arg-type]
        lambda: rum500.card_from_text(5),  # type: ignore[arg-type]
        lambda: rum500.Rng(1.5),  # type: ignore[arg-type]
        lambda: rum500.encode("draw"),  # type: ignore[arg-type]
        lambda: rum500.play_text("draw", STATE),  # type: ignore[arg-type]
        lambda: rum500.parse_play("draw", 5),  # type: ignore[arg-type]
        lambda: rum500.parse_play(5, STATE),  # type: ignore[arg-type]
        lambda: rum500.State.from_text(5),  # type: ignore[arg-type]
        lambda: rum500.Record.from_text(5),  # type: ignore[arg-type]
        lambda: rum500.bots.get(5),  # type: ignore[arg-type]
        lambda: rum500.simulate(5, 2, 10),  # type: ignore[arg-type]
        lambda: rum500.simulate(RULES, 2, 10, seed=1.5),  # type: ignore[arg-type]
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


@pytest.mark.parametrize("seed", [None, "1", 1.5, -1, 2**64])
def test_a_seed_outside_its_range_is_refused_with_the_range(seed: object) -> None:
    message = rf"from 0 to 2\*\*64 - 1, not {seed!r}$"
    with pytest.raises((TypeError, ValueError), match=message):
        rum500.Rng(seed)  # type: ignore[arg-type]
    with pytest.raises((TypeError, ValueError), match=message):
        rum500.simulate(RULES, 2, 10, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 64, 999])
def test_a_number_that_is_no_card_is_told(number: int) -> None:
    with pytest.raises(ValueError, match=f"^{number} is not a card: "):
        rum500.card_text(number)


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
    # At its end Python may add a warning about the semaphores of the workers that failed.
    (error,) = re.findall(r"^rum500\S*SimulationError: .*$", done.stderr, re.MULTILINE)
    assert "a worker process could not begin: each imports the script that called" in error
    assert "`if __name__ == '__main__':`" in error


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


# --- melds and points -------------------------------------------------------------------------------


def all_choices(hand: list[int], rules: rum500.Ruleset) -> int:
    """The most points of melds in a hand, by trying every one after every other."""
    best = 0
    core = rum500.deal(rules).core
    moves = Moves()
    core.gen_plays(moves, *planes_of(hand), -1)
    for code in list(moves.actions()):
        left = list(hand)
        for laid in laid_cards(code):
            left.remove(laid.card)
        best = max(best, core.points(code) + all_choices(left, rules))
    return best


@pytest.mark.parametrize("name", ["500-rum", "500-rummy", "rummy-500", "persian-rummy"])
def test_no_other_melds_score_more(name: str) -> None:
    rules = rum500.ruleset(name)
    for seed in range(12):
        deck = sorted(rules.deck(rules.players[0]), key=lambda card: (card != 62, card % 5, card))[
            : 20 + seed % 3
        ]
        rum500.Rng(seed).shuffle(deck)
        hand = deck[:9]
        best = rum500.best_melds(hand, rules)
        laid = [one.card for meld in best.melds for one in meld.cards]
        assert sorted([*laid, *best.rest]) == sorted(hand)
        assert best.points == sum(rum500.points(meld, rules) for meld in best.melds)
        assert best.points == all_choices(hand, rules)


def test_four_at_once_and_twins_of_two_packs() -> None:
    rules = rum500.ruleset("500-rummy")
    assert str(rum500.best_melds("AS AS AH 2D", rules)) == "meld AS AS AH"
    assert rum500.best_melds("AS AS AH 2D", rules, players=2).melds == ()
    assert rum500.best_melds("2S 3S", rules).melds == ()
    assert str(rum500.best_melds("", rules)) == "no melds"
    with pytest.raises(ValueError, match="not a card"):
        rum500.best_melds("2S XX", rules)


def test_points_are_those_that_a_play_scores() -> None:
    club, rng, laid = rum500.bots.get("club"), rum500.Rng(1), 0
    for seed in range(6):
        state = rum500.deal(rum500.ruleset("500-rummy"), 4, seed=seed)
        while not state.is_over:
            action = rum500.decode(club.choose_int(state.view(state.actor), rng))
            points, event = rum500.points(action, state.rules), state.apply(action)[0]
            assert points == event.public.get("points", 0)
            laid += points > 0
    assert laid > 20
