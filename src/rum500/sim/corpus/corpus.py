"""Corpora that are read: as Arrow, polars, pandas or datasets, and checked deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from rum500.file_reading import NoTextError, read_text
from rum500.rules.problems import RulesetError
from rum500.rules.ruleset import Ruleset
from rum500.sim.data_card import sha256
from rum500.sim.deals import SimulationError
from rum500.sim.results import import_package
from rum500.state import IllegalPlay, deal
from rum500.view import REASONS

if TYPE_CHECKING:
    from rum500.state import State

FORMAT = 1
"""The version of the folder's layout and columns."""
TABLES = ("deals", "moves")
"""The tables of a corpus: a row for each deal, and a row for each action."""
SPLITS = ("train", "test")
"""The splits of each table; both have whole deals."""
FACTS, SUMS, RUN = "corpus.json", "SHA256SUMS", "corpus.run"
"""The files beside the data: facts about the corpus, checksums for `sha256sum -c`, and an unfinished run."""
_MOST = 1 << 20
"""The largest size of the text files, in bytes."""
_BATCH = 100_000
"""The number of moves that are checked at a time."""
_Count = Annotated[int, msgspec.Meta(ge=0)]


class CorpusError(SimulationError):
    """A corpus that cannot be made or read. The message is one line with the file and what to do."""


class _Format(msgspec.Struct, frozen=True):
    format: int


class BotFacts(msgspec.Struct, frozen=True):
    """A bot of a corpus."""

    share: int
    """Its share of the seats, in relation to the shares of the other bots."""
    seats: int
    """The number of seats for which it was drawn."""
    points: float
    """Its mean points a deal."""


class CorpusFacts(_Format, frozen=True):
    """Everything about a corpus that its Parquet files do not contain."""

    rules: str
    """The rule set as TOML."""
    players: int
    """The number of players."""
    deals: Annotated[int, msgspec.Meta(ge=1)]
    """The number of deals, in both splits."""
    moves: _Count
    """The number of actions, in both splits."""
    seed: Annotated[int, msgspec.Meta(ge=0)]
    """The seed."""
    bots: dict[str, BotFacts]
    """The bots by name."""
    checksum: str
    """A digest of all deals and moves; it does not depend on the versions of libraries."""
    rum500: str
    """The version of rum500 that played."""
    pyarrow: str
    """The version of pyarrow that wrote the files."""
    sources: dict[str, str]
    """Digests of the code that played, by name."""


def data_file(table: str, split: str) -> str:
    """Return the path of a file of Parquet in the folder of a corpus."""
    return f"data/{table}-{split}.parquet"


