"""The arena: the same cards in exchanged seats, the same results however the work is divided, its command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rum500 import Rng, State, View, bots, deal
from rum500.cli import main
from rum500.match import Match, PlayNeeded
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim import SimulationError, deal_seed, simulate
from rum500.sim.arena import SprtBounds, arena, seat_entrant, seatings
from rum500.sim.arena.clusters import CUT_SHORT, LEAD, ArenaJob, Plan, seed_of

RULES = ruleset("500-rum")
THIRD = """
class Mine:
    name = "mine"

    def choose(self, view, rng):
        return view.legal[-1]
"""


class Last:
    """Plays the last legal action."""

    name = "last"

    def choose(self, view: View, rng: Rng) -> int:
        return view.legal[-1]


class First:
    """Plays the first legal action."""

    name = "first"

    def choose(self, view: View, rng: Rng) -> int:
        return view.legal[0]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["arena", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


# --- seating ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "count"),
    [("500-rum", 2, 2), ("500-rum", 3, 6), ("500-rum", 5, 10), ("500-rum", 6, 2), ("persian-rummy", 4, 2)],
)
def test_every_seat_is_everybodys_as_often(name, players, count):
    found = seatings(ruleset(name), players)
    assert len(found) == len(set(found)) == count
    for seat in range(players):
        assert sum(seating[seat] == 0 for seating in found) * 2 == count
    assert all({0, 1} == set(seating) for seating in found)


def test_partners_are_the_same_bot():
    assert seatings(ruleset("persian-rummy"), 4) == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_a_lone_bot_sits_in_every_seat_once():
    assert seatings(RULES, 3, "lone") == ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    with pytest.raises(SimulationError, match="nobody plays alone"):
        seatings(ruleset("persian-rummy"), 4, "lone")


# --- the numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "players"), [("500-rum", 2), ("partnership-500-rum", 4)])
def test_deals_alone_are_those_of_two_simulations(profile, players):
    """Points a deal, recounted from `simulate` with the seats exchanged; partnerships count by side."""
    rules, names = ruleset(profile), ["greedy", "random"]
    ahead, behind = (simulate(rules, players, 10, 3, seated).mean_points for seated in (names, names[::-1]))
    wanted = sum(ahead[::2]) - sum(ahead[1::2]) + sum(behind[1::2]) - sum(behind[::2])
    score = arena(rules, names, 10, 3, unit="deal").scores[0]
    assert score.points.value == pytest.approx(wanted / 2)
    assert (score.pairs, score.deals, score.matches, score.match_win) == (10, 20, 0, None)


@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 3)])
def test_a_match_is_the_one_that_match_would_play(name, players):
    """Totals, ends and winners of the arena's matches, computed by `Match` from the same shuffles."""
    rules = ruleset(name)
    two = (bots.get("greedy"), Last())
    plan = Plan(rules, players, two, 1, 5)
    rows, width = ArenaJob(plan, 0, 1, {}).play().rows, LEAD + players
    for number, seating in enumerate(plan.seatings):
        mine = [list(rows[at : at + width]) for at in range(0, len(rows), width) if rows[at + 1] == number]
        match = Match(rules, players, None, dealer=0)
        for row in mine:
            state = deal(rules, players, seed_of(5, "match", 0, row[2]), match.dealer or 0, match.totals)
            play_in(match, state, [two[bot] for bot in seating])
            assert list(match.sheet[-1].result.points) == row[LEAD:]
            assert match.is_over == bool(row[6])
        result = match.result
        assert result is not None
        winners = result.winners or range(players)
        assert mine[-1][6] == sum(1 << seat for seat in winners)


def play_in(match: Match, dealt: State, seated: list) -> None:
    """Have a match play this deal: the order of its pack, a cut that changes nothing, and the bots' plays."""
    from rum500.match import CutAt, PackOrder

    deck = list(dealt.core.stock[: dealt.core.stock_end])
    match.apply(PackOrder((*deck[1:], deck[0])))
    match.apply(CutAt(len(deck) - 1))
    number = match.number
    while isinstance(match.decision, PlayNeeded) and match.number == number and len(match.sheet) < number:
        state = match.decision.state
        match.apply(seated[state.actor].choose(state.view(state.actor), Rng(0)))


