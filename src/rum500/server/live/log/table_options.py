"""The options of a table: their checks, and the rules that follow from the options."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from rum500.bots import UnknownBot
from rum500.bots.registry import registered
from rum500.rules.choices import check_choices
from rum500.rules.options import wire_values
from rum500.rules.problems import Problem, RulesetError, UnknownProfile
from rum500.rules.profiles import profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.server import messages
from rum500.server.messages.options import TableOptions
from rum500.server.messages.table_error import TableError, has_sentence


class Guest(Struct, frozen=True):
    """A person or an external bot: a unique id, and a name."""

    id: str
    name: str


def rules_for(options: TableOptions) -> tuple[Ruleset, int]:
    """Return the rules in force and the number of players. Raises `TableError` for an invalid option."""
    try:
        rules = profile_rules(options.profile)
    except UnknownProfile as error:
        raise TableError("profile.unknown", str(error), "profile") from None
    players = options.players or _usual(rules)
    if players not in rules.players:
        raise TableError(
            "option.players", key="players", parts=messages.ReasonParts(players=list(rules.players))
        )
    house = tuple([id_.upper() for id_ in options.house_rules])
    varied, drawn = tuple(options.variations), options.seats_drawn
    rules = _changed(rules, players, house, varied, options.target, options.deals, drawn)
    if rules.blind_claims and options.daily:
        raise TableError("option.blind_claims_days", key="turn_s")
    check_level(options.level, "level")
    return rules, players


CheckLevel = Callable[[str, Ruleset, int, str | None], str]
"""Returns the registered form of a level's name; raises `TableError` if such bots cannot play here, in this
game with this number of players."""


def check_level_of_game(level: str, _rules: Ruleset, _players: int, key: str | None = None) -> str:
    """Return a level's name as registered, as `check_level`: on a server all levels can play in all games."""
    return check_level(level, key)


def check_level(level: str, key: str | None = None) -> str:
    """Return a level's name as registered. Raises `TableError`, for option `key`, if the level is unknown."""
    try:
        return registered(level)
    except UnknownBot as error:
        raise TableError("bot.unknown", str(error), key) from None


@lru_cache(256)
def _changed(
    rules: Ruleset,
    players: int,
    house: tuple[str, ...],
    varied: tuple[str, ...],
    target: int | None,
    deals: int | None,
    drawn: bool | None,
) -> Ruleset:
    """Return the rules with a table's choices. Results are cached, since most tables choose the same."""
    try:
        rules, plain = rules.changed(variations=varied, house_rules=house), rules
        check_choices(plain, [*house, *varied], players)
    except RulesetError as error:
        raise choice_refused(error.problems[0]) from None
    if target is not None:
        if rules.match != "target":
            message = f"a match of {rules.title} is over a number of deals and has no target"
            raise TableError("option.target", message, "target")
        try:
            rules = rules.replace(target=target)
        except RulesetError as error:
            raise TableError("option.target", str(error), "target") from None
    if deals is not None:
        rules = rules.changed(options={rules.deals_option: deals})
    if drawn is not None and rules.sides:
        rules = rules.replace(draw_for_deal="partners" if drawn else "low")
    return rules


def choice_refused(problem: Problem) -> TableError:
    """Return the error for a refused house rule or variation, with the sentence for players if one exists."""
    code = f"option.{problem.code.lower().replace('-', '_')}"
    key = "variations" if problem.code.startswith("variation") else "house_rules"
    if has_sentence(code):
        return TableError(code, key=key)
    return TableError("option.house_rules", str(problem), key)


def _usual(rules: Ruleset) -> int:
    return 4 if 4 in rules.players else rules.players[0]


def seats_drawn(options: TableOptions, rules: Ruleset) -> bool:
    """Return whether seats are drawn by lot. If there are sides, the rules of the draw for deal decide."""
    return rules.draw_for_deal == "partners" if rules.sides else bool(options.seats_drawn)


def table_info(
    options: TableOptions, rules: Ruleset, players: int, tried: messages.TriedFrom | None = None
) -> messages.TableInfo:
    """Return the options in the form of the protocol, with the properties of the rules that a page needs."""
    chosen = {name: getattr(options, name) for name in messages.TableChoices.__struct_fields__}
    chosen |= wire_values(rules, "table")
    chosen |= {
        "profile": rules.name,
        "house_rules": list(rules.house_rules),
        "variations": list(rules.variations),
        "players": players,
        "bank_s": options.bank,
        "claim_s": options.window,
        "seats_drawn": seats_drawn(options, rules),
    }
    return messages.TableInfo(**chosen, tried=tried)
