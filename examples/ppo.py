"""Learn to play by masked PPO: first by imitating `club`, then in a small league. One file, one command.

    python examples/ppo.py --minutes 28

A deal is won or lost by its margin, the points of a seat less those of the others. The actor sees `Features`
and chooses among the legal numbers of `Actions`; the critic, which only training needs, sees the hidden cards
as well. Training has two parts:

1. For a few minutes the learner plays its own choices, and learns at each what `club` would have chosen
   there: so it is taught where it goes itself, and not only where `club` goes (DAgger).
2. Then it improves by PPO at three kinds of tables: against itself, against `club`, and against its
   own earlier versions, so that it does not forget how to beat them.

It writes the network to FILE.npz, which `rum500 arena --bots learned:FILE.npz,club` seats, the log to
FILE.csv and the learning curve to FILE.svg. Minutes are those of processor time of one thread.
"""

from __future__ import annotations

import argparse
import copy
import csv
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from curve import curve
from torch import Tensor, nn

import rum500
from rum500 import Ruleset
from rum500.lab import Batch, save_network

SCALE = 100.0
"""Margins are learned in hundreds of points."""


# --- the networks ----------------------------------------------------------------------------------


def network(inputs: int, outputs: int, hidden: int, last_gain: float) -> nn.Sequential:
    """Return two hidden layers; a small gain of the last one lets all choices begin equally likely."""
    layers = [nn.Linear(inputs, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, outputs)]
    for layer, gain in zip(layers, (2**0.5, 2**0.5, last_gain), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2])


def log_chances(actor: nn.Module, obs: Tensor, mask: Tensor) -> Tensor:
    """Return the logarithms of the chances of all numbers; those that are not legal have next to none."""
    return torch.log_softmax(actor(obs).masked_fill(~mask, -60.0), dim=1)


def drawn(logs: Tensor) -> Tensor:
    """Return a number for each row, drawn by these chances."""
    upto = logs.exp().cumsum(dim=1)
    at = 1e-5 + torch.rand(len(logs), 1) * (upto[:, -1:] - 2e-5)  # not what numbers have that are not legal
    return torch.searchsorted(upto, at)[:, 0]


# --- playing ---------------------------------------------------------------------------------------


@dataclass
class Table:
    """A batch, and who plays its seats: the learner all of them, or one of them and a rival the others."""

    batch: Batch
    rival: nn.Module | None = None

    def learners(self) -> Tensor:
        """Return the deals in which the learner has to decide."""
        rows, actor = np.arange(self.batch.n), self.batch.now.actor
        # The dealer of row k is k modulo players, so this shares out seats and dealers evenly.
        mine = actor == rows // self.batch.players % self.batch.players
        return torch.from_numpy(mine if self.rival is not None else np.ones_like(mine))


@dataclass
class Choices:
    """What the learner saw, chose and got, a row for each choice."""

    obs: Tensor
    hidden: Tensor
    mask: Tensor
    chosen: Tensor
    taught: Tensor
    """What `club` would have chosen."""
    log_chance: Tensor
    advantage: Tensor
    returned: Tensor


