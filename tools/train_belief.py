"""Train the networks that infer hidden hands from play; writes src/rum500/ai/card_odds.toml.

Needs numpy. Deals are played by the heuristic, its variants and random players (see tools/belief_data.py).
Each unseen card is an example: the hand, or the stock, in which it was. The network gives each hand its
log-odds against the stock, the sizes of hands and stock are added, and the log-loss of the true place is
minimized. A run from fixed seeds makes the same file on one machine; floating-point results may differ in the
last bits on another.

A network is added to the file only if a sequential test on deals that training never saw shows that it is
better than the existing one. With `--again` nothing is trained: the existing networks are tested against the
uniform belief, and the verdicts are written beside them.

    python -m tools.train_belief [--deals 3000] [--epochs 6] [--only two] [--again]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from rum500.ai import KnownDeal, known_deal
from rum500.ai.card_odds import course_of
from rum500.ai.clues import CARD_FEATURES, FEATURES, NEURONS, ClueNetwork, ClueTracker
from rum500.rules.engine.core import Core, Moves
from rum500.sim.arena.sprt import Sprt, SprtBounds
from rum500.view import View
from tools.belief_data import GAMES, TRAINING, check_games, samples
from tools.belief_report import log_loss

FILE = Path(__file__).resolve().parent.parent / "src" / "rum500" / "ai" / "card_odds.toml"
SEED = 20261121
SCALE = np.ones(FEATURES, np.float32)
SCALE[14:22] = 1 / 16
SCALE[22] = 1 / 4
SCALE[[38, 39, 45, 52, 62]] = 1 / 8
SCALE[[49, 50, 51, 65]] = 1 / 4
NEVER = -30.0
Batch = tuple[np.ndarray, np.ndarray, np.ndarray]
Part = dict[str, Any]
"""A class in the file: the network's weights, those of the seat's doubt, and the verdict of the test."""
BETTER = 0.005
"""A network is accepted if it is likelier better by this many nats a card than not better,"""
MOST = 600
"""after at most this many deals."""

MOVES = Moves()
DRAWN = 8
"""The number of worlds drawn at each decision to measure how often a hand in them could lay something."""


def examples(name: str, seed: int, deals: int, rate: float) -> dict[int, Batch]:
    """Return, by number of other seats: features (cards, seats, 66), log sizes, copies (cards, seats + 1)."""
    rows: dict[int, tuple[list[np.ndarray], list[list[float]], list[list[int]]]] = {}
    for sample in samples(GAMES[name], TRAINING, seed, deals, rate):
        view = sample.view
        known = known_deal(view)
        cards = Counter(known.unseen)
        kinds = sorted(cards)
        sizes = known.room
        seats = [seat for seat in range(view.players) if seat != view.seat]
        if view.seat is None or not any(sizes):
            continue
        course = course_of(view)
        course.observe(sorted(cards.elements()))
        x = [course.features(seat, view.seat, kinds) for seat in seats]
        stock = Counter[int](view.restocked)
        into = rows.setdefault(len(seats), ([], [], []))
        into[0].append(np.array(x, np.uint8).transpose(1, 0, 2))
        logs = [np.log(sizes[seat]) if sizes[seat] else NEVER for seat in seats]
        for card in kinds:
            last = np.log(view.stock) if view.stock and (not stock or stock[card]) else NEVER
            into[1].append([*logs, last])
            held = [sample.hidden[seat][card] for seat in seats]
            into[2].append([*held, cards[card] - sum(held)])
    return {
        count: (np.concatenate(x), np.array(size, np.float32), np.array(y, np.float32))
        for count, (x, size, y) in rows.items()
    }


def fit_doubt(name: str, net: ClueNetwork, deals: int) -> list[int]:
    """Return weights of the seat's features that lower the odds of hands which could lay something.

    Worlds are drawn by the odds alone. How often a hand in these worlds could lay something is compared with
    the true hand. The log-odds between the two are fitted by the seat's features (least log-loss).
    """
    features, counted, real = [], [], []
    seed = SEED + 200 + list(GAMES).index(name)
    for sample in samples(GAMES[name], TRAINING, seed, deals, 0.1):
        view = sample.view
        seat = known_deal(view)
        if view.seat is None or len(view.past) < 2 or not any(seat.room):
            continue
        course = course_of(view)
        course.observe(list(seat.unseen))
        rows = rows_of(net, course, view, seat)
        worlds = seat.worlds()
        worlds.set_weights([[row[card] // 4 for row in rows] + [0] for card in seat.unseen])
        drawn = [worlds.world(number) for number in range(DRAWN)]
        for other, room in enumerate(seat.room):
            if room:
                known = seat.core.h1[other]
                hidden = sum(1 << card for card in sample.hidden[other] if card < 62)
                features.append(course.seat_features(other, view.seat))
                counted.append(sum(ready(world, world.h1[other]) for world in drawn))
                real.append(ready(seat.core, known | hidden))
    x = np.array(features, np.float32)
    scale = SCALE[CARD_FEATURES:]
    x = np.concatenate([x * scale, np.ones((len(x), 1), np.float32)], 1)
    share = (np.array(counted) + 0.5) / (DRAWN + 1)
    prior = np.log(share / (1 - share)).astype(np.float32)
    y = np.array(real, np.float32)
    w, first, second = (np.zeros(x.shape[1], np.float32) for _ in range(3))
    for step in range(1, 1501):
        p = 1 / (1 + np.exp(-(prior - x @ w)))
        grad = x.T @ (y - p) / len(y) + 1e-4 * w
        first += 0.1 * (grad - first)
        second += 0.001 * (grad * grad - second)
        w -= 0.03 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    p = 1 / (1 + np.exp(-(prior - x @ w)))
    print(f"  ready hands: real {y.mean():.3f}, drawn {share.mean():.3f}, doubted {p.mean():.3f}", flush=True)
    return [int(v) for v in np.rint(w * np.append(scale, 1) * 1024)]


def rows_of(net: ClueNetwork, course: ClueTracker, view: View, seat: KnownDeal) -> list[list[int]]:
    """Return the odds of this network, in the form of `odds`."""
    kinds = sorted(set(seat.unseen))
    assert view.seat is not None
    return [
        course.odds(net, other, view.seat, kinds) if room else [0] * 64
        for other, room in enumerate(seat.room)
    ]


def ready(core: Core, cards: int) -> bool:
    """Return whether some of these cards could be laid at once."""
    return any(core.can_use(MOVES, card, cards, 0, 0) for card in range(62) if cards >> card & 1)


class Model:
    """The network in floating point, with Adam's moments."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.parts = [
            rng.normal(0, (2 / FEATURES) ** 0.5, (FEATURES, NEURONS)).astype(np.float32),
            np.zeros(NEURONS, np.float32),
            rng.normal(0, 0.1, NEURONS).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self.first = [np.zeros_like(part) for part in self.parts]
        self.second = [np.zeros_like(part) for part in self.parts]
        self.step = 0

    def loss(self, batch: Batch, grads: bool = False) -> tuple[float, list[np.ndarray]]:
        """Return the mean log-loss of a copy, and its gradients; no gradients unless `grads` is set."""
        x, size, y = batch
        w1, b1, w2, b2 = self.parts
        n, s, _ = x.shape
        flat = x.reshape(n * s, FEATURES).astype(np.float32) * SCALE
        h = flat @ w1 + b1
        np.maximum(h, 0, out=h)
        logits = size.copy()
        logits[:, :s] += (h @ w2 + b2).reshape(n, s)
        logits -= logits.max(1, keepdims=True)
        p = np.exp(logits)
        p /= p.sum(1, keepdims=True)
        copies = y.sum()
        loss = -(y * np.log(np.maximum(p, 1e-9))).sum() / copies
        if not grads:
            return loss, []
        d = ((p * y.sum(1, keepdims=True) - y)[:, :s] / copies).reshape(n * s)
        dh = np.outer(d, w2)
        dh[h <= 0] = 0
        return loss, [flat.T @ dh, dh.sum(0), h.T @ d, np.array([d.sum()], np.float32)]

    def learn(self, grads: list[np.ndarray], rate: float) -> None:
        """Make one step of Adam, with slight weight decay."""
        self.step += 1
        for part, grad, m, v in zip(self.parts, grads, self.first, self.second, strict=True):
            pull = grad + 1e-6 * part
            m[:] += 0.1 * (pull - m)
            v[:] += 0.001 * (pull * pull - v)
            part[:] -= rate * (m / (1 - 0.9**self.step)) / (np.sqrt(v / (1 - 0.999**self.step)) + 1e-8)

    def whole(self) -> Part:
        """Return the weights in fixed point, for features that are not scaled; see `ClueNetwork`."""
        w1, b1, w2, b2 = self.parts
        return {
            "inner": [int(v) for v in np.rint(w1 * SCALE[:, None] * 4096).reshape(-1)],
            "bias": [int(v) for v in np.rint(b1 * 4096)],
            "outer": [int(v) for v in np.rint(w2 * 4096)],
            "last": int(np.rint(b2[0] * 2**20)),
        }


