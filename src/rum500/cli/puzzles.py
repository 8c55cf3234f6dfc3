"""`rum500 puzzles`: solve puzzles at the terminal, and mine more of them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from rich.console import Console

from rum500.cli import _console
from rum500.cli._inputs import SEEDS, check_range
from rum500.cli.play import Showing
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.puzzle_game import PuzzleGame
from rum500.cli.terminal.saves import folder
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.style import Style
from rum500.cli.user_error import UserError, one_line
from rum500.file_reading import read_file
from rum500.puzzles.collection import MOST_BYTES, VERSION, Collection, Entry, head_line, shipped
from rum500.puzzles.mining import MiningPlan, mine
from rum500.puzzles.puzzle import PuzzleError
from rum500.puzzles.ratings import Rating, first_rating, next_puzzle, rated
from rum500.rng import Rng
from rum500.rules.profiles import ruleset
from rum500.sim.output_files import open_locked

MOST_SCORE = 4 << 20
"""The largest size of the file with a solver's answers, in bytes: enough for 200,000 answers."""


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    rating: Rating
    answers: dict[str, bool]


class PuzzleScore:
    """A solver's answers, and the rating that follows from them."""

    def __init__(self, path: Path, rating: Rating, answers: dict[str, bool]) -> None:
        """Continue from a rating; `answers` says, by id, whether each answered puzzle was solved."""
        self.path = path
        self.rating = rating
        self.answers = answers

    @classmethod
    def read(cls, path: Path) -> PuzzleScore:
        """Return the score in a file, or a new solver's if the file does not exist.

        Raises `UserError` for a file with other contents.
        """
        if not path.exists():
            return cls(path, Rating(), {})
        try:
            content = msgspec.json.decode(read_file(path, MOST_SCORE), type=_Content)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UserError(f"{path}: holds no rating: {error}; remove it to begin again") from None
        return cls(path, content.rating, content.answers)

    @property
    def solved(self) -> int:
        """The number of puzzles solved."""
        return sum(self.answers.values())

    def answer(self, puzzle: Entry, *, solved: bool) -> None:
        """Count an answer if it is the first to this puzzle, and write the file."""
        if puzzle.id in self.answers:
            return
        self.rating, _ = rated(self.rating, first_rating(puzzle), solved=solved)
        self.answers[puzzle.id] = solved
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        content = msgspec.json.format(msgspec.json.encode(_Content(self.rating, self.answers)), indent=1)
        fresh.write_bytes(content)
        fresh.replace(self.path)


command = App(name="puzzles", help="Solve puzzles, or mine more of them.", help_format="plaintext")

_MOST = 100_000


@command.command
def solve(
    *,
    profile: Annotated[str | None, Parameter(help="Only puzzles of this profile.")] = None,
    daily: Annotated[bool, Parameter(help="The puzzle of the day, the same for all.")] = False,
    seed: Annotated[
        int | None, Parameter(validator=SEEDS, help="The same seed chooses the same puzzles.")
    ] = None,
    file: Annotated[Path | None, Parameter(help="Puzzles that were mined, instead of those shipped.")] = None,
    showing: Showing | None = None,
) -> None:
    """Solve puzzles: positions in which one play is clearly the best.

    Type your play as at the table, or Enter to skip. Each puzzle counts once for your rating.
    """
    found = shipped() if file is None else _collection(file)
    chosen = found if profile is None else found.of_profile(ruleset(profile).name)
    if not chosen.entries:
        where = "" if profile is None else f" for {ruleset(profile).name}"
        raise UserError(f"there are no puzzles{where}; rum500 puzzles mine makes some")
    showing = showing or Showing()
    score = PuzzleScore.read(folder(os.environ) / "puzzles.json")
    screen = Screen(showing.console())
    rng = Rng(secrets.randbits(32) if seed is None else seed)
    with screen.holding_interrupts():
        try:
            for entry in _row(chosen, score, rng, daily=daily):
                answered = _one(entry, score, screen, showing.look())
                if answered and not daily:
                    screen.ask("Enter: the next one, Ctrl-D: enough > ")
        except EOFError:
            screen.console.print()
        except PuzzleError as error:
            raise UserError(f"{file or 'the shipped puzzles'}: {error}") from None
    print(f"Rating {score.rating.mean:.0f}; {score.solved} of {len(score.answers)} puzzles solved")


