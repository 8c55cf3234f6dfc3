"""Lessons: fixed deals in which a learner makes the plays of a plan. Each is a file in the folder `lessons`.

A lesson is played at a real table. All cards are fixed by a seed, and the opponents are a level that plays
without chance, so the same plays by the learner always get the same replies.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from rum500.puzzles.bot_deals import bot_named
from rum500.review.case import Case
from rum500.review.loss_reasons import cards_kept
from rum500.rng import Rng
from rum500.rules.action_codes import code_of, decode
from rum500.rules.notation import parse_play
from rum500.rules.profiles import profile_rules
from rum500.rules.ruleset import Ruleset
from rum500.state import State

WORLDS = 4_096
"""The number of deals in which a lesson's rates are measured."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The gain of a lesson's taught play, measured in deals that agree with the learner's view."""

    best: int
    """The percentage of deals in which the plan's event happens after the taught play."""
    other: int
    """The percentage after the play that it is compared with."""
    points: int
    """The gain of the taught play in points per deal."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a lesson."""

    say: str
    """The name of the step's sentence, which the web page has in each language."""
    play: str | None = None
    """The play that the learner makes, in notation; None if the step only explains."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson about one plan."""

    name: str
    """Its name: that of its file."""
    rules: Ruleset
    """The game."""
    players: int
    """The number of players."""
    level: str
    """The level of the learner's opponents, which plays without chance."""
    dealer: int
    """The dealer's seat. The learner has seat 0."""
    seed: int
    """The seed of the shuffle."""
    before: tuple[str, ...]
    """The plays before the lesson, in notation."""
    steps: tuple[Step, ...]
    """Its steps, in order."""
    taught: str
    """The name of the step with the taught play."""
    instead: str
    """The play with which the taught play is compared, in notation."""
    event: str
    """The event whose rate is measured, one of `rum500.ai.search.MEASURE_NAMES`."""
    figures: Figures
    """The measured gain of the taught play."""

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards in the order of dealing."""
        cards = list(self.rules.deck(self.players))
        Rng(self.seed).shuffle(cards)
        return tuple(cards)

    def played_until(self, step: int) -> tuple[State, list[int]]:
        """Return the deal before step number `step`, from 0, and the codes of all plays up to there.

        Then it is the learner's turn, or the deal is over. Raises `ValueError` if there is no such step.
        """
        if not 0 <= step <= len(self.steps):
            raise ValueError(f"lesson {self.name} has {len(self.steps)} steps, so there is no step {step}")
        state = State.new(self.rules, self.players, self.deck, self.dealer)
        plays: list[int] = []
        texts = [*self.before, *(one.play for one in self.steps[:step] if one.play)]
        for at, text in enumerate(texts):
            if at >= len(self.before):
                self._answer(state, plays)
            _play(state, plays, code_of(parse_play(text, state)))
        self._answer(state, plays)
        return state, plays

    def _answer(self, state: State, plays: list[int]) -> None:
        """Play for the opponents until it is the learner's turn, and add their plays to `plays`."""
        bot = bot_named(self.level)
        while not state.is_over and state.actor != 0:
            _play(state, plays, code_of(bot.choose(state.view(state.actor), Rng(0))))


def measured(lesson: Lesson, worlds: int = WORLDS, seed: int = 1) -> Figures:
    """Measure a lesson's figures in `worlds` deals that agree with the learner's view.

    The learner plays on like `club`, the others in half of the deals like `club`; in the other half they lay
    all they can.
    """
    at = next(at for at, step in enumerate(lesson.steps) if step.say == lesson.taught)
    state, taught = lesson.played_until(at)[0], lesson.steps[at].play
    assert taught is not None, f"lesson {lesson.name} teaches no play"
    other, best = (code_of(parse_play(text, state)) for text in (lesson.instead, taught))
    case = Case.of(state.view(0))
    watched = cards_kept(decode(other), decode(best))
    found = case.measure([other, best], seed, 0, worlds, watched)
    both = found[0][1] + found[1][1]
    rates = both.means(lesson.event)
    points = both.lead("points", case.stakes.others)[0]
    return Figures(round(100 * rates[1]), round(100 * rates[0]), round(points))


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in the order in which they are best learned."""
    folder = resources.files("rum500.puzzles") / "lessons"
    files = {file.name: file for file in folder.iterdir() if file.name.endswith(".toml")}
    return tuple(_read(name, files[name].read_text("utf-8")) for name in sorted(files))


def lesson(name: str) -> Lesson:
    """Return a lesson by its name. Raises `KeyError` if there is none of this name."""
    return {one.name: one for one in lessons()}[name]


def _read(file: str, text: str) -> Lesson:
    data = tomllib.loads(text)
    return Lesson(
        name=file.removesuffix(".toml").partition("-")[2],
        rules=profile_rules(data.pop("profile")),
        before=tuple(data.pop("before")),
        steps=tuple(Step(**step) for step in data.pop("steps")),
        figures=Figures(**data.pop("figures")),
        **data,
    )


def _play(state: State, plays: list[int], code: int) -> None:
    state.apply_int(code)
    plays.append(code)
