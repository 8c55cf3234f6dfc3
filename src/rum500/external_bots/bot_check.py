"""A check that a bot's choices are legal, deterministic and fast enough at every table of the family."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, TypedDict
from zlib import crc32

from rum500 import bots
from rum500.ai import sample
from rum500.bots import Bot
from rum500.external_bots.bot_errors import IllegalBotMove, describe_error, legal_code_of
from rum500.external_bots.bot_names import BotSpecError, open_bot
from rum500.external_bots.engine_client import EngineBot, EngineError
from rum500.external_bots.engine_conformance import breaches
from rum500.external_bots.watchdog import Watchdog
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.notation import play_text
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import State, deal, view_to_text
from rum500.view import View

SECONDS = 1.0
"""The default time limit, in seconds, within which 95 of 100 choices must be made."""
PATIENCE = 30.0
"""The seconds beyond the limit after which a choice is considered hung."""
DEALS = 2
"""The number of deals at each table."""
MOST_FINDINGS = 3
"""The largest number of findings of one kind, all different; after more failures the check ends."""
_TWINS = 7
"""Each of the first `_TWINS` choices, and then every `_TWINS`-th one, is requested a second time."""
FIRST = 500
"""The number of choices that are repeated in a process with another hash seed."""
_LEAST_TIMED = 20
_OURS = "rum500."
_OTHERWISE = "in another process it played otherwise: does it go by the order of a set, or by hash()?"
_QUICK_S = 0.005


@dataclass(frozen=True, slots=True)
class BotFault:
    """Something that is wrong with a bot."""

    kind: str
    """`name`, `hung`, `failed`, `illegal`, `unsteady`, `hidden` or `slow`."""
    message: str
    """A description."""
    table: str = ""
    """The table at which it happened."""
    seed: int | None = None
    """The seed of the deal."""
    position: str = ""
    """The view of the seat, as a position file."""


@dataclass(slots=True)
class BotReport:
    """The result of a check."""

    bot: str
    """The bot's name."""
    tables: int = 0
    """The number of tables: profiles with house rules and a number of players."""
    deals: int = 0
    """The number of deals played."""
    choices: int = 0
    """The number of choices made."""
    asked_again: int = 0
    """The number of choices that were requested a second time."""
    limit_ms: float = 0.0
    """The time limit of a choice, in milliseconds."""
    p50_ms: float = 0.0
    """The median time of a choice, in milliseconds."""
    p95_ms: float = 0.0
    """The 95th percentile, in milliseconds."""
    most_ms: float = 0.0
    """The longest time, in milliseconds."""
    checksum: int = 0
    """The checksum of the first `FIRST` choices."""
    findings: list[BotFault] = field(default_factory=list)
    """The faults found."""

    @property
    def passed(self) -> bool:
        """Whether no fault was found."""
        return not self.findings

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data, for JSON."""
        return {**asdict(self), "passed": self.passed}


class _TooManyFaults(Exception):
    """Raised to end the check early, after too many faults or after the requested number of choices."""


def check_bot(
    make: Callable[[], Bot],
    *,
    seconds: float = SECONDS,
    patience: float = PATIENCE,
    deals: int = DEALS,
    seed: int = 1,
    profiles: Sequence[str] = (),
    most: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> BotReport:
    """Play a bot at tables of every profile, house rule and number of players, and report its faults.

    `make` makes the bot. Some choices are requested again, from the same bot and from another one with the
    unseen cards dealt differently, and must be the same. An engine first gets requests that do not occur in
    a deal. `seconds` is the limit for 95 of 100 choices. A choice that takes `patience` seconds longer ends
    the check; its thread is left running. `most`, if not 0, ends the check after that many choices. A bot
    that circumvents its view through the interpreter cannot be detected.
    """
    watch = Watchdog[BotReport](seconds + patience)
    checker = _Checker(make, seconds, seed, watch, most)

    def stuck(where: str) -> BotReport:
        return checker.stuck(f"it had not answered after {seconds + patience:g} s{where and f' ({where})'}")

    return watch.run(lambda: checker.run(list(tables(profiles)), deals, progress), stuck)


class CheckOptions(TypedDict):
    """The options of `check_bot` that determine which deals are played."""

    seconds: float
    patience: float
    deals: int
    seed: int
    profiles: Sequence[str]


def check_elsewhere(name: str, check: BotReport, options: CheckOptions) -> list[BotFault]:
    """Return the faults that appear when a bot's first choices are repeated in a separate process.

    `check` is the report of this process. Python orders sets differently in each process unless
    `PYTHONHASHSEED` is set. A choice that depends on this order cannot be reproduced from a seed.
    """
    # Imported here because a browser has no processes, and the package is imported there too.
    import multiprocessing  # noqa: PLC0415
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    key, context = "PYTHONHASHSEED", multiprocessing.get_context("spawn")
    before = os.environ.get(key)
    os.environ[key] = "2" if before == "1" else "1"
    try:
        with ProcessPoolExecutor(1, context) as pool:
            again = pool.submit(_first_choices, name, options).result()
    except (BrokenProcessPool, BotSpecError) as error:
        return [BotFault("failed", f"in another process it could not be had: {error}")]
    finally:
        if before is None:
            del os.environ[key]
        else:
            os.environ[key] = before
    wrong = [one for one in again.findings if one.kind != "slow"]
    if not wrong and again.checksum != check.checksum:
        return [BotFault("unsteady", _OTHERWISE)]
    return wrong


def _first_choices(name: str, options: CheckOptions) -> BotReport:
    with redirect_stdout(sys.stderr):
        return check_bot(lambda: open_bot(name), **options, most=FIRST)


def tables(profiles: Sequence[str] = ()) -> Iterator[tuple[Ruleset, int]]:
    """Yield (rules, number of players): each profile with zero, one or two house rules."""
    for name in profiles or profile_names():
        plain = ruleset(name)
        for players in plain.players:
            yield plain, players
        for count in (1, 2):
            for turn, house in enumerate(combinations(HOUSE_RULES, count)):
                rules = _with(plain, house)
                if rules is not None and rules != plain:
                    yield rules, rules.players[turn % len(rules.players)]


def _with(rules: Ruleset, house: Sequence[str]) -> Ruleset | None:
    try:
        return rules.with_house_rules(*house)
    except RulesetError:
        return None


class _Checker:
    def __init__(
        self, make: Callable[[], Bot], seconds: float, seed: int, watch: Watchdog[BotReport], most: int
    ) -> None:
        self._make = make
        self._most = most
        self._watch = watch
        self._view: View | None = None
        self._failures = 0
        self._bot = make()
        start = time.perf_counter()
        self._twin = make()
        # A new bot for each choice is the strictest test; programs, and bots that are slow to make, are
        # reused.
        self._new_each_time = not hasattr(self._bot, "close") and time.perf_counter() - start < _QUICK_S
        self._seed = seed
        self._times: list[float] = []
        self._table, self._deal_seed = "", 0
        self.check = BotReport(self._bot.name, limit_ms=seconds * 1000)

    def run(
        self, settings: list[tuple[Ruleset, int]], deals: int, progress: Callable[[int, int], None] | None
    ) -> BotReport:
        check = self.check
        check.tables = len(settings)
        done = 0
        try:
            self._look_at_name()
            if isinstance(self._bot, EngineBot) and settings:
                self._converse(self._bot, *settings[0])
            for number, (rules, players) in enumerate(settings):
                for turn in range(deals):
                    alone = (number + turn) % 2 == 1
                    self._play(rules, players, Rng(self._seed).spawn(number, turn).next64(), turn, alone)
                    done += 1
                    if progress is not None:
                        progress(done, len(settings) * deals)
        except _TooManyFaults:
            pass
        finally:
            for one in (self._bot, self._twin):
                close = getattr(one, "close", None)
                if callable(close):
                    close()
        check.bot = self._bot.name
        self._time()
        return check

    def _look_at_name(self) -> None:
        name, ours = self._bot.name.strip(), type(self._bot).__module__.startswith(_OURS)
        if not name:
            self._note("name", "its name is empty")
        elif not ours and name.lower() in [level.name for level in (*bots.levels(), *bots.numbered_levels())]:
            self._note("name", f"there is a level called {name!r}: the names could be confused")

    def stuck(self, why: str) -> BotReport:
        """Add the fault that a choice never ended, and return the report."""
        self._note("hung", why, self._view)
        self.check.bot = self._bot.name
        self._time()
        return self.check

    def _converse(self, engine: EngineBot, rules: Ruleset, players: int) -> None:
        """Send an engine requests that do not occur in a deal."""
        self._seat(rules, players, Rng(self._seed).spawn(0, 0).next64())
        state = deal(rules, players, self._deal_seed)
        state.apply_int(state.legal_ints()[0])  # a draw, after which there are many choices
        view = state.view(state.actor)
        for kind, message in breaches(engine, view):
            self._note(kind, message, view)

    def _seat(self, rules: Ruleset, players: int, seed: int) -> None:
        house = f" {' '.join(rules.house_rules)}" if rules.house_rules else ""
        self._table, self._deal_seed = f"{rules.name}{house}, {players} players", seed

    def _play(self, rules: Ruleset, players: int, seed: int, turn: int, alone: bool) -> None:
        self._seat(rules, players, seed)
        state = deal(rules, players, seed, turn % players)
        chances = [bots.rng_for(seed, seat) for seat in range(players)]
        other = bots.get("random")
        self.check.deals += 1
        while not state.is_over:
            seat = state.actor
            view = state.view(seat)
            if alone and seat != seed % players:
                code = code_of(other.choose(view, chances[seat]))
            else:
                code = self._choice(view, chances[seat])
            state.apply_int(code)

    def _choice(self, view: View, chance: Rng) -> int:
        check, before = self.check, chance.state
        check.choices += 1
        start = time.perf_counter()
        code = self._asked(self._bot, view, chance)
        self._times.append(time.perf_counter() - start)
        if check.choices <= FIRST:
            check.checksum = crc32(f"{code} ".encode(), check.checksum)
        if check.choices == self._most:
            raise _TooManyFaults
        if code is None:
            return view.legal[0]
        if check.choices % _TWINS == 0 or check.choices <= _TWINS:
            self._ask_again(view, before, code)
        return code

    def _asked(self, bot: Bot, view: View, chance: Rng) -> int | None:
        self._view = view
        try:
            with self._watch:
                chosen = bot.choose(view, chance)
        except EngineError as error:
            self._note("failed", str(error), view)
            return None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises
            self._note("failed", describe_error(error), view)
            return None
        try:
            return legal_code_of(chosen, view)
        except IllegalBotMove as error:
            self._note("illegal", f"it {error}", view)
            return None

    def _ask_again(self, view: View, before: int, code: int) -> None:
        """Request a choice again: from the same bot, then from another with the unseen cards redealt."""
        self.check.asked_again += 1
        again = self._asked(self._bot, view, Rng(before))
        if again is not None and again != code:
            plays = f"{play_text(code, view)}, then {play_text(again, view)}"
            self._note("unsteady", f"from the same view and seed it played {plays}", view)
            return
        seen = _redealt(view, before)
        other = self._asked(self._make() if self._new_each_time else self._twin, seen, Rng(before))
        if other is not None and other != code:
            plays = f"{play_text(code, view)}, and one like it {play_text(other, view)}"
            self._note("hidden", f"with its hidden cards dealt again: it played {plays}", view)

    def _note(self, kind: str, message: str, view: View | None = None) -> None:
        messages = [one.message for one in self.check.findings if one.kind == kind]
        if len(messages) < MOST_FINDINGS and message not in messages:
            position = "" if view is None else view_to_text(view)
            found = BotFault(kind, message, self._table, self._deal_seed or None, position)
            self.check.findings.append(found)
        self._failures += kind == "failed"
        if self._failures > MOST_FINDINGS:
            raise _TooManyFaults

    def _time(self) -> None:
        check, times = self.check, sorted(self._times)
        if not times:
            return
        check.p50_ms = 1000 * times[len(times) // 2]
        check.p95_ms = 1000 * times[min(len(times) - 1, len(times) * 95 // 100)]
        check.most_ms = 1000 * times[-1]
        if check.p95_ms > check.limit_ms and len(times) >= _LEAST_TIMED:
            self._note("slow", f"5 of 100 choices took {check.p95_ms:.0f} ms or more")


def _redealt(view: View, seed: int) -> View:
    assert view.seat is not None
    (world,) = sample(view, Rng(seed).spawn(1), 1)
    return State(view.rules, world, view.past).view(view.seat)
