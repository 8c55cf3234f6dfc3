"""Rule sets: one game of the family as plain frozen data.

>>> from rum500.rules.profiles import ruleset
>>> rules = ruleset("Rummy 500", house_rules=("H5",))
>>> rules.jokers, rules.joker_kind, rules.house_rules
(2, 'wild', ('H5',))
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

from rum500.cards import pack
from rum500.rules import _validation, differences, toml_text
from rum500.rules.differences import Difference
from rum500.rules.english import numbers
from rum500.rules.named_variations import add_house_rules, add_variations, in_force, variations_in_force
from rum500.rules.option_types import OptionTypes
from rum500.rules.options import BY_FIELD, RulesetOptions
from rum500.rules.problems import Problem, RulesetError, WrongTypeOfOption

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ruleset(RulesetOptions):
    """One game of the family: the value of every rule in which profiles, house rules and variations differ.

    Every instance is valid: making an impossible one raises `RulesetError`, whose `problems` list everything
    that is wrong with it. The options and their ranges are declared in `rules/options.py`.
    """

    def __post_init__(self) -> None:
        for name, value in self.options().items():
            if hasattr(value, "item"):  # a number of numpy
                object.__setattr__(self, name, value.item())
        problems = self.validate()
        if problems:
            raise _error(problems)

    def __repr__(self) -> str:
        """Return the name, with the house rules and variations in force."""
        return f"<Ruleset {' '.join((self.name, *self.changes)):.100}>"

    def validate(self) -> tuple[Problem, ...]:
        """Return all problems of this rule set; empty for any instance that exists."""
        return _validation.problems_in(self.options())

    def options(self) -> dict[str, object]:
        """Return every option and its value, in order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    # Cards and seats

    def check_players(self, players: int) -> None:
        """Raise `RulesetError` (code "players") if the game does not allow this number of players."""
        if index(players) not in self.players:
            allowed = numbers(self.players)
            message = f"{self.title or self.name} is for {allowed} players, not {players}"
            raise RulesetError([Problem("players", "players", BY_FIELD["players"].rule, message)])

    def packs(self, players: int) -> int:
        """Return the number of packs for this number of players, 1 or 2."""
        self.check_players(players)
        return 2 if 0 < self.second_pack_from <= players else 1

    def hand_size(self, players: int) -> int:
        """Return the number of cards dealt to each player."""
        self.check_players(players)
        return self.hand_two if players == 2 else self.hand

    def deck(self, players: int) -> list[int]:
        """Return the codes of all cards in play, in canonical order, one pack after the other."""
        return pack(self.jokers) * self.packs(players)

    def side(self, seat: int) -> int:
        """Return the number of a seat's side. Partners sit opposite; without sides each seat is a side."""
        return seat % 2 if self.sides else seat

    @property
    def deals_option(self) -> str:
        """The name of the option that limits the number of deals: `deals`, or `max_deals` with a target."""
        return "deals" if self.match == "deals" else "max_deals"

    # Changes

    @property
    def house_rules(self) -> tuple[str, ...]:
        """The house rules in force, "H1" to "H6"; a profile's own rules are not among them."""
        return in_force(self)

    @property
    def variations(self) -> tuple[str, ...]:
        """The names of the variations in which this rule set differs from the profile of its name.

        >>> from rum500.rules.profiles import ruleset
        >>> ruleset("500-rummy", variations=("pips",)).variations
        ('pips',)
        """
        return variations_in_force(self)

    @property
    def changes(self) -> tuple[str, ...]:
        """The names of the variations and the ids of the house rules in force."""
        return (*self.variations, *self.house_rules)

    def with_house_rules(self, *ids: str) -> Ruleset:
        """Return this rule set with house rules added to those in force.

        >>> from rum500.rules.profiles import ruleset
        >>> ruleset("rummy-500").with_house_rules("H1", "H6").house_rules
        ('H1', 'H6')
        """
        return self.changed(house_rules=ids)

    def with_variations(self, *names: str) -> Ruleset:
        """Return this rule set with named variations (see `variations()`) added, such as "pips"."""
        return self.changed(variations=names)

    def replace(self, **changes: Unpack[OptionTypes]) -> Ruleset:
        """Return this rule set with changed options. It is validated; lists are converted to tuples."""
        return self.changed(options=changes)

    def changed(
        self,
        *,
        variations: Iterable[str] = (),
        house_rules: Iterable[str] = (),
        options: Mapping[str, object] = MappingProxyType({}),
    ) -> Ruleset:
        """Return this rule set with all of these changes together. Only the result has to be valid.

        An option in `options` overrides a variation; it may not contradict a house rule.
        """
        found = [_validation.unknown_option(key) for key in options if key not in BY_FIELD]
        wanted = {key: _tupled(value) for key, value in options.items() if key in BY_FIELD}
        values, varied = add_variations(self.options(), _names(variations))
        values.update(wanted)
        values, housed = add_house_rules(values, _names(house_rules), wanted)
        if values["top_must_meld"] is False and "top_rule_is_house" not in wanted:
            values["top_rule_is_house"] = False
        return _made(values, [*found, *varied, *housed])

    # Text

    def to_toml(self) -> str:
        """Return this rule set as TOML with comments, in a fixed order; `from_toml` reads it."""
        return toml_text.write(self.options())

    @classmethod
    def from_toml(cls, text: str) -> Ruleset:
        """Return the rule set in a TOML text.

        Options with a default may be left out. Raises `RulesetError` with every unknown or missing key, wrong
        value and impossible combination, each with its line (a syntax error also with its column). Missing
        keys come last.
        """
        if not isinstance(text, str):
            raise TypeError(f"the TOML of a rule set is a text, not {text!r}")
        needed = (f.name for f in fields(cls) if f.default is MISSING)
        return _made(*toml_text.read(text, needed), text)

    def diff(self, other: Ruleset) -> tuple[Difference, ...]:
        """Return the differences in the rules, option by option; names, titles and sources are ignored."""
        return differences.differences(self, other)


def _made(values: dict[str, object], found: list[Problem], text: str | None = None) -> Ruleset:
    if not found:
        try:
            return Ruleset(**values)  # type: ignore[arg-type]
        except RulesetError as error:
            found = [*error.problems]
    elif not any(problem.code == "syntax" for problem in found):
        defaults = {f.name: f.default for f in fields(Ruleset) if f.default is not MISSING}
        found = [*found, *_validation.problems_in({**defaults, **values})]
    raise _error(found) if text is None else RulesetError(toml_text.place(found, text))


def _error(problems: Iterable[Problem]) -> RulesetError:
    """Return the error for these problems of options given in Python: `WrongTypeOfOption` for wrong types."""
    found = tuple(problems)
    wrong = any(problem.code == "type" for problem in found)
    return WrongTypeOfOption(found) if wrong else RulesetError(found)


def check_ruleset(rules: object) -> None:
    """Raise `TypeError` if this is not a `Ruleset`, for example only the name of one."""
    if not isinstance(rules, Ruleset):
        raise TypeError(f"expected a Ruleset, as rum500.ruleset returns it, found {rules!r}")


def _tupled(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
