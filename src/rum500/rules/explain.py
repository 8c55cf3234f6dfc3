"""The reason why a play is refused: the rule, the sentence, the card at fault.

The engine has already refused the play. `explain` checks the possible reasons in the order in which players
think of them, and uses only what the actor can see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from rum500.rules._explain_pile import call_refused, take_refused
from rum500.rules._explain_plays import must_use_first, play_refused, unheld
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Action, Call, Discard, Draw, EndDeal, LayOff, LetGo, Meld, Pass, Take
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.rules.refusals import FALLBACK, Part, Refusal, is_card
from rum500.rules.ruleset import Ruleset

__all__ = ["FALLBACK", "Part", "Refusal", "explain"]


def explain(core: Core, rules: Ruleset, action: Action | int) -> Refusal:
    """Return why the actor may not take this action, which must be an illegal one.

    `card` of the refusal is the card at fault, or None. The sentence of the refusal is composed only when it
    is read.
    """
    play = _decoded(action) if isinstance(action, int) else action
    if play is None:
        return Refusal("play.unknown", "R-TURN-1")
    refusal = _no_card(play) or _BY_PHASE[core.phase](core, rules, play)
    return refusal or Refusal(FALLBACK, "R-TURN-1")


def _decoded(code: int) -> Action | None:
    """Return the action of a code; None if the code encodes no action."""
    try:
        action = decode(code)
        return action if encode(action) == code else None
    except (ValueError, IndexError):
        return None


def _no_card(action: Action) -> Refusal | None:
    """Refuse an action with a number that is not a card; return None if all its numbers are cards."""
    cards = [action.card] if isinstance(action, Discard) else []
    if isinstance(action, Meld | LayOff):
        cards = [laid.card for laid in action.cards]
    for card in cards:
        if not is_card(card):
            return Refusal("card.unknown", "R-TURN-1")
    return None


# --- phase by phase --------------------------------------------------------------------------------


def _over(core: Core, rules: Ruleset, action: Action) -> Refusal:
    if isinstance(action, Call):
        return Refusal("deal.over", "R-CLAIM-4")
    if isinstance(action, Meld | LayOff):
        return Refusal("deal.over", "R-END-2")
    return Refusal("deal.over", "R-END-1")


def _claim(core: Core, rules: Ruleset, action: Action) -> Refusal | None:
    if isinstance(action, Call):
        return call_refused(core, rules, action.count)
    return Refusal("claim.open", "R-CLAIM-1")


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
                return Refusal("pass.not_played", "R-TURN-1", parts=_advice("discard"))
            return Refusal("pass.drawn", "D6")
        case EndDeal():
            return Refusal("end.drawn", "D5")
        case _:
            return Refusal("turn.drawn", "R-TURN-1")


_BY_PHASE: dict[int, Callable[[Core, Ruleset, Action], Refusal | None]] = {
    _core.PHASE_DRAW: _draw,
    _core.PHASE_USE: _use,
    _core.PHASE_PLAY: _play,
    _core.PHASE_CLAIM: _claim,
    _core.PHASE_OVER: _over,
}


# --- the stock -------------------------------------------------------------------------------------


def _draw_first(core: Core, rules: Ruleset) -> Refusal:
    """Refuse a discard or a play by a player who must draw first (R-TURN-1)."""
    return Refusal("turn.draw_first", "R-TURN-1", parts=_way_on(core, rules))


def _way_on(core: Core, rules: Ruleset) -> Mapping[str, Part]:
    """Return the parts of a sentence for a player who must draw: they say which actions are possible now."""
    if core.stock_next < core.stock_end or core.may_restock():
        return _advice("draw_or_take" if core.pile_n else "draw")
    way_out = "end" if rules.stock_out == "end" else "pass"
    if not core.pile_n:
        return _advice(way_out)
    return _advice(f"{'use' if core.top_binds() else 'take'}_or_{way_out}")


@cache
def _advice(name: str) -> Mapping[str, Part]:
    return {"advice": name}


def _no_stock(core: Core, rules: Ruleset) -> Refusal:
    """Refuse a draw from an empty stock that cannot be refilled (H5, D5, D6, D7)."""
    way_on = _way_on(core, rules)
    if not rules.restock:
        return Refusal("draw.no_stock", "D5" if rules.stock_out == "end" else "D6", parts=way_on)
    rule = "H5" if core.pile_n < 2 else "D7"
    return Refusal("draw.no_restock", rule, parts={"times": core.restocks, **way_on})


def _no_pass(core: Core, rules: Ruleset) -> Refusal:
    if rules.stock_out == "pass":
        if core.stock_next < core.stock_end:
            return Refusal("pass.stock_left", "D6", parts=_way_on(core, rules))
        return Refusal("pass.restock", "H5")
    left = core.stock_next < core.stock_end or core.may_restock()
    return Refusal("pass.not_played", "R-TURN-1" if left else "D5", parts=_way_on(core, rules))


def _no_end(core: Core, rules: Ruleset) -> Refusal:
    if core.stock_next < core.stock_end:
        return Refusal("end.stock_left", "D5", parts=_way_on(core, rules))
    return Refusal("end.restock", "H5") if core.may_restock() else Refusal("end.not_played", "D6")


# --- claims and discards ---------------------------------------------------------------------------


def _no_claim(rules: Ruleset) -> Refusal:
    if not rules.claim:
        return Refusal("claim.not_played", "H6")
    return Refusal("claim.not_now", "R-CLAIM-1")


def _no_discard(core: Core, rules: Ruleset, card: int) -> Refusal | None:
    missing = unheld(core, rules, [card])
    if missing is not None:
        return missing
    if core.last_bound():
        return Refusal("discard.floater", "D26", card)
    if card == core.ban:
        return Refusal("discard.taken", "H4", card)
    return None
