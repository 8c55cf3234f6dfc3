"""Learned bots: networks in files, evaluated with numpy alone.

The file is an `.npz` archive without pickled objects: `header`, a JSON text, and for each layer its weights
`w0`, `w1` … (inputs × outputs) and biases `b0`, `b1` …. The input is `Features`, the output a number for each
id of `Actions`; between layers is a ReLU. The bot plays the legal id with the highest number.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import msgspec

from rum500.bots import FastBot
from rum500.rng import Rng
from rum500.rules.digest import deal_digest
from rum500.rules.ruleset import Ruleset
from rum500.view import View

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from rum500.spaces import Actions, Features

LEARNED = "learned:"
"""The prefix that marks a bot's name as the file of a learned bot."""
FORMAT, VERSION = "rum500 network", 1
MOST_BYTES = 256 << 20
"""The largest size of a file in bytes, and of its arrays together."""
_MOST_DIRECTORY = _MOST_TEXT = 1 << 16
_MOST_HEADER = 1_000
_MOST_SHOWN = 160
_NO_NETWORK = "this is no network of rum500"
_KIND = re.compile(rb"'descr': *'([<>|=]?(?:f[248]|U\d{1,5}))'")
_ORDER = re.compile(rb"'fortran_order': *(False|True)")
_SHAPE = re.compile(rb"'shape': *\(([\d, ]{0,40})\)")
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What Python raises for an archive that is damaged, encrypted or written in another way."""
_Word = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$")]


class NetworkError(ValueError):
    """A file contains no network that can play here. The message is one line."""

    code = "bot.network"


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The data about a network in its file."""

    format: _Word
    """The text `FORMAT`."""
    version: int
    """The version of the file format."""
    profile: _Word
    """The name of the rule set that the network was trained for."""
    rules: _Word
    """`deal_digest` of that rule set."""
    players: int
    """The number of players."""
    actions: _Word
    """The version of `Actions`."""
    features: _Word
    """The version of `Features`."""
    trained: str = ""
    """The author's description of the training."""


class LearnedBot(FastBot):
    """A network from a file as a bot. Its choice depends only on the view, not on the random generator.

    It plays the deals of one rule set with one number of players, whatever the rules of the match. Another
    game raises `NetworkError` at the first choice between several plays.
    """

    def __init__(self, path: str | Path, name: str = "") -> None:
        """Read a file. Raises `NetworkError` if it contains no network, or a network of another version."""
        self.path = str(path)
        self.name = name or f"learned {Path(path).stem}"
        self.header, self._layers = _read(Path(path))
        self._rules: Ruleset | None = None
        self._actions: Actions
        self._features: Features

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the spaces, which an unpickled copy creates again."""
        own = {key: value for key, value in vars(self).items() if key not in ("_actions", "_features")}
        return own | {"_rules": None}

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the legal action that the network rates highest."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.rules is not self._rules or view.players != self.header.players:
            self._sit_down(view)
        worth = self.rate(view)
        return self._actions.decode(view, int(worth.argmax()))

    def rate(self, view: View) -> NDArray[Any]:
        """Return the network's number for each id of `Actions`, minus infinity for illegal ones."""
        import numpy as np  # noqa: PLC0415 - only learned bots need it

        if view.rules is not self._rules or view.players != self.header.players:
            self._sit_down(view)
        values = np.zeros(self._features.size, np.float32)
        mask = np.zeros(self._actions.n, np.bool_)
        self._features.write(view, view.actor, values)
        self._actions.mask(view, mask)
        last = len(self._layers) - 1
        with np.errstate(over="ignore", invalid="ignore"):
            for number, (weights, biases) in enumerate(self._layers):
                values = values @ weights + biases
                if number < last:
                    values = np.maximum(values, 0)
        # Sums may overflow: legal actions still get finite numbers.
        return np.where(mask, np.nan_to_num(values), -np.inf)

    def _sit_down(self, view: View) -> None:
        from rum500.spaces import Actions, Features  # noqa: PLC0415 - of the laboratory, which only learned bots need

        rules, header = view.rules, self.header
        actions, features = Actions(rules, view.players), Features(rules, view.players, header.features)
        fits = (features.size, actions.n) == (len(self._layers[0][0]), len(self._layers[-1][1]))
        if view.players != header.players or deal_digest(rules) != header.rules or not fits:
            raise NetworkError(
                f"{self.path} was trained for {header.profile} with {header.players} players, "
                f"this is {rules.name} with {view.players}"
                f"{'' if rules.name != header.profile else ', or with other options'}"
            )
        self._rules, self._actions, self._features = rules, actions, features


