"""Golden playthroughs: random deals written out play by play, one for each profile and each house rule.

    python -m tests.support.golden --write

writes them again, so that a reviewer can read the differences. Without --write it prints which have changed.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rum500.rng import Rng
from rum500.rules.actions import Laid
from rum500.rules.profiles import ruleset
from rum500.state import State
from tests.support.bridge import card_name, card_names, place_name, play_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rum500.view import Event

FOLDER = Path(__file__).resolve().parent.parent / "golden"


@dataclass(frozen=True)
class Golden:
    """One playthrough: the deal, and words that its text must contain."""

    name: str
    profile: str
    players: int
    seed: int
    shows: tuple[str, ...]
    house_rules: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The path of its file."""
        return FOLDER / f"{self.name}.txt"


GAMES = (
    Golden("500-rum", "500-rum", 2, 3, ("lay ", "out 0")),
    Golden("500-rummy", "500-rummy", 5, 1, ("lay ", "reason: out")),
    Golden("rummy-500", "rummy-500", 3, 1, ("JK=", "lay ", "reason: out")),
    Golden("partnership-500-rum", "partnership-500-rum", 4, 1, ("lay ",)),
    Golden("partnership-500-rummy", "partnership-500-rummy", 4, 4, ("lay ", "reason: out")),
    Golden("persian-rummy", "persian-rummy", 4, 7, ("doubled",)),
    Golden("persian-rummy-fosdick", "persian-rummy-fosdick", 4, 1, ("meld JK JK JK",)),
    Golden("persian-rummy-gamerules", "persian-rummy-gamerules", 4, 1, ("pass", "reason: passes")),
    Golden("michigan-rum", "michigan-rum", 3, 1, ("reason: out",)),
    Golden("H1", "rummy-500", 3, 1, ("must use",), ("H1",)),
    Golden("H2", "500-rum", 4, 41, ("float", "reason: out"), ("H2",)),
    Golden("H3", "rummy-500", 4, 35, ("JK JK",), ("H3",)),
    Golden("H4", "rummy-500", 3, 664, ("banned",), ("H4",)),
    Golden("H5", "500-rum", 4, 867, ("restock", "reason: out"), ("H5",)),
    Golden("H6", "500-rum", 4, 1, ("call ", "let go"), ("H6",)),
)


def play_out(golden: Golden) -> Iterator[str]:
    """Yield the lines of the playthrough: each play with the number of legal ones, and its events."""
    rules = ruleset(golden.profile, golden.house_rules)
    chance = Rng(golden.seed).spawn(500)
    deck = rules.deck(golden.players)
    chance.shuffle(deck)
    dealer = chance.below(golden.players)
    state = State.new(rules, golden.players, deck, dealer, restock_seed=golden.seed)
    house = " ".join(rules.house_rules) or "none"
    yield f"profile: {golden.profile}; house rules: {house}; players: {golden.players}; dealer: {dealer}"
    yield f"deck: {' '.join(card_names(deck))}"
    while not state.is_over:
        legal = state.legal_ints()
        code = choose(legal, chance)
        banned = state.view(state.actor).banned
        note = "" if banned is None else f", {card_name(banned)} banned"
        yield f"seat {state.actor}, {len(legal)} legal{note}: {play_text(code, state.core)}"
        yield from map(event_text, state.apply(code))
    yield from result_text(state)


def choose(legal: list[int], chance: Rng) -> int:
    """Return a random legal play; half of the time a meld or lay-off, if there is one."""
    plays = [code for code in legal if code % 16 >= 7]
    if plays and chance.below(2):
        return plays[chance.below(len(plays))]
    return legal[chance.below(len(legal))]


def event_text(event: Event) -> str:
    """Return what everybody sees of an event, and after a bar what single seats see in addition."""
    text = f"    {event.kind} by {event.seat}" + "".join(map(field_text, event.public.items()))
    for seat, fields in event.private.items():
        text += f" | {seat} sees" + "".join(map(field_text, fields.items()))
    return text


def field_text(item: tuple[str, Any]) -> str:
    """A field's name and value; cards as words."""
    name, value = item
    if name == "hands":
        value = " / ".join(" ".join(card_names(hand)) or "-" for hand in value)
    elif name == "cards":
        value = " ".join(laid_name(one) if isinstance(one, Laid) else card_name(one) for one in value)
    elif name in ("card", "must_use") and value is not None:
        value = card_name(value)
    elif name == "doubled":
        return ", doubled" if value else ""
    return f", {name.replace('_', ' ')} {value}" if value is not None else ""


def laid_name(laid: Laid) -> str:
    """A card as laid, with its place where that says more than the card."""
    if laid.place is None or laid.place == laid.card:
        return card_name(laid.card)
    return f"{card_name(laid.card)}={place_name(laid.place)}"


def result_text(state: State) -> Iterator[str]:
    """The table at the end, and the account."""
    for meld in state.melds:
        cards = " ".join(f"{laid_name(Laid(one.card, one.place))}({one.seat})" for one in meld.cards)
        yield f"meld {meld.number + 1}: {meld.kind} of {meld.owner}: {cards}"
    yield f"stock: {' '.join(card_names(state.stock)) or 'none'}"
    yield f"pile: {' '.join(card_names(state.pile)) or 'none'}"
    result = state.result
    assert result is not None
    yield f"reason: {result.reason}" + ("" if result.out is None else f", out {result.out}")
    for name in ("melded", "held", "deducted", "collected", "bonus", "points"):
        yield f"{name}: {' '.join(map(str, getattr(result, name)))}"


def text_of(golden: Golden) -> str:
    """The whole file."""
    return "".join(f"{line}\n" for line in play_out(golden))


def changed(games: Mapping[str, Golden]) -> list[str]:
    """Return the names of the playthroughs whose files are not up to date."""
    return [
        name
        for name, golden in games.items()
        if not golden.path.exists() or golden.path.read_text(encoding="utf-8") != text_of(golden)
    ]


def main() -> int:
    options = argparse.ArgumentParser(description="Golden playthroughs: compare, or write anew.")
    options.add_argument("--write", action="store_true")
    found = changed({golden.name: golden for golden in GAMES})
    if options.parse_args().write:
        FOLDER.mkdir(exist_ok=True)
        for golden in GAMES:
            golden.path.write_text(text_of(golden), encoding="utf-8")
        print("written:", ", ".join(found) or "nothing new")
        return 0
    print("changed:", ", ".join(found) or "none")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
