"""Examine the beliefs: log-loss, hit rate and calibration by class of profiles and kind of opponent.

Writes the tables of docs/belief.md. Needs only rum500.

    python -m tools.belief_report [--deals 300] [--print]
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rum500.ai import HandBelief, expected, known_deal, odds
from rum500.ai.card_odds import profile_class
from rum500.bots.halving import opponent_policies
from rum500.view import View
from tools.belief_data import GAMES, PLAYERS, TRAINING, Sample, check_games, samples

DOCS = Path(__file__).resolve().parent.parent / "docs" / "belief.md"
SEED = 77_000_000
BINS = 10
GUESSES = 128
HEAD = "<!-- made by tools/belief_report.py: from here -->\n"
FOOT = "<!-- to here -->\n"


@dataclass(slots=True)
class Sums:
    """Sums over one deal or many: log-losses and hits of the belief and of the uniform belief.

    `hands_hits` are the hits of sampled whole hands.
    """

    copies: float = 0
    loss: float = 0
    plain_loss: float = 0
    hidden: int = 0
    hits: float = 0
    hands_hits: float = 0
    plain_hits: float = 0

    def add(self, other: Sums) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Exam:
    """Sums by deal, and how often cards really were in a place, by the probability that was believed."""

    deals: dict[int, Sums] = field(default_factory=dict)
    bins: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0, 0.0] for _ in range(BINS)])

    def take(self, sample: Sample) -> None:
        """Add a decision to the sums."""
        view = sample.view
        rows = odds(view)
        held, guessed = _hidden(view, rows), _guessed(view)
        cards = Counter(known_deal(view).unseen)
        sums = self.deals.setdefault(sample.deal, Sums())
        seats = [seat for seat in range(view.players) if sample.hidden[seat]]
        sums.loss += log_loss(sample, rows)
        sums.plain_loss += log_loss(sample, [[0] * 64 for _ in rows])
        sums.copies += cards.total()
        for card, copies in cards.items():
            for seat in seats:
                share = held[seat].get(card, 0) / copies
                row = self.bins[min(BINS - 1, int(share * BINS))]
                row[0] += copies
                row[1] += share * copies
                row[2] += sample.hidden[seat][card]
        for seat in seats:
            size = sum(sample.hidden[seat].values())
            sums.hidden += size
            sums.hits += _hits(held[seat], cards, sample.hidden[seat], size)
            sums.hands_hits += _hits(guessed[seat], cards, sample.hidden[seat], size)
            sums.plain_hits += size * size / sum(cards.values())


def log_loss(sample: Sample, rows: list[list[int]]) -> float:
    """Return the log-loss of the unseen cards' true places by these odds, summed over the copies."""
    held = _hidden(sample.view, rows)
    seats = [seat for seat, cards in enumerate(sample.hidden) if cards]
    total = 0.0
    for card, copies in Counter(known_deal(sample.view).unseen).items():
        shares = [held[seat].get(card, 0) / copies for seat in seats]
        total += _loss(shares, [sample.hidden[seat][card] for seat in seats], copies)
    return total


def _hidden(view: View, rows: list[list[int]]) -> list[dict[int, float]]:
    """Return the expected number of hidden copies of each card, by seat."""
    held = expected(view, rows)
    for seat, known in enumerate(view.known):
        for card in known:
            held[seat][card] = held[seat].get(card, 0) - 1
    return held


def _guessed(view: View) -> list[dict[int, float]]:
    """Return how often each card is hidden in each hand, in worlds drawn as in `expert`."""
    seat = known_deal(view)
    worlds = seat.worlds()
    HandBelief(view, lambda: opponent_policies(view.rules, view.players)).weigh(worlds, seat, SEED, GUESSES)
    places = [other for other, room in enumerate(seat.room) for _ in range(room)]
    held: list[dict[int, float]] = [dict.fromkeys(seat.unseen, 0.0) for _ in range(view.players)]
    for number in range(GUESSES):
        for other, index in zip(places, worlds.arrangement(number), strict=False):
            held[other][seat.unseen[index]] += 1
    return held


