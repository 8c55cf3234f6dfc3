"""The options of a rule set: type, range, rule and place of each, in the order they are told."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BY_FIELD", "IDENTITY", "OPTIONS", "RULE_FIELDS", "SECTIONS", "Option"]


@dataclass(frozen=True, slots=True)
class Option:
    """What one field of a `Ruleset` may hold.

    `kind` is one of "str", "bool", "int", "ints", "strs"; `choices` bounds a string, `low` and `high` an
    integer (or each of several); `rule` is the rule or decision that the option turns; `comment` is what a
    TOML file says beside it.
    """

    field: str
    kind: str
    rule: str
    comment: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


SECTIONS: tuple[tuple[str, tuple[Option, ...]], ...] = (
    (
        "Who it is",
        (
            Option("name", "str", "", "lower case, digits and hyphens"),
            Option("title", "str", "", "as a page heads it"),
            Option("source", "str", "", "H, F, R, G, or empty", choices=("H", "F", "R", "G", "")),
            Option("sources", "strs", "", "the texts it is from"),
            Option("aliases", "strs", "", "other names to ask for it by"),
            Option("summary", "str", "", "the game in a sentence"),
        ),
    ),
    (
        "Table and cards",
        (
            Option("players", "ints", "D1", "the numbers of players allowed, 2 to 8", low=2, high=8),
            Option("sides", "int", "R-MATCH-5", "0: each for themselves; 2: two sides", low=0, high=2),
            Option(
                "second_pack_from",
                "int",
                "D1",
                "players from whom on two packs are used; 0: never",
                low=0,
                high=8,
            ),
            Option("jokers", "int", "R-MELD-4", "in each pack", low=0, high=4),
            Option(
                "joker_kind",
                "str",
                "R-MELD-4",
                "none, wild, or rank",
                choices=("none", "wild", "rank"),
            ),
            Option("hand", "int", "R-DEAL-2", "cards dealt to each", low=1, high=51),
            Option("hand_two", "int", "R-DEAL-2", "cards dealt to each of two players", low=1, high=51),
        ),
    ),
    (
        "Melds",
        (
            Option("ace", "str", "R-MELD-2", "ace in runs: both or high", choices=("both", "high")),
            Option("same_suit_in_sets", "bool", "D2", "two packs: a set may hold a suit twice"),
            Option("unnamed_jokers", "bool", "H3", "H3: two jokers in a set are not named"),
        ),
    ),
    (
        "The turn",
        (
            Option("top_must_meld", "bool", "R-DRAW-4", "the top discard, taken alone, must be melded"),
            Option("top_rule_is_house", "bool", "H1", "H1: it must by a house rule"),
            Option("keep_upcard", "bool", "H4", "H4: it may not be discarded in the same turn"),
            Option("claim", "bool", "H6", 'H6: calling "Rummy!"'),
        ),
    ),
    (
        "How a deal ends",
        (
            Option(
                "go_out",
                "str",
                "R-END-1",
                "either, meld, or discard (H2: floaters)",
                choices=("either", "meld", "discard"),
            ),
            Option("stock_out", "str", "D5", "stock empty: end or pass", choices=("end", "pass")),
            Option("restock", "bool", "H5", "H5: the pile becomes a new stock"),
            Option("upcard_free_when_stock_empty", "bool", "D5", "the top discard need not be melded then"),
            Option(
                "restock_limit", "int", "D7", "restocks with no card laid since the first", low=1, high=99
            ),
            Option("no_progress_rounds", "int", "D7", "rounds without progress", low=1, high=99),
        ),
    ),
    (
        "Points",
        (
            Option("low_cards", "str", "R-SCORE-2", "2 to 9: pips or five", choices=("pips", "five")),
            Option("ace_low", "int", "D8", "an ace melded low; 0: none can be", low=0, high=15),
            Option("joker_points", "int", "R-SCORE-2", "melded, or minus when held", low=0, high=100),
            Option(
                "doubles",
                "str",
                "R-SCORE-3",
                "four laid at once: none, sets, or melds",
                choices=("none", "sets", "melds"),
            ),
            Option("count", "str", "R-SCORE-4", "deal_end or as_laid", choices=("deal_end", "as_laid")),
            Option("going_out_bonus", "int", "D12", "points to whoever goes out", low=0, high=10_000),
            Option(
                "hands",
                "str",
                "R-SCORE-1",
                "cards held: against the holder, or for the winner",
                choices=("holder", "winner"),
            ),
        ),
    ),
    (
        "The match",
        (
            Option("match", "str", "R-MATCH-1", "target or deals", choices=("target", "deals")),
            Option(
                "target", "int", "R-MATCH-1", "points, where the match is to a target", low=1, high=1_000_000
            ),
            Option("deals", "int", "R-MATCH-1", "where the match is over deals", low=1, high=1_000),
            Option(
                "max_deals",
                "int",
                "D23",
                "the most deals of a match to a target; 0: no limit",
                low=0,
                high=1_000_000,
            ),
            Option(
                "match_end",
                "str",
                "D14",
                "target reached in mid-deal: deal or at_once",
                choices=("deal", "at_once"),
            ),
            Option("ties", "str", "R-MATCH-3", "deciding or drawn", choices=("deciding", "drawn")),
            Option("match_bonus", "int", "R-MATCH-4", "points to the best side", low=0, high=10_000),
            Option(
                "settlement",
                "str",
                "R-MATCH-4",
                "difference, totals, or none",
                choices=("difference", "totals", "none"),
            ),
            Option(
                "draw_for_deal",
                "str",
                "R-DEAL-1",
                "low: the lowest deals; partners: and the two lowest are",
                choices=("low", "partners"),
            ),
            Option("dealer_keeps_score", "bool", "R-DEAL-5", "the first dealer keeps score"),
        ),
    ),
)

OPTIONS: tuple[Option, ...] = tuple(option for _, options in SECTIONS for option in options)
BY_FIELD: dict[str, Option] = {option.field: option for option in OPTIONS}
IDENTITY: tuple[str, ...] = ("name", "title", "source", "sources", "aliases", "summary")
RULE_FIELDS: tuple[str, ...] = tuple(
    option.field for option in OPTIONS if option.field not in (*IDENTITY, "top_rule_is_house")
)
