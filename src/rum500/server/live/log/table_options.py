"""The options of a table, their checks, and the rules that follow from them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from rum500.bots import UnknownBot
from rum500.bots.registry import registered
from rum500.rules.choices import check_choices
from rum500.rules.options import wire_values
from rum500.rules.problems import Problem, RulesetError, UnknownProfile
from rum500.rules.profiles import profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.server import messages
from rum500.server.config_types import BOT_PAUSE_MS, MAX_BOT_PAUSE_MS
from rum500.server.messages.base import HintLimit
from rum500.server.messages.http import DAY_S, LONGEST_TURN_S
from rum500.server.messages.table_error import TableError, has_sentence

USUAL_BANK_S = 120
"""The seconds in a bank if none are chosen, by a clock of less than a day."""


class Guest(Struct, frozen=True):
    """A person or an external bot: a unique id, and a name."""

    id: str
    name: str


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The options of a table; None stands for the profile's default."""

    profile: Annotated[str, Meta(min_length=1, max_length=60)]
    house_rules: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12)] = []
    variations: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=12)] = []
    players: Annotated[int, Meta(ge=2, le=8)] | None = None
    target: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    deals: Annotated[int, Meta(ge=1, le=1000)] | None = None
    """The number of deals, or the most deals of a match to a target."""
    private: bool = False
    turn_s: Annotated[int, Meta(ge=5, le=LONGEST_TURN_S)] | None = None
    """The clock's time for each turn; None: no clock."""
    bank_s: Annotated[int, Meta(ge=0, le=LONGEST_TURN_S)] | None = None
    """The clock's time for the match, used when a turn's own is used up; None: two minutes, or by a clock of
    days as long as a turn."""
    claim_s: Annotated[int, Meta(ge=1, le=60)] = 8
    """The time in which "Rummy!" may be called."""
    level: Annotated[str, Meta(min_length=1, max_length=40)] = "greedy"
    """The level of bots at empty seats and for absent people."""
    seats_drawn: bool | None = None
    """Whether seats are drawn by lot when the match begins."""
    leaver_s: Annotated[int, Meta(ge=0, le=86_400)] = 60
    """The time after which a bot plays for an absent person while somebody else waits; 0: never."""
    hints: HintLimit = "none"
    """The deepest hint that may be asked for while one person plays with bots."""
    hints_a_deal: Annotated[int, Meta(ge=1, le=99)] | None = None
    """The number of decisions of a deal for which hints may be asked; None: all."""
    bot_pause_ms: Annotated[int, Meta(ge=0, le=MAX_BOT_PAUSE_MS)] = BOT_PAUSE_MS
    """The time that a bot waits before each play, so that people can follow."""

    @property
    def daily(self) -> bool:
        """Whether the clock counts days: it runs by the calendar then, even while nobody is connected."""
        return self.turn_s is not None and self.turn_s >= DAY_S

    @property
    def bank(self) -> int:
        """The seconds in each player's bank when the match begins."""
        if self.bank_s is not None:
            return self.bank_s
        return self.turn_s if self.daily and self.turn_s is not None else USUAL_BANK_S

    @property
    def window(self) -> int:
        """The seconds in which "Rummy!" may be called: by a clock of days those of a turn."""
        return self.turn_s if self.daily and self.turn_s is not None else self.claim_s


def rules_for(options: TableOptions) -> tuple[Ruleset, int]:
    """Return the rules in force and the number of players. Raises `TableError` for an impossible option."""
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


def check_level(level: str, key: str | None = None) -> str:
    """Return a bot's level as it is registered. Raises `TableError` if there is no such level."""
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
    """Return these rules with a table's choices; most tables make the same few."""
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
    """Return the refusal of a house rule or variation, in the words for players if there are such."""
    code = f"option.{problem.code.lower().replace('-', '_')}"
    key = "variations" if problem.code.startswith("variation") else "house_rules"
    if has_sentence(code):
        return TableError(code, key=key)
    return TableError("option.house_rules", str(problem), key)


def _usual(rules: Ruleset) -> int:
    return 4 if 4 in rules.players else rules.players[0]


def seats_drawn(options: TableOptions, rules: Ruleset) -> bool:
    """Return whether seats are drawn by lot; if there are sides, the rules of the draw for deal decide."""
    return rules.draw_for_deal == "partners" if rules.sides else bool(options.seats_drawn)


def table_info(
    options: TableOptions, rules: Ruleset, players: int, tried: messages.TriedFrom | None = None
) -> messages.TableInfo:
    """Return the options in the form of the protocol, with the properties of the rules that a page needs."""
    return messages.TableInfo(
        profile=rules.name,
        house_rules=list(rules.house_rules),
        variations=list(rules.variations),
        players=players,
        private=options.private,
        turn_s=options.turn_s,
        bank_s=options.bank,
        claim_s=options.window,
        level=options.level,
        seats_drawn=seats_drawn(options, rules),
        leaver_s=options.leaver_s,
        hints=options.hints,
        hints_a_deal=options.hints_a_deal,
        tried=tried,
        **wire_values(rules, "table"),
    )
