"""rum500: the 500 Rum family of card games, played by the letter of its sources.

>>> import rum500
>>> rules = rum500.ruleset("persian-rummy", house_rules=("H5",))
>>> state = rum500.deal(rules, players=4, seed=7)
>>> state.apply(rum500.Draw())[0].kind
'draw'
"""

from rum500 import _compiled

__version__ = "0.1.0"

_compiled.install()

from rum500.cards import card_from_text, card_symbol, card_text  # noqa: E402
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
    IllegalPlay,
    Position,
    PositionError,
    State,
    deal,
    position_from_text,
    view_to_text,
)
from rum500.view import Event, MeldView, Phase, Placed, Result, View  # noqa: E402

__all__ = [
    "Action",
    "Call",
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
    "card_from_text",
    "card_symbol",
    "card_text",
    "deal",
    "decode",
    "encode",
    "parse_play",
    "play_text",
    "position_from_text",
    "profile_names",
    "ruleset",
    "view_to_text",
]