DATA = tuple(data_file(table, split) for table in TABLES for split in SPLITS)
"""The Parquet files of a corpus."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A finished corpus in a folder, from `open_corpus`; its files are read when their rows are needed."""

    folder: Path
    """The folder."""
    facts: CorpusFacts
    """Origin, size and checksum."""
    rules: Ruleset
    """The rule set."""

    def __repr__(self) -> str:
        facts = self.facts
        return (
            f"<Corpus {self.rules.name}, {facts.deals:,} deals, {facts.players} players, seed {facts.seed}>"
        )

    def path(self, table: str = "deals", split: str = "train") -> Path:
        """Return the Parquet file of a table (of `TABLES`) and a split (of `SPLITS`).

        Raises `ValueError` for another table or split.
        """
        for what, name, names in (("table", table, TABLES), ("split", split, SPLITS)):
            if name not in names:
                raise ValueError(f"there is no {what} {name!r}; there are {', '.join(names)}")
        return self.folder / data_file(table, split)

    def to_arrow(self, table: str = "deals", split: str = "train") -> Any:
        """Return rows as a `pyarrow.Table`. Raises `CorpusError` for a missing or damaged file."""
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415 - a second's import

        path = self.path(table, split)
        try:
            return pq.read_table(path)
        except FileNotFoundError:
            raise self._missing(path) from None
        except (OSError, ValueError):
            raise self._damaged(path) from None

    def to_polars(self, table: str = "deals", split: str = "train") -> Any:
        """Return rows as a `polars.DataFrame`. Raises as `to_arrow`, and without polars."""
        return import_package("polars").from_arrow(self.to_arrow(table, split))

    def to_pandas(self, table: str = "deals", split: str = "train") -> Any:
        """Return rows as a `pandas.DataFrame`. Raises as `to_arrow`, and without pandas."""
        import_package("pandas")
        return self.to_arrow(table, split).to_pandas()

    def to_datasets(self, table: str = "deals", split: str = "train") -> Any:
        """Return rows as a `datasets.Dataset`, from these files alone.

        Raises as `to_arrow`, and without datasets. That package also reads the folder without rum500:
        `datasets.load_dataset(folder, "moves", split="train")`.
        """
        datasets = import_package("datasets")
        return datasets.Dataset(self.to_arrow(table, split))

    def check(self, *, replay: bool = True) -> int:
        """Compare all checksums, and replay every deal through the rules. Return the number of deals checked.

        Without `replay` only checksums are compared. Raises `CorpusError` at the first difference.
        """
        sums = _sums(self.folder)
        for name in DATA:
            path = self.folder / name
            if not path.is_file():
                raise self._missing(path)
            if sha256(path) != sums.get(name):
                raise self._damaged(path)
        checked = sum(self._replay(split) for split in SPLITS) if replay else self.facts.deals
        if checked != self.facts.deals:
            raise CorpusError(
                f"{self.folder}: has {checked:,} deals, and {FACTS} says {self.facts.deals:,}; copy it again"
            )
        return checked

    def _replay(self, split: str) -> int:
        moves = self._moves(split)
        deals = self.to_arrow("deals", split).to_pylist()
        for row in deals:
            state = deal(self.rules, self.facts.players, row["seed"], row["dealer"])
            for step in range(1, row["actions"] + 1):
                found = next(moves, None)
                where = f"{self.path('moves', split)}: deal {row['deal']}, step {step}"
                if found is None or found[:2] != (row["deal"], step):
                    raise CorpusError(f"{where} is missing; copy the corpus again")
                self._apply(state, found, where)
            points = [row[f"points_{seat}"] for seat in range(self.facts.players)]
            ended = REASONS.get(state.core.reason) if state.is_over else None
            if ended != row["reason"] or list(state.scores()) != points:
                raise self._other_rules(f"{self.path('deals', split)}: deal {row['deal']} ends differently")
        if next(moves, None) is not None:
            raise CorpusError(f"{self.path('moves', split)}: has moves of other deals; copy the corpus again")
        return len(deals)

    def _apply(self, state: State, found: tuple[int, ...], where: str) -> None:
        _, _, seat, legal, code = found
        try:
            if state.is_over or (seat, legal) != (state.actor, len(state.legal_ints())):
                raise self._other_rules(f"{where} was another choice")
            state.apply_int(code)
        except IllegalPlay:
            raise self._other_rules(f"{where} is not legal") from None

    def _moves(self, split: str) -> Iterator[tuple[int, ...]]:
        """Yield deal, step, seat, number of legal actions and code of each move."""
        import pyarrow.parquet as pq  # noqa: PLC0415

        names = ["deal", "step", "seat", "legal", "code"]
        with pq.ParquetFile(self.path("moves", split)) as file:
            for batch in file.iter_batches(_BATCH, columns=names):
                yield from zip(*(batch[name].to_pylist() for name in names), strict=True)

    def _other_rules(self, what: str) -> CorpusError:
        return CorpusError(f"{what} by the rules of this version; read it with rum500 {self.facts.rum500}")

    def _missing(self, path: Path) -> CorpusError:
        return CorpusError(f"{path}: is missing; copy the corpus again")

    def _damaged(self, path: Path) -> CorpusError:
        return CorpusError(f"{path}: is cut off or damaged; copy the corpus again")


def open_corpus(folder: str | PathLike[str]) -> Corpus:
    """Return the corpus in a folder.

    Raises `CorpusError` if there is none, if it is unfinished, or if another version of rum500 wrote it.
    """
    folder = Path(folder)
    path = folder / FACTS
    try:
        text = read_text(path, _MOST)
        version = msgspec.json.decode(text, type=_Format).format
        if version != FORMAT:
            raise CorpusError(
                f"{path}: has format {version}, and this version of rum500 reads {FORMAT}; make it again"
            )
        facts = msgspec.json.decode(text, type=CorpusFacts)
        rules = Ruleset.from_toml(facts.rules)
        rules.check_players(facts.players)
    except FileNotFoundError:
        if (folder / RUN).exists():
            raise CorpusError(f"{folder}: is not finished; the command that began it continues it") from None
        raise CorpusError(f"{folder}: contains no corpus; make one: rum500 corpus make {folder}") from None
    except (NoTextError, OSError) as error:
        raise CorpusError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    except (msgspec.MsgspecError, RulesetError, RecursionError):
        raise CorpusError(f"{path}: is cut off or damaged; copy the corpus again") from None
    return Corpus(folder, facts, rules)


def _sums(folder: Path) -> Mapping[str, str]:
    """Return the checksums by the path of their file."""
    path = folder / SUMS
    try:
        lines = [line.split(maxsplit=1) for line in read_text(path, _MOST).splitlines()]
        return {name: digest for digest, name in lines}
    except FileNotFoundError:
        raise CorpusError(f"{path}: is missing; copy the corpus again") from None
    except (ValueError, OSError):
        raise CorpusError(f"{path}: is cut off or damaged; copy the corpus again") from None
