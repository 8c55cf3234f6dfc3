"""The choice of the engine: compiled, or the same source files interpreted.

The hot modules are plain `.py` files that Cython compiles. If an extension is beside its source, Python loads
the extension and ignores the source. The build therefore contains a hash of the sources, which is compared
with the files at import. `RUM500_INTERPRETED=1` runs the sources even if there are extensions.

The build reads this file too, without importing the package: it may import the standard library only.
"""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

EngineKind = Literal["compiled", "interpreted"]


class Group(NamedTuple):
    """Modules that are compiled together.

    The last module contains the hash of the sources, as the C macro `RUM500_SOURCE_HASH`. The build puts this
    module into place last. So after a failed build the old last module is still there, and its hash does not
    match the sources.
    """

    name: str
    modules: tuple[str, ...]


#: Code of Cython that all compiled modules share. It is generated, so it has no source here.
SHARED: Final = "rum500._cython_shared"
CORE: Final = "rum500.rules.engine.core"
#: The modules that play needs.
ENGINE: Final = Group(
    "engine",
    (
        "rum500.rng",
        "rum500.rules.engine.playouts",
        "rum500.view.from_core",
        "rum500.state.history",
        "rum500.ai.policy",
        "rum500.ai.policy_deals",
        "rum500.ai.worlds",
        "rum500.ai.search",
        "rum500.ai.outcomes",
        "rum500.ai.endgame",
        "rum500.ai.clues",
        "rum500.ai.hand_sampler",
        "rum500.server.messages.struct_diff",
        CORE,
    ),
)
#: The additional modules for learners and the laboratory.
LABORATORY: Final = Group(
    "laboratory",
    (
        "rum500.spaces.features",
        "rum500.lab.deal_array",
        "rum500.lab.deal_team",
        "rum500.spaces.actions",
    ),
)
GROUPS: Final = (ENGINE, LABORATORY)
#: Every module that is compiled and has a source.
MODULES: Final = (*ENGINE.modules, *LABORATORY.modules)
#: The environment variable that, set to 1, makes Python run the sources; an empty value and 0 mean no.
INTERPRETED_VARIABLE: Final = "RUM500_INTERPRETED"
REBUILD_COMMAND: Final = "make build"

_PACKAGE: Final = Path(__file__).resolve().parent
_kind: EngineKind = "interpreted"


class StaleBuildError(ImportError):
    """The compiled engine was built from other sources than the ones beside it."""


class InterpretedEngineWarning(UserWarning):
    """The engine runs interpreted although this was not requested."""


class _SourceFinder:
    """An import hook that finds the sources of compiled modules before Python finds the extensions."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the `.py` file of a compiled module, None for every other name."""
        return (
            spec_from_file_location(name, _stem(name, _PACKAGE).with_suffix(".py"))
            if name in MODULES
            else None
        )


class _LaboratoryCheck:
    """An import hook that checks the laboratory's extensions when its first module is imported."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> None:
        """Raise `StaleBuildError` if the laboratory's extensions are missing or stale."""
        if name in LABORATORY.modules:
            if check(group=LABORATORY) == "interpreted":
                raise StaleBuildError(
                    f"The laboratory is not compiled here, only what play needs: run `{REBUILD_COMMAND}`."
                )
            sys.meta_path.remove(cls)


def install() -> None:
    """Choose the engine of this process. It is called once, before the rest of the package is imported.

    Raises `StaleBuildError` if extensions and sources differ. Warns if there are no extensions.
    """
    global _kind
    if interpreted_wanted():
        sys.meta_path.insert(0, _SourceFinder)
        _kind = "interpreted"
        return
    _kind = check()
    if _kind == "compiled":
        sys.meta_path.insert(0, _LaboratoryCheck)
    elif sys.platform != "emscripten":  # a browser's Python has no compiler
        warnings.warn(
            "The rum500 engine runs interpreted, about a hundred times slower: it was not compiled. "
            f"With a C compiler, `{REBUILD_COMMAND}` or a fresh install compiles it; "
            f"{INTERPRETED_VARIABLE}=1 silences this.",
            InterpretedEngineWarning,
            stacklevel=3,
        )


def check(package: Path = _PACKAGE, group: Group = ENGINE) -> EngineKind:
    """Return whether the modules of a group are compiled in a package's folder.

    Raises `StaleBuildError` if only some are compiled, or if they were built from other sources.
    """
    binaries = {name: _binary(name, package) for name in group.modules}
    if group is ENGINE:
        binaries[SHARED] = _binary(SHARED, package)
    missing = [name for name, binary in binaries.items() if binary is None]
    if len(missing) == len(binaries):
        return "interpreted"
    carrier = binaries[group.modules[-1]]
    if missing or carrier is None:
        raise StaleBuildError(_refusal(group, f"is incomplete ({', '.join(missing)} not built)"))
    if source_hash(package, group).encode() not in carrier.read_bytes():
        fault = _refusal(group, "was built from other sources than these")
        raise StaleBuildError(fault, name=group.modules[-1], path=str(carrier))
    return "compiled"


def engine_kind() -> EngineKind:
    """Return the engine of this process: "compiled" or "interpreted"."""
    return _kind


def is_compiled() -> bool:
    """Return whether this process runs the compiled engine."""
    return _kind == "compiled"


def interpreted_wanted() -> bool:
    """Return whether the environment requests the interpreted engine."""
    return os.environ.get(INTERPRETED_VARIABLE, "0") not in ("", "0")


def source_hash(package: Path = _PACKAGE, group: Group = LABORATORY) -> str:
    """Return the SHA-256, in hexadecimal, of the names and contents of a group's files (`sources`)."""
    digest = hashlib.sha256()
    for source in sources(package, group):
        content = source.read_bytes()
        digest.update(f"{source.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def sources(package: Path = _PACKAGE, group: Group = LABORATORY) -> list[Path]:
    """Return the `.py` files of a group and their `.pxd` files.

    The laboratory uses declarations of the engine, so its sources are those of both groups.
    """
    stems = [_stem(name, package) for name in (MODULES if group is LABORATORY else group.modules)]
    declared = (stem.with_suffix(".pxd") for stem in stems)
    return [stem.with_suffix(".py") for stem in stems] + [pxd for pxd in declared if pxd.exists()]


def _stem(name: str, package: Path) -> Path:
    return package.joinpath(*name.split(".")[1:])


def _binary(name: str, package: Path) -> Path | None:
    stem = _stem(name, package)
    candidates = (stem.with_name(stem.name + suffix) for suffix in EXTENSION_SUFFIXES)
    return next((path for path in candidates if path.exists()), None)


def _refusal(group: Group, fault: str) -> str:
    return (
        f"The compiled rum500 {group.name} {fault}. Rebuild it: `{REBUILD_COMMAND}`, "
        f"or set {INTERPRETED_VARIABLE}=1 to run the sources as they are."
    )
