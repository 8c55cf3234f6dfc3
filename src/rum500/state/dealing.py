"""The beginning of a deal: checks of its deck and its seats, and its first past action."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

from rum500.cards import cards_text
from rum500.rules.action_codes import discard_code
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset


def opening(core: Core) -> tuple[int, ...]:
    """Return `View.past` of a deal without actions: it contains only the upcard, encoded as a discard."""
    return (discard_code(core.pile[0]),)


def check_deck(rules: Ruleset, players: int, deck: Sequence[int]) -> None:
    """Raise `ValueError`, listing missing and extra cards, if this is not the deck of the game."""
    wanted = rules.deck(players)
    missing, extra = list(wanted), []
    for card in deck:
        if card in missing:
            missing.remove(card)
        else:
            extra.append(card)
    if missing or extra:
        parts = [
            f"{word} {cards_text(cards)}"
            for word, cards in (("lacks", missing), ("has too many", extra))
            if cards
        ]
        raise ValueError(
            f"the deck of {len(deck)} cards is not {rules.title}'s {len(wanted)}: it {', '.join(parts)}"
        )


def check_seat(seat: int, players: int) -> None:
    """Raise `ValueError` unless the table has this seat."""
    if not 0 <= index(seat) < players:
        raise ValueError(f"seat {seat} is not at this table: seats are 0 to {players - 1}")
