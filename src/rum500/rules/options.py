"""The options of a rule set, each declared once, in the order used in texts and digests.

To add an option, declare it here with `neutral`, the value at which it changes nothing, and implement it in
the engine. Validation, TOML, differences, house rules, the engine's settings, messages to the page and the
digest follow from the declaration.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from rum500.rules.engine.core import GO_OUT_DISCARD, GO_OUT_EITHER, GO_OUT_MELD
from rum500.rules.english import amount, counted, number_word, numbers
from rum500.rules.option_spec import (
    HouseRule,
    Message,
    OptionSpec,
    one_of,
    option,
    points_or,
    specs_of,
    yes_no,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_IDENTITY = "Who it is"


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetOptions:
    """Every option of a rule set; `Ruleset` adds methods and derived values."""

    name: str = option(_IDENTITY, "", "lower case, digits and hyphens", wire={"profile": "name"})
    """The name of the rule set."""

    title: str = option(
        _IDENTITY, "", "as a page heads it", default="", wire={"profile": "title", "table": "title"}
    )
    """The name that a page shows; if empty, the page shows `name`."""

    source: Literal["H", "F", "R", "G", ""] = option(
        _IDENTITY, "", "H, F, R, G, or empty", default="", wire={"profile": "source"}
    )
    """The letter of the source text in the rulebook; empty for a custom rule set."""

    sources: tuple[str, ...] = option(_IDENTITY, "", "the texts it is from", default=())
    """The full titles of the source texts."""

    aliases: tuple[str, ...] = option(
        _IDENTITY, "", "other names to ask for it by", default=(), wire={"profile": "aliases"}
    )
    """Other names of this rule set."""

    summary: str = option(_IDENTITY, "", "the game in a sentence", default="", wire={"profile": "summary"})
    """The game in a sentence."""

    players: tuple[int, ...] = option(
        "Table and cards",
        "D1",
        "the numbers of players allowed, 2 to 8",
        bounds=(2, 8),
        differs=("Number of players", numbers),
        wire={"profile": "players"},
    )
    """The allowed numbers of players, in increasing order (D1)."""

    sides: int = option(
        "Table and cards",
        "R-MATCH-5",
        "0: each for themselves; 2: two sides",
        bounds=(0, 2),
        differs=yes_no("Sides", "two play against two", "all play for themselves"),
        core="sides",
        wire={"profile": "sides", "table": "sides"},
    )
    """2 if two play against two, 0 if all play for themselves (R-MATCH-5)."""

    second_pack_from: int = option(
        "Table and cards",
        "D1",
        "players from whom on two packs are used; 0: never",
        bounds=(0, 8),
        differs=(
            "Second pack",
            lambda value: f"from {counted(value, 'player')} on" if value else "never",
        ),
    )
    """The smallest number of players with two packs; 0 for never (D1)."""

    jokers: int = option(
        "Table and cards",
        "R-MELD-4",
        "in each pack",
        bounds=(0, 4),
        differs=("Jokers in each pack", lambda value: number_word(value) if value else "none"),
        wire={"profile": "jokers", "table": "jokers"},
    )
    """The number of jokers in each pack (R-MELD-4)."""

    joker_kind: Literal["none", "wild", "rank"] = option(
        "Table and cards",
        "R-MELD-4",
        "none, wild, or rank",
        differs=one_of(
            "Kind of jokers",
            none="none",
            wild="wild, standing for any card",
            rank="a rank of their own, melded only with one another",
        ),
        wire={"profile": "joker_kind", "table": "joker_kind"},
    )
    """Whether jokers are wild, or a rank of their own (R-MELD-4)."""

    hand: int = option(
        "Table and cards",
        "R-DEAL-2",
        "cards dealt to each",
        default=7,
        bounds=(1, 51),
        differs=("Cards dealt", lambda value: counted(value, "card")),
    )
    """The number of cards dealt to each of three or more players (R-DEAL-2)."""

    hand_two: int = option(
        "Table and cards",
        "R-DEAL-2",
        "cards dealt to each of two players",
        default=13,
        bounds=(1, 51),
        differs=("Cards dealt to two players", lambda value: counted(value, "card")),
    )
    """The number of cards dealt to each of two players (R-DEAL-2)."""

    ace: Literal["both", "high"] = option(
        "Melds",
        "R-MELD-2",
        "ace in runs: both or high",
        differs=one_of("The ace in runs", both="low or high", high="high only"),
        core=("ace_low", {"both": True, "high": False}),
    )
    """Whether an ace in a run is low or high, or high only (R-MELD-2)."""

    same_suit_in_sets: bool = option(
        "Melds",
        "D2",
        "two packs: a set may hold a suit twice",
        differs=yes_no(
            "Sets with two packs", "a suit may come as often as there are packs", "all suits differ"
        ),
    )
    """Whether a set may hold a suit twice if there are two packs (D2)."""

    unnamed_jokers: bool = option(
        "Melds",
        "H3",
        "H3: two jokers in a set are not named",
        default=False,
        differs=yes_no(
            "Two jokers in a set of three (H3)", "they are not named", "each is named as one card"
        ),
        house_rule=HouseRule("H3", "Two jokers in a set are not named", True),
        core="unnamed_jokers",
    )
    """Whether two jokers in a set of three do not state the cards that they stand for (H3)."""

    top_must_meld: bool = option(
        "The turn",
        "R-DRAW-4",
        "the top discard, taken alone, must be melded",
        differs=yes_no("The top discard taken alone", "it must be melded at once", "it may go to the hand"),
        house_rule=HouseRule("H1", "The top discard too is taken only to be melded at once", True),
        core="top_must_meld",
    )
    """Whether the top discard, taken alone, must be melded at once (R-DRAW-4)."""

    top_rule_is_house: bool = option("The turn", "H1", "H1: it must by a house rule", default=False)
    """Whether `top_must_meld` is the house rule H1, and not the game's own rule."""

    keep_upcard: bool = option(
        "The turn",
        "H4",
        "H4: it may not be discarded in the same turn",
        default=False,
        differs=yes_no(
            "Discarding the top discard just taken alone (H4)", "not in the same turn", "no rule forbids it"
        ),
        house_rule=HouseRule("H4", "The top discard taken alone is not discarded in the same turn", True),
        core="keep_upcard",
    )
    """Whether the top discard, taken alone, may not be discarded in the same turn (H4)."""

    claim: bool = option(
        "The turn",
        "H6",
        'H6: calling "Rummy!"',
        default=False,
        differs=yes_no('Calling "Rummy!" (H6)', "allowed", "not part of the game"),
        house_rule=HouseRule("H6", 'Anyone may call "Rummy!" for what can be melded from the pile', True),
        core="claim_allowed",
        wire={"table": "claim"},
    )
    """Whether "Rummy!" may be called (H6)."""

    blind_claims: bool = option(
        "The turn",
        "H6",
        "H6: all are asked after every turn, whether or not there is something to call",
        neutral=False,
        differs=yes_no(
            "Those asked for a call (H6)", "all, after every turn", "all, if there is one to make"
        ),
        core="claim_blind",
        wire={"table": "blind_claims"},
    )
    """Whether everybody is asked for a call after every turn, even if no call is possible (H6)."""

    go_out: Literal["either", "meld", "discard"] = option(
        "How a deal ends",
        "R-END-1",
        "either, meld, or discard (H2: floaters)",
        differs=one_of(
            "Going out",
            either="by melding or discarding the last card",
            meld="by melding the last card only",
            discard="by a discard only, and who melds the last card floats (H2)",
        ),
        house_rule=HouseRule("H2", "One must discard to go out; who melds the last card floats", "discard"),
        core=("go_out", {"either": GO_OUT_EITHER, "meld": GO_OUT_MELD, "discard": GO_OUT_DISCARD}),
    )
    """How a player goes out: by melding or discarding the last card, or by only one of these (R-END-1)."""

    stock_out: Literal["end", "pass"] = option(
        "How a deal ends",
        "D5",
        "stock empty: end or pass",
        differs=one_of(
            "Stock empty",
            end="a player who takes nothing from the pile ends the deal",
            **{"pass": "a player may pass"},
        ),
        core=("may_pass", {"end": False, "pass": True}),
    )
    """What happens when the stock is empty: the deal ends, or players may pass (D5)."""

    restock: bool = option(
        "How a deal ends",
        "H5",
        "H5: the pile becomes a new stock",
        default=False,
        differs=yes_no("A new stock from the pile (H5)", "made when the stock is empty", "never made"),
        house_rule=HouseRule("H5", "The pile becomes a new stock when the stock is empty", True),
        core="restock_allowed",
    )
    """Whether the pile becomes a new stock when the stock is empty (H5)."""

    upcard_free_when_stock_empty: bool = option(
        "How a deal ends",
        "D5",
        "the top discard need not be melded then",
        default=False,
        differs=yes_no("The top discard once the stock is empty", "free to keep", "taken only to be melded"),
        core="upcard_free",
    )
    """Whether the top discard need not be melded once the stock is empty (D5)."""

    restock_limit: int = option(
        "How a deal ends",
        "D7",
        "restocks with no card laid since the first",
        default=2,
        bounds=(1, 99),
        differs=(
            "New stocks with no card laid since the first",
            lambda value: f"{number_word(value)} at most",
        ),
        core="restock_limit",
    )
    """The largest number of new stocks in a row without a card laid between them (D7)."""

    no_progress_rounds: int = option(
        "How a deal ends",
        "D7",
        "rounds without progress",
        default=4,
        bounds=(1, 99),
        differs=(
            "A deal nobody moves on ends after",
            lambda value: counted(value, "round"),
        ),
    )
    """The number of rounds without progress after which a deal ends (D7)."""

    low_cards: Literal["pips", "five"] = option(
        "Points",
        "R-SCORE-2",
        "2 to 9: pips or five",
        differs=one_of("Cards from 2 to 9", pips="they count their pips", five="they count 5 each"),
    )
    """Whether cards from 2 to 9 count their pips or 5 points each (R-SCORE-2)."""

    ace_low: int = option(
        "Points",
        "D8",
        "an ace melded low; 0: none can be",
        bounds=(0, 15),
        differs=("The worth of a low ace", points_or("none, as the ace is high")),
    )
    """The points of a low ace in a meld; 0 if aces are high only (D8)."""

    joker_points: int = option(
        "Points",
        "R-SCORE-2",
        "melded, or minus when held",
        bounds=(0, 100),
        differs=("The worth of a joker", points_or("none")),
        core="joker_value",
    )
    """The points of a joker, added when melded and subtracted when held (R-SCORE-2)."""

    doubles: Literal["none", "sets", "melds"] = option(
        "Points",
        "R-SCORE-3",
        "four laid at once: none, sets, or melds",
        differs=one_of(
            "Four cards laid at once",
            none="they count once",
            sets="a set of four counts double",
            melds="a set or run of four counts double",
        ),
        core=("doubles", {"none": 0, "sets": 1, "melds": 2}),
        wire={"table": "doubles"},
    )
    """Whether sets of four, or sets and runs of four, count double when laid at once (R-SCORE-3)."""

    count: Literal["deal_end", "as_laid"] = option(
        "Points",
        "R-SCORE-4",
        "deal_end or as_laid",
        differs=one_of("Points are counted", deal_end="when the deal ends", as_laid="as cards are laid"),
    )
    """When points are counted: when the deal ends, or as cards are laid (R-SCORE-4)."""

    going_out_bonus: int = option(
        "Points",
        "D12",
        "points to the player who goes out",
        bounds=(0, 10_000),
        differs=("Bonus for going out", points_or("none")),
        core="bonus",
    )
    """Points for the player who goes out (D12)."""

    hands: Literal["holder", "winner"] = option(
        "Points",
        "R-SCORE-1",
        "cards held: against the holder, or for the winner",
        differs=one_of(
            "Cards held at the end",
            holder="they are subtracted from their holder",
            winner="they are credited to the player who went out, and not subtracted",
        ),
        core=("to_winner", {"holder": False, "winner": True}),
        wire={"table": "hand_counts"},
    )
    """Whether cards held count against their holder, or for the player who went out (R-SCORE-1)."""

    match: Literal["target", "deals"] = option(
        "The match",
        "R-MATCH-1",
        "target or deals",
        differs=one_of("The match", target="to a target", deals="over a number of deals"),
        wire={"profile": "match", "table": "match"},
    )
    """Whether a match is played to a target or over a number of deals (R-MATCH-1)."""

    target: int = option(
        "The match",
        "R-MATCH-1",
        "points, where the match is to a target",
        default=500,
        bounds=(1, 1_000_000),
        differs=("The target of a match", amount),
        core="target",
        wire={"profile": "target", "table": "target"},
    )
    """The points to reach in a match to a target (R-MATCH-1)."""

    deals: int = option(
        "The match",
        "R-MATCH-1",
        "where the match is over deals",
        default=2,
        bounds=(1, 1000),
        differs=("The length of a match by deals", lambda value: counted(value, "deal")),
        wire={"profile": "deals", "table": "deals"},
    )
    """The number of deals in a match of a fixed number of deals (R-MATCH-1)."""

    max_deals: int = option(
        "The match",
        "D23",
        "the most deals of a match to a target; 0: no limit",
        default=0,
        bounds=(0, 1_000_000),
        differs=(
            "The most deals in a match to a target",
            lambda value: number_word(value) if value else "no limit",
        ),
        wire={"table": "max_deals"},
    )
    """The largest number of deals in a match to a target; 0 for no limit (D23)."""

    match_end: Literal["deal", "at_once"] = option(
        "The match",
        "D14",
        "target reached in mid-deal: deal or at_once",
        differs=one_of(
            "Target reached in mid-deal", deal="the deal is played out", at_once="deal and match end at once"
        ),
        core=("at_once", {"deal": False, "at_once": True}),
    )
    """Whether deal and match end as soon as the target is reached, or the match ends after the deal (D14)."""

    ties: Literal["deciding", "drawn"] = option(
        "The match",
        "R-MATCH-3",
        "deciding or drawn",
        differs=one_of(
            "Equal highest totals", deciding="deciding deals are played", drawn="the match is drawn"
        ),
    )
    """Whether equal highest totals are decided by further deals, or drawn (R-MATCH-3)."""

    match_bonus: int = option(
        "The match",
        "R-MATCH-4",
        "points to the best side",
        bounds=(0, 10_000),
        differs=("Bonus for the match", points_or("none")),
    )
    """The points for the best side (R-MATCH-4)."""

    settlement: Literal["difference", "totals", "none"] = option(
        "The match",
        "R-MATCH-4",
        "difference, totals, or none",
        differs=one_of(
            "Settlement",
            difference="the winner collects the difference",
            totals="the highest total wins and nothing is paid",
            none="totals and margins are reported, and nothing is paid",
        ),
    )
    """Whether the losers pay the winner the difference between the totals, or nothing (R-MATCH-4)."""

    draw_for_deal: Literal["low", "partners"] = option(
        "The match",
        "R-DEAL-1",
        "low: the lowest deals; partners: and the two lowest are",
        differs=one_of(
            "Draw for deal",
            low="the lowest card deals first",
            partners="the two lowest are partners, the lowest deals",
        ),
    )
    """Whether the draw for deal decides the dealer only, or partners too (R-DEAL-1)."""

    dealer_keeps_score: bool = option(
        "The match",
        "R-DEAL-5",
        "the first dealer keeps score",
        differs=yes_no("Keeping score", "the first dealer does", "anyone may"),
    )
    """Whether the first dealer keeps score (R-DEAL-5)."""