@torch.no_grad()
def play(table: Table, actor: nn.Module, critic: nn.Module, steps: int, decay: float) -> Choices:
    """Play so many steps; return the learner's choices with their advantages."""
    batch = table.batch
    seen: list[list[Tensor]] = []
    seats, ends = [], []
    for _ in range(steps):
        now, own = batch.now, table.learners()
        obs, mask = torch.from_numpy(now.obs.copy()), torch.from_numpy(now.mask.astype(bool))
        logs = log_chances(actor, obs, mask)
        chosen = drawn(logs)
        log_chance = logs.gather(1, chosen[:, None])[:, 0]
        if table.rival is not None and not own.all():
            chosen[~own] = drawn(log_chances(table.rival, obs[~own], mask[~own]))
        taught = torch.from_numpy(batch.choices("club"))
        seen.append([obs, torch.from_numpy(batch.hidden.copy()), mask, chosen, taught, log_chance, own])
        seats.append(now.actor.copy())
        now = batch.step(chosen.numpy())
        ends.append((now.done.astype(bool), now.rewards / SCALE))
    obs, hidden, mask, chosen, taught, log_chance, own = (
        torch.stack(part) for part in zip(*seen, strict=True)
    )
    value = critic(torch.cat((obs, hidden), dim=2))[:, :, 0].numpy()
    advantage, known = advantages(value, np.stack(seats), ends, decay)
    kept = torch.from_numpy(known) & own
    gain, worth = torch.from_numpy(advantage), torch.from_numpy(advantage + value)
    parts = (obs, hidden, mask, chosen, taught, log_chance, gain, worth)
    return Choices(*(part[kept] for part in parts))


