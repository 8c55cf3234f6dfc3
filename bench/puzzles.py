"""Measure whether puzzles are right: judge their moves again in many fresh worlds, and describe them.

    python bench/puzzles.py [FILE] [--sample 100] [--worlds 65536] [--workers 2] [--seed 1]

A puzzle is confirmed if, in these worlds and for both ways of playing on, every right play of every move
loses less than the band to the best, and every other play more than the gap, with no margin for chance. The
sample is spread evenly over the file. The default file is that of the puzzles that come with rum500.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from rum500.puzzles.clear_best import is_still_clear
from rum500.puzzles.collection import Collection, shipped
from rum500.puzzles.puzzle import Puzzle
from rum500.review.verdict import kind_of
from rum500.rules.action_codes import decode


def confirmed(line: str, worlds: int, seed: int) -> bool:
    """Return whether a puzzle, given as its line of the file, is confirmed."""
    puzzle = Puzzle.from_json(line)
    return all(is_still_clear(move.view, move.right, seed, worlds) for move in puzzle.moves)


def table(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """Yield lines that describe the puzzles, by profile."""
    heads = "profile", "puzzles", "players", "moves", "plays", "house rules", "quiet", "kinds", "plans"
    yield f"| {' | '.join(heads)} | first ratings |"
    yield "|---" * (len(heads) + 1) + "|"
    for name in sorted({puzzle.view.rules.name for puzzle in puzzles}):
        own = [puzzle for puzzle in puzzles if puzzle.view.rules.name == name]
        players = Counter(puzzle.view.players for puzzle in own)
        house = sum(bool(puzzle.view.rules.changes) for puzzle in own)
        firsts = [puzzle.moves[0] for puzzle in own]
        kinds = Counter(str(kind_of(decode(one.right[0]), decode(one.wrong[0].code))) for one in firsts)
        second = [move.wrong[0].plan for puzzle in own for move in puzzle.moves]
        plans = Counter(str(plan.name) for plan in second if plan)
        moves = Counter(len(puzzle.moves) for puzzle in own)
        fewest = min(len(one.view.legal) for one in firsts)
        ratings = Counter(round(puzzle.rating) for puzzle in own)
        yield (
            f"| {name} | {len(own)} | {_counts(players)} | {_counts(moves)} | {fewest} and more | {house} "
            f"| {sum(one.quiet for one in own)} | {_counts(kinds)} | {_counts(plans)} | {_counts(ratings)} |"
        )


def _counts(counter: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{name}: {number}" for name, number in sorted(counter.items()))


def main() -> int:
    """Judge the puzzles and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=65_536)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = Collection.from_text(given.file.read_text("utf-8")) if given.file else shipped()
    puzzles = [entry.puzzle() for entry in found.entries]
    number = min(given.sample, len(puzzles))
    sample = [puzzles[at * len(puzzles) // number] for at in range(number)]
    judged = partial(confirmed, worlds=given.worlds, seed=given.seed)
    right = 0
    with ProcessPoolExecutor(given.workers) as pool:
        lines = [puzzle.to_json() for puzzle in sample]
        for at, (puzzle, agrees) in enumerate(zip(sample, pool.map(judged, lines), strict=True), 1):
            right += agrees
            if not agrees:
                print(f"not confirmed: {puzzle.id}, {puzzle.view.rules.name}, {puzzle.view.players} players")
            sys.stderr.write(f"\r{at} of {number}, {right} confirmed")
    sys.stderr.write("\n")
    print(f"{right} of {number} confirmed in {given.worlds:,} worlds, {platform.machine()}\n")
    print("\n".join(table(puzzles)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
