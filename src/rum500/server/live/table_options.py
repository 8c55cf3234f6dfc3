"""The options of a table, their checks, and the rules that follow from them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500 import bots
from rum500.rules.options import wire_values
from rum500.rules.problems import RulesetError, UnknownProfile
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.server import messages
from rum500.server.messages.table_error import TableError


class Guest(Struct, frozen=True):
    """A person or an external bot: a unique id, and a name."""

    id: str
    name: str


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The options of a table; None stands for the profile's default."""

    profile: Annotated[str, Meta(min_length=1, max_length=60)]
    house_rules: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12)] = []
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    target: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    private: bool = False
    turn_s: Annotated[int, Meta(ge=5, le=86_400)] | None = None
    """The clock's time for each turn; None: no clock."""
    bank_s: Annotated[int, Meta(ge=0, le=86_400)] = 120
    """The clock's time for the match, used when a turn's own is used up."""
    claim_s: Annotated[int, Meta(ge=1, le=60)] = 8
    """The time in which "Rummy!" may be called."""
    level: Annotated[str, Meta(min_length=1, max_length=40)] = "greedy"
    """The level of bots at empty seats and for absent people."""
    seats_drawn: bool | None = None
    """Whether seats are drawn by lot when the match begins."""
    leaver_s: Annotated[int, Meta(ge=0, le=86_400)] = 60
    """The time after which a bot plays for an absent person while somebody else waits; 0: never."""
    bot_pause_ms: Annotated[int, Meta(ge=0, le=10_000)] = 700
    """The time that a bot waits before each play, so that people can follow."""


def rules_for(options: TableOptions) -> tuple[Ruleset, int]:
    """Return the rules in force and the number of players. Raises `TableError` for an impossible option."""
    try:
        rules = ruleset(options.profile)
    except UnknownProfile as error:
        raise TableError("profile.unknown", str(error), "profile") from None
    rules = _changed(rules, options)
    players = options.players or _usual(rules)
    if players not in rules.players:
        raise TableError(
            "option.players", key="players", parts=messages.ReasonParts(players=list(rules.players))
        )
    check_level(options.level, "level")
    return rules, players


def check_level(level: str, key: str | None = None) -> str:
    """Return a bot's level as it is registered. Raises `TableError` if there is no such level."""
    try:
        return bots.get(level).name
    except bots.UnknownBot as error:
        raise TableError("bot.unknown", str(error), key) from None


def _changed(rules: Ruleset, options: TableOptions) -> Ruleset:
    try:
        if options.house_rules:
            rules = rules.with_house_rules(*options.house_rules)
    except RulesetError as error:
        raise TableError("option.house_rules", str(error), "house_rules") from None
    if options.target is not None:
        if rules.match != "target":
            message = f"a match of {rules.title} is over a number of deals and has no target"
            raise TableError("option.target", message, "target")
        try:
            rules = rules.replace(target=options.target)
        except RulesetError as error:
            raise TableError("option.target", str(error), "target") from None
    if options.seats_drawn is not None and rules.sides:
        rules = rules.replace(draw_for_deal="partners" if options.seats_drawn else "low")
    return rules


def _usual(rules: Ruleset) -> int:
    return 4 if 4 in rules.players else rules.players[0]


def seats_drawn(options: TableOptions, rules: Ruleset) -> bool:
    """Return whether seats are drawn by lot; if there are sides, the rules of the draw for deal decide."""
    return rules.draw_for_deal == "partners" if rules.sides else bool(options.seats_drawn)


def table_info(options: TableOptions, rules: Ruleset, players: int) -> messages.TableInfo:
    """Return the options in the form of the protocol, with the properties of the rules that a page needs."""
    return messages.TableInfo(
        profile=rules.name,
        house_rules=list(rules.house_rules),
        players=players,
        private=options.private,
        turn_s=options.turn_s,
        bank_s=options.bank_s,
        claim_s=options.claim_s,
        level=options.level,
        seats_drawn=seats_drawn(options, rules),
        leaver_s=options.leaver_s,
        **wire_values(rules, "table"),
    )