def save_network(
    path: str | Path,
    rules: Ruleset,
    players: int,
    layers: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    features: str = "v1",
    trained: str = "",
) -> None:
    """Write a network to a file, which can play as the bot `learned:FILE`.

    `layers` are weights (inputs × outputs) and biases of each layer; they are stored as float16. `trained`
    describes the training. Raises `NetworkError` for sizes that are not those of the spaces, and for numbers
    that a float16 cannot represent.
    """
    import numpy as np  # noqa: PLC0415 - only learned bots need it

    from rum500.spaces import Actions, Features  # noqa: PLC0415 - of the laboratory, which only learned bots need

    header = Header(
        FORMAT,
        VERSION,
        rules.name,
        deal_digest(rules),
        players,
        Actions.version,
        features,
        trained,
    )
    arrays: dict[str, NDArray[Any]] = {}
    for number, (weights, biases) in enumerate(layers):
        with np.errstate(over="ignore"):  # an overflow is reported below
            arrays[f"w{number}"] = np.asarray(weights, np.float32).astype(np.float16)
            arrays[f"b{number}"] = np.asarray(biases, np.float32).astype(np.float16)
    found = _layers(arrays)
    sizes = Features(rules, players, features).size, Actions(rules, players).n
    if (len(found[0][0]), len(found[-1][1])) != sizes:
        raise NetworkError(
            f"the network leads from {len(found[0][0])} to {len(found[-1][1])} numbers; "
            f"the spaces of {rules.name} with {players} players have {sizes[0]} and {sizes[1]}"
        )
    values = np.array(msgspec.json.encode(header).decode())
    with Path(path).open("wb") as file:  # given a path without .npz, numpy would add it
        np.savez_compressed(file, header=values, **arrays)  # type: ignore[arg-type]  # its stub's own argument


def _read(path: Path) -> tuple[Header, list[tuple[NDArray[Any], NDArray[Any]]]]:
    try:
        arrays = _arrays(path)
        return _header(arrays.pop("header", None)), _layers(arrays)
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from None


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive by name. The size of each is checked before it is read."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        raise NetworkError(f"a network is a file of at most {MOST_BYTES:,} bytes")
    with path.open("rb") as file:
        if (directory := _directory_size(file)) > _MOST_DIRECTORY:
            raise NetworkError(f"{_NO_NETWORK} (its directory has {directory:,} bytes)")
        try:
            return _unpacked(file)
        except NetworkError:
            raise
        except _DAMAGE as error:
            raise NetworkError(f"{_NO_NETWORK} ({_one_line(error)})") from None


