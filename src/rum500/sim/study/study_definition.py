"""The file of a study: what is varied, how much is played, and what is shown.

```toml
title = "What the house rules change"
about = "A sentence or two for the page."   # may be left out
deals = 20000                               # in each cell
seed = 17
impossible = "skip"                         # cells that a game does not allow; "refuse" is usual

[vary]                                      # every combination is a cell; one value alone is the same in all
profile = ["500-rum", "rummy-500"]
players = [2, 4]
house_rules = ["none", "H2", "H5 H6"]
bots = "club"                               # or by seat: "greedy, club"

[show]
measures = ["points", "spread", "rounds", "out"]
compare = "house_rules"                     # each value with the first, on the same cards
```
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

from rum500.external_bots import split_names
from rum500.file_reading import TooLargeError, read_file
from rum500.rng import U64
from rum500.rules.named_variations import variations
from rum500.rules.option_spec import OptionSpec
from rum500.rules.options import BY_FIELD, HOUSE_RULES, IDENTITY
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import STANDARD, ruleset
from rum500.sim.deals import MOST_DEALS, SimulationError, seat_bot
from rum500.sim.simulation_plan import SimulationPlan, by_seat
from rum500.sim.study.cell_plan import CellPlan
from rum500.sim.study.measures import LUCK, MEASURES

NONE, IN_TURN, EVERY = "none", "in turn", "every cell"
_OWN = ("profile", "players", "house_rules", "variations", "changes", "bots", "dealer")
_OPTIONS = tuple(field for field in BY_FIELD if field not in {*IDENTITY, "players"})
_DEALS, _SEED, _LUCK_ORDERS = 1000, 0, 16
KEYS = {
    "title": "the heading of the page",
    "about": "what the page says first",
    "deals": f"deals in each cell; {_DEALS} if left out",
    "seed": f"the seed; {_SEED} if left out",
    "impossible": '`"skip"` leaves out cells that a game does not allow, and the page gives the reason; '
    '`"refuse"`, if left out, refuses them before anything is played. An unknown name is always refused',
    "keep_deals": "`true` writes all deals too, as `deals.parquet`",
    "luck_orders": f"orders of the stock over which luck is measured, {_LUCK_ORDERS} if left out",
    "changes": "names for changes of several options, which the factor `changes` lists: "
    '`"ten cards" = { hand = 10, hand_two = 10 }`',
    "vary": "the factors, each with a value or a list of them",
    "show": "`measures`, a list of names; `compare`, the factor whose values are compared with its first",
}
"""The keys of a study's file with their meanings."""
MOST_BYTES = 1 << 20
"""The largest size of a study's file, in bytes."""
MOST_CELLS = 10_000
"""The largest number of cells of a study."""
_MOST_ORDERS = 65_536
_USUAL = ("points", "spread", "rounds", "out")
_TYPES = {str: "a text", int: "a whole number", bool: "true or false", dict: "a table"}

Value = str | int | bool
"""A value of a factor."""


class StudyError(SimulationError):
    """A study that cannot be played. The message is one line."""


