"""Every public value and exception: pickle, copy, deepcopy, JSON; integers of numpy."""

from __future__ import annotations

import copy
import inspect
import json
import multiprocessing
import pickle
import random
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import rum500
from rum500 import bots, search, sim, spaces
from rum500.ai import known_deal
from rum500.coach import Adviser
from rum500.external_bots import (
    BotFailed,
    BotFault,
    BotReport,
    EngineError,
    IllegalBotMove,
    NetworkError,
    open_bot,
)
from rum500.lab import Batch
from rum500.review.verdict import Budget
from rum500.rng import Rng

PACKAGES = (
    "", ".ai", ".bots", ".cards", ".coach", ".drawing", ".external_bots", ".lab", ".match", ".record", ".rng",
    ".rules.actions", ".rules.notation", ".rules.problems", ".search", ".sim", ".spaces", ".state", ".view",
)  # fmt: skip
RULES = rum500.ruleset("rummy-500", house_rules=("H5", "H6"))


def public_classes() -> Iterator[type]:
    found = {}
    for package in PACKAGES:
        module = import_module(f"rum500{package}")
        names = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
        for value in (getattr(module, name) for name in names):
            if inspect.isclass(value) and value.__module__.startswith("rum500"):
                found[value.__qualname__] = value
    return iter(found.values())


def refused(call: Callable[[], object]) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever is raised is what is tested
        call()
    return caught.value


def some_values() -> dict[type, Any]:
    """Return a value of each class that has values; what comes up in a deal is taken from there."""
    chance, state = random.Random(1), rum500.deal(RULES, 3, 7)
    found: dict[type, Any] = {}

    def keep(*values: Any) -> None:
        for value in values:
            found.setdefault(type(value), value)

    match = rum500.Match(RULES, 2, Rng(1))
    keep(match.decision, *match.view(0).positions[:0], match.view(0))
    while not match.is_over:
        asked = match.decision
        keep(asked)
        if isinstance(asked, rum500.match.PlayNeeded):
            keep(*rum500.match.claimants(asked.state), *rum500.match.suggestions(asked.state, asked.seat))
            keep(*match.apply(chance.choice(asked.state.legal_ints())))
        else:
            match.apply(asked.positions[0] if isinstance(asked, rum500.match.DrawNeeded) else 20)
    keep(match, match.decision, match.result, match.view(None), *match.inputs, *match.sheet, match.totals)
    assert match.result is not None
    keep(
        *match.result.standings,
        rum500.match.Payment((0,), (1,), 5),
        rum500.Match(RULES, 2).decision,
        rum500.match.sheet_of(RULES, match.events, match.state.melds, match.state.result)[0][0],
    )
    while not state.is_over:
        view = state.view(state.actor)
        keep(state, view, *state.legal_actions(), *view.melds, state.phase, state.own(state.actor))
        keep(*(placed for meld in view.melds for placed in meld.cards), *view.hand)
        keep(*(laid for one in state.legal_actions() if isinstance(one, rum500.Meld) for laid in one.cards))
        keep(*state.apply(chance.choice(state.legal_ints())))
    refusal = state.why_not("draw")
    keep(state.result, refusal, RULES, Rng(1), rum500.Cards("QD JK"), rum500.best_melds("9D 10D JD", RULES))
    keep(
        rum500.position_from_text(rum500.deal(RULES).to_text()), rum500.Draw(), rum500.Take(1), rum500.Call(1)
    )
    keep(rum500.LetGo(), rum500.Pass(), rum500.EndDeal(), rum500.LayOff(0, (rum500.Laid(1, 1),), run=True))
    keep(rum500.match.Resign(0), rum500.match.Restock((1,)))
    record = match.record()
    keep(record, *record.deals, record.deals[0].outcome, record.deals[0].plays[0], record.fairness())
    keep(next(record.replay()), rum500.Problem("a", "b", "c", "d"))
    keep(*coach_values(), *laboratory_values())
    return found


def coach_values() -> Iterator[Any]:
    adviser, view = Adviser(Budget.of("16")), rum500.deal(RULES, 2, 7).view(1)
    advice = adviser.advise(view)
    assert advice is not None
    way = advice.ways[0]
    yield from (adviser, advice, advice.evidence, way, way.name, way.losses[0], advice.opinion(way.best))
    yield from (known_deal(view), bots.levels()[0])
    compared, visited = search.pimc(view, 2), search.ismcts(view, 2)
    yield from (compared, compared.plays[0], visited, visited.plays[0])


