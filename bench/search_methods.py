"""Measure PIMC, tree search and best responses of the search kit.

Each NAME is a part; by default all are measured. With the usual numbers of pairs the results are
written to docs/search-methods.json, from which `python -m tools.generate search_figures` draws the figures of
docs/search-methods.md. Points and exploitability are the same on every machine, milliseconds are not.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import bots, deal, ruleset
from rum500.bots import Bot
from rum500.external_bots import open_bot
from rum500.external_bots.template import write_template
from rum500.rng import Rng
from rum500.search import BestResponseBot, IsmctsBot, PimcBot
from rum500.sim.arena import arena
from rum500.sim.evaluation.game_tree import Tree, best_response, expected, exploitability
from rum500.sim.evaluation.toy_games import TOYS, by_view, grow, of_bot

FILE = Path(__file__).resolve().parent.parent / "docs" / "search-methods.json"
SEED = 42
Row = dict[str, Any]


def template() -> Bot:
    """Return the bot that `rum500 bot new --search` writes."""
    with TemporaryDirectory() as folder:
        write_template("seeker", Path(folder), search=True)
        return open_bot(f"{folder}/seeker.py")


DEALS: dict[str, list[tuple[str, str, Callable[[], Bot]]]] = {
    "tree": [(f"{n} iterations", "club", partial(IsmctsBot, n)) for n in (30, 100)],
    "pimc": [(f"{n} worlds", "club", partial(PimcBot, n)) for n in (4, 16)],
    "template": [("the template", "club", template)],
    "response": [("best response, 32 worlds", "club", partial(BestResponseBot, "club", 32))],
}
"""By part: a label, the opponent, and what makes the bot."""
PAIRS = {"tree": 30, "pimc": 30, "template": 60, "response": 12}
"""By part, the pairs of deals in each contest."""
PARTS = ("toys", "responses", *DEALS)


def measured(label: str, against: str, bot: Bot, pairs: int) -> Row:
    """Return the points a deal of a bot against a level, with the 95 % interval, and its time a choice."""
    rules = ruleset("500-rum")
    score = arena(rules, [bot, against], pairs=pairs, seed=SEED, unit="deal").scores[0]
    points = score.points
    return {
        "label": label,
        "against": against,
        "pairs": pairs,
        "value": round(points.value, 2),
        "low": round(points.low, 2),
        "high": round(points.high, 2),
        "ms": round(milliseconds(bot), 2),
    }


def milliseconds(bot: Bot, deals: int = 2) -> float:
    """Return the mean processor time of a choice in deals against `club`, forced choices left out."""
    club, times = bots.get("club"), list[float]()
    for seed in range(deals):
        state, rng = deal("500-rum", 2, seed=seed), Rng(seed)
        while not state.is_over:
            view = state.view(state.actor)
            began = time.thread_time()
            chosen = (bot if view.seat == 0 else club).choose(view, rng)
            if view.seat == 0 and len(view.legal) > 1:
                times.append(1000 * (time.thread_time() - began))
            state.apply(chosen)
    return sum(times) / len(times)


def toys() -> list[Row]:
    """Return what a best response wins from bots in a toy game, in points a deal."""
    grown = grow(TOYS["small"])
    entrants: list[tuple[str, Bot]] = [("club", bots.get("club"))]
    entrants += [(f"ISMCTS, iterations: {n}", IsmctsBot(n)) for n in (5, 10, 30)]
    entrants += [(f"PIMC, solved, worlds: {n}", PimcBot(n)) for n in (1, 4, 16)]
    entrants += [(f"PIMC, played out, worlds: {n}", PimcBot(n, positions=0)) for n in (1, 4, 16)]
    return [
        {"label": label, "value": round(exploitability(grown.tree, by_view(grown, of_bot(bot))), 3)}
        for label, bot in entrants
    ]


def responses() -> list[Row]:
    """Return what exact best responses and `best_response` win in a toy game, mean of both seats."""
    grown, rows = grow(TOYS["small"]), list[Row]()
    for policy in ("club", "casual"):
        other = by_view(grown, of_bot(bots.get(policy)))
        own = by_view(grown, of_bot(BestResponseBot(policy, 32)))
        exact = sum(best_response(grown.tree, other, seat)[0] for seat in (0, 1)) / 2
        found = sum(answered(grown.tree, own, other, seat) for seat in (0, 1)) / 2
        rows.append({"label": policy, "exact": round(exact, 3), "found": round(found, 3)})
    return rows


def answered(tree: Tree, own: list[list[float]], other: list[list[float]], seat: int) -> float:
    """Return the mean lead of a seat that plays one policy against another."""
    mixed = [own[info] if owner == seat else other[info] for info, owner in enumerate(tree.owner)]
    return expected(tree, mixed) * (1 if seat == 0 else -1)


def main() -> None:
    """Measure the parts in turn; the results of a part are written when all of it is known."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("parts", nargs="*", metavar="NAME", help=", ".join(PARTS))
    options.add_argument(
        "--pairs",
        type=int,
        help="pairs of deals in each contest, other than those of the page; writes nothing",
    )
    chosen = options.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        options.error(f"no part is called {min(unknown)!r}; the parts are {', '.join(PARTS)}")
    data: dict[str, list[Row]] = json.loads(FILE.read_text("utf-8"))
    for part in chosen.parts or PARTS:
        data[part] = []
        for row in rows_of(part, chosen.pairs):
            data[part].append(row)
            print(part, row, flush=True)
        if chosen.pairs is None:
            FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def rows_of(part: str, pairs: int | None) -> Iterator[Row]:
    """Measure one part."""
    if part in ("toys", "responses"):
        yield from toys() if part == "toys" else responses()
        return
    for label, against, make in DEALS[part]:
        yield measured(label, against, make(), pairs or PAIRS[part])


if __name__ == "__main__":
    main()
