"""The result of an evaluation as a value and as a JSON file, and the digest by which it can be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from rum500.file_reading import read_file
from rum500.intervals import student
from rum500.sim.deals import SimulationError
from rum500.sim.estimates import Estimate

MOST_BYTES = 1 << 20
"""The largest size of a file, in bytes."""
_DECIMALS = 3
"""The number of decimals of results, so that the last bits of a float do not change the digest."""
_Text = Annotated[str, msgspec.Meta(max_length=200)]
_Count = Annotated[int, msgspec.Meta(ge=1, lt=1 << 31)]


class Figure(msgspec.Struct, frozen=True):
    """Mean points a deal, or rather their lead over an opponent, with the 95 % interval."""

    value: float
    """The lead in points a deal."""
    low: float
    """The lower end of the interval."""
    high: float
    """The upper end."""


class ContestResult(msgspec.Struct, frozen=True):
    """The result against one opponent in one game."""

    game: _Text
    """The profile and the number of players."""
    opponent: _Text
    """The opponent."""
    pairs: _Count
    """The number of shuffles, each played in every seating."""
    deals: _Count
    """The number of deals."""
    points: Figure
    """The lead in points a deal."""
    checksum: _Text
    """A digest of the deals: seats, actions, endings and points."""


class MeanResult(msgspec.Struct, frozen=True):
    """The mean over several contests."""

    name: _Text
    """The game or the opponent that the contests share."""
    points: Figure
    """The mean lead in points a deal."""


class ToyResult(msgspec.Struct, frozen=True):
    """The exploitability in a toy game."""

    toy: _Text
    """The toy game."""
    points: float
    """What a best response gains in a deal, averaged over both seats; 0 for a perfect player."""


class Results(msgspec.Struct, frozen=True):
    """All results that the digest covers: they depend on the bot and the protocol, and not on time."""

    mean: Figure
    """The mean lead over all contests."""
    games: list[MeanResult]
    """The means by game."""
    opponents: list[MeanResult]
    """The means by opponent."""
    contests: list[ContestResult]
    """The contests."""
    toys: list[ToyResult]
    """The exploitability in toy games."""


class ChoiceTimes(msgspec.Struct, frozen=True):
    """The time of a choice, on the machine of the evaluation. The digest does not cover it."""

    choices: _Count
    """The number of choices that were measured."""
    median_ms: float
    """The median in milliseconds."""
    p95_ms: float
    """The 95th percentile in milliseconds."""
    longest_ms: float
    """The longest time in milliseconds."""


class Evaluation(msgspec.Struct, frozen=True):
    """The evaluation of a bot."""

    format: Literal["rum500 evaluation"]
    """What the file is."""
    protocol: _Text
    """The protocol. Results of different protocols cannot be compared."""
    opponents: _Text
    """A digest of how the opponents play. It differs between versions of rum500 whose opponents differ."""
    bot: _Text
    """The name of the bot."""
    digest: _Text
    """The digest of protocol, opponents and results."""
    results: Results
    """The results."""
    by_the_clock: bool
    """Whether the bot has a time limit; if it has, its results and its digest depend on the machine."""
    times: ChoiceTimes
    """The time of a choice."""
    seconds: float
    """The playing time of all processes, in seconds."""
    version: _Text
    """The version of rum500."""
    sources: dict[str, str]
    """Digests of the code that played, by name."""

    @property
    def basis(self) -> tuple[str, str]:
        """What evaluations must share to be compared: the protocol and the digest of the opponents."""
        return self.protocol, self.opponents


class EvaluationFileError(ValueError):
    """A file that contains no evaluation, or a changed one. The message is one line with the file."""

    code = "evaluation.file"


def digest_of(protocol: str, opponents: str, results: Results) -> str:
    """Return the digest of an evaluation: everything that another run of the same bot repeats."""
    data = msgspec.json.encode([protocol, opponents, results], order="deterministic")
    return hashlib.sha256(data).hexdigest()[:32]


def figure(estimate: Estimate) -> Figure:
    """Return an estimate as a figure, rounded. Raises `SimulationError` if its interval is infinite."""
    if not estimate.low > float("-inf"):
        raise SimulationError("an evaluation takes two pairs or more in each contest")
    return Figure(*(_rounded(value) for value in (estimate.value, estimate.low, estimate.high)))


def toy_result(toy: str, points: float) -> ToyResult:
    """Return the result in a toy game, rounded."""
    return ToyResult(toy, _rounded(points))


def _rounded(value: float) -> float:
    return round(float(value), _DECIMALS) + 0.0  # not -0.0


def mean_of_contests(estimates: Sequence[Estimate], pairs: Sequence[int]) -> Estimate:
    """Return the mean of independent estimates, each from this number of pairs.

    The degrees of freedom of the interval are those of Welch and Satterthwaite.
    """
    count = len(estimates)
    value = sum(one.value for one in estimates) / count
    squares = [one.error**2 for one in estimates]
    whole = sum(squares)
    parts = sum(square**2 / (number - 1) for square, number in zip(squares, pairs, strict=True))
    error = sqrt(whole) / count
    reach = student(int(whole**2 / parts)) * error if parts else 0.0
    return Estimate(value, error, value - reach, value + reach)


def to_json(evaluation: Evaluation) -> str:
    """Return an evaluation as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(evaluation), indent=1).decode() + "\n"


def read_evaluation(path: Path) -> Evaluation:
    """Read the file of an evaluation. Raises `EvaluationFileError` if it is not one, or if it was changed."""
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise EvaluationFileError(f"{path}: {error.strerror or error}") from None
    try:
        found = msgspec.json.decode(data, type=Evaluation)
    except msgspec.DecodeError as error:
        why = f"{' '.join(str(error).split())}; rum500 evaluate BOT --json writes one"
        raise EvaluationFileError(f"{path}: is no evaluation: {why}") from None
    if found.digest != digest_of(found.protocol, found.opponents, found.results):
        raise EvaluationFileError(
            f"{path}: its results do not match its digest, so it was changed; evaluate {found.bot} again"
        )
    return found