def laboratory_values() -> Iterator[Any]:
    played = rum500.simulate(RULES, 2, deals=4, bots=["random"], seed=1, workers=1)
    estimate = sim.Estimate(*[0.5] * len(fields(sim.Estimate)))
    job = sim.jobs(RULES, 2, deals=4, bots=["random"], seed=1)[0]
    yield from (played, estimate, sim.Shard(1, 2), job, job.plan, sim.run_job(job))
    features = spaces.Features(RULES, 2)
    yield from (features, features.planes[0], spaces.HiddenState(RULES, 2), spaces.Actions(RULES, 2))
    yield from (Batch(RULES, 2, 4), BotFault("hung", "it hangs"), BotReport("club"))


def some_errors() -> list[BaseException]:
    state = rum500.deal(RULES, 2, 1)
    return [
        refused(lambda: state.apply("discard 3S")),
        refused(lambda: state.apply("discard S3")),
        refused(lambda: rum500.Card("S7")),
        refused(lambda: rum500.deal("600-rum")),
        refused(lambda: RULES.replace(target=-1)),
        refused(lambda: RULES.replace(target="x")),  # type: ignore[arg-type]
        refused(lambda: rum500.State.from_bytes(b"", RULES)),
        refused(lambda: rum500.State.from_text("x")),
        refused(lambda: rum500.Record.from_text("x")),
        refused(lambda: rum500.Match(RULES, 2).apply(rum500.match.CutAt(1))),
        refused(lambda: bots.get("nobody")),
        refused(lambda: rum500.simulate(RULES, 2, deals=-1)),
        refused(lambda: open_bot("no_such_file.py")),
        *(kind("message") for kind in (BotFailed, EngineError, IllegalBotMove, NetworkError)),
    ]


VALUES = some_values()
ERRORS = {type(error): error for error in some_errors()}
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}
#: Public classes without values: bases and protocols, writers, parts of pictures, bots, and working memory.
NO_VALUES = {
    "Action",
    "ActionKind",
    "CardAtPlace",
    "MeldOnTable",
    "MeldsOnTable",
    "Plain",
    "PicklableError",
    "DealRecorder",
    "RecordWriter",
    "ResumedRecord",
    "Picture",
    "ChartGroup",
    "ChartRow",
    *("Bot", "FastBot", "StoppableChoice", "EngineBot", "LearnedBot", "PlayContext"),
    *("PimcBot", "IsmctsBot", "BestResponseBot"),
    *("HandBelief", "Resampler", "Job", "Cluster", "Step"),
}
#: How values without `to_dict` are JSON: docs/library.md says so, and which have no such form.
BY_TEXT = {"State": "to_text", "Record": "to_text", "Ruleset": "to_toml"}
BY_RECORD = {"Match", "DealRecord", "RecordedPlay", "ReplayStep", "FairnessReport"}
NO_JSON = {
    "Event",
    "Refusal",
    "Rng",
    "Suggestion",
    "Claimant",
    "DrawNeeded",
    "ShuffleNeeded",
    "CutNeeded",
    "PlayNeeded",
    "MatchOver",
    "DrawAt",
    "PackOrder",
    "CutAt",
    "Restock",
    "Resign",
    "SheetLine",
    "BestMelds",
    "Position",
    *("Adviser", "KnownDeal", "Level", "BotFault", "BotReport"),
    *("Simulation", "SimulationJob", "SimulationPlan", "DealBatch", "Shard", "Estimate"),
    *("Batch", "Features", "HiddenState", "Plane", "Actions"),
    *("ComparedPlay", "PlayComparison", "TreeSearch", "VisitedPlay"),
}


@pytest.mark.parametrize("kind", list(public_classes()), ids=lambda kind: kind.__qualname__)
def test_every_public_class_has_a_value_here(kind: type) -> None:
    assert kind in VALUES or kind in ERRORS or kind.__qualname__ in NO_VALUES


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__qualname__)
def test_values_are_copied_and_pickled(kind: type, way: str) -> None:
    value = VALUES[kind]
    again = WAYS[way](value)
    assert type(again) is kind
    if kind.__repr__ is not object.__repr__:
        assert str(again) == str(value)
    if kind.__eq__ is not object.__eq__:
        assert again == value


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__qualname__)
def test_errors_are_copied_and_pickled(kind: type, way: str) -> None:
    error = ERRORS[kind]
    again = WAYS[way](error)
    assert (type(again), str(again), again.args, vars(again)) == (kind, str(error), error.args, vars(error))
    assert getattr(again, "code", None) == getattr(error, "code", None)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__qualname__)
