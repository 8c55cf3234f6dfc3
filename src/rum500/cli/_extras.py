"""Which extra of rum500 brings a package that is not installed."""

from __future__ import annotations

import re
from importlib import metadata

_REQUIREMENT = re.compile(r"""(?P<package>[\w.-]+).*\bextra *== *["'](?P<extra>[\w-]+)["']""")


def missing_extra(error: ImportError) -> str | None:
    """Say in one line which command installs the package that an import did not find.

    None if the import failed for another reason, or if no extra of rum500 brings the package.
    """
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


def _extras() -> dict[str, str]:
    """The extra that brings each package, by the name under which the package is imported."""
    found = filter(None, map(_REQUIREMENT.match, metadata.requires("rum500") or ()))
    extras = {each["package"].lower().replace("-", "_"): each["extra"] for each in found}
    extras.pop("rum500", None)  # the extra that is all the others
    return extras
