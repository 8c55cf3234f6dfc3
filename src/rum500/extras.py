"""The optional extras of rum500, and the extra that installs a missing package."""

from __future__ import annotations

import re
from importlib import metadata

from rum500._compiled import StaleBuildError

_IMPORT_NAMES = {"open_spiel": "pyspiel"}
"""The names under which packages are imported, by package, where the two differ."""
_REQUIREMENT = re.compile(r"""(?P<package>[\w.-]+).*\bextra *== *["'](?P<extra>[\w-]+)["']""")


def missing_extra(error: ImportError) -> str | None:
    """Return one line with the command that installs or compiles a module that an import did not find.

    Returns None if the import failed for another reason, or if no extra of rum500 contains the package.
    """
    if isinstance(error, StaleBuildError):
        return str(error)
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ModuleNotFoundError):
        cause = cause.__cause__
    if cause is None or cause.name is None:
        return None
    package = cause.name.partition(".")[0]
    extra = _extras().get(package)
    if extra is None:
        return None
    return f"this needs {package}, which is not installed; it comes with: pip install 'rum500[{extra}]'"


def with_extra(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return the error, with the command that installs the missing package as its message."""
    return ModuleNotFoundError(missing_extra(error) or str(error), name=error.name)


def _extras() -> dict[str, str]:
    """Return the extra that contains each package, by the package's import name."""
    found = filter(None, map(_REQUIREMENT.match, metadata.requires("rum500") or ()))
    extras: dict[str, str] = {}
    for each in found:
        name = each["package"].lower().replace("-", "_")
        extras.setdefault(_IMPORT_NAMES.get(name, name), each["extra"])  # several extras contain numpy
    extras.pop("rum500", None)  # the extra that includes all others
    return extras
