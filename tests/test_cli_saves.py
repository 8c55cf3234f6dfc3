"""A match that is left or killed at any prompt, and resumed, is the same as without the interruption."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rum500 import Record, Ruleset, ruleset
from rum500.cli.terminal.game import TerminalGame
from rum500.cli.terminal.saves import Saves, last_path, resumed
from rum500.cli.terminal.style import Style
from rum500.cli.terminal.terminal_table import TerminalTable
from rum500.cli.user_error import UserError
from rum500.match import CutNeeded, DrawNeeded, problems_of_match
from rum500.rules.notation import play_text
from tests.support.depth import depth
from tests.support.terminal import Paper, seated

SEED = 10


class Killed(BaseException):
    """The program is gone, and nothing more is written."""


class Steady:
    """Plays the same at the same point of the match, and stops `once` before each of its decisions."""

    def __init__(self, stop: type[BaseException] | None = None) -> None:
        self.stop = stop
        self.stopped: set[tuple[int, int]] = set()
        self.game: TerminalGame | None = None

    def __call__(self, prompt: str) -> str:
        game = self.game
        assert game is not None
        asked = game.match.decision
        if prompt != "> " and not isinstance(asked, DrawNeeded | CutNeeded):
            return ""
        point = (len(game.match.inputs), len(game.turn.plays) if game.turn else 0)
        if self.stop and point not in self.stopped:
            self.stopped.add(point)
            raise self.stop
        chance = random.Random(sum(point))
        if isinstance(asked, DrawNeeded | CutNeeded):
            return str(1 + chance.randrange(20))
        assert game.turn is not None
        state = game.turn.state
        return play_text(chance.choice(state.legal_actions()), state)


def sit(table: TerminalTable, player: Steady, saves: Saves) -> bool:
    player.game = TerminalGame(table, Paper(player), Style(colour=False), saves)
    return player.game.run()


def played(path: Path, rules: Ruleset, players: int, stop: type[BaseException] | None) -> tuple[str, int]:
    """A match with stops, each gone on from; its record, and how often it stopped."""
    table, player, over = seated(rules, players, SEED), Steady(stop), False
    saves = Saves(path, table, "random")
    while not over:
        try:
            over = sit(table, player, saves)
        except Killed:
            saves.file.close()
        else:
            saves.close()
        if over:
            break
        if path.exists() and path.read_text():
            table, saves, notice = resumed(path)
            assert notice == ""
        else:
            path.unlink(missing_ok=True)
            table = seated(rules, players, SEED)
            saves = Saves(path, table, "random")
    return path.read_text(), len(player.stopped)


MATCHES = [
    (ruleset("500-rum", ("H5", "H6"), target=60, max_deals=3, hand_two=20), 2),
    *depth(
        [],
        [
            (ruleset("partnership-500-rummy", max_deals=1), 4),
            (ruleset("rummy-500", ("H2", "H6"), target=60, max_deals=2), 3),
        ],
    ),
    (ruleset("persian-rummy-gamerules"), 4),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("rules", "players"), MATCHES, ids=lambda value: getattr(value, "name", None))
def test_a_match_left_or_killed_at_every_prompt_is_the_match_it_would_have_been(
    tmp_path: Path, rules: Ruleset, players: int
) -> None:
    """The draw for deal (R-DEAL-1), the seats it gives, the cuts, decks, new stocks, plays and results."""
    whole, _ = played(tmp_path / "whole", rules, players, None)
    record = Record.from_text(whole)
    assert (record.verify(), problems_of_match(record)) == ([], [])
    assert f"\nSeed: {SEED}\nDraw: " in whole
    for stop in (EOFError, Killed):
        text, stops = played(tmp_path / stop.__name__, rules, players, stop)
        assert stops > 15
        assert text == whole


def stopped_after(path: Path, decisions: int, rules: Ruleset) -> TerminalTable:
    """A match that is killed when so many cards have been drawn and packs cut."""
    table = seated(rules, 4, SEED)
    saves = Saves(path, table, "random")

    def answer(prompt: str) -> str:
        nonlocal decisions
        decisions -= 1
        if decisions < 0 or prompt == "> ":
            raise Killed
        return "5"

    with pytest.raises(Killed):
        TerminalGame(table, Paper(answer), Style(colour=False), saves).run()
    saves.file.close()
    return table


def test_a_file_runs_no_program_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How the others play may be a level, or whatever --bot names again; the notice says how."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "bot_on_file.py").write_text("from rum500.bots.greedy import Greedy\nmine = Greedy()\n")
    path, bot = tmp_path / "match.rum500", "bot_on_file:mine"
    table = seated(ruleset("500-rum"), 2, SEED)
    saves = Saves(path, table, bot)
    table.apply(0)
    saves.keep()
    saves.close()
    assert saves.notice()[-1].endswith(f"--resume {path} --bot {bot}")
    with pytest.raises(UserError, match="'bot_on_file:mine', which is not a level: name it again with --bot"):
        resumed(path)
    assert "bot_on_file" not in sys.modules
    again, more, _ = resumed(path, bot)
    more.close()
    assert [other and other.name for other in again.bots] == [None, "greedy"]


def test_the_draw_for_deal_is_kept_as_it_is_made(tmp_path: Path) -> None:
    """R-DEAL-1: what was drawn stays drawn; where it made partners, all sit where it put them (D15)."""
    path = tmp_path / "match.rum500"
    for place in range(0, 40, 4):
        table = seated(ruleset("persian-rummy-gamerules"), 4, SEED)
        saves = Saves(path, table, "random")
        table.apply(place)
        saves.keep()
        saves.file.close()
        again, more, _ = resumed(path)
        more.file.close()
        assert again.match.events == table.match.events
        assert again.match.decision == table.match.decision
        path.unlink()
    table = stopped_after(path, 1, ruleset("persian-rummy-gamerules"))
    assert table.match.dealer is not None
    again, more, _ = resumed(path)
    more.file.close()
    assert again.match.seating == table.match.seating != (0, 1, 2, 3)
    assert again.match.player_names == table.match.player_names
    assert (again.seat, again.match.events) == (table.seat, table.match.events)
    assert Record.from_text(path.read_text()).names == table.match.names


def test_a_match_interrupted_when_it_was_just_over_is_closed(tmp_path: Path) -> None:
    """So that it is not taken for the last one that is unfinished."""
    path = tmp_path / "rum500" / "match.rum500"
    whole, _ = played(path, ruleset("persian-rummy"), 4, None)
    path.write_text(whole[: whole.index("\nMatch: ") + 1])
    assert last_path({"XDG_STATE_HOME": str(tmp_path)}) == path
    with pytest.raises(UserError, match="this match is over"):
        resumed(path)
    assert path.read_text() == whole
    with pytest.raises(UserError, match="there is no unfinished match"):
        last_path({"XDG_STATE_HOME": str(tmp_path)})


def test_a_file_in_which_nothing_was_written_yet_is_no_match(tmp_path: Path) -> None:
    (tmp_path / "rum500").mkdir()
    (tmp_path / "rum500" / "killed-at-once.rum500").write_text("")
    with pytest.raises(UserError, match="there is no unfinished match"):
        last_path({"XDG_STATE_HOME": str(tmp_path)})


CHANGES: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace("Seed: 10", "Seed: 2"), "the draw that the seed makes is"),
    (lambda text: text.replace("Seed: 10", "Seed: eleven"), "invalid literal"),
    (lambda text: text.replace("Draw: ", "Draw: nothing, "), "invalid literal"),
    (lambda text: text.replace("Draw: ", "Draw: 99 5S, "), "the draw that the seed makes is"),
    (lambda text: text.replace("\nDraw: ", "\nDrew: "), "lines Person, Bots, Seed and Draw"),
    (lambda text: text.replace("\nCut: ", "\nCut: 5"), "no cut lifts so many cards"),
    (
        lambda text: text.replace("\nBots: random", "\nBots: rndom"),
        "'rndom', which is not a level: name it again with --bot",
    ),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_a_record_that_does_not_fit_its_seed_is_not_gone_on_with(
    tmp_path: Path, change: Callable[[str], str], message: str
) -> None:
    path = tmp_path / "match.rum500"
    stopped_after(path, 9, ruleset("persian-rummy"))
    text = path.read_text()
    assert "\nCut: " in text
    path.write_text(change(text))
    kept = path.read_text()
    with pytest.raises(UserError, match=message) as error:
        resumed(path)
    assert "\n" not in str(error.value)
    assert path.read_text() == kept
