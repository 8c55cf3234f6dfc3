"""`rum500 melds`: the melds in some cards, or in a full pack, with their points."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from rum500.cards import JOKER, LANE, card_from_text, card_text, rank_of
from rum500.cli._inputs import HouseRules, Profile, Variations, read_ruleset
from rum500.cli.user_error import UserError
from rum500.rules.action_codes import laid_cards, shape_of
from rum500.rules.actions import Laid
from rum500.rules.english import counted
from rum500.rules.profiles import STANDARD
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.state.melds import melds_in


@dataclass(frozen=True, slots=True)
class Found:
    """A meld that some cards contain."""

    kind: str
    """`run`, `set` or `jokers`."""
    cards: tuple[str, ...]
    """The cards as text."""
    points: int
    """The points if laid in one play."""
    doubled: bool
    """Whether the points are doubled."""

    def __str__(self) -> str:
        return " ".join(self.cards)


def command(
    *cards: Annotated[str, Parameter(name="CARDS", help="Cards such as QD 10S JK; none: a full pack.")],
    profile: Profile = STANDARD,
    players: Annotated[int | None, Parameter(help="How many play: it decides on one pack or two.")] = None,
    count: Annotated[bool, Parameter(help="Print how many there are, and nothing else.")] = False,
    house_rules: HouseRules = (),
    variations: Variations = (),
    as_json: Annotated[bool, Parameter(name="--json", help="The same as JSON.")] = False,
) -> None:
    """List the melds in these cards, or in a full pack, with their points.

    Melds with the same cards are listed once; where jokers are wild, once for each way to place the cards.
    """
    rules = read_ruleset(profile, house_rules, variations)
    seats = rules.players[0] if players is None else players
    deck = rules.deck(seats)
    found = found_in(rules, seats, _read(cards, deck, rules) if cards else deck)
    if count:
        print(len(found))
    elif as_json:
        print(json.dumps([_as_json(meld) for meld in found], indent=2))
    else:
        _print(found)


def found_in(rules: Ruleset, players: int, cards: Sequence[int]) -> list[Found]:
    """Return every meld that these cards contain: sets first, then runs, in the order of the cards."""
    core = new_core(rules, players)
    found = (
        Found(shape_of(code), _texts(laid_cards(code)), core.points(code), bool(core.doubled(code)))
        for code in melds_in(core, cards, placings=True)
    )
    return sorted(found, key=lambda meld: ("set", "jokers", "run").index(meld.kind))


def _texts(laid: Sequence[Laid]) -> tuple[str, ...]:
    """Return the cards as in a written play; a low ace is marked if it could be high."""
    ranks = {rank_of(one.card) for one in laid if one.card != JOKER}
    either = len(laid) == 13 and ranks != {0}
    return tuple(_text(one, either) for one in laid)


def _text(laid: Laid, either: bool) -> str:
    if laid.place is None or (laid.card != JOKER and not (either and laid.place % LANE == 0)):
        return card_text(laid.card)
    place = card_text(laid.place)
    return f"{card_text(laid.card)}={place.replace('A', '1') if either and laid.place % LANE == 0 else place}"


def _read(words: Sequence[str], deck: Sequence[int], rules: Ruleset) -> Sequence[int]:
    cards = [card_from_text(word) for text in words for word in text.replace(",", " ").split()]
    for card in cards:
        if cards.count(card) > deck.count(card):
            given, there = (counted(held.count(card), "time") for held in (cards, deck))
            raise UserError(
                f"{card_text(card)} is given {given}, and the cards of {rules.title} have it {there}"
            )
    return cards


def _print(found: Sequence[Found]) -> None:
    width = max((len(str(meld)) for meld in found), default=0)
    for meld in found:
        doubled = "  four at once: doubled" if meld.doubled else ""
        print(f"{meld.kind:<6} {meld!s:<{width}} {meld.points:>4}{doubled}")
    print(counted(len(found), "meld"))


def _as_json(meld: Found) -> dict[str, object]:
    return {"kind": meld.kind, "cards": meld.cards, "points": meld.points, "doubled": meld.doubled}