def advantages(
    value: np.ndarray, seats: np.ndarray, ends: list[tuple[np.ndarray, np.ndarray]], decay: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the generalized advantages, and which are known: not those of a seat's last, unfinished choice.

    Each seat of a deal has a course of its own: after its choice comes its own next one, whatever others
    decide between, or the end of the deal with its reward.
    """
    steps, n = value.shape
    rows, players = np.arange(n), ends[0][1].shape[1]
    later = np.zeros((n, players), np.float32)  # the value of the seat's next choice, or its reward
    gained = np.zeros((n, players), np.float32)  # the advantage of that choice
    known = np.zeros((n, players), bool)
    found, sure = np.zeros_like(value), np.zeros(value.shape, bool)
    for step in range(steps - 1, -1, -1):
        over, rewards = ends[step]
        later[over], gained[over], known[over] = rewards[over], 0.0, True
        at = rows, seats[step]
        found[step] = later[at] - value[step] + decay * gained[at]
        sure[step] = known[at]
        later[at], gained[at], known[at] = value[step], found[step], True
    return found, sure


@torch.no_grad()
def measure(actor: nn.Module, rules: Ruleset, players: int, level: str, deals: int) -> tuple[float, float]:
    """Return the mean margin of so many deals against a level, the likeliest choice taken, and its 95 %."""
    batch = Batch(rules, players, min(deals, 512), 999, opponents=level, skip_forced=True)
    rounds = -(-deals // batch.n)
    margins: list[list[float]] = [[] for _ in range(batch.n)]
    while min(map(len, margins)) < rounds:
        now = batch.now
        logs = log_chances(actor, torch.from_numpy(now.obs), torch.from_numpy(now.mask.astype(bool)))
        now = batch.step(logs.argmax(dim=1).numpy())
        for row in np.flatnonzero(now.done):
            margins[row].append(float(now.rewards[row, 0]))
    every = np.array([each[:rounds] for each in margins])
    return float(every.mean()), float(1.96 * every.std() / every.size**0.5)


# --- learning --------------------------------------------------------------------------------------


class Learner:
    """The networks, and the steps by which they get better."""

    def __init__(self, batch: Batch, width: int) -> None:
        """Make the networks for the spaces of this batch."""
        features, hidden = batch.features, batch.hidden.shape[1]
        self.actor = network(features.size, batch.actions.n, width, 0.01)
        self.critic = network(features.size + hidden, 1, width, 1.0)
        # Training knows no match: its totals are always 0. What depends on them would be left to chance.
        in_match = torch.tensor([name.partition(" ")[0] in ("totals", "deal") for name in features.names])
        weights = self.actor[0].weight
        with torch.no_grad():
            weights[:, in_match] = 0.0
        weights.register_hook(lambda slope: slope.masked_fill(in_match, 0.0))
        self.both = nn.ModuleList((self.actor, self.critic))
        self.optimizer = torch.optim.Adam(self.both.parameters(), eps=1e-5)

    def begin_with(self, path: Path) -> None:
        """Take the actor's weights from a file; the critic is in no file and starts untrained."""
        linear = [layer for layer in self.actor if isinstance(layer, nn.Linear)]
        with torch.no_grad(), np.load(path) as file:
            for number, layer in enumerate(linear):
                layer.weight.copy_(torch.from_numpy(file[f"w{number}"].T.astype(np.float32)))
                layer.bias.copy_(torch.from_numpy(file[f"b{number}"].astype(np.float32)))

    def learn(self, seen: Choices, asked: argparse.Namespace, rate: float, imitate: bool) -> dict[str, float]:
        """Go over these choices a few times in small parts; return the mean losses."""
        count, told = len(seen.chosen), []
        gain = (seen.advantage - seen.advantage.mean()) / (seen.advantage.std() + 1e-8)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        epochs, minibatch = (1, asked.minibatch // 8) if imitate else (asked.epochs, asked.minibatch)
        for _ in range(epochs):
            for part in torch.randperm(count).split(minibatch):
                logs = log_chances(self.actor, seen.obs[part], seen.mask[part])
                entropy = -(logs.exp() * logs).sum(dim=1).mean()
                change = logs.gather(1, seen.chosen[part, None])[:, 0] - seen.log_chance[part]
                if imitate and asked.begin:
                    policy_loss = torch.zeros(())  # only the critic learns
                elif imitate:
                    policy_loss = nn.functional.nll_loss(logs, seen.taught[part])
                else:
                    ratio = change.exp()
                    clipped = ratio.clamp(1 - asked.clip, 1 + asked.clip)
                    policy_loss = -torch.min(ratio * gain[part], clipped * gain[part]).mean()
                    policy_loss = policy_loss - asked.entropy * entropy
                value = self.critic(torch.cat((seen.obs[part], seen.hidden[part]), dim=1))[:, 0]
                value_loss = nn.functional.mse_loss(value, seen.returned[part])
                self.optimizer.zero_grad()
                (policy_loss + 0.5 * value_loss).backward()
                nn.utils.clip_grad_norm_(self.actor.parameters(), 0.5)
                nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
                self.optimizer.step()
                moved = (change.exp() - 1 - change).mean()  # an estimate of its KL
                told.append((policy_loss.item(), value_loss.item(), entropy.item(), moved.item()))
        names = ("policy_loss", "value_loss", "entropy", "moved")
        return dict(zip(names, np.mean(told, axis=0).tolist(), strict=True))


def joined(parts: list[Choices]) -> Choices:
    """Return the choices of all tables together."""
    return Choices(*(torch.cat(each) for each in zip(*(vars(part).values() for part in parts), strict=True)))


def main() -> None:
    """Train, measure now and then, and write what was learned."""
    asked = options().parse_args()
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    rules = rum500.ruleset(asked.profile)

    def batch(n: int, opponents: str | None = None) -> Batch:
        seed = asked.seed + len(tables)
        return Batch(rules, asked.players, n, seed, asked.threads, opponents, hidden=True, skip_forced=True)

    tables: list[Table] = []
    for n, opponents in ((asked.itself, None), (asked.club, "club"), (asked.past, None)):
        tables.append(Table(batch(n, opponents)))
    learner = Learner(tables[0].batch, asked.width)
    if asked.begin:
        learner.begin_with(asked.begin)
    past = [copy.deepcopy(learner.actor)]
    log: list[dict[str, float]] = []
    losses: dict[str, float] = {}
    choices, rounds, kept_at, told_at = 0, 0, 0.0, 0.0
    begun = time.process_time()
    while True:
        minutes = (time.process_time() - begun) / 60 / asked.threads
        over = minutes >= asked.minutes or 0 < asked.rounds == rounds
        imitate = minutes < asked.imitate
        if rounds and (over or minutes - told_at >= asked.every):
            told_at = minutes
            row = {"minutes": round(minutes, 2), "choices": choices, **losses}
            for level in ("club", "casual"):
                row[level], row[level + "_95"] = measure(
                    learner.actor, rules, asked.players, level, asked.deals
                )
            log.append(row)
            sys.stdout.write(" ".join(f"{name} {value:.6g}" for name, value in row.items()) + "\n")
            sys.stdout.flush()
            write(asked, learner, rules, log)
        if over:
            break
        if minutes - kept_at >= asked.keep:
            kept_at = minutes
            past.append(copy.deepcopy(learner.actor))
        # The versions of the second half are rivals: the first ones teach little.
        tables[2].rival = past[int(torch.randint(len(past) // 2, len(past), ()))]
        seen = joined(
            [play(table, learner.actor, learner.critic, asked.steps, asked.decay) for table in tables]
        )
        left = 1 - (minutes - asked.imitate) / max(asked.minutes - asked.imitate, 1e-9)
        rate = asked.imitate_rate if imitate else asked.rate * max(left, 0.02)
        losses = learner.learn(seen, asked, rate, imitate)
        choices += len(seen.chosen)
        rounds += 1


def write(asked: argparse.Namespace, learner: Learner, rules: Ruleset, log: list[dict[str, float]]) -> None:
    """Write the network, the log and the curve."""
    layers = [
        (layer.weight.detach().numpy().T, layer.bias.detach().numpy())
        for layer in learner.actor
        if isinstance(layer, nn.Linear)
    ]
    trained = (
        f"examples/ppo.py, seed {asked.seed}, {log[-1]['minutes']} minutes, {log[-1]['choices']} choices"
    )
    save_network(asked.out, rules, asked.players, layers, trained=trained)
    with asked.out.with_suffix(".csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, list(log[0]))
        rows.writeheader()
        rows.writerows(log)
    asked.out.with_suffix(".svg").write_text(
        curve(
            {
                f"against {level}": [(row["minutes"], row[level], row[f"{level}_95"]) for row in log]
                for level in ("club", "casual")
            },
            "minutes of one thread",
            "points a deal more than the other",
        )
    )


def options() -> argparse.ArgumentParser:
    """Return what can be asked for."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--minutes", type=float, default=28, help="of training in all")
    asked.add_argument("--imitate", type=float, default=2, help="minutes of imitating club, at first")
    asked.add_argument(
        "--begin",
        type=Path,
        metavar="FILE.npz",
        help="go on from this; the critic learns in place of imitating",
    )
    asked.add_argument("--out", type=Path, default=Path("learned.npz"), metavar="FILE.npz")
    asked.add_argument("--profile", default="500-rum")
    asked.add_argument("--players", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--threads", type=int, default=1)
    asked.add_argument("--rounds", type=int, default=0, help="end after so many rounds, if not 0")
    asked.add_argument("--itself", type=int, default=128, help="deals at once against itself")
    asked.add_argument("--club", type=int, default=320, help="deals at once against club")
    asked.add_argument("--past", type=int, default=64, help="deals at once against earlier versions")
    asked.add_argument("--steps", type=int, default=64, help="choices in each deal between learning")
    asked.add_argument("--keep", type=float, default=1, help="minutes between versions kept as rivals")
    asked.add_argument("--every", type=float, default=1, help="minutes between measurements")
    asked.add_argument("--deals", type=int, default=2048, help="deals of a measurement")
    asked.add_argument("--width", type=int, default=256, help="of the hidden layers")
    asked.add_argument("--rate", type=float, default=3e-4, help="of learning; it falls to nothing at the end")
    asked.add_argument("--imitate-rate", type=float, default=1e-3)
    asked.add_argument("--epochs", type=int, default=2)
    asked.add_argument("--minibatch", type=int, default=2048)
    asked.add_argument("--clip", type=float, default=0.2)
    asked.add_argument("--entropy", type=float, default=0.0)
    asked.add_argument("--decay", type=float, default=0.95, help="GAE's lambda")
    return asked


if __name__ == "__main__":
    main()
