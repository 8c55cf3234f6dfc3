"""Ways in which a typed play that cannot be read might be meant."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cli.terminal.line_input import cards_in
from rum500.match import Suggestion, alternatives
from rum500.rules.actions import Call, Take
from rum500.rules.notation import NotationError
from rum500.state import State


def ways(state: State, text: str, error: NotationError, offered: Sequence[Suggestion]) -> list[Suggestion]:
    """Return the ways in which the play may be meant, if it is ambiguous; `offered` are all suggestions."""
    if error.code in ("notation.target", "notation.ambiguous"):
        cards, meld = cards_in(text)
        return alternatives(state, cards, lay=text[:1].lower() in "la", meld=meld)
    if error.parts.get("wanted") == "cards":
        return [choice for choice in offered if isinstance(choice.action, Take | Call)]
    return []
