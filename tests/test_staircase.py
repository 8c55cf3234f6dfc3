"""The levels with numbers: data for every game, choices from views only, the command that measures them."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from rum500 import Rng, bots, deal, ruleset
from rum500.ai.heuristic_levels import policy
from rum500.bots import numbered_levels
from rum500.bots.search_bot import SearchBot
from rum500.bots.staircase import Newcomer, PromptClub, SearchingStep, Step, lays_at, steps
from rum500.cli import main
from rum500.external_bots import check_bot, open_bot
from rum500.rules.action_codes import lays_cards
from rum500.rules.profiles import profile_names
from rum500.sim.arena.ladder_page import keep_stairs
from rum500.sim.arena.run_ladder import games, neighbours
from tests.support.depth import depth
from tests.support.habits import watched
from tests.support.hygiene import Watched, watch
from tests.support.table import table

pytestmark = pytest.mark.compiled

GAMES = [(name, players) for name in profile_names() for players in ruleset(name).players]


def step(number: int) -> Step:
    """The bot of a level; a search tries four worlds."""
    budget = {"worlds": 4} if numbered_levels()[number - 1].budget else {}
    found = bots.get(f"level{number}", **budget)
    assert isinstance(found, Step)
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_positions_of_levels_rise(name: str, players: int) -> None:
    found = steps(ruleset(name), players)
    assert len(found) == len(numbered_levels()) and 8 <= len(found) <= 10
    assert list(found) == sorted(set(found)) and found[0] >= 0 and found[-1] == 3.0


def test_levels_are_found_by_name() -> None:
    for number, level in enumerate(numbered_levels(), 1):
        one = step(number)
        assert (level.number, level.name, one.name) == (number, f"level{number}", f"level{number}")
        assert isinstance(one, SearchingStep) is bool(level.budget)
        assert pickle.loads(pickle.dumps(one)).name == one.name
    assert bots.get("LEVEL3").name == "level3"
    top = open_bot(numbered_levels()[-1].name, clock=False)
    assert isinstance(top, SearchingStep) and top.seconds == 0 and bots.get(top.name).seconds == 1
    with pytest.raises(bots.UnknownBot, match="there is no bot 'level11'; did you mean level1"):
        bots.get("level11")
    with pytest.raises(ValueError, match="the bot 'level1' takes no 'worlds': it has no budget"):
        bots.get("level1", worlds=3)


@pytest.mark.parametrize("number", [1, 3, 5, len(numbered_levels())])
def test_levels_are_fit_to_play(number: int) -> None:
    """Every choice is legal, repeatable, and the same whatever lies where the seat cannot see."""
    names = depth(profile_names()[number % 8 : number % 8 + 1], profile_names())
    check = check_bot(lambda: step(number), deals=1, profiles=names, most=depth(100, 0))
    assert check.passed, check.findings
    found = Watched()
    for seed in range(depth(3, 20)):
        watch([step(number)], deal(ruleset("500-rum"), 2, seed=seed), seed, 20, found)
        assert found.peek is None, found.peek
    assert found.decisions > 20


def test_a_whole_position_is_one_player() -> None:
    """And a position between two makes the choices of both."""

    class At(SearchingStep):
        def position(self, view: object) -> float:
            return self.at

    one, rng = At(1, worlds=4), Rng(1)
    state, club = deal(ruleset("500-rum"), 2, seed=3), policy(ruleset("500-rum"), 2)
    mixed = set()
    while not state.is_over:
        view = state.view(state.actor)
        one.at = 2.0
        choice = PromptClub().choose_int(view, rng)
        assert one.choose_int(view, rng) == choice
        one.at = 1.5
        mixed |= {one.choose_int(view, rng) == choice for _ in range(20)}
        state.apply_int(club.choice(state.core))
    assert mixed == {False, True}


def test_club_lays_in_time() -> None:
    """More often than `club`, with another player at four cards in Rummy 500, where that costs nothing."""
    rules = ruleset("rummy-500")
    assert (lays_at(rules, 2), lays_at(ruleset("500-rum"), 2)) == (4, 0)
    prompt, held = (
        sum(lays_cards(bot.choose_int(view, Rng(0))) for view in _late_views())
        for bot in (PromptClub(), bots.get("club"))
    )
    assert prompt > held


def _late_views() -> list:
    """Decisions of Rummy 500 in which something can be laid and the other player has few cards."""
    found, rules = [], ruleset("rummy-500")
    mind = policy(rules, 2)
    for seed in range(60):
        state = deal(rules, 2, seed=seed)
        while not state.is_over:
            view = state.view(state.actor)
            other = view.hand_sizes[1 - state.actor]
            if other <= lays_at(rules, 2) and any(map(lays_cards, view.legal)) and view.must_use is None:
                found.append(view)
            state.apply_int(mind.choice(state.core))
    return found


def test_newcomer_makes_the_mistakes_of_a_newcomer() -> None:
    """It misses some lay-offs, and mostly leaves several cards on the pile."""
    state = table("500-rum", ["9S KC 2H", "4H 9C JD 8D 6C"], melds=["6S 7S 8S"], phase="play")
    view = state.view(0)
    laid = [lays_cards(Newcomer().choose_int(view, Rng(seed))) for seed in range(200)]
    assert 90 <= sum(laid) <= 150
    found = watched("level1", "club", "500-rum/4", depth(4, 20), seed=2)
    assert found.discards > 10


def test_search_of_a_level_is_stopped() -> None:
    top = bots.get(numbered_levels()[-1].name, worlds=1 << 40, seconds=0.01)
    view = next(view for view in _late_views() if len(view.legal) > 3)
    assert isinstance(top._expert, SearchBot)  # type: ignore[attr-defined]
    assert top.choose_int(view, Rng(1)) in view.legal


def test_command_shows_the_wins_of_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    words = "ladder neighbours --games michigan-rum,500-rum/3 --bots random,level1,level2 --pairs 3"
    words += " --workers 1"
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert re.search(r"^Wins of +against +michigan-rum/2 +500-rum/3$", out, re.MULTILINE)
    assert re.search(r"^random +level1 +\d+ % \(\d+ % to \d+ %\) +\d+ %", out, re.MULTILINE)
    assert "Matches won by the weaker of two neighbours, with 95 % intervals; three pairs." in out
    assert main([*words.split(), "--search-pairs", "2"]) == 0
    assert "; three pairs (2 where a level searches). " in " ".join(capsys.readouterr().out.split()) + " "
    assert main([*words.split(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["a"] for one in found["games"][1]["steps"]] == ["random", "level1"]
    assert main(["ladder", "neighbours", "--bots", "club", "--workers", "1"]) == 2
    assert capsys.readouterr().err == "rum500 ladder: a ladder takes two levels or more\n"


def test_neighbours_that_search_in_the_game_play_fewer_pairs() -> None:
    """A level with a number of worlds that does not search in this game plays all pairs."""
    two_players, four_players = neighbours(
        games(["michigan-rum/2", "michigan-rum/4"]),
        ["random", "level7:worlds=1", "level10:worlds=1"],
        pairs=3,
        search_pairs=1,
    )
    assert [score.pairs for score in two_players] == [1, 1]
    assert [score.pairs for score in four_players] == [3, 1]


def test_stopped_run_of_neighbours_continues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Matches that the folder has are not played again, and the results are those of one run."""
    folder = tmp_path / "kept"
    words = f"ladder neighbours --bots random,level1,level2 --workers 1 --json --run {folder} --games"
    assert main([*words.split(), "michigan-rum,500-rum", "--pairs", "3"]) == 0
    whole = capsys.readouterr().out
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["500-rum-2.run", "michigan-rum-2.run"]
    lines = files[0].read_bytes().splitlines(keepends=True)
    files[0].write_bytes(b"".join(lines[:2]))
    played = files[1].read_bytes()
    assert main([*words.split(), "michigan-rum,500-rum", "--pairs", "3"]) == 0
    assert capsys.readouterr().out == whole
    assert files[0].read_bytes().splitlines()[:2] == b"".join(lines[:2]).splitlines()
    assert files[1].read_bytes() == played
    assert main([*words.split(), "500-rum", "--pairs", "3", "--seed", "1"]) == 2
    assert "is the file of another run" in capsys.readouterr().err


def test_page_of_the_ladder_has_a_row_for_each_game_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ladder.md"
    words = f"ladder neighbours --bots random,level1,level2 --pairs 2 --workers 1 --out {out} --games"
    assert main([*words.split(), "500-rum"]) == 2
    assert capsys.readouterr().err == f"rum500 ladder: {out}: is no page; rum500 ladder writes one\n"
    out.write_text("# The ladder\n\nText.\n")
    for game in ("michigan-rum", "500-rum/3", "michigan-rum"):
        assert main([*words.split(), game]) == 0
    text = out.read_text()
    assert text.startswith("# The ladder\n\nText.\n\n## The levels with numbers\n")
    rows = [line.split(" | ")[0] for line in text.splitlines() if " % " in line and line.startswith("|")]
    assert rows == ["| 500-rum, 3 players", "| michigan-rum, 2 players"]
    assert keep_stairs(text, "# New\n").partition("\n## ")[::2] == (
        "# New\n", text.partition("\n## ")[2]
    )  # fmt: skip