def _loss(shares: list[float], truth: list[int], copies: int) -> float:
    stock = 1 - sum(shares)
    parts = [*zip(shares, truth, strict=True), (stock, copies - sum(truth))]
    return -sum(count * math.log(max(share, 1e-6)) for share, count in parts if count)


def _hits(held: dict[int, float], cards: Counter[int], truth: Counter[int], size: int) -> float:
    """Return how many hidden cards are among the `size` likeliest copies."""
    order = sorted(cards, key=lambda card: (-held.get(card, 0) / cards[card], card))
    left, hits = size, 0.0
    for card in order:
        copies = min(cards[card], left)
        hits += min(copies, truth[card])
        left -= copies
        if not left:
            break
    return hits


def ratio(deals: list[Sums], top: str, bottom: str) -> tuple[float, float]:
    """Return a ratio of sums over deals and half the width of its 95 % interval (delta method, by deal)."""
    above = [getattr(deal, top) for deal in deals]
    below = [getattr(deal, bottom) for deal in deals]
    value = sum(above) / sum(below)
    mean = sum(below) / len(deals)
    spread = sum((a - value * b) ** 2 for a, b in zip(above, below, strict=True)) / max(1, len(deals) - 1)
    return value, 1.96 * math.sqrt(spread / len(deals)) / mean


def gain(deals: list[Sums]) -> tuple[float, float]:
    """Return by how much the log-loss of a copy is below the uniform belief's, with its interval."""
    for deal in deals:
        deal.plain_loss -= deal.loss
    found = ratio(deals, "plain_loss", "copies")
    for deal in deals:
        deal.plain_loss += deal.loss
    return found


def examine(name: str, kind: str, deals: int, seed: int = SEED) -> Exam:
    """Examine deals of one class, in which players of one kind play."""
    exam = Exam()
    number = list(GAMES).index(name) * 100 + list(PLAYERS).index(kind)
    for sample in samples(GAMES[name], (kind,), seed + number, deals, 0.15):
        assert profile_class(sample.view.rules, sample.view.players) == name
        exam.take(sample)
    return exam


def report(deals: int) -> str:
    """Return the tables."""
    lines = [
        "| class | opponents | log-loss a card | even | less by | hit rate | of whole hands | even |",
        "|---|---|---|---|---|---|---|---|",
    ]
    bins = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for name in GAMES:
        for kind in PLAYERS:
            exam = examine(name, kind, deals)
            rows = list(exam.deals.values())
            (loss, _), (plain, _) = ratio(rows, "loss", "copies"), ratio(rows, "plain_loss", "copies")
            less, less_by = gain(rows)
            hits = [[100 * x for x in ratio(rows, f"{of}hits", "hidden")] for of in ("", "hands_", "plain_")]
            label = kind if kind in TRAINING else f"{kind} (not trained on)"
            lines.append(
                f"| {name} | {label} | {loss:.3f} | {plain:.3f} | {less:.3f} ± {less_by:.3f} "
                f"| {hits[0][0]:.1f} ± {hits[0][1]:.1f} % | {hits[1][0]:.1f} ± {hits[1][1]:.1f} % "
                f"| {hits[2][0]:.1f} % |"
            )
            print(lines[-1], flush=True)
            for row, more in zip(bins, exam.bins, strict=True):
                row[:] = [a + b for a, b in zip(row, more, strict=True)]
    lines += ["", "| believed | was so | cards |", "|---|---|---|"]
    lines += [f"| {100 * b / n:.1f} % | {100 * t / n:.1f} % | {n:.0f} |" for n, b, t in bins if n]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--print", action="store_true", help="write nothing")
    given = parser.parse_args()
    check_games()
    tables = report(given.deals)
    print(tables)
    if not given.print:
        before, _, rest = DOCS.read_text().partition(HEAD)
        DOCS.write_text(before + HEAD + tables + FOOT + rest.partition(FOOT)[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
