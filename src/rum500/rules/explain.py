"""Why a play is refused: the rule, the reason in a sentence, the card at fault.

The engine has said no before anyone asks here; this finds the reason, in the order in which a player would
think of it, and looks at nothing but what the player who wants to act can see.
"""

from __future__ import annotations

from collections.abc import Callable

from rum500.cards import card_symbol
from rum500.rules._explain_pile import call_refused, take_refused
from rum500.rules._explain_plays import must_use_first, play_refused, unheld
from rum500.rules._refusal import FALLBACK, Refusal, is_card
from rum500.rules._words import counted
from rum500.rules.actions import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    LayOff,
    LetGo,
    Meld,
    Pass,
    Take,
    decode,
    encode,
)
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset

__all__ = ["FALLBACK", "Refusal", "explain"]


def explain(core: Core, rules: Ruleset, action: Action | int) -> Refusal:
    """Why the actor may not do this; the action must be one that is not legal.

    The card of the refusal is the one at fault, or None; the message has no stop at its end.
    """
    play = _decoded(action) if isinstance(action, int) else action
    if play is None:
        return Refusal("play.unknown", "R-TURN-1", f"{action} is the number of no play")
    refusal = _no_card(play) or _BY_PHASE[core.phase](core, rules, play)
    return refusal or Refusal(FALLBACK, "R-TURN-1", "that cannot be played now")


def _decoded(code: int) -> Action | None:
    """The action of a number, None where the number says what no action says."""
    try:
        action = decode(code)
        return action if encode(action) == code else None
    except (ValueError, IndexError):
        return None


def _no_card(action: Action) -> Refusal | None:
    """A number that is no card's."""
    cards = [action.card] if isinstance(action, Discard) else []
    if isinstance(action, Meld | LayOff):
        cards = [laid.card for laid in action.cards]
    for card in cards:
        if not is_card(card):
            return Refusal("card.unknown", "R-TURN-1", f"{card} is the number of no card")
    return None


# --- phase by phase --------------------------------------------------------------------------------


def _over(core: Core, rules: Ruleset, action: Action) -> Refusal:
    if isinstance(action, Call):
        return Refusal("deal.over", "R-CLAIM-4", "the deal is over: nobody may call any more")
    if isinstance(action, Meld | LayOff):
        return Refusal("deal.over", "R-END-2", "the deal is over: nothing more is melded or laid off")
    return Refusal("deal.over", "R-END-1", "the deal is over")


def _claim(core: Core, rules: Ruleset, action: Action) -> Refusal | None:
    if isinstance(action, Call):
        return call_refused(core, rules, action.count)
    return Refusal("claim.open", "R-CLAIM-1", 'first call "Rummy!" or let it go: the next turn has not begun')


def _draw(core: Core, rules: Ruleset, action: Action) -> Refusal | None:
    match action:
        case Draw():
            return _no_stock(core, rules)
        case Take(count):
            return take_refused(core, rules, count)
        case Pass():
            return _no_pass(core, rules)
        case EndDeal():
            return _no_end(core, rules)
        case Call() | LetGo():
            return _no_claim(rules)
        case _:
            return _draw_first(core, rules)


def _use(core: Core, rules: Ruleset, action: Action) -> Refusal | None:
    if isinstance(action, Call | LetGo):
        return _no_claim(rules)
    if isinstance(action, Meld | LayOff):
        return play_refused(core, rules, action)
    return must_use_first(core, rules)


def _play(core: Core, rules: Ruleset, action: Action) -> Refusal | None:
    match action:
        case Meld() | LayOff():
            return play_refused(core, rules, action)
        case Discard(card):
            return _no_discard(core, rules, card)
        case Call() | LetGo():
            return _no_claim(rules)
        case Pass():
            if rules.stock_out == "end":
                return _never_pass("discard to end your turn", "R-TURN-1")
            message = "a pass is a whole turn, and you have drawn: discard to end your turn"
            return Refusal("pass.drawn", "D6", message)
        case EndDeal():
            message = "the deal is ended instead of drawing, and you have drawn: discard to end your turn"
            return Refusal("end.drawn", "D5", message)
        case _:
            message = "you have drawn already: meld, lay off, or discard to end your turn"
            return Refusal("turn.drawn", "R-TURN-1", message)