OPTIONS: tuple[OptionSpec, ...] = specs_of(RulesetOptions)
SECTIONS: tuple[tuple[str, tuple[OptionSpec, ...]], ...] = tuple(
    (section, tuple(options)) for section, options in groupby(OPTIONS, key=lambda spec: spec.section)
)
BY_FIELD: dict[str, OptionSpec] = {spec.field: spec for spec in OPTIONS}
IDENTITY: tuple[str, ...] = tuple(spec.field for spec in OPTIONS if spec.section == _IDENTITY)
"""Options that do not affect play; digests and comparisons leave them out."""
RULE_FIELDS: tuple[str, ...] = tuple(spec.field for spec in OPTIONS if spec.differs)
"""Options in which two games may differ."""

HOUSE_RULES: dict[str, HouseRule] = {
    rule.id: rule
    for rule in sorted((spec.house_rule for spec in OPTIONS if spec.house_rule), key=lambda rule: rule.id)
}
"""The house rules by id, sorted by id."""

_CORE = tuple((spec.core, spec.codes) for spec in OPTIONS if spec.core)
_core_options = attrgetter(*(spec.field for spec in OPTIONS if spec.core))


def core_values(rules: RulesetOptions) -> dict[str, int]:
    """Return the values of the attributes of the engine's `Core` that depend on a single option."""
    pairs = zip(_CORE, _core_options(rules), strict=True)
    return {name: codes[value] if codes else value for (name, codes), value in pairs}


def wire_values(rules: RulesetOptions, message: Message) -> dict[str, Any]:
    """Return the options that this message states, by their names in the message; tuples become lists."""
    fields = {spec.wire[message]: getattr(rules, spec.field) for spec in OPTIONS if message in spec.wire}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def stated(values: Mapping[str, object]) -> dict[str, object]:
    """Return the options that a text or a digest states: all that are not at their neutral value."""
    return {
        name: value
        for name, value in values.items()
        if (neutral := BY_FIELD[name].neutral) is MISSING or value != neutral
    }