def test_values_are_json(kind: type) -> None:
    value, name = VALUES[kind], kind.__qualname__
    if name in BY_RECORD | NO_JSON:
        assert not hasattr(value, "to_dict")
    elif hasattr(value, "to_dict"):
        assert kind.from_dict(json.loads(json.dumps(value.to_dict()))) == value  # type: ignore[attr-defined]
        with pytest.raises(ValueError, match=r".*"):
            kind.from_dict({"nothing": 1})  # type: ignore[attr-defined]
    elif name in BY_TEXT:
        assert json.loads(json.dumps(getattr(value, BY_TEXT[name])()))
    else:
        assert json.dumps(value) == json.dumps(pickle.loads(pickle.dumps(value)))


def fail(text: str) -> None:
    rum500.deal("500-rum", seed=1).apply(text)


def test_a_refused_play_comes_out_of_a_pool() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for text, error in (("discard 3S", rum500.IllegalPlay), ("discard S3", rum500.NotationError)):
            with pytest.raises(error):
                pool.apply_async(fail, (text,)).get(60)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16], ids=lambda kind: kind.__name__)
def test_numpy_integers_are_taken_where_integers_are(kind: Callable[[int], Any]) -> None:
    two, one, none = kind(2), kind(1), kind(0)
    state = rum500.deal(RULES, two, one, none, (none, none), one)
    plain = rum500.deal(RULES, 2, 1, 0, (0, 0), 1)
    deck = np.array(RULES.deck(2), np.int16)
    assert state == plain and pickle.dumps(state) == pickle.dumps(plain) and type(state.seed) is int
    assert rum500.State.new(RULES, two, deck, one, (one, one), one, one).view(one).number == 1
    assert state.view(one) == plain.view(1) and state.known(one) == () and state.own(one) == plain.own(1)
    assert state.resample(one, Rng(one)) == plain.resample(1, Rng(1))
    assert state.information_state(one) == plain.information_state(1)
    for use in (state.apply, state.apply_int):
        assert state.is_legal(none) and state.why_not(none) is None and rum500.decode(none) == rum500.Draw()
        use(none)
        assert type(state.past[-1]) is int
        state.undo()
        assert state == plain
    assert (rum500.Take(one), rum500.Call(one), rum500.Discard(two)) == (
        rum500.Take(1),
        rum500.Call(1),
        rum500.Discard(2),
    )
    laid = rum500.LayOff(none, (rum500.Laid(two, two),), np.True_)
    assert json.dumps(laid.to_dict()) == json.dumps(rum500.LayOff(0, (rum500.Laid(2, 2),), True).to_dict())
    assert (
        rum500.Card(two) is rum500.Card(2) and rum500.card_text(two) == "3S" and rum500.Cards([two]) == (2,)
    )
    assert (
        Rng(one).below(kind(6)) == Rng(1).below(6) and Rng(1).spawn(two).next64() == Rng(1).spawn(2).next64()
    )
    match = rum500.Match.quick(RULES, two, one, dealer=one)
    assert match == rum500.Match.quick(RULES, 2, 1, dealer=1)
    match.apply(none)
    assert match.to_bytes() and match.view(one) == copy.copy(match).view(1)
    assert rum500.Record(RULES, two) == rum500.Record(RULES, 2)
    rules = rum500.ruleset("500-rum", target=kind(100), go_out="either", restock=np.False_)
    assert rules.to_toml() == rum500.ruleset("500-rum", target=100).to_toml()
    assert type(rules.target) is int and type(rules.restock) is bool
    advice = Adviser(Budget.of("16"), one, one).advise(plain.view(one))
    assert advice is not None and advice == Adviser(Budget.of("16"), 1, 1).advise(plain.view(1))
    assert advice.opinion(kind(advice.ways[0].best)) == advice.opinion(advice.ways[0].best)
    played = rum500.simulate(RULES, two, deals=two, bots=["random"], seed=one, workers=one)
    assert played.checksum == rum500.simulate(RULES, 2, deals=2, bots=["random"], seed=1, workers=1).checksum
    assert sim.Shard(one, two) == sim.Shard(1, 2) and str(spaces.Actions(RULES, two))
    assert Batch(RULES, two, two, seed=one).reset().obs.shape == Batch(RULES, 2, 2, seed=1).reset().obs.shape