def test_any_number_of_workers_gives_the_same_numbers(tmp_path):
    reported, files = [], []
    for workers in (1, 2):
        out = tmp_path / f"{workers}.parquet"
        done = arena(RULES, ["greedy", "random"], 12, 7, workers=workers, out=out)
        reported.append({key: value for key, value in done.as_dict().items() if key != "seconds"})
        files.append(pq.read_table(out).to_pylist())
    assert reported[0] == reported[1] and files[0] == files[1]


@pytest.mark.whole
def test_a_test_stops_at_the_same_pair_for_any_number_of_workers():
    bound = SprtBounds("points", 0.0, 40.0)
    stops = [arena(RULES, ["greedy", "random"], 400, 7, unit="deal", sprt=bound, workers=w) for w in (1, 2)]
    one, two = (done.scores[0] for done in stops)
    assert one == two and one.stop is not None
    assert one.stop.verdict == "upper" and 16 <= one.pairs < 100


def test_of_many_bots_every_two_meet():
    done = arena(RULES, ["greedy", "random", First()], 3, 7, unit="deal")
    assert [(score.a, score.b) for score in done.scores] == [
        ("greedy", "random"),
        ("greedy", "first"),
        ("random", "first"),
    ]
    matrix = done.as_dict()["matrix"]["points_a_deal"]
    assert matrix[1][0] == -done.scores[0].points.value and matrix[2][2] is None
    alone = arena(RULES, ["greedy", "random"], 3, 7, unit="deal").scores[0]
    assert done.scores[0] == alone


@pytest.mark.compiled
@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("names", "profile", "pairs", "least"),
    [
        ("strong:worlds=48,club", "500-rum", 4, 0),
        ("club,random", "500-rum", 60, 100),
        *(("greedy,random", name, 12, 30) for name in profile_names()),
    ],
)
def test_a_stronger_level_scores_more(names, profile, pairs, least):
    assert arena(ruleset(profile), names.split(","), pairs, unit="deal").scores[0].points.value > least


def test_a_bot_against_itself_is_even_to_the_point():
    score = arena(RULES, ["greedy", "greedy"], 5, 1).scores[0]
    assert (score.points.value, score.match_win.value, score.elo.value) == (0.0, 0.5, 0.0)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", profile_names())
def test_every_profile_is_played_to_its_end(name):
    rules = ruleset(name)
    done = arena(rules, ["greedy", "random"], 1, 3)
    assert done.scores[0].matches == 2 and not done.scores[0].cut_short


def test_a_match_that_gets_nowhere_is_given_to_the_leader(monkeypatch):
    monkeypatch.setattr("rum500.sim.arena.clusters.LONGEST", 2)
    done = arena(RULES, ["greedy", "random"], 2, 3)
    assert done.scores[0].cut_short == 4 and done.scores[0].deals == 8
    plan = Plan(RULES, 2, ("greedy", "random"), 1, 3)
    assert ArenaJob(plan, 0, 1, {}).play().rows[LEAD + 2 :][6] >= CUT_SHORT


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bots": ["greedy"]}, "two bots or more"),
        ({"pairs": 0}, "the number of pairs is 1 or more, not 0"),
        ({"workers": 0}, "the number of workers is 1 or more, not 0"),
        ({"unit": "game"}, "there is no unit 'game'"),
        ({"seating": "round"}, "there is no seating 'round'"),
        ({"bots": ["greedy", "gredy"]}, "did you mean greedy"),
        ({"bots": ["greedy", "no_such_module:Bot"]}, "no_such_module"),
        ({"sprt": SprtBounds("elo", 5.0, 5.0)}, "below its upper"),
        ({"sprt": SprtBounds("elo", 0.0, 5.0, alpha=0.7)}, "alpha is a chance"),
        ({"sprt": SprtBounds("elo", 0.0, 5.0), "unit": "deal"}, "Elo is counted in matches"),
    ],
)
def test_impossible_arena_is_refused(changes, message):
    with pytest.raises(SimulationError, match=message):
        arena(**{"rules": RULES, "bots": ["greedy", "random"], "pairs": 1} | changes)


def test_wrong_players_are_refused():
    with pytest.raises(RulesetError):
        arena(ruleset("persian-rummy"), ["greedy", "random"], 1, players=3)


