"""rum500: the 500 Rum family of card games, played by the letter of its sources.

>>> import rum500
>>> rules = rum500.ruleset("persian-rummy", house_rules=("H5",))
>>> state = rum500.deal(rules, players=4, seed=7)
>>> state.apply(rum500.Draw())[0].kind
'draw'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rum500 import _compiled

if TYPE_CHECKING:
    from rum500 import adapters as adapters
    from rum500 import ai as ai
    from rum500 import bots as bots
    from rum500 import external_bots as external_bots
    from rum500 import lab as lab
    from rum500 import puzzles as puzzles
    from rum500 import review as review
    from rum500 import sim as sim
    from rum500 import spaces as spaces
    from rum500.sim import simulate

__version__ = "0.1.0"

_compiled.install()

from rum500.cards import card_from_text, card_symbol, card_text  # noqa: E402
from rum500.drawing import Cards  # noqa: E402
from rum500.match import Match  # noqa: E402
from rum500.record import Record, RecordError  # noqa: E402
from rum500.rng import Rng  # noqa: E402
from rum500.rules.action_codes import (  # noqa: E402
    decode,
    encode,
)
from rum500.rules.actions import (  # noqa: E402
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
from rum500.rules.explain import Refusal  # noqa: E402
from rum500.rules.notation import NotationError, parse_play, play_text  # noqa: E402
from rum500.rules.problems import RulesetError  # noqa: E402
from rum500.rules.profiles import profile_names, ruleset  # noqa: E402
from rum500.rules.ruleset import Ruleset  # noqa: E402
from rum500.state import (  # noqa: E402
    BestMelds,
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
from rum500.view import Event, MeldView, Phase, Placed, Result, View  # noqa: E402

_PACKAGES = ("adapters", "ai", "bots", "external_bots", "lab", "puzzles", "review", "sim", "spaces")
"""Packages that are loaded when they are first used: `import rum500` alone loads the games and no bot."""


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"rum500.{name}")
    if name == "simulate":
        return import_module("rum500.sim").simulate
    raise AttributeError(f"module 'rum500' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PACKAGES, *__all__})


__all__ = [
    "Action",
    "BestMelds",
    "Call",
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
    "Meld",
    "MeldView",
    "NotationError",
    "Pass",
    "Phase",
    "Placed",
    "Position",
    "PositionError",
    "Record",
    "RecordError",
    "Refusal",
    "Result",
    "Rng",
    "Ruleset",
    "RulesetError",
    "State",
    "Take",
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