_BY_PHASE: dict[int, Callable[[Core, Ruleset, Action], Refusal | None]] = {
    _core.PHASE_DRAW: _draw,
    _core.PHASE_USE: _use,
    _core.PHASE_PLAY: _play,
    _core.PHASE_CLAIM: _claim,
    _core.PHASE_OVER: _over,
}


# --- the stock -------------------------------------------------------------------------------------


def _draw_first(core: Core, rules: Ruleset) -> Refusal:
    """A discard or a meld by a player who is to draw (R-TURN-1)."""
    if core.stock_next < core.stock_end or core.may_restock():
        message = "draw first: from the stock or the pile" if core.pile_n else "draw first: from the stock"
    elif core.pile_n:
        message = f"draw first: the stock is empty, so take from the pile or {_way_out(rules)}"
    else:
        message = f"nothing is left to draw: {_way_out(rules)}"
    return Refusal("turn.draw_first", "R-TURN-1", message)


def _way_out(rules: Ruleset) -> str:
    """What a player does who cannot or will not draw."""
    return "end the deal" if rules.stock_out == "end" else "pass"


def _no_stock(core: Core, rules: Ruleset) -> Refusal:
    """The stock is empty and cannot be made anew (H5, D5, D6, D7)."""
    way_out = _way_out(rules)
    take = "take a card you can use at once" if core.top_binds() else "take from the pile"
    advice = f"{take}, or {way_out}" if core.pile_n else way_out
    if not rules.restock:
        rule = "D5" if rules.stock_out == "end" else "D6"
        return Refusal("draw.no_stock", rule, f"the stock is empty: {advice}")
    if core.pile_n < 2:
        message = f"the stock is empty, and a new one needs two cards in the pile at least: {advice}"
        return Refusal("draw.no_restock", "H5", message)
    times = counted(core.restocks, "time")
    message = f"the stock is empty, and was made anew {times} with no card laid since the first: {advice}"
    return Refusal("draw.no_restock", "D7", message)


def _no_pass(core: Core, rules: Ruleset) -> Refusal:
    if rules.stock_out == "pass":
        if core.stock_next < core.stock_end:
            message = "a pass is for when the stock is empty: draw or take from the pile"
            return Refusal("pass.stock_left", "D6", message)
        return Refusal(
            "pass.restock", "H5", "no pass while a new stock can be made of the pile: draw, and it is"
        )
    if core.stock_next < core.stock_end or core.may_restock():
        return _never_pass("draw or take from the pile", "R-TURN-1")
    return _never_pass("take a card you can use at once, or end the deal", "D5")


def _never_pass(advice: str, rule: str) -> Refusal:
    return Refusal("pass.not_played", rule, f"there is no passing in this game: {advice}")


def _no_end(core: Core, rules: Ruleset) -> Refusal:
    if core.stock_next < core.stock_end:
        message = "the deal can be ended only when the stock is empty: draw or take from the pile"
        return Refusal("end.stock_left", "D5", message)
    if core.may_restock():
        message = "the deal cannot be ended while a new stock can be made of the pile: draw, and it is"
        return Refusal("end.restock", "H5", message)
    return Refusal(
        "end.not_played", "D6", "in this game one passes when the stock is empty: pass, or take a card"
    )


# --- claims and discards ---------------------------------------------------------------------------


def _no_claim(rules: Ruleset) -> Refusal:
    if not rules.claim:
        return Refusal("claim.not_played", "H6", 'there is no calling "Rummy!" in this game')
    message = '"Rummy!" is called between two turns, by those who are asked then: go on with your turn'
    return Refusal("claim.not_now", "R-CLAIM-1", message)


def _no_discard(core: Core, rules: Ruleset, card: int) -> Refusal | None:
    missing = unheld(core, rules, [card])
    if missing is not None:
        return missing
    name = card_symbol(card)
    if core.last_bound():
        message = f"you float with this card alone and it fits a meld on the table: lay {name} off"
        return Refusal("discard.floater", "D26", message, card)
    if card == core.ban:
        message = f"you took {name} alone and may not discard it this turn: discard another card"
        return Refusal("discard.taken", "H4", message, card)
    return None