# --- Parquet ---------------------------------------------------------------------------------------


def test_one_row_a_deal_is_written_and_deals_again(tmp_path):
    out = tmp_path / "deals.parquet"
    done = arena(RULES, ["greedy", "random"], 3, 9, out=out)
    table = pq.read_table(out)
    rows = table.to_pylist()
    assert len(rows) == done.scores[0].deals
    ends = [row for row in rows if row["won"] is not None]
    assert sum(row["won"] for row in ends) / len(ends) == done.scores[0].match_win.value
    assert {(row["bot_0"], row["bot_1"]) for row in rows} == {("greedy", "random"), ("random", "greedy")}
    first = rows[0]
    seed = Rng(deal_seed(9, 0)).spawn(1).next64()
    assert (first["seed"], first["dealer"], first["deal"], first["pair"]) == (seed, 0, 1, 0)
    own = sum(row["points_0" if row["bot_0"] == "greedy" else "points_1"] for row in rows)
    other = sum(row["points_0" if row["bot_0"] == "random" else "points_1"] for row in rows)
    assert (own - other) / len(rows) == pytest.approx(done.scores[0].points.value)
    metadata = table.schema.metadata
    assert Ruleset.from_toml(metadata[b"rum500.ruleset"].decode()) == RULES
    assert metadata[b"rum500.bots"] == b"greedy,random"


# --- the command -----------------------------------------------------------------------------------


def test_command_names_the_stronger_bot(capsys):
    code, out, err = run(capsys, "--bots", "greedy,random", "--pairs", "10", "--seed", "7", "--workers", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "500 Rum (500-rum), 2 players: greedy against random"
    assert lines[1] == "10 pairs of matches, each on one row of shuffles, the seats exchanged; seed 7"
    assert re.search(r"^Points a deal +\+\d+\.\d +\+\d+\.\d to \+\d+\.\d +\d+ deals", out, re.MULTILINE)
    assert re.search(r"^Matches won +100\.0 % .* 20 matches", out, re.MULTILINE)
    assert re.search(r"^Elo +\+\d+ +more than \+\d+", out, re.MULTILINE)
    assert lines[-1] == "greedy is the stronger, with 95 % confidence."


def test_the_command_gives_json(capsys):
    words = "--bots greedy,random --profile persian --pairs 4 --seed 7 --workers 1 --json"
    code, out, _ = run(capsys, *words.split())
    reported = json.loads(out)
    score = arena(ruleset("persian"), ["greedy", "random"], 4, 7).scores[0]
    assert code == 0 and reported["profile"] == "persian-rummy"
    assert reported["match_win"] == score.match_win.value
    assert reported["points_a_deal"] == score.points.value
    assert reported["interval"] == [score.points.low, score.points.high]
    assert reported["elo"] == score.elo.value
    assert reported["contests"][0]["pairs"] == 4 and reported["references"] == []


def test_single_pair_is_singular_and_ties_are_for_matches_only(capsys):
    words = "--bots greedy,random --workers 1 --seating lone --players 3 --pairs 1"
    assert "Equals would win 33.3 % of the matches" in run(capsys, *words.split())[1]
    assert "Equals" not in run(capsys, *words.split(), "--unit", "deal")[1]
    _, out, _ = run(capsys, *["--bots", "greedy,random", "--workers", "1", "--unit", "deal", "--pairs", "1"])
    assert "\n1 pair of deals, each on one shuffle" in out


def test_the_chance_of_error_asks_for_the_test(capsys):
    words = "--bots greedy,random --workers 1 --unit deal --pairs 2 --json"
    reported = json.loads(run(capsys, *words.split(), "--alpha", "0.01")[1])
    assert (reported["sprt"]["alpha"], reported["sprt"]["beta"]) == (0.01, 0.05)


@pytest.mark.compiled
def test_levels_have_no_clock_but_the_one_they_are_given(capsys):
    """At a table bare levels have one: a busy machine would change the numbers."""
    assert [(bot.worlds, bot.seconds) for bot in map(seat_entrant, ("strong", "expert"))] == [
        (512, 0),
        (2048, 0),
    ]
    words = "--bots answers:worlds=1:turns=1:strong:worlds=1:seconds=1,strong:worlds=1 --unit deal --pairs 1"
    code, out, _ = run(capsys, *words.split(), "--workers", "1")
    assert code == 0 and "seconds=1‡§ against strong:worlds=1\n" in out
    assert "\n§ thinks against the clock: its numbers depend on the machine\n" in out
    reported = arena(RULES, ["strong:worlds=1:seconds=9", "random"], 1, unit="deal").as_dict()
    assert reported["by_the_clock"] == ["strong:worlds=1:seconds=9"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--pairs 1", "Neither is shown to be the stronger: one pair alone has no interval."),
        ("--pairs 8 --sprt --points1 4", "; it takes 16 pairs at least."),
    ],
)
def test_command_warns_of_too_few_pairs(capsys, words, said):
    words = f"--bots greedy,random --unit deal --seed 7 --workers 1 {words}"
    assert run(capsys, *words.split())[1].rstrip().endswith(said)


