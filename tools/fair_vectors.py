"""Write tests/fair_vectors.json: seeds and the shuffles that follow, for verifiers in any language.

The page's verifier and the Python one are both tested with them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from rum500 import ruleset
from rum500.cards import card_text
from rum500.record.fair import FairShuffle, commitment, fair_below, fair_order, table_label
from tools.generate import ROOT

PATH = ROOT / "tests" / "fair_vectors.json"

Json = dict[str, Any]


def seed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def texts(cards: tuple[int, ...] | list[int]) -> list[str]:
    return [card_text(card) for card in cards]


def order(name: str, profile: str, players: int, seats: list[str], context: str) -> Json:
    pack = ruleset(profile).deck(players)
    found = fair_order(seed(name), seats, context, pack)
    return {
        "seed": seed(name).hex(),
        "seats": seats,
        "context": context,
        "cards": texts(pack),
        "order": texts(found),
    }


def proof(name: str, profile: str, players: int, cut_by: str) -> Json:
    """Return a deal's proof as in a replay, with two new stocks of made-up piles."""
    pack = ruleset(profile).deck(players)
    seats = [
        "" if seat % 3 == 2 else seed(f"{name} {seat}").hex()[: 16 + 8 * seat] for seat in range(players)
    ]
    shuffle = FairShuffle.begin(name, 7, seed(name)).given(seats)
    cut = {"seat": 17, "middle": len(pack) // 2, "stream": shuffle.stream_cut(len(pack))}[cut_by]
    shuffle = shuffle.with_cut(cut, cut_by)  # type: ignore[arg-type]
    return {
        "table": name,
        "shuffle": 7,
        "context": shuffle.context,
        "commitment": shuffle.commitment,
        "seed": shuffle.seed,
        "seats": list(shuffle.seats),
        "cut": cut,
        "cut_by": cut_by,
        "pack": texts(pack),
        "deck": texts(shuffle.deck(pack)),
        "restocks": [texts(shuffle.restock(1, pack[3:14])), texts(shuffle.restock(2, pack[20:33]))],
    }


def vectors() -> Json:
    rejecting = "rejecting 10"  # its first number is rejected for a bound of 40,000
    return {
        "commitments": [
            {"seed": value.hex(), "commitment": commitment(value)}
            for value in (bytes(32), seed("one"), seed("two"))
        ],
        "labels": [
            {"table": name, "label": table_label(name)} for name in ("table-1", "J7zk0V3mQ8y_2aBcDeFgHi")
        ],
        "numbers": [
            {
                "seed": seed(rejecting).hex(),
                "seats": [],
                "context": "rejecting/1/cut",
                "bound": bound,
                "number": fair_below(seed(rejecting), [], "rejecting/1/cut", bound),
            }
            for bound in (1, 2, 51, 107, 40_000, 65_535, 65_536)
        ],
        "orders": [
            order("one", "500-rum", 2, ["", ""], "3f60ab1c/1/deal"),
            order("one", "500-rum", 2, ["", ""], "3f60ab1c/1/draw"),
            order("one", "500-rum", 2, ["00ff00ff00ff00ff", ""], "3f60ab1c/1/deal"),
            order("one", "500-rum", 2, ["", "00ff00ff00ff00ff"], "3f60ab1c/1/deal"),
            order("two", "persian-rummy", 4, ["aa" * 32, "", "bb" * 8, ""], "3f60ab1c/20/deal"),
            order("three 252", "rummy-500", 8, ["0123456789abcdef"] * 8, "3f60ab1c/999999999/restock/2"),
        ],
        "proofs": [
            proof("vector-1", "500-rum", 2, "seat"),
            proof("vector-2", "persian-rummy-gamerules", 4, "middle"),
            proof("vector-3", "rummy-500", 8, "stream"),
        ],
    }


def files() -> dict[Path, str]:
    """Return the vectors, a line each."""
    kinds = (
        f'"{kind}": [\n' + ",\n".join(map(json.dumps, entries)) + "\n]" for kind, entries in vectors().items()
    )
    return {PATH: "{\n" + ",\n".join(kinds) + "\n}\n"}
