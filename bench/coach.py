"""Measure the coach: its time, and whether its advice, its verdicts and its puzzles keep what they promise.

    python bench/coach.py [ROW ...] [--deals 4] [--worlds 4096] [--puzzles 600] [--pairs 100]
        [--run FOLDER] [--seed 1]

Each row can be measured alone; without names all are measured:

    time        processor time of one thread: a hint, the first verdict, a usual review of a deal for two
    golden      golden plays of hints that many more worlds confirm, in either way of playing on
    opinion     golden plays that verdict and lesson name too, and losses on which all three agree
    follower    `??` a deal of a player who follows the hint in every decision
    taught      `??` a deal of a player who plays as guide and tips teach: who lays every possible meld at
                once, or where the tips say so, once the other has a single card
    marks       marks of weaker players that name neither a plan nor a changed rate
    plans       named plans whose rate an independent measurement confirms within 10 points
    neighbours  levels with numbers that win 25 to 40 % of their matches against the next one
    puzzles     shipped puzzles with five plays or more, and those that 65,536 worlds confirm

Deals are of five games, `--deals` of each, and for `taught` of the guide's table too; the seats that are
judged change. The judge has another seed than the hint, except in `opinion`, which compares what a player
sees: `--deals 20` are 1,000 decisions there. With `--run`, `neighbours` keeps its matches in a folder, and
the same command continues a stopped run.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import msgspec
from review import GAMES, decisions

from rum500 import bots, deal, ruleset
from rum500.ai.heuristic_levels import class_of, weights
from rum500.ai.policy import Policy
from rum500.bots import halving
from rum500.coach import Adviser, WayName
from rum500.puzzles.clear_best import is_still_clear
from rum500.puzzles.collection import shipped
from rum500.puzzles.mining import FEWEST_PLAYS
from rum500.review.case import Case
from rum500.review.judge import Judge
from rum500.review.loss_reasons import LossReason, cards_kept
from rum500.review.plans import NEAR, rates_of
from rum500.review.verdict import BUDGETS, Budget, Mark, Verdict
from rum500.rng import Rng
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.server.messages.review import ReviewVerdict
from rum500.server.practice import work
from rum500.server.reviewing.stored import StoredPosition
from rum500.server.thinking.hint_work import hint
from rum500.sim.arena.run_ladder import games, is_even, neighbours, stairs
from rum500.state import State
from rum500.view import View

STAIRS = (
    "500-rum/2", "500-rummy/2", "michigan-rum/2", "rummy-500/2", "500-rum/4", "rummy-500/4",
    "500-rummy/4", "michigan-rum/4", "partnership-500-rum/4", "persian-rummy/4",
)  # fmt: skip
TIPS = Path(__file__).resolve().parent.parent / "web/src/lib/pages/learn/tips.json"
GUIDE = ("500-rum", 3)
"""The game and the number of players of the guide."""
LAY_IN_TIME = next(tip["games"] for tip in json.loads(TIPS.read_text("utf-8")) if tip["id"] == "time")
"""The games in which the tips for two players say to hold melds until the other holds a single card."""
SEED = 9
"""The seed of the judge, which draws other worlds than the hints."""
OF_A_DEAL = 10
"""The number of decisions of a deal of which `opinion` asks hint, verdict and lesson."""
Row = tuple[str, str, str]
"""What was measured, the result, and the goal."""


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor time of a call."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def times(given: argparse.Namespace) -> Iterator[Row]:
    """Yield the processor times of a hint, of the first verdict and of a review."""
    found = decisions(GAMES[0], given.seed)
    state, played = found[0]
    first = milliseconds(lambda: Judge(BUDGETS["usual"]).judge(state.view(state.actor), played))
    yield "first verdict", f"{first / 1000:.2f} s", "2 s or less"
    for game in GAMES:
        hints, rng = list[float](), Rng(given.seed)
        for number in range(given.deals):
            states = decisions(game, 1000 * given.seed + number)
            for _ in range(5):
                state, _ = states[rng.below(len(states))]
                view = state.view(state.actor)
                hints.append(milliseconds(lambda view=view: Adviser().advise(view)))  # type: ignore[misc]
        found_ms = f"{mean(hints):.0f} ms, the longest {max(hints):.0f} ms"
        yield f"a hint, {game[0]}, {game[1]} players", found_ms, "150 ms or less"
    deals = [
        milliseconds(lambda number=number: list(verdicts(decisions(GAMES[0], number))))  # type: ignore[misc]
        for number in range(given.seed, given.seed + given.deals)
    ]
    yield f"a usual review of a deal, {GAMES[0][0]}, 2 players", f"{mean(deals) / 1000:.1f} s", "6 s or less"


def verdicts(played: list[tuple[State, int]]) -> Iterator[tuple[View, Verdict]]:
    """Yield the usual verdicts on decisions."""
    judge = Judge(BUDGETS["usual"], seed=SEED)
    for state, code in played:
        view = state.view(state.actor)
        verdict = judge.judge(view, code, 1, len(view.past))
        assert verdict is not None
        yield view, verdict


def golden(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many golden plays are the best in many more worlds too, as far as these can tell."""
    sure, rng = Adviser(Budget("sure", given.worlds, 1_024, whole=True), seed=SEED), Rng(given.seed)
    advised = gold = right = depends = 0
    for game in GAMES:
        for number in range(5 * given.deals):
            states = decisions(game, 1000 * given.seed + number)
            state, _ = states[rng.below(len(states))]
            view = state.view(state.actor)
            advice = Adviser().advise(view)
            assert advice is not None
            advised, depends = advised + 1, depends + advice.depends
            if advice.gold is not None and (again := sure.advise(view)) is not None:
                gold, right = gold + 1, right + (not any(way.of(advice.gold).sure for way in again.ways))
    yield "hints that depend on how one plays on", f"{depends} of {advised}", ""
    yield "golden plays that are confirmed", f"{right} of {gold}", "95 % or more"