def _unpacked(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(file) as packed:
        entries = packed.infolist()
        if (size := sum(entry.file_size for entry in entries)) > MOST_BYTES:
            raise NetworkError(f"its arrays have {size:,} bytes, and may have {MOST_BYTES:,}")
        return {entry.filename.removesuffix(".npy"): _array(packed, entry) for entry in entries}


def _directory_size(file: IO[bytes]) -> int:
    """Return the size of the archive's directory as its end states it; 0 if it is no archive.

    Archives of more than 4 GB end differently; for them the result is `MOST_BYTES`, which counts as too
    large.
    """
    file.seek(max(0, file.seek(0, os.SEEK_END) - (1 << 16) - 64))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if b"PK\x06\x07" in tail[max(0, at - 20) : max(0, at)]:
        return MOST_BYTES
    return int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0


def _array(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    """Return an array of an archive, after checking its shape and type against the size of its entry."""
    import numpy as np  # noqa: PLC0415 - only learned bots need it

    name = _one_line(repr(entry.filename))
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise NetworkError(f"{name} is compressed by an unknown method")
    with packed.open(entry) as file:
        head = file.read(10)
        if head[:8] != b"\x93NUMPY\x01\x00" or int.from_bytes(head[8:], "little") > _MOST_HEADER:
            raise NetworkError(f"{name} is no array")
        text = file.read(int.from_bytes(head[8:], "little"))
        kind, order, shape = (pattern.search(text) for pattern in (_KIND, _ORDER, _SHAPE))
        if not kind or not order or not shape:
            raise NetworkError(f"{name} is no array, or has other numbers than floats")
        sizes = tuple(int(size) for size in shape[1].split(b",") if size.strip())
        numbers = np.dtype(kind[1].decode())
        length, start = prod(sizes) * numbers.itemsize, len(head) + len(text)
        if not length or start + length != entry.file_size:
            raise NetworkError(f"{name} has {entry.file_size - start:,} bytes; its shape needs {length:,}")
        data = file.read(length)
    if len(data) < length:
        raise NetworkError(f"{name} ends after {len(data):,} of {length:,} bytes")
    return np.frombuffer(data, numbers).reshape(sizes, order="F" if order[1] == b"True" else "C")


def _header(text: NDArray[Any] | None) -> Header:
    from rum500.spaces import Actions  # noqa: PLC0415 - of the laboratory, which only learned bots need

    if text is None or text.shape or text.dtype.kind != "U" or text.nbytes > _MOST_TEXT:
        raise NetworkError(f"{_NO_NETWORK} (it has no text named header)")
    try:
        # numpy's own conversion fails for numbers that are not characters
        words = text.tobytes().decode("utf-32-be" if text.dtype.str[0] == ">" else "utf-32-le")
        header = msgspec.json.decode(words.rstrip("\0"), type=Header)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NetworkError(f"{_NO_NETWORK} ({_one_line(error)})") from None
    if header.format != FORMAT:
        raise NetworkError(f"{_NO_NETWORK}, but {header.format!r}")
    if (header.version, header.actions, header.features) != (VERSION, Actions.version, "v1"):
        raise NetworkError(
            f"written in version {header.version} for actions {header.actions} and features "
            f"{header.features}; this rum500 plays version {VERSION}, actions {Actions.version}, features v1"
        )
    return header


def _one_line(thing: object) -> str:
    text = " ".join(str(thing).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _layers(arrays: dict[str, NDArray[Any]]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the weights and biases of each layer. Raises `NetworkError` if shapes or types do not match."""
    import numpy as np  # noqa: PLC0415 - only learned bots need it

    count = len(arrays) // 2
    wanted = {f"{kind}{number}" for number in range(count) for kind in "wb"}
    if not count or set(arrays) != wanted:
        raise NetworkError(
            f"layers are w0, b0, w1, b1 …, not {_one_line(sorted(arrays)) if arrays else 'none'}"
        )
    found = [(arrays[f"w{number}"], arrays[f"b{number}"]) for number in range(count)]
    inputs = None
    for number, (weights, biases) in enumerate(found):
        if weights.dtype.kind != "f" or biases.dtype.kind != "f":
            raise NetworkError(f"layer {number} has other numbers than floats")
        shapes = f"{weights.shape} and {biases.shape}"
        if weights.ndim != 2 or biases.shape != weights.shape[1:] or inputs not in (None, len(weights)):
            raise NetworkError(f"layer {number} does not fit: {shapes}")
        inputs = weights.shape[1]
    with np.errstate(over="ignore"):  # an overflow is reported below
        layers = [(weights.astype(np.float32), biases.astype(np.float32)) for weights, biases in found]
    for number, layer in enumerate(layers):
        if not all(np.isfinite(numbers).all() for numbers in layer):
            raise NetworkError(f"layer {number} has a number that is not finite, or no float32 holds")
    return layers
