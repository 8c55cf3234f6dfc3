"""rum500: the 500 Rum family of card games, with the exact rules of its sources.

>>> import rum500
>>> state = rum500.deal("persian-rummy", seed=7)
>>> state.apply("draw")[0].kind
'draw'

Names and packages are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rum500 import _compiled

if TYPE_CHECKING:
    from rum500 import adapters as adapters
    from rum500 import ai as ai
    from rum500 import bots as bots
    from rum500 import cards as cards
    from rum500 import coach as coach
    from rum500 import drawing as drawing
    from rum500 import external_bots as external_bots
    from rum500 import lab as lab
    from rum500 import match as match
    from rum500 import puzzles as puzzles
    from rum500 import record as record
    from rum500 import review as review
    from rum500 import rng as rng
    from rum500 import rules as rules
    from rum500 import search as search
    from rum500 import sim as sim
    from rum500 import spaces as spaces
    from rum500 import state as state
    from rum500 import view as view
    from rum500.cards import Card, CardError, card_from_text, card_symbol, card_text
    from rum500.drawing import Cards
    from rum500.match import Match, MatchError
    from rum500.record import Record, RecordError
    from rum500.rng import Rng
    from rum500.rules.action_codes import decode, encode
    from rum500.rules.actions import (
        Action,
        Call,
        Discard,
        Draw,
        EndDeal,
        Laid,
        LayOff,
        LetGo,
        Meld,
        Pass,
        Take,
    )
    from rum500.rules.notation import NotationError, parse_play, play_text
    from rum500.rules.problems import Problem, RulesetError, UnknownProfile
    from rum500.rules.profiles import profile_names, ruleset
    from rum500.rules.refusals import Refusal
    from rum500.rules.ruleset import Ruleset
    from rum500.sim import simulate
    from rum500.state import (
        BestMelds,
        BytesError,
        IllegalPlay,
        Position,
        PositionError,
        State,
        best_melds,
        deal,
        points,
        position_from_text,
        view_to_text,
    )
    from rum500.view import Event, MeldView, Phase, Placed, Result, View

__version__ = "0.1.0"

_compiled.install()

_PACKAGES = (
    "adapters", "ai", "bots", "cards", "coach", "drawing", "external_bots", "lab", "match", "puzzles",
    "record", "review", "rng", "rules", "search", "sim", "spaces", "state", "view",
)  # fmt: skip
_HOMES = {
    "cards": "Card CardError card_from_text card_symbol card_text",
    "drawing": "Cards",
    "match": "Match MatchError",
    "record": "Record RecordError",
    "rng": "Rng",
    "rules.action_codes": "decode encode",
    "rules.actions": "Action Call Discard Draw EndDeal Laid LayOff LetGo Meld Pass Take",
    "rules.notation": "NotationError parse_play play_text",
    "rules.problems": "Problem RulesetError UnknownProfile",
    "rules.profiles": "profile_names ruleset",
    "rules.refusals": "Refusal",
    "rules.ruleset": "Ruleset",
    "sim": "simulate",
    "state": "BestMelds BytesError IllegalPlay Position PositionError State best_melds deal points "
    "position_from_text view_to_text",
    "view": "Event MeldView Phase Placed Result View",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"rum500.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rum500' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"rum500.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PACKAGES, *__all__})


__all__ = [
    "Action",
    "BestMelds",
    "BytesError",
    "Call",
    "Card",
    "CardError",
    "Cards",
    "Discard",
    "Draw",
    "EndDeal",
    "Event",
    "IllegalPlay",
    "Laid",
    "LayOff",
    "LetGo",
    "Match",
    "MatchError",
    "Meld",
    "MeldView",
    "NotationError",
    "Pass",
    "Phase",
    "Placed",
    "Position",
    "PositionError",
    "Problem",
    "Record",
    "RecordError",
    "Refusal",
    "Result",
    "Rng",
    "Ruleset",
    "RulesetError",
    "State",
    "Take",
    "UnknownProfile",
    "View",
    "__version__",
    "best_melds",
    "card_from_text",
    "card_symbol",
    "card_text",
    "deal",
    "decode",
    "encode",
    "parse_play",
    "play_text",
    "points",
    "position_from_text",
    "profile_names",
    "ruleset",
    "simulate",
    "view_to_text",
]