@dataclass(frozen=True, slots=True)
class Study:
    """A study: factors, whose values are crossed, and what is measured in each cell."""

    name: str
    """The name of the file without its ending."""
    title: str
    """The heading of the page."""
    about: str
    """The text at the top of the page; may be empty."""
    deals: int
    """The number of deals in each cell."""
    seed: int
    """The seed of all cells, so that they are played on the same shuffles."""
    skips: bool
    """Whether cells that a game does not allow are left out, instead of refused."""
    keep_deals: bool
    """Whether the deals are written too, not only the results of cells."""
    luck_orders: int
    """The number of orders of the stock over which luck is measured; 0 if it is not measured."""
    changes: Mapping[str, Mapping[str, Value]]
    """Named sets of changed options, for the factor `changes`."""
    factors: Mapping[str, tuple[Value, ...]]
    """The factors with their values, in the order of the file."""
    measures: tuple[str, ...]
    """The names of the measures."""
    compare: str
    """The factor whose values are compared with its first value; empty for no comparison."""
    text: str
    """The text of the file."""

    @property
    def varied(self) -> tuple[str, ...]:
        """The factors with more than one value."""
        return tuple(factor for factor, values in self.factors.items() if len(values) > 1)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Study:
        """Return the study in a file. Raises `StudyError` for a mistake in it, and `OSError`."""
        path = Path(path)
        try:
            return cls.from_text(read_file(path, MOST_BYTES).decode("utf-8"), path.stem)
        except UnicodeDecodeError as error:
            raise StudyError(f"{path}: is not UTF-8 text (byte {error.start + 1})") from None
        except TooLargeError as error:
            raise StudyError(f"{path}: {error.strerror}") from None
        except StudyError as error:
            raise StudyError(f"{path}: {error}") from None

    @classmethod
    def from_text(cls, text: str, name: str = "study", *, with_bots: bool = True) -> Study:
        """Return the study in a TOML text. Raises `StudyError` for a mistake in it.

        Its bots must exist unless `with_bots` is false.
        """
        try:
            table = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise StudyError(f"not valid TOML: {error}") from None
        _check_keys(table, KEYS, "")
        vary, show = _of(table, "vary", dict, {}), _of(table, "show", dict, {})
        _check_keys(vary, (*_OWN, *_OPTIONS), "vary.")
        _check_keys(show, ("measures", "compare"), "show.")
        changes = _changes(_of(table, "changes", dict, {}))
        factors = {key: _values(key, value, changes) for key, value in vary.items()}
        factors = {"profile": (STANDARD,), **factors, "bots": factors.get("bots", ("club",))}
        if with_bots:
            _check_bots(factors["bots"])
        measures = _measures(show.get("measures", list(_USUAL)))
        study = cls(
            name=name,
            title=_of(table, "title", str, name),
            about=_of(table, "about", str, ""),
            deals=_number(table, "deals", _DEALS, 2, MOST_DEALS),
            seed=_number(table, "seed", _SEED, 0, U64),
            skips=_of(table, "impossible", str, "refuse") == "skip",
            keep_deals=_of(table, "keep_deals", bool, False),
            luck_orders=_number(table, "luck_orders", _LUCK_ORDERS, 1, _MOST_ORDERS)
            if LUCK & set(measures)
            else 0,
            changes=changes,
            factors=factors,
            measures=measures,
            compare=_of(show, "compare", str, "", "show."),
            text=text,
        )
        study._check(table)
        return study

    def _check(self, table: Mapping[str, Any]) -> None:
        if (number := prod(map(len, self.factors.values()))) > MOST_CELLS:
            _refuse("vary", f"makes {number:,} cells, and a study has {MOST_CELLS:,} at most")
        if table.get("impossible", "skip") not in {"skip", "refuse"}:
            _refuse("impossible", f'is "skip" or "refuse", not {table["impossible"]!r}')
        if "luck_orders" in table and not self.luck_orders:
            _refuse("luck_orders", f"is for the measures {', '.join(sorted(LUCK))}, none of which is shown")
        if self.compare and self.compare not in self.varied:
            there = ", ".join(self.varied) or "nothing"
            _refuse(
                "show.compare",
                f"{self.compare!r} is not varied{_near(self.compare, self.varied)}: {there} is",
            )


@dataclass(frozen=True, slots=True)
class Cell:
    """A combination of the factors' values, and the plan of its deals."""

    values: Mapping[str, Value]
    """The value of each factor."""
    plan: CellPlan
    """The plan of the cell's deals."""


@dataclass(frozen=True, slots=True)
class SkippedCell:
    """A combination of the factors' values that a game does not allow."""

    values: Mapping[str, Value]
    """The value of each factor."""
    reason: str
    """Why the cell cannot be played."""


def cells(study: Study) -> tuple[list[Cell], list[SkippedCell]]:
    """Return the cells of a study and the combinations left out. The last factor changes fastest.

    Raises `StudyError` if no cell can be played, or if one cannot be played and the study does not skip it.
    """
    found: list[Cell] = []
    skipped: list[SkippedCell] = []
    for combination in product(*study.factors.values()):
        values = dict(zip(study.factors, combination, strict=True))
        try:
            plans = [CellPlan(plan, study.luck_orders) for plan in _plans(study, values)]
        except (RulesetError, SimulationError) as error:
            reason = " ".join(str(error).split())
            if not study.skips:
                raise StudyError(
                    f'{cell_name(study, values)}: {reason} (impossible = "skip" leaves such cells out)'
                ) from None
            skipped.append(SkippedCell(values, reason))
        else:
            found += [Cell(values, plan) for plan in plans]
    if not found:
        raise StudyError(f"no cell can be played; the first: {skipped[0].reason}")
    return found, skipped


def cell_name(study: Study, values: Mapping[str, Value], without: Collection[str] = ()) -> str:
    """Return, in words, the values of a cell's varied factors, except those in `without`."""
    shown = [factor for factor in study.varied if factor not in without]
    return ", ".join(value_text(factor, values[factor]) for factor in shown) or EVERY


def value_text(factor: str, value: Value) -> str:
    """Return a value in words.

    >>> value_text("players", 4), value_text("house_rules", "none"), value_text("claim", True)
    ('4 players', 'no house rules', 'claim = true')
    """
    if factor == "players":
        return f"{value} players"
    if factor in {"house_rules", "variations", "changes"}:
        kind = factor.replace("_", " ")
        return f"no {kind}" if value == NONE else str(value)
    if factor == "dealer":
        return "each deals in turn" if value == IN_TURN else f"seat {value} deals"
    if factor in {"profile", "bots"}:
        return str(value)
    return f"{factor} = {str(value).lower() if isinstance(value, bool) else value}"


