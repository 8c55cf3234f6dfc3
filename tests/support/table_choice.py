"""Choose the next message of a person at a live table at random from what the server offers.

Load tests and crash tests use it. `facts` are the last received fields of `Shared` and `Own` together, as
plain JSON; a message is one of the protocol without its id.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

#: How often a player takes from the pile if possible, and lays cards if possible.
TAKES, LAYS = 0.15, 0.7

Facts = Mapping[str, Any]
Question = tuple[str, int]
Message = dict[str, Any]


def facts_of(message: Message) -> dict[str, Any]:
    """The facts of a `sync` or an `update`; one's own `drawn` is `drew`: the other is the draw for deal."""
    own = dict(message.get("you") or {})
    if "drawn" in own:
        own["drew"] = own.pop("drawn")
    return {**(message.get("shared") or {}), **own}


def question(facts: Facts) -> Question | None:
    """What this person is asked now, the same as long as it is the same question; None: nothing."""
    waiting, seat = facts.get("waiting_for"), facts.get("seat")
    if seat is None or waiting is None:
        return None
    if waiting in {"play", "claim"}:
        return (waiting, facts["asked"]) if facts.get("may") else None
    if waiting in {"draw", "cut"}:
        return (waiting, facts["asked"]) if facts.get("actor") == seat else None
    if waiting == "shuffle":
        shuffle = facts.get("fairness")
        return (waiting, shuffle["shuffle"]) if shuffle and seat not in shuffle["given"] else None
    return (waiting, facts.get("deal", 0)) if waiting == "next" else None


def answer(asked: Question, facts: Facts, dice: random.Random) -> Message:
    """What this person says to it: a play mostly, or first a request for advice on what can be laid."""
    waiting, number = asked
    if waiting == "shuffle":
        return {
            "type": "seed",
            "shuffle": number,
            "value": dice.randbytes(16).hex(),
            "cut": dice.randrange(1001),
        }
    if waiting == "draw":
        return {"type": "pick", "asked": number, "position": dice.choice(facts["positions"])}
    if waiting == "cut":
        return {"type": "pick", "asked": number, "position": sum(facts["positions"]) // 2}
    if waiting == "next":
        return {"type": "next"}
    plays, discards = facts.get("plays") or {}, facts.get("discards") or {}
    pile = facts.get("takes") or facts.get("calls")
    if pile and (not plays or dice.random() < TAKES):
        return _play(facts, dice.choice(list(pile.values())))
    if plays and not discards:
        return _play(facts, dice.choice(list(plays.values())))
    if not discards or dice.random() < LAYS:
        return {"type": "ask", "about": "turn"}
    return _play(facts, dice.choice(list(discards.values())))


def advised(facts: Facts, ways: Sequence[str], dice: random.Random) -> Message | None:
    """What this person plays when the server has said what can be laid: the best of it, else a discard."""
    rest = list((facts.get("discards") or facts.get("plays") or {}).values())
    if ways:
        return _play(facts, ways[0])
    return _play(facts, dice.choice(rest)) if rest else None


def _play(facts: Facts, code: str) -> Message:
    return {"type": "play", "asked": facts["asked"], "play": code}
