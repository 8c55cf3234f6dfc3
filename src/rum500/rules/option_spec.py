"""The declaration of one option of a rule set: its values, its texts, and its names in the engine and in
messages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from rum500.rules.english import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

Clause = tuple[str, Callable[..., str]]
Message = Literal["profile", "table"]
"""The messages that state options: a game in the catalogue, and the options of a table."""


def one_of(topic: str, **clauses: str) -> Clause:
    """Return the wording of an option that has one text for each choice."""
    return topic, clauses.__getitem__


def yes_no(topic: str, on: str, off: str) -> Clause:
    """Return the wording of an option that is on or off, where 0 is off."""
    return topic, lambda value: on if value else off


def points_or(none: str) -> Callable[[int], str]:
    """Return a function that converts a number of points to text; the text for 0 is `none`."""
    return lambda value: amount(value) if value else none


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule: a name for setting one option to one value."""

    id: str
    """The id that selects it, such as "H1"."""
    title: str
    """The rule in a sentence."""
    value: object
    """The value to which it sets its option."""
    field: str = ""
    """The option that it sets; filled in when `OPTIONS` is built."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """The specification of one option: its possible values, its texts, and its names in the engine and in
    messages.
    """

    field: str
    """The name of the option."""
    kind: str
    """One of "str", "bool", "int", "ints", "strs"."""
    choices: tuple[str, ...]
    """The allowed texts; empty if any text is allowed."""
    section: str
    """The heading of its group in a TOML text."""
    rule: str
    """The rule or decision that it varies; empty if there is none."""
    comment: str
    """The comment in a TOML text."""
    low: int
    """The smallest number allowed, for an integer or for each item of a list."""
    high: int
    """The largest number allowed."""
    neutral: object
    """The value at which texts and digests omit the option; MISSING if they always state it."""
    differs: Clause | None
    """The topic of a difference in this option, and a function that puts a value into words. None if
    differences are not reported.
    """
    house_rule: HouseRule | None
    """The house rule that sets the option, if any."""
    wire: Mapping[Message, str]
    """The name of the option in each message that states it."""
    core: str
    """The attribute of the engine's `Core` that takes the value; empty if there is none."""
    codes: Mapping[object, int]
    """The number that stands for each value in that attribute; empty if the value itself does."""


def option(  # noqa: PLR0913 - one keyword for each thing that is derived
    section: str,
    rule: str,
    comment: str,
    *,
    default: object = MISSING,
    differs: Clause | None = None,
    house_rule: HouseRule | None = None,
    core: str | tuple[str, Mapping[object, int]] = "",
    wire: Mapping[Message, str] = MappingProxyType({}),
    bounds: tuple[int, int] = (0, 0),
    neutral: object = MISSING,
) -> Any:
    """Declare an option: return a field of `RulesetOptions` that carries its specification.

    Type and choices come from the annotation. An option without `default` must be stated in a TOML text.
    `neutral` is for options that are added after records exist: it is the default too, and at this value the
    option is left out of TOML texts and of the digest, so that old records and tables stay valid. `differs`
    is for sentences that compare two rule sets. `core` names the attribute of the engine that takes the
    value, if necessary with the number that stands there for each value. `wire` names the option in messages
    to the page.
    """
    spec = {
        "section": section,
        "rule": rule,
        "comment": comment,
        "low": bounds[0],
        "high": bounds[1],
        "neutral": neutral,
        "differs": differs,
        "house_rule": house_rule,
        "wire": wire,
        "core": core if isinstance(core, str) else core[0],
        "codes": {} if isinstance(core, str) else core[1],
    }
    return field(default=default if neutral is MISSING else neutral, metadata=spec)


_KINDS = {str: "str", bool: "bool", int: "int", tuple[int, ...]: "ints", tuple[str, ...]: "strs"}


def specs_of(options: type) -> tuple[OptionSpec, ...]:
    """Return the specifications of the options of this dataclass, in order."""
    types = get_type_hints(options)
    return tuple(_spec(one.name, types[one.name], one.metadata) for one in fields(options))


def _spec(name: str, type_: Any, metadata: Mapping[str, Any]) -> OptionSpec:
    choices = get_args(type_) if get_origin(type_) is Literal else ()
    house_rule = metadata["house_rule"] and replace(metadata["house_rule"], field=name)
    kind = "str" if choices else _KINDS[type_]
    return OptionSpec(name, kind, choices, **{**metadata, "house_rule": house_rule})
