"""Hints: computed from the view of the seat that asks, and from nothing else."""

from __future__ import annotations

from functools import partial

from rum500.ai import known_deal
from rum500.bots import halving
from rum500.review.judge import Judge
from rum500.review.rules_of_thumb import choice_of, thumbs
from rum500.review.verdict import Budget
from rum500.rules.engine.core import Core
from rum500.server import messages
from rum500.server.messages.field_types import HintDepth
from rum500.server.messages.hints import HintInfo, HintReason
from rum500.server.messages.render import texts
from rum500.server.messages.review import ReviewPlay
from rum500.server.messages.verdicts import candidates_shown, loss_why, play_shown
from rum500.server.thinking.advice_work import Advice
from rum500.view import View

BUDGET = Budget("hint", 400, 400, whole=True)
"""A hint shows in a moment how good plays are: as many deals for all of them, and for the two best again."""


def hint_on(view: View, depth: HintDepth) -> Advice:
    """Return the work that answers a request for a hint about the decision in a view."""
    return Advice(partial(_answer, view, depth), light=depth != "numbers", is_hint=True)


def _answer(view: View, depth: HintDepth) -> messages.Answer:
    return messages.Answer("", hint=hint(view, depth))


def hint(view: View, depth: HintDepth) -> HintInfo:
    """Return a hint about the decision in a view."""
    return {"possible": _possible, "reason": _reason, "numbers": _numbers}[depth](view)


def _possible(view: View) -> HintInfo:
    core = known_deal(view).core
    codes = set(halving.candidates(core, view.legal, view.legal[0]))
    return HintInfo("possible", plays=[_shown(view, core, code) for code in view.legal if code in codes])


def _reason(view: View) -> HintInfo:
    choice = choice_of(view)
    reasons = [
        HintReason(one.code, texts(one.cards), one.count, one.points, one.seat)
        for one in thumbs(view, choice)
    ]
    return HintInfo("reason", choice=_shown(view, known_deal(view).core, choice), reasons=reasons)


def _numbers(view: View) -> HintInfo:
    choice, core = choice_of(view), known_deal(view).core
    info = HintInfo("numbers", choice=_shown(view, core, choice))
    found = Judge(BUDGET).judge(view, choice, view.number, len(view.past) + 1)
    if found is not None:
        info.worlds = found.worlds
        info.why = None if found.why is None else loss_why(found.why)
        info.candidates = candidates_shown(found, lambda code: _shown(view, core, code))
    return info


def _shown(view: View, core: Core, code: int) -> ReviewPlay:
    return play_shown(view, code, doubled=bool(core.doubled(code)))
