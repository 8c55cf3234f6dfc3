"""The levels of a game over HTTP, and which opponent comes next by one's own results."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rum500 import bots, ruleset
from rum500.bots.staircase import below_first, steps
from rum500.rules.ruleset import Ruleset
from rum500.server.messages.http import NextOpponent
from rum500.server.practice.next_opponent import FEWEST_MATCHES, MOST_MATCHES, level_list, next_opponent
from rum500.store import ResultRow
from tests.support.serving import Running
from tests.test_history import play

TWO = ruleset("500-rum")
FOUR = ruleset("partnership-500-rum")


def rows(results: str, level: str = "level3", players: int = 2, accounts: int = 2) -> list[ResultRow]:
    """Ended matches, latest first: `w` is won, `l` lost, `a` abandoned."""
    return [
        ResultRow(
            ended=1000 - at,
            status="abandoned" if one == "a" else "over",
            profile="500-rum",
            title="500 Rum",
            players=players,
            deals=3,
            place=None if one == "a" else 1 + (one == "l"),
            won=one == "w",
            points=300,
            margin=None,
            partners=[],
            opponents=["Bot"],
            with_people=False,
            level=level,
            guest_id="ada",
            table_id=f"t{at}",
            accounts=accounts,
            best_deal=None,
        )
        for at, one in enumerate(results)
    ]


def proposed(matches: list[ResultRow], rules: Ruleset = TWO, players: int = 2) -> NextOpponent:
    return next_opponent(matches, level_list(rules, players), rules, players)


@pytest.mark.parametrize(
    ("results", "level", "why"),
    [
        ("", "greedy", "first"),
        ("aaaa", "greedy", "first"),
        ("ww", "level3", "same"),
        ("wwl", "level4", "up"),
        ("wl" * 5, "level3", "same"),
        ("lll", "level2", "down"),
        ("llwl", "level3", "same"),
        ("wwaw", "level4", "up"),
        ("w" * 6 + "l" * 4 + "l" * 30, "level4", "up"),
    ],
)
def test_next_opponent_follows_the_latest_matches(results: str, level: str, why: str) -> None:
    found = proposed(rows(results))
    assert (found.level, found.why) == (level, why)
    counted = [one for one in results if one != "a"][:MOST_MATCHES]
    assert (found.won, found.played) == (counted.count("w"), len(counted))
    assert found.against == ("level3" if counted else None)


def test_the_ends_of_the_staircase_are_kept() -> None:
    assert proposed(rows("www", "level10")).why == "top"
    low = proposed(rows("llll", "level1", players=4), TWO, 4)
    assert (low.level, low.why) == ("level1", "same")


@pytest.mark.parametrize(
    ("results", "level", "found", "why"),
    [
        ("lll", "level1", "greedy", "down"),
        ("wlwl", "greedy", "greedy", "same"),
        ("llll", "greedy", "greedy", "same"),
        ("wwl", "greedy", "level1", "up"),
    ],
)
def test_greedy_comes_below_level_1_where_level_1_is_too_strong_for_beginners(
    results: str, level: str, found: str, why: str
) -> None:
    one = proposed(rows(results, level))
    assert (one.level, one.why, one.against) == (found, why, level)
    assert proposed([]).level == below_first(TWO, 2) == "greedy"
    assert proposed([], TWO, 4).level == "level1"
    assert below_first(TWO, 4) is None


def test_an_even_share_depends_on_the_accounts() -> None:
    won = "wlll" * 2
    assert proposed(rows(won, players=4, accounts=4), TWO, 4).why == "same"
    assert proposed(rows(won + "ww", players=4, accounts=4), TWO, 4).why == "up"
    assert proposed(rows("wlll", players=4, accounts=2), FOUR, 4).why == "same"
    assert proposed(rows("l" * FEWEST_MATCHES, players=4, accounts=4), TWO, 4).why == "down"


def test_only_the_latest_level_and_this_size_of_table_count() -> None:
    mixed = [*rows("wwl", "level5"), *rows("lll", "level2")]
    assert proposed(mixed).level == "level6"
    assert proposed(mixed, TWO, 3).why == "first"
    assert proposed(rows("www", "casual")).why == "first"


def test_a_named_level_counts_as_the_number_that_plays_alike() -> None:
    number = 1 + steps(TWO, 2).index(2.0)
    found = proposed(rows("www", "club"))
    assert (found.against, found.level) == (f"level{number}", f"level{number + 1}")


def test_every_game_lists_all_levels_with_their_aliases() -> None:
    found = level_list(TWO, 2)
    assert [one.number for one in found if one.number] == list(range(1, 11))
    assert {one.also for one in found if one.also} == {"club", "expert"}
    assert {level.name for level in bots.levels()} <= {one.name for one in found}
    assert [one.position for one in found if one.number] == list(steps(TWO, 2))


@pytest.fixture
def server(tmp_path) -> Iterator[Running]:
    with Running(tmp_path) as running:
        yield running


@pytest.mark.compiled
def test_a_guest_asks_for_the_next_opponent(server: Running) -> None:
    with server.guest("Ada") as ada:
        path = "/api/levels/500-rum?players=2"
        before = ada.http.get(path).json()["next"]
        assert (before["level"], before["why"]) == ("greedy", "first")
        table = ada.table(players=2, target=30, bots=[None, "level2"], start=True)
        with ada.join(table) as talk:
            play(talk, random.Random(3))
        after = ada.http.get(path).json()["next"]
        assert (after["level"], after["against"], after["played"]) == ("level2", "level2", 1)
        assert ada.http.get("/api/levels/500-rum?players=3").json()["next"]["why"] == "first"
        assert ada.http.get("/api/levels/500-rum?players=9").status_code == 422
        assert ada.http.get("/api/levels/persian-rummy?players=2").status_code == 422
        assert ada.http.get("/api/levels/tarot").status_code == 404
    with server.client() as stranger:
        assert stranger.get(path).json()["next"]["why"] == "first"
