"""The rule set that a command is about: a profile by name or a TOML file, with what is changed in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from rum500.cli._errors import UserError, one_line
from rum500.rules.ruleset import Ruleset, RulesetError, ruleset

Profile = Annotated[str, Parameter(help="A profile's name or alias, or a rule set file (.toml).")]
HouseRules = Annotated[
    tuple[str, ...],
    Parameter(
        name=["--house-rule", "--house-rules"], help="A house rule, H1 to H6; several: again, or H1,H5."
    ),
]
Variations = Annotated[
    tuple[str, ...],
    Parameter(
        name=["--variation", "--variations"],
        help="A named variation: pips, jokers-1, jokers-2.",
        show_default=False,
    ),
]


def read_ruleset(profile: str, house_rules: Iterable[str] = (), variations: Iterable[str] = ()) -> Ruleset:
    """The rule set asked for; `RulesetError` or `UserError` with everything that is wrong with it."""
    house, named = _split(house_rules), _split(variations)
    if not (profile.endswith(".toml") or "/" in profile):
        return ruleset(profile, house, variations=named)
    rules = _from_file(Path(profile))
    return rules.changed(house_rules=house, variations=named) if house or named else rules


def _split(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(part for name in names for part in name.replace(",", " ").split())


def _from_file(path: Path) -> Ruleset:
    try:
        return Ruleset.from_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is no UTF-8 text (byte {error.start + 1})") from None
    except RulesetError as error:
        raise UserError(f"{path}: {one_line(error)}") from None