def test_third_party_bot_is_loaded_from_its_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("their_own_bot.py").write_text(THIRD)
    words = "--bots their_own_bot:Mine,random --pairs 3 --unit deal --workers 2 --json"
    code, out, err = run(capsys, *words.split())
    assert (code, err) == (0, "")
    reported = json.loads(out)
    assert reported["bots"] == ["their_own_bot:Mine", "random"]
    assert (
        reported["points_a_deal"] == arena(RULES, [Last(), "random"], 3, unit="deal").scores[0].points.value
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--bots greedy", "two bots or more"),
        ("--pairs 3", "--bots is missing"),
        ("--bots greedy,greddy", "there is no bot 'greddy'; did you mean greedy?"),
        ("--bots greedy,random --pairs 0", "the number of pairs is 1 or more, not 0"),
        ("--bots greedy,random --profile persain", "did you mean persian"),
        ("--bots greedy,random --players 9", "500 Rum is for 2 to 8 players, not 9"),
        ("--bots greedy,random --unit deal --elo1 5", "Elo is counted in matches"),
        ("--bots greedy,random --points0 5 --points1 2", "below its upper"),
        ("--bots sees-hands:worlds=0,random", "worlds is 1 or more, not 0"),
        ("--bots expert:worlds=0,random", "the number of worlds is 1 or more, not 0"),
        ("--bots strong:worlds=8:worlds=9,random", "'worlds' is given twice"),
        ("--bots sees-hands:worlds=8:worlds=9,random", "'worlds' is given twice"),
        ("--bots cmd:ls,bee", "or cmd:COMMAND (in a list, without commas)"),
        ("--bots greedy,random --alpha 0.7", "alpha is a chance between 0 and 0.5, not 0.7"),
        ("--bots sees-hands:depth=3,random", "there is no option 'depth'"),
        ("--bots sees-stock:worlds=3,random", "there is no option 'worlds'"),
        ("--bots answers:,random", "the bot that is to be answered is missing"),
        ("--bots answers:sees-hands,random", "answers a bot"),
        ("--bots greedy,random --out missing/x.parquet", "missing/x.parquet"),
        ("--bots greedy,random --run missing/x.run", "missing/x.run"),
        ("--bots greedy,random --seating lone --profile persian", "nobody plays alone"),
    ],
)
def test_bad_input_is_reported_in_one_line(capsys, words, message):
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("rum500 arena: ") and err.count("\n") == 1
    assert message in err


# --- bots that the core can ask by itself ----------------------------------------------------------


class Veiled:
    """The heuristic asked by a view, as any bot is."""

    name = "club"

    def __init__(self) -> None:
        self.bot = bots.get("club")

    def choose(self, view: View, rng: Rng) -> int:
        return self.bot.choose(view, rng)


@pytest.mark.parametrize("name", profile_names())
def test_core_and_view_give_the_same_choices(name):
    """The quick way of `play_deal` changes no choice: with other bots, and with its like alone."""
    rules = ruleset(name)
    if not rules.claim and "H5" not in rules.house_rules:
        rules = rules.with_house_rules("H5", "H6")
    for other in ("random", "casual"):
        quick, veiled = (
            arena(rules, [club, other], 2, 3, unit="deal", players=rules.players[-1]).scores[0]
            for club in ("club", Veiled())
        )
        assert quick == veiled