def mean_loss(model: Model | None, data: dict[int, Batch]) -> float:
    """Return the mean log-loss of a copy; without a model, that of the uniform belief."""
    total = copies = 0.0
    for x, size, y in data.values():
        for i in range(0, len(x), 65536):
            part = (x[i : i + 65536], size[i : i + 65536], y[i : i + 65536])
            weight = part[2].sum()
            if model is None:
                p = np.exp(part[1] - part[1].max(1, keepdims=True))
                p /= p.sum(1, keepdims=True)
                total -= (part[2] * np.log(np.maximum(p, 1e-9))).sum()
            else:
                total += model.loss(part)[0] * weight
            copies += weight
    return float(total / copies)


def train(name: str, deals: int, epochs: int) -> Part:
    """Return the weights of one class, with a line that says how they were made."""
    begun = time.perf_counter()
    number = list(GAMES).index(name)
    rate = 0.15 if name == "two" else 0.08
    data = examples(name, SEED + number, deals, rate)
    check = examples(name, SEED + 100 + number, deals // 8, rate)
    rows = sum(len(part[0]) for part in data.values())
    print(f"{name}: {rows} cards from {deals} deals, {time.perf_counter() - begun:.0f} s", flush=True)
    rng = np.random.default_rng(SEED + number)
    model = Model(rng)
    size = 2048
    turns = [(count, i) for count, (x, _, _) in data.items() for i in range(len(x) // size)]
    for count, (x, y, z) in data.items():
        order = rng.permutation(len(x))
        data[count] = (x[order], y[order], z[order])
    for epoch in range(epochs):
        rng.shuffle(turns)
        speed = 4e-3 * (1 - epoch / epochs) ** 1.5 + 1e-5
        for count, i in turns:
            x, sizes, y = (array[i * size : (i + 1) * size] for array in data[count])
            model.learn(model.loss((x, sizes, y), grads=True)[1], speed)
        print(f"  {epoch + 1}: {mean_loss(model, check):.4f}", flush=True)
    uniform, loss = mean_loss(None, check), mean_loss(model, check)
    seconds = time.perf_counter() - begun
    made = f"{deals} deals, {rows} cards, {seconds:.0f} s; log-loss {loss:.4f}, uniform {uniform:.4f}"
    print(f"{name}: {made}", flush=True)
    whole = model.whole()
    return {"made": made, **whole, "doubt": fit_doubt(name, ClueNetwork(**whole), deals // 8)}


def accepted(name: str, new: ClueNetwork, old: ClueNetwork | None) -> str:
    """Return the verdict of a sequential test of a network against another one, or the uniform belief.

    The test compares the log-loss of an unseen card deal by deal, on seeds that nothing else uses. The result
    is empty if no improvement is shown.
    """
    test = Sprt(SprtBounds("points", 0.0, BETTER), 0.0, BETTER)
    played = samples(GAMES[name], TRAINING, SEED + 300 + list(GAMES).index(name), MOST, 0.15)
    for _, decisions in groupby(played, key=lambda sample: sample.deal):
        gained = cards = 0.0
        for sample in decisions:
            view, seat = sample.view, known_deal(sample.view)
            if not any(seat.room):
                continue
            course = course_of(view)
            course.observe(list(seat.unseen))
            even = [[0] * 64 for _ in seat.room]
            rows = [rows_of(net, course, view, seat) if net else even for net in (old, new)]
            before, after = (log_loss(sample, each) for each in rows)
            gained, cards = gained + before - after, cards + len(seat.unseen)
        if cards:
            test.add(gained / cards)
        if test.verdict == "upper":
            return f"{BETTER} rather than 0 nat a card better, after {test.clusters} deals"
        if test.verdict:
            break
    return ""


def net_of(part: Part) -> ClueNetwork:
    """Return the network of a class in the file."""
    return ClueNetwork(part["inner"], part["bias"], part["outer"], part["last"])


def text(parts: dict[str, Part]) -> str:
    """Return the file: its description, then a table for each class."""
    found = [
        "# The networks that infer hidden hands from play: ai/clues.py says what they read.",
        f"# Made by tools/train_belief.py; seeds from {SEED}; players {', '.join(TRAINING)}.",
    ]
    for name, part in parts.items():
        found += ["", f"[{name}]"]
        for key, value in part.items():
            if not isinstance(value, list):
                found.append(f"{key} = {json.dumps(value)}")
                continue
            found.append(f"{key} = [")
            found += ["  " + ", ".join(map(str, value[i : i + 32])) + "," for i in range(0, len(value), 32)]
            found.append("]")
    return "\n".join(found) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--only", nargs="*", default=list(GAMES))
    parser.add_argument("--again", action="store_true", help="train nothing; test what is there")
    given = parser.parse_args()
    check_games()
    parts: dict[str, Part] = tomllib.loads(FILE.read_text()) if FILE.is_file() else {}
    for name in given.only:
        before = parts.get(name)
        # Deals with two packs are long, and each has many players to learn from.
        deals = given.deals // (3 if name == "double" else 1)
        part = before if given.again and before else train(name, deals, given.epochs)
        old = None if given.again or not before else net_of(before)
        verdict = accepted(name, net_of(part), old)
        compared = "the one before" if old else "the even belief"
        if not verdict:
            print(f"{name}: not shown to be better than {compared}: nothing is written", flush=True)
            continue
        print(f"{name}: {verdict} than {compared}", flush=True)
        said = {"made": part["made"], "accepted": f"{verdict}, than {compared}"}
        parts[name] = said | {key: value for key, value in part.items() if key not in said}
        FILE.write_text(text(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
