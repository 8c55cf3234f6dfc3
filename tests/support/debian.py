"""A new Debian in a folder, as the base of a server or of a container."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.wheels import run

#: What it mounts is seen by its processes only, and gone with them.
ALONE = ("unshare", "--mount", "sh", "-c")


def new_debian(folder: Path, packages: str) -> None:
    """Install a new Debian 12 with some packages into a folder; skip the test where that is not possible."""
    if os.getuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("NO NEW DEBIAN: it takes root and debootstrap")
    run(
        *ALONE,
        shlex.join(["debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", str(folder)]),
    )
