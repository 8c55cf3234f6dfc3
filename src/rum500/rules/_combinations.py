"""Checks for options that contradict each other. They yield problems, each with a way to correct it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rum500.rules._profile_files import profile_option
from rum500.rules.options import BY_FIELD, RulesetOptions
from rum500.rules.problems import Problem

__all__ = ["CHECKS", "two_packs_possible"]

Check = Callable[[RulesetOptions], Iterator[Problem]]
CHECKS: list[tuple[tuple[str, ...], Check]] = []
"""Each check with the options that it reads. A check runs only if all these options have valid values."""


def two_packs_possible(rules: RulesetOptions) -> bool:
    """Return whether some allowed number of players uses two packs."""
    return 0 < rules.second_pack_from <= max(rules.players)


def _reads(*fields: str) -> Callable[[Check], Check]:
    """Return a decorator that adds a check to `CHECKS`; `fields` are the options that the check reads."""

    def register(check: Check) -> Check:
        CHECKS.append((fields, check))
        return check

    return register


def _no(code: str, field: str, message: str, rule: str = "") -> Problem:
    return Problem(code, field, rule or BY_FIELD[field].rule, message)


@_reads("name", "aliases")
def _alias_is_name(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.name in rules.aliases:
        yield _no("alias", "aliases", f'names the rule set itself, "{rules.name}"; leave that one out')


@_reads("sides", "players", "draw_for_deal")
def _sides(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.sides == 1:
        yield _no("sides", "sides", "one side has nobody to play against; use 2, or 0 for no sides")
    if rules.sides == 2 and rules.players != (4,):
        yield _no(
            "sides-players",
            "players",
            "two sides need four players, two and two; set players to 4 alone, or sides to 0",
        )
    if rules.draw_for_deal == "partners" and rules.sides != 2:
        yield _no(
            "partners-sides",
            "draw_for_deal",
            "the draw can make partners only where there are two "
            'sides; set sides to 2, or draw_for_deal to "low"',
        )


@_reads("second_pack_from", "same_suit_in_sets")
def _packs(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.second_pack_from == 1:
        yield _no(
            "second-pack",
            "second_pack_from",
            "nobody plays alone; use 2 for two packs always, or 0 for one pack always",
        )
    if rules.same_suit_in_sets and rules.second_pack_from == 0:
        yield _no(
            "same-suit-one-pack",
            "same_suit_in_sets",
            "one pack holds no card twice; set it to false, "
            "or second_pack_from to the number of players from whom on there are two packs",
        )


@_reads("jokers", "joker_kind", "joker_points")
def _jokers(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.joker_kind == "none":
        if rules.jokers:
            yield _no(
                "jokers-kind",
                "joker_kind",
                f'is "none", but there are {rules.jokers} jokers in each '
                'pack; set it to "wild" or "rank", or jokers to 0',
            )
        if rules.joker_points:
            yield _no("jokers-points", "joker_points", "there are no jokers to count; set it to 0")
        return
    if not rules.jokers:
        yield _no(
            "jokers-number",
            "jokers",
            f'is 0, but joker_kind is "{rules.joker_kind}"; set jokers to 1 or more, or joker_kind to "none"',
        )
    elif not rules.joker_points:
        yield _no(
            "jokers-points",
            "joker_points",
            "a joker must count something; set it to 1 or more "
            "(15 is usual for a wild joker, 20 for one with a rank of its own)",
        )
    if rules.joker_kind == "wild" and rules.jokers > 2:
        yield _no(
            "jokers-wild",
            "jokers",
            'at most two jokers in each pack may be wild; set it to 1 or 2, or joker_kind to "rank"',
            "R-MELD-5",
        )
    if rules.joker_kind == "rank" and rules.jokers in (1, 2):
        yield _no(
            "jokers-rank",
            "jokers",
            "jokers of their own rank meld in threes and fours only; set it to 3 or 4",
        )


@_reads("joker_kind", "second_pack_from", "players")
def _rank_jokers_in_two_packs(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.joker_kind == "rank" and two_packs_possible(rules):
        yield _no(
            "jokers-two-packs",
            "second_pack_from",
            "jokers of their own rank are for one pack; set it "
            "to 0, or take the large numbers out of players",
        )


@_reads("jokers", "joker_kind", "unnamed_jokers", "second_pack_from", "players")
def _unnamed_jokers(rules: RulesetOptions) -> Iterator[Problem]:
    if not rules.unnamed_jokers:
        return
    if rules.joker_kind != "wild":
        yield _no(
            "H3-no-wild-jokers",
            "unnamed_jokers",
            "H3 is about wild jokers and there are none; leave "
            'H3 out, or add wild jokers (jokers = 2, joker_kind = "wild", joker_points = 15)',
        )
    elif rules.jokers == 1 and not two_packs_possible(rules):
        yield _no(
            "H3-one-joker",
            "unnamed_jokers",
            "H3 is about sets with two jokers and there is only one joker; leave H3 out, or set jokers to 2",
        )


@_reads("players", "second_pack_from", "jokers", "hand", "hand_two")
def _hands_fit(rules: RulesetOptions) -> Iterator[Problem]:
    fitting: dict[str, tuple[int, int, int]] = {}
    for players in rules.players:
        packs = 2 if 0 < rules.second_pack_from <= players else 1
        cards = packs * (52 + rules.jokers)
        field = "hand_two" if players == 2 else "hand"
        fits = (cards - 1) // players, players, cards
        fitting[field] = min(fitting.get(field, fits), fits)
    for field, (most, players, cards) in fitting.items():
        if getattr(rules, field) > most:
            yield _no(
                "hands-too-large",
                field,
                f"{getattr(rules, field)} cards for each of {players} players and "
                f"one to turn up are more than the {cards} there are; set it to {most} at most",
            )


@_reads("ace", "ace_low")
def _low_ace(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.ace == "high" and rules.ace_low:
        yield _no(
            "ace-high-only",
            "ace_low",
            'no ace is ever low where the ace is high only; set ace_low to 0, or ace to "both"',
        )
    if rules.ace == "both" and not rules.ace_low:
        yield _no(
            "ace-low-worthless", "ace_low", "a low ace must count something; set it to 1 (as its pip) or 5"
        )


@_reads("name", "top_rule_is_house")
def _house_rule_of_the_game(rules: RulesetOptions) -> Iterator[Problem]:
    """Refuse H1 in a profile whose own rules include it: there it is not a house rule."""
    if rules.top_rule_is_house and profile_option(rules.name, "top_must_meld"):
        yield _no(
            "H1-already",
            "top_rule_is_house",
            f"in {rules.name} the top discard, taken alone, must be melded by the game's own rule, which is "
            "no house rule there; set it to false",
        )


@_reads("top_must_meld", "top_rule_is_house", "keep_upcard", "upcard_free_when_stock_empty", "stock_out")
def _top_discard(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.top_rule_is_house and not rules.top_must_meld:
        yield _no(
            "H1-not-set",
            "top_rule_is_house",
            "says that H1 is in force, but top_must_meld is false; set both, or neither",
        )
    if rules.keep_upcard and rules.top_must_meld:
        yield _no(
            "H4-top-must-meld",
            "keep_upcard",
            "H4 could never apply: the top discard, taken alone, "
            "must be melded at once and so is never there to discard; leave H4 out",
        )
    if not rules.upcard_free_when_stock_empty:
        return
    if rules.top_must_meld:
        yield _no(
            "upcard-free-top-must-meld",
            "upcard_free_when_stock_empty",
            "the top discard must always be melded here; set it to false, or top_must_meld to false",
        )
    if rules.stock_out == "pass":
        yield _no(
            "upcard-free-pass",
            "upcard_free_when_stock_empty",
            "where players may pass, an empty stock "
            'leaves a choice of melding from the pile or passing; set it to false, or stock_out to "end"',
            "D6",
        )


@_reads("claim", "blind_claims")
def _blind_claims(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.blind_claims and not rules.claim:
        yield _no(
            "blind-claims-no-claim", "blind_claims", "nobody calls here; add H6 (claim), or set it to false"
        )


@_reads("match", "match_end", "count", "max_deals")
def _match(rules: RulesetOptions) -> Iterator[Problem]:
    if rules.match_end == "at_once" and rules.count != "as_laid":
        yield _no(
            "at-once-not-counted",
            "match_end",
            "a match can end in mid-deal only where points count as "
            'they are laid; set match_end to "deal", or count to "as_laid"',
        )
    if rules.match_end == "at_once" and rules.match != "target":
        yield _no(
            "at-once-no-target",
            "match_end",
            "a match of a fixed number of deals has no target to reach in "
            'mid-deal; set match_end to "deal", or match to "target"',
        )
    if rules.match == "deals" and rules.max_deals:
        yield _no(
            "max-deals",
            "max_deals",
            'the match has a fixed number of deals already; set it to 0, or match to "target"',
        )


@_reads("match", "target", "deals", "restock", "restock_limit")
def _idle(rules: RulesetOptions) -> Iterator[Problem]:
    """Refuse a value other than the default for an option that has no effect in this rule set."""
    if rules.match == "deals" and rules.target != 500:
        yield _no(
            "idle",
            "target",
            "the match is over a number of deals and has no target; set match to "
            '"target" too, or target back to 500',
        )
    if rules.match == "target" and rules.deals != 2:
        yield _no(
            "idle",
            "deals",
            "the match is to a target, not over a number of deals; set match to "
            '"deals" too, or deals back to 2 (max_deals bounds a match to a target)',
        )
    if not rules.restock and rules.restock_limit != 2:
        yield _no(
            "idle", "restock_limit", "no new stock is ever made; turn H5 on (restock), or set it back to 2"
        )
