"""Solve a toy deal of nine cards by CFR, CFR+ and Deep CFR of OpenSpiel, with the exact exploitability.

    python examples/toy_cfr.py --rounds 40

The toy is real: a deal of 500 Rum near its end, all but nine cards on the table. Exploitability is what a
best response gains against a strategy, in points a deal, the mean over both seats; 0 is an equilibrium.
CFR and CFR+ keep a table with a row for each information set. Deep CFR puts networks in its place, which see
`Features`: it is what is left to do in a game too large for a table, and here one sees what that costs.
Needs OpenSpiel, and PyTorch for Deep CFR (examples/requirements.in). Writes FILE.csv and FILE.svg.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from curve import curve
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import cfr
from open_spiel.python.algorithms.exploitability import nash_conv

from rum500.sim.evaluation.toy_games import LAYING, SMALL, Toy
from rum500.spaces import Features
from tests.support.open_spiel_toy import Position, game_of

TOYS = {"small": SMALL, "laying": LAYING}


def main() -> None:
    """Run the algorithms one after the other, and write what they reached."""
    asked = options().parse_args()
    log: list[dict[str, Any]] = []
    for name in asked.algorithms:
        begun = time.process_time()
        for number, found in RUNS[name](TOYS[asked.toy], asked):
            seconds = time.process_time() - begun
            log.append(
                {"algorithm": name, "round": number, "exploitability": found, "seconds": round(seconds, 1)}
            )
            sys.stdout.write(
                f"{name:8} round {number:5} exploitability {found:8.4f} after {seconds:7.1f} s\n"
            )
            sys.stdout.flush()
    with asked.out.with_suffix(".csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, list(log[0]))
        rows.writeheader()
        rows.writerows(log)
    lines = {
        name: [(row["seconds"], row["exploitability"], 0.0) for row in log if row["algorithm"] == name]
        for name in asked.algorithms
    }
    asked.out.with_suffix(".svg").write_text(
        curve(lines, "seconds of one thread", f"exploitability in the {asked.toy} toy, points a deal")
    )


def exploitability(game: Any, policy: Any) -> float:
    """Return what best responses gain against a policy, the mean over both seats."""
    return float(nash_conv(game, policy, use_cpp_br=False)) / 2


# --- tables ----------------------------------------------------------------------------------------


def tabular(toy: Toy, asked: argparse.Namespace, solver: type) -> Iterator[tuple[int, float]]:
    """Yield the exploitability of the average strategy after rounds of CFR."""
    game = game_of(toy)
    solving = solver(game)
    for number in range(1, asked.rounds + 1):
        solving.evaluate_and_update_policy()
        if number in (1, 2) or number % asked.every == 0 or number == asked.rounds:
            yield number, exploitability(game, solving.average_policy())


# --- networks --------------------------------------------------------------------------------------


def with_tensors(toy: Toy) -> Any:
    """Return the toy with `Features` as the tensor of an information state, for Deep CFR."""
    game = game_of(toy)
    first = game.new_initial_state().table
    features = Features(first.rules, first.players)

    class Seen(Position):
        def information_state_tensor(self, player: int | None = None) -> list[float]:
            seat = self.current_player() if player is None else player
            return list(features.write(self.table, max(seat, 0)))

    deals = game.new_initial_state().waiting
    game.new_initial_state = lambda: Seen(game, deals)
    return game


def deep(toy: Toy, asked: argparse.Namespace) -> Iterator[tuple[int, float]]:
    """Yield the exploitability of Deep CFR's strategy network, trained to the end after so many rounds."""
    import torch  # noqa: PLC0415 - not needed for tables
    from open_spiel.python.pytorch import deep_cfr  # noqa: PLC0415

    torch.set_num_threads(1)
    game = with_tensors(toy)
    for rounds in asked.deep_rounds:
        solver = deep_cfr.DeepCFRSolver(
            game,
            policy_network_layers=(64, 64),
            advantage_network_layers=(64, 64),
            num_iterations=rounds,
            num_traversals=asked.traversals,
            learning_rate=1e-3,
            batch_size_advantage=256,
            batch_size_strategy=256,
            memory_capacity=100_000,  # the usual million is allocated at once, gigabytes
            policy_network_train_steps=asked.train_steps,
            advantage_network_train_steps=asked.train_steps,
        )
        solver.solve()
        table = spiel_policy.tabular_policy_from_callable(game, solver.action_probabilities)
        yield rounds, exploitability(game, table)


RUNS: dict[str, Any] = {
    "cfr": lambda toy, asked: tabular(toy, asked, cfr.CFRSolver),
    "cfr+": lambda toy, asked: tabular(toy, asked, cfr.CFRPlusSolver),
    "deep": deep,
}


def options() -> argparse.ArgumentParser:
    """Return what can be asked for."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    asked.add_argument("--toy", default="small", choices=list(TOYS))
    asked.add_argument("--algorithms", nargs="*", default=list(RUNS), choices=list(RUNS))
    asked.add_argument("--rounds", type=int, default=40, help="of CFR and CFR+")
    asked.add_argument("--every", type=int, default=5, help="rounds between measurements")
    asked.add_argument("--deep-rounds", type=int, nargs="*", default=[2, 5, 10], help="a run for each number")
    asked.add_argument("--traversals", type=int, default=40, help="deals in each round of Deep CFR")
    asked.add_argument("--train-steps", type=int, default=100, help="of each network in each round")
    asked.add_argument("--out", type=Path, default=Path("toy_cfr.csv"), metavar="FILE.csv")
    return asked


if __name__ == "__main__":
    main()