def _plans(study: Study, values: Mapping[str, Value]) -> Iterable[SimulationPlan]:
    options = {field: value for field, value in values.items() if field not in _OWN}
    rules = ruleset(
        str(values["profile"]),
        house_rules=_words(values.get("house_rules", NONE)),
        variations=_words(values.get("variations", NONE)),
        **(options | dict(study.changes.get(str(values.get("changes")), {}))),  # type: ignore[arg-type]
    )
    players: Any = values.get("players", rules.players[0])
    rules.check_players(players)
    bots = by_seat(split_names(str(values["bots"])), players)
    dealer: Any = values.get("dealer", IN_TURN)
    if dealer == IN_TURN:
        dealer = None
    yield SimulationPlan(rules, players, study.deals, study.seed, bots, dealer)


def _words(value: Value) -> tuple[str, ...]:
    return () if value == NONE else tuple(str(value).replace(",", " ").split())


# Reading


def _refuse(key: str, why: str) -> None:
    raise StudyError(f"{key}: {why}")


def _near(asked: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(asked, list(known), n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _check_keys(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = _near(key, known) or f"; there are {', '.join(islice(known, 9))}"
            _refuse(f"{where}{key}", f"there is no such key{near}")


def _of(table: Mapping[str, Any], key: str, kind: type, usual: Any, where: str = "") -> Any:
    value = table.get(key, usual)
    if type(value) is not kind:
        _refuse(f"{where}{key}", f"is {_TYPES[kind]}, not {value!r}")
    return value


def _number(table: Mapping[str, Any], key: str, usual: int, least: int, most: int) -> int:
    number: int = _of(table, key, int, usual)
    if not least <= number <= most:
        _refuse(key, f"is {least} or more, not {number}" if number < least else f"is {most:,} at most")
    return number


def _measures(asked: object) -> tuple[str, ...]:
    if not isinstance(asked, list) or not asked:
        raise StudyError(f"show.measures: is a list of names, not {asked!r}")
    for name in asked:
        if name not in MEASURES:
            near = _near(str(name), MEASURES)
            _refuse("show.measures", f"there is no measure {name!r}{near}; there are {', '.join(MEASURES)}")
    if len(set(asked)) < len(asked):
        _refuse("show.measures", "a measure is named twice")
    return tuple(asked)


def _changes(table: Mapping[str, Any]) -> Mapping[str, Mapping[str, Value]]:
    for name in table:
        options = _of(table, name, dict, {}, "changes.")
        _check_keys(options, _OPTIONS, f"changes.{name}.")
        for field, value in options.items():
            try:
                _check_option(BY_FIELD[field], value)
            except StudyError as error:
                raise StudyError(f"changes.{name}.{field}: {error}") from None
    return table


def _values(factor: str, value: object, changes: Collection[str]) -> tuple[Value, ...]:
    """Return the values of a factor. Raises `StudyError` if one of them does not exist."""
    values = value if isinstance(value, list) else [value]
    where = f"vary.{factor}"
    if not values:
        _refuse(where, "has no value")
    for one in values:
        try:
            _check_value(factor, one, changes)
        except (RulesetError, SimulationError, OSError) as error:
            raise StudyError(f"{where}: {error}") from None
    if len({(type(one), one) for one in values}) < len(values):
        _refuse(where, "a value is there twice")
    return tuple(values)


def _check_value(factor: str, value: Any, changes: Collection[str]) -> None:
    if factor in _OPTIONS:
        _check_option(BY_FIELD[factor], value)
    elif factor in {"players", "dealer"}:
        if value != IN_TURN and (type(value) is not int or value < 0):
            also = f', or "{IN_TURN}"' if factor == "dealer" else ""
            raise StudyError(f"is a whole number{also}, not {value!r}")
    else:
        _check_name(factor, value, changes)


def _check_name(factor: str, value: Any, changes: Collection[str]) -> None:
    if type(value) is not str:
        raise StudyError(f"is a text, not {value!r}")
    if factor == "profile":
        ruleset(value)
    known = {"house_rules": HOUSE_RULES, "variations": variations(), "changes": changes}.get(factor)
    if known is not None:
        for word in [value] if factor == "changes" else _words(value):
            if word not in {NONE, *known}:
                raise StudyError(
                    f"there is no {word!r}{_near(word, known)}; there are {NONE}, {', '.join(known)}"
                )


def _check_bots(values: Iterable[Value]) -> None:
    for value in values:
        for name in split_names(str(value)) or [str(value)]:
            try:
                seat_bot(name)
            except SimulationError as error:
                raise StudyError(f"vary.bots: {error}") from None


def _check_option(option: OptionSpec, value: Any) -> None:
    kinds = {"bool": bool, "int": int, "str": str}
    if option.kind not in kinds:
        raise StudyError("is a list in itself and cannot be varied")
    if type(value) is not kinds[option.kind]:
        raise StudyError(f"is {_TYPES[kinds[option.kind]]}, not {value!r}")
    if isinstance(value, int) and option.kind == "int" and not option.low <= value <= option.high:
        raise StudyError(f"is {option.low} to {option.high}, not {value}")
    if option.choices and value not in option.choices:
        raise StudyError(f"is one of {', '.join(option.choices)}, not {value!r}")
