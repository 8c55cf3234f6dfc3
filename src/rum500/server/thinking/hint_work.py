"""Hints: computed from the view of the asking seat, and from nothing else.

Hints of the depths `reason` and `numbers` are made from the same `Advice` of the coach, so that they agree.
"""

from __future__ import annotations

from functools import partial

import msgspec

from rum500.ai import known_deal
from rum500.bots import halving
from rum500.coach import Advice as Record
from rum500.coach import Adviser
from rum500.coach.advice import Evidence, evidence_of
from rum500.intervals import Z_OF_LOOKS
from rum500.review.rules_of_thumb import rules_of_thumb
from rum500.rules.engine.core import Core
from rum500.server import messages
from rum500.server.messages.field_types import HintDepth
from rum500.server.messages.hints import HintInfo, HintReason, HintWay
from rum500.server.messages.render import texts
from rum500.server.messages.review import ReviewCandidate, ReviewPlay
from rum500.server.messages.verdicts import plan_shown, play_shown
from rum500.server.thinking.advice_work import Advice
from rum500.view import View

MOST_SHOWN = 10
"""The number of plays that a hint compares."""


def hint_on(view: View, depth: HintDepth) -> Advice:
    """Return the work that answers a request for a hint about the decision in a view.

    The work is the same for `reason` and `numbers`, so one answer serves both; `at_depth` shortens it.
    """
    light = depth == "possible"
    return Advice(partial(_answer, view, light=light), light=light, depth=depth)


def _answer(view: View, *, light: bool) -> messages.Answer:
    return messages.Answer("", hint=_possible(view) if light else _coached(view))


def hint(view: View, depth: HintDepth) -> HintInfo:
    """Return a hint about the decision in a view, which must have at least two legal plays."""
    return _possible(view) if depth == "possible" else at_depth(_coached(view), depth)


def at_depth(found: HintInfo, depth: HintDepth) -> HintInfo:
    """Return a hint of this depth, made from a deeper hint by leaving fields out."""
    if depth == "numbers" or found.depth == "possible":
        return found
    ways = [HintWay(one.way, one.best, plan=one.plan) for one in found.ways]
    return msgspec.structs.replace(found, depth=depth, ways=ways, candidates=[], worlds=0)


def _possible(view: View) -> HintInfo:
    core = known_deal(view).core
    codes = set(halving.candidates(core, view.legal, view.legal[0]))
    return HintInfo("possible", plays=[_shown(view, core, code) for code in view.legal if code in codes])


def _coached(view: View) -> HintInfo:
    core, found = known_deal(view).core, Adviser().advise(view)
    assert found is not None, "a forced play"
    info = HintInfo("numbers", worlds=found.ways[0].worlds, evidence=found.evidence.value)
    info.ways = _ways(view, core, found)
    if found.best is not None:
        info.choice = _shown(view, core, found.best)
        info.plan = None if found.plan is None else plan_shown(found.plan)
        info.reasons = [
            HintReason(one.code, texts(one.cards), one.count, one.points, one.seat)
            for one in rules_of_thumb(view, found.best)
            if info.plan is None or one.code != "thumb.weighed"  # a plan explains the play
        ]
        info.candidates = _candidates(view, core, found)
    return info


def _ways(view: View, core: Core, found: Record) -> list[HintWay]:
    """Return the best play of each way of playing on, compared with the best play of the other way.

    If both ways have the same best play, the comparison is with the next best play.
    """
    shown = []
    for way, other in zip(found.ways, reversed(found.ways), strict=True):
        rival = way.losses[1] if other.best == way.best else way.of(other.best)
        best, second = (_shown(view, core, code) for code in (way.best, rival.code))
        chances = [round(chance, 4) for chance in reversed(way.chances or ()) if rival == way.losses[1]]
        half = round(Z_OF_LOOKS * rival.error, 2)
        disputed = way.disputed and rival == way.losses[1]
        evidence = Evidence.NONE if disputed else evidence_of(rival.low)
        shown.append(
            HintWay(
                way.name.value,
                best,
                second,
                round(rival.loss, 2),
                half,
                evidence.value,
                None if way.plan is None else plan_shown(way.plan),
                chances,
            )
        )
    return shown


def _candidates(view: View, core: Core, found: Record) -> list[ReviewCandidate]:
    """Return the best play, then the others by loss. A play has a loss in each way; the smaller counts.

    A play that is the best in one way is as uncertain as its lead over the best play of both.
    """
    best = found.best
    assert best is not None
    opinions = [(found.opinion(one.code), one.code) for one in found.ways[0].losses]
    opinions.sort(key=lambda pair: (pair[1] != best, pair[0].loss, pair[1]))
    shown = []
    for one, code in opinions[:MOST_SHOWN]:
        way = next(way for way in found.ways if way.name is one.better_way)
        error = way.of(best).error if code == way.best != best else one.error
        half = Z_OF_LOOKS * error
        lead = -round(one.loss, 2) or 0.0
        shown.append(ReviewCandidate(_shown(view, core, code), lead, round(half, 2), one.loss <= half))
    return shown


def _shown(view: View, core: Core, code: int) -> ReviewPlay:
    return play_shown(view, code, doubled=bool(core.doubled(code)))