def opinion(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many golden plays verdict and lesson name too, and how many losses of the next play agree.

    The three losses of a play agree if their intervals overlap.
    """
    rng = Rng(given.seed)
    asked = gold = same = near = 0
    for game in GAMES:
        for number in range(given.deals):
            states = decisions(game, 1000 * given.seed + number)
            rng.shuffle(states)
            for state, _ in states[:OF_A_DEAL]:
                view = state.view(state.actor)
                shown, asked = hint(view, "numbers"), asked + 1
                if shown.choice is None or shown.evidence == "none":
                    continue
                gold += 1
                best, second = (int(one.play.code) for one in shown.candidates[:2])
                found = [*shown_by(view, best), *shown_by(view, second)]
                same += all(one.best.code == shown.choice.code for one in found)
                lead, half = shown.candidates[1].lead, shown.candidates[1].half
                near += all(one.low <= half - lead and one.high >= -half - lead for one in found[2:])
    yield "decisions with a golden play", share(gold, asked), ""
    yield "golden plays that verdict and lesson name too", share(same, gold), "100 %"
    yield "losses on which hint, verdict and lesson agree", share(near, gold), "95 % or more"


def shown_by(view: View, code: int) -> tuple[ReviewVerdict, ReviewVerdict]:
    """Return the verdict on a play that a review shows, and that of a lesson."""
    place = StoredPosition.of(view)
    found = (work.verdict(place.position, place.course, code, name) for name in ("usual", work.BUDGET))
    one, other = (msgspec.json.decode(each, type=ReviewVerdict) for each in found)
    return one, other


def played_by(game: tuple[str, int], number: int, choose: Callable[[View], int]) -> list[tuple[State, int]]:
    """Play a deal in which one seat chooses by a function; return its decisions with a choice."""
    name, players = game
    rng, found, own = Rng(number), [], number % players
    state = deal(ruleset(name), players, seed=number, dealer=rng.below(players))
    minds = [bots.get(("club", "casual")[rng.below(2)]) for _ in range(players)]
    while not state.is_over:
        view = state.view(state.actor)
        if state.actor != own or len(view.legal) == 1:
            state.apply(minds[state.actor].choose(view, rng))
            continue
        code = choose(view)
        found.append((state.copy(), code))
        state.apply_int(code)
    return found


def hinted(view: View) -> int:
    """Return the play of a hint; that for holding back if it depends on how one plays on."""
    advice = Adviser().advise(view)
    assert advice is not None
    return advice.ways[0].best if advice.best is None else advice.best


def taught(view: View) -> int:
    """Return the choice of `club` if it lays as the tips teach: in time where they say so, else at once."""
    in_time = view.players == 2 and view.rules.name in LAY_IN_TIME
    lays_at = 1 if in_time else halving.ALWAYS
    mind = Policy(weights(class_of(view.rules, view.players)), lays_at=lays_at)
    return mind.choice(Case.of(view).seat.core)


def blunders(
    given: argparse.Namespace,
    choose: Callable[[View], int],
    goal: str,
    games: Sequence[tuple[str, int]] = GAMES,
) -> Iterator[Row]:
    """Yield the number of blunders a deal of a player, by game."""
    for game in games:
        marks = [
            verdict.mark
            for number in range(given.deals)
            for _, verdict in verdicts(played_by(game, 1000 * given.seed + number, choose))
        ]
        found = f"{marks.count(Mark.BLUNDER) / given.deals:.2f} ({given.deals} deals, {len(marks)} decisions)"
        yield f"`??` a deal, {choose.__name__}, {game[0]}, {game[1]} players", found, goal


def marked(given: argparse.Namespace) -> Iterator[tuple[View, Verdict]]:
    """Yield the marked decisions of weak and middling players."""
    for game in GAMES:
        for number in range(given.deals):
            for view, verdict in verdicts(decisions(game, 1000 * given.seed + number)):
                if verdict.mark.sign:
                    yield view, verdict


def marks(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many marks have only bookkeeping as a reason, and how many of the others are exact."""
    found = [verdict for _, verdict in marked(given)]
    bare = [
        one for one in found if not one.story and not any(map(has_rate, one.why.reasons if one.why else ()))
    ]
    exact = sum(one.exact for one in bare)
    yield "marks with bookkeeping alone", share(len(bare) - exact, len(found)), "10 % or less"
    yield "exact marks without plan and rate", share(exact, len(found)), ""


def has_rate(reason: LossReason) -> bool:
    """Return whether a reason says how often something happens."""
    return "played" in reason.params


def plans(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many rates of plans are confirmed."""
    near = named = 0
    for view, verdict in marked(given):
        if verdict.plan is None:
            continue
        codes = {play_text(code, view): code for code in view.legal}
        two = [codes[verdict.played], codes[verdict.best]]
        case = Case.of(view, lays=verdict.ways[0].way is WayName.LAY)
        watched = cards_kept(*map(decode, two))
        one, other = case.measure(two, Rng(SEED + 1).next64(), 0, given.worlds, watched)
        rate = rates_of(verdict.plan.name, one[1] + other[1])[1]
        named, near = named + 1, near + (abs(rate - verdict.plan.best) <= NEAR)
    yield "named plans that are confirmed", share(near, named), "95 % or more"


def stairs_row(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many steps between neighbours are even."""
    for table in games(STAIRS):
        (scores,) = neighbours([table], stairs(), pairs=given.pairs, run=given.run)
        yield f"even steps, {table.name}", share(sum(map(is_even, scores)), len(scores)), "all"


def puzzles(given: argparse.Namespace) -> Iterator[Row]:
    """Yield how many shipped puzzles have many plays and are confirmed."""
    entries = shipped().entries
    found = [entry.puzzle() for entry in entries]
    many = sum(len(puzzle.view.legal) >= FEWEST_PLAYS for puzzle in found)
    yield "puzzles with five plays or more", share(many, len(found)), "100 %"
    sample = found[:: max(1, len(found) // given.puzzles)]
    right = sum(
        all(is_still_clear(move.view, move.right, SEED, 65_536) for move in puzzle.moves) for puzzle in sample
    )
    yield "puzzles that are confirmed", share(right, len(sample)), "98 % or more"


def share(part: int, whole: int) -> str:
    """Return a part of a whole with its percentage."""
    return f"{part} of {whole}" + (f", {part / whole:.0%}" if whole else "")


ROWS: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "time": times,
    "golden": golden,
    "opinion": opinion,
    "follower": lambda given: blunders(given, hinted, "0.1 or less"),
    "taught": lambda given: blunders(given, taught, "0.5 or less", (GUIDE, *GAMES)),
    "marks": marks,
    "plans": plans,
    "neighbours": stairs_row,
    "puzzles": puzzles,
}


def main() -> int:
    """Measure and print the rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"{', '.join(ROWS)}; all if left out")
    parser.add_argument("--deals", type=int, default=4, help="deals of each game")
    parser.add_argument(
        "--worlds", type=int, default=4_096, help="worlds that confirm plans and golden plays"
    )
    parser.add_argument(
        "--puzzles", type=int, default=600, help="how many of the shipped puzzles are confirmed"
    )
    parser.add_argument("--pairs", type=int, default=100, help="pairs of matches for neighbours")
    parser.add_argument("--run", type=Path, help="the folder of the matches of neighbours")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if unknown := [name for name in given.rows if name not in ROWS]:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(ROWS)}")
    if min(given.deals, given.worlds, given.puzzles, given.pairs) < 1:
        parser.error("--deals, --worlds, --puzzles and --pairs are 1 or more")
    print(f"| {platform.machine()} | measured | goal |\n|---|---|---|")
    for name in given.rows or ROWS:
        for row in ROWS[name](given):
            print(f"| {' | '.join(row)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
