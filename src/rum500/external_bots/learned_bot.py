"""A learned bot: a network in a file, played by numpy alone.

The file is an `.npz` archive without pickled objects: `header`, a JSON text, and for each layer its weights
`w0`, `w1` … (inputs × outputs) and biases `b0`, `b1` …. What goes in is `Features`, what comes out is a
number for each id of `Actions`; between layers is a ReLU. The legal id with the highest number is played.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
"""The prefix of the name of a learned bot."""
FORMAT, VERSION = "rum500 network", 1
MOST_BYTES = 256 << 20
"""The largest size of a file's arrays."""


class NetworkError(ValueError):
    """A file contains no network that can play here. The message is one line."""

    code = "bot.network"


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The data about a network in its file."""

    format: str
    """`FORMAT`."""
    version: int
    """The version of the file format."""
    profile: str
    """The name of the rule set that it was trained for."""
    rules: str
    """`deal_digest` of that rule set."""
    players: int
    """The number of players."""
    actions: str
    """The version of `Actions`."""
    features: str
    """The version of `Features`."""
    trained: str = ""
    """A description of its training by its author."""


class LearnedBot(FastBot):
    """A network from a file as a bot. It plays the same from the same view; the generator is not used.

    It plays one game: the deals of one rule set with one number of players. How a match is won does not
    matter. Another game raises `NetworkError` at the first choice.
    """

    def __init__(self, path: str | Path, name: str = "") -> None:
        """Read a file. Raises `NetworkError` if it contains no network, or one of another version."""
        self.path = str(path)
        self.name = name or f"learned {Path(path).stem}"
        self.header, self._layers = _read(Path(path))
        self._rules: Ruleset | None = None
        self._actions: Actions
        self._features: Features

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the spaces, which a copy makes again."""
        own = {key: value for key, value in vars(self).items() if key not in ("_actions", "_features")}
        return own | {"_rules": None}

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the legal action that the network rates highest."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.rules is not self._rules or view.players != self.header.players:
            self._sit_down(view)
        worth = self.rate(view)
        return self._actions.decode(view, int(worth.argmax()))

    def rate(self, view: View) -> NDArray[Any]:
        """Return the network's number for each id of `Actions`; minus infinity for what is not legal."""
        import numpy as np  # noqa: PLC0415 - only learned bots need it

        if view.rules is not self._rules or view.players != self.header.players:
            self._sit_down(view)
        values = np.zeros(self._features.size, np.float32)
        mask = np.zeros(self._actions.n, np.bool_)
        self._features.write(view, view.actor, values)
        self._actions.mask(view, mask)
        last = len(self._layers) - 1
        for number, (weights, biases) in enumerate(self._layers):
            values = values @ weights + biases
            if number < last:
                values = np.maximum(values, 0)
        return np.where(mask, values, -np.inf)

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
    """Write a network to a file that `learned:FILE` plays.

    `layers` are weights (inputs × outputs) and biases of each layer; they are stored as float16. `trained`
    describes the training. Raises `NetworkError` for sizes that are not those of the spaces, and for
    numbers that a float16 cannot hold.
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
        with np.errstate(over="ignore"):  # reported below
            arrays[f"w{number}"] = np.asarray(weights, np.float32).astype(np.float16)
            arrays[f"b{number}"] = np.asarray(biases, np.float32).astype(np.float16)
    found = _layers(str(path), arrays)
    sizes = Features(rules, players, features).size, Actions(rules, players).n
    if (len(found[0][0]), len(found[-1][1])) != sizes:
        raise NetworkError(
            f"the network leads from {len(found[0][0])} to {len(found[-1][1])} numbers; "
            f"the spaces of {rules.name} with {players} players have {sizes[0]} and {sizes[1]}"
        )
    values = np.array(msgspec.json.encode(header).decode())
    with Path(path).open("wb") as file:  # a path without .npz would get one
        np.savez_compressed(file, header=values, **arrays)  # type: ignore[arg-type]  # its stub's own argument


def _read(path: Path) -> tuple[Header, list[tuple[NDArray[Any], NDArray[Any]]]]:
    import numpy as np  # noqa: PLC0415 - only learned bots need it

    from rum500.spaces import Actions  # noqa: PLC0415 - of the laboratory, which only learned bots need

    try:
        with zipfile.ZipFile(path) as packed:
            size = sum(each.file_size for each in packed.infolist())
        arrays = {}
        if size <= MOST_BYTES:  # else it is taken for an archive without a header
            with np.load(path, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        header = msgspec.json.decode(str(arrays.pop("header")), type=Header)
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, msgspec.MsgspecError) as error:
        raise NetworkError(f"{path}: this is no network of rum500 ({' '.join(str(error).split())})") from None
    if header.format != FORMAT:
        raise NetworkError(f"{path}: this is no network of rum500, but {header.format!r}")
    spaces = header.version, header.actions, header.features
    if spaces != (VERSION, Actions.version, "v1"):
        raise NetworkError(
            f"{path}: written in version {header.version} for actions {header.actions} and features "
            f"{header.features}; this rum500 plays version {VERSION}, actions {Actions.version}, features v1"
        )
    return header, _layers(str(path), arrays)


def _layers(where: str, arrays: dict[str, NDArray[Any]]) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the layers of these arrays. Raises `NetworkError` unless they fit one another."""
    import numpy as np  # noqa: PLC0415 - only learned bots need it

    count = len(arrays) // 2
    wanted = {f"{kind}{number}" for number in range(count) for kind in "wb"}
    if not count or set(arrays) != wanted:
        raise NetworkError(f"{where}: layers are w0, b0, w1, b1 …, not {', '.join(sorted(arrays)) or 'none'}")
    found = [(arrays[f"w{number}"], arrays[f"b{number}"]) for number in range(count)]
    inputs = None
    for number, (weights, biases) in enumerate(found):
        if weights.dtype.kind != "f" or biases.dtype.kind != "f":
            raise NetworkError(f"{where}: layer {number} has other numbers than floats")
        shapes = f"{weights.shape} and {biases.shape}"
        if weights.ndim != 2 or biases.shape != weights.shape[1:] or inputs not in (None, len(weights)):
            raise NetworkError(f"{where}: layer {number} does not fit: {shapes}")
        if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
            raise NetworkError(f"{where}: layer {number} has a number that is not finite")
        inputs = weights.shape[1]
    return [(weights.astype(np.float32), biases.astype(np.float32)) for weights, biases in found]