def _row(chosen: Collection, score: PuzzleScore, rng: Rng, *, daily: bool) -> Iterator[Entry]:
    if daily:
        yield chosen.daily(date.today())  # noqa: DTZ011 - the day where the solver lives
        return
    shown: set[str] = set()
    while entry := next_puzzle(chosen.entries, score.answers.keys() | shown, score.rating, rng):
        shown.add(entry.id)
        yield entry


def _one(entry: Entry, score: PuzzleScore, screen: Screen, look: Style) -> bool:
    """Ask for each move of a puzzle until one is wrong; return False if the solver skips the puzzle."""
    puzzle, preferences = entry.puzzle(), Preferences(folder(os.environ))
    title = f"{puzzle.view.rules.title} · puzzle {puzzle.id}"
    before, again = score.rating, entry.id in score.answers
    for number, move in enumerate(puzzle.moves, 1):
        at = f" · move {number} of {len(puzzle.moves)}" if len(puzzle.moves) > 1 else ""
        game = PuzzleGame(move, screen, look, title + at, preferences)
        answer = game.ask()
        if answer is None:
            return False
        solved, last = move.wrong_play(answer) is None, number == len(puzzle.moves)
        if not solved or last:
            score.answer(entry, solved=solved)
        change = f"Your rating: {before.mean:.0f} → {score.rating.mean:.0f}, against {entry.rating:.0f}."
        change += " It is provisional." if score.rating.provisional else ""
        if solved and not last:
            change = "Right so far. The best play is made, the others reply, and your next move comes."
        game.show_answer(answer, "You have answered it before: it does not count." if again else change)
        if not solved:
            break
        if not last:
            screen.ask("Enter: the next move > ")
    return True


def _collection(file: Path) -> Collection:
    try:
        return Collection.read(file)
    except PuzzleError as error:
        raise UserError(f"{file}: {one_line(error)}") from None


@command.command(name="mine")
def mine_command(
    *,
    out: Annotated[Path, Parameter(help="The file; an interrupted run continues from it.")],
    count: Annotated[int, Parameter(help="How many puzzles the file has in the end.")] = 10,
    profile: Annotated[tuple[str, ...], Parameter(help="Only this profile; several: again.")] = (),
    players: Annotated[int | None, Parameter(help="Only this number of players.")] = None,
    seed: Annotated[int, Parameter(validator=SEEDS, help="The seed: the same puzzles.")] = 1,
    threads: _console.Threads = None,
) -> None:
    """Mine puzzles from deals between bots of mixed levels.

    A puzzle has two or three moves, each with one clear best play. A third of the puzzles are for two
    players, and most are of 500 Rum and Rummy 500; with --profile or --players, the profiles take turns. The
    result is the same for any number of threads, and Ctrl-C keeps what was found until then.
    """
    workers = _console.checked_threads(threads)
    check_range("--count", count, 1, _MOST)
    plan = MiningPlan.of(seed, profile, players)
    console = Console(stderr=True)
    with open_locked(out) as file:
        done = _begun(out, plan)
        with _console.bar(console) as bar:
            task = bar.add_task("Puzzles", total=count, completed=min(done, count))
            try:
                for number, puzzle in enumerate(mine(plan, count, first=done, threads=workers), done + 1):
                    file.write(f"{puzzle.to_json()}\n".encode())
                    file.flush()
                    bar.update(task, completed=number)
            except KeyboardInterrupt:
                bar.stop()
                console.print(f"Stopped. The same command continues from {out}.", highlight=False)
                raise
    print(f"{max(done, count)} puzzles in {out}")


def _begun(out: Path, plan: MiningPlan) -> int:
    """Prepare a file for further puzzles, and return the number of puzzles in it.

    Raises `UserError` if the file contains anything but puzzles of this plan.
    """
    try:
        text = read_file(out, MOST_BYTES).decode("utf-8")
        kept = text[: text.rfind("\n") + 1]  # the last line may have been cut off
        found = Collection.from_text(kept) if kept else None
    except (PuzzleError, UnicodeDecodeError) as error:
        raise UserError(f"{out}: {one_line(error)}") from None
    if found:
        if found.version < VERSION:
            raise UserError(f"{out}: was mined by an earlier version of rum500; name another file")
        if found.plan != plan:
            raise UserError(f"{out}: was mined with another seed, profile or number of players")
        done = len(found.entries)
    else:
        kept, done = head_line(plan), 0
    if kept != text:
        out.write_text(kept, encoding="utf-8")
    return done
