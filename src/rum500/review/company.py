"""The company in a deal: the kind of each seat's player, and how this kind is known.

Play is measured against the players who were there. Bots have the kind of their level. People have the kind
that their plays in the other deals resemble more; if these plays show no kind, people count as `club`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rum500.bots.registry import levels, numbered_levels
from rum500.bots.staircase import CLUB, steps
from rum500.review.played_deal import KINDS
from rum500.rules.ruleset import Ruleset

KnownBy = Literal["bot", "play", "assumed"]
"""How a kind is known: by the level of a bot, by plays in other deals, or not at all."""
_HALF_OF_CLUB = CLUB - 0.5
"""From this position of the staircase on, at least half of a bot's choices are those of `club` or better."""


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """The kind that the review assumes for the player of one seat."""

    kind: str
    """One of `KINDS`: in rollouts the seat plays like this bot."""
    known: KnownBy
    """How the kind is known."""
    level: str | None = None
    """The level of a bot; None for people, and for bots of unknown strength."""

    def as_dict(self) -> dict[str, str | None]:
        """Return a dict for JSON."""
        return {"kind": self.kind, "known": self.known, "level": self.level}


def kind_of_bot(level: str, rules: Ruleset, players: int) -> PlayerKind | None:
    """Return the kind of a built-in level in this game; None for other bots."""
    for one in levels():
        if one.name == level:
            return PlayerKind(KINDS[not one.holds_back], "bot", level)
    for one in numbered_levels():
        if one.name == level and one.number is not None:
            like_club = steps(rules, players)[one.number - 1] >= _HALF_OF_CLUB
            return PlayerKind(KINDS[not like_club], "bot", level)
    return None


def kind_of_person(shown: str) -> PlayerKind:
    """Return the kind of a person; `shown` is the kind that the other deals show, or empty."""
    return PlayerKind(shown, "play") if shown else PlayerKind(KINDS[0], "assumed")


def company(
    shown: Sequence[str], bots: Sequence[str | None], rules: Ruleset, players: int
) -> tuple[PlayerKind, ...]:
    """Return the kind of each seat's player.

    `shown` has the kind that each seat's other deals show, as for `kind_of_person`; `bots` has the level of
    each seat's bot, None for people. A list that is too short continues with empty texts, or with None.
    """
    found = []
    for seat in range(players):
        level = bots[seat] if seat < len(bots) else None
        known = None if level is None else kind_of_bot(level, rules, players)
        found.append(known or kind_of_person(shown[seat] if seat < len(shown) else ""))
    return tuple(found)
