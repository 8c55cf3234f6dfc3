"""The line above the prompt: what the player has to do now."""

from __future__ import annotations

from rum500.cards import card_symbol
from rum500.cli.terminal.style import Style
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind, Draw, EndDeal, Pass, Take
from rum500.view import Phase, View


def duty(view: View, look: Style) -> str:
    """Return the sentence for a view whose seat has to decide; empty if it has nothing to decide."""
    if view.seat is None or view.actor != view.seat or view.is_over:
        return ""
    return look.words(_SAID[view.phase](view))


def is_blind(view: View) -> bool:
    """Return whether the seat may call "Rummy!" without knowing whether a card can be called (H6)."""
    return view.phase is Phase.CLAIM and view.rules.blind_claims


def _draw(view: View) -> str:
    kinds = {type(action) for action in view.legal_actions()}
    ways = ["d draws" if view.stock else "d makes the pile a new stock and draws"] if Draw in kinds else []
    ways += ["t NUMBER takes from the pile"] if Take in kinds else []
    ways += ["p passes"] if Pass in kinds else []
    ways += ["end ends the deal"] if EndDeal in kinds else []
    empty = "" if view.stock or Draw in kinds else "The stock is empty. "
    opening = "You have no cards: " if view.floater else "Your turn: "
    return f"{empty}{opening}{', '.join(ways)}"


def _use(view: View) -> str:
    assert view.must_use is not None
    how = "with cards of pile and table alone" if view.only_taken else "meld it or lay it off"
    return f"You must use {card_symbol(view.must_use)} now: {how}"


def _play(view: View) -> str:
    if not any(action_kind(code) is ActionKind.DISCARD for code in view.legal):
        return "You float, and your card fits: you must lay it off" if view.floater else "m melds, l lays off"
    banned = "" if view.banned is None else f" (not {card_symbol(view.banned)})"
    return f"m melds, l lays off, x CARD discards{banned} and ends your turn"


def _claim(view: View) -> str:
    blind = "; it stays hidden whether a card can be called" if is_blind(view) else ""
    return f"“Rummy!”: c NUMBER calls and takes from the pile, g lets it go{blind}"


_SAID = {Phase.DRAW: _draw, Phase.USE: _use, Phase.PLAY: _play, Phase.CLAIM: _claim}
