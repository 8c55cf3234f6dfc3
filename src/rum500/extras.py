"""The optional extras of rum500, and the extra that installs a missing package."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

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
    return f"this needs {package}, which is not installed; it comes with: {install_command(extra)}"


def install_command(extra: str) -> str:
    """Return the command that adds an extra to the rum500 that is running.

    It installs from where this one came, which pip has noted (PEP 610): checkout, file, address or index.
    """
    origin = json.loads(metadata.distribution("rum500").read_text("direct_url.json") or "{}")
    url = origin.get("url", "")
    editable = "-e " if origin.get("dir_info", {}).get("editable") else ""
    if url.startswith("file:"):
        what = f"{unquote(urlsplit(url).path)}[{extra}]"
    elif url:
        version_control = origin.get("vcs_info", {}).get("vcs")
        what = f"rum500[{extra}] @ {f'{version_control}+' if version_control else ''}{url}"
    else:
        what = f"rum500[{extra}]"
    return f"{_pip()} install {editable}{shlex.quote(what)}"


def _pip() -> str:
    """Return the command of the pip that installs for this Python."""
    found = shutil.which("pip")
    if found is not None and Path(found).parent == Path(sysconfig.get_path("scripts")):
        return "pip"
    return f"{shlex.quote(sys.executable)} -m pip"


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
