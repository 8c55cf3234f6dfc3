"""Programs from npm that only measurements need, installed into build/ with PyPI's Node."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools import page

BUILD = Path(__file__).resolve().parent.parent / "build"
#: The measured package, and a day: the newest versions of that day are installed of all that it needs.
LIGHTHOUSE = ("lighthouse@13.5.0", "2026-11-20")
BOARDGAME = ("boardgame.io@0.50.2", "2026-11-20")


def node() -> str:
    """Return the Node from the locked dependencies."""
    return page.node()[0]


def installed(wanted: tuple[str, str]) -> Path:
    """Return the folder node_modules with this package and its dependencies; install what is missing."""
    package, day = wanted
    target = BUILD / f"{package}-{day}"
    if not (done := target / ".installed").exists():
        print(f"Installing {package} into {target}", file=sys.stderr, flush=True)
        target.mkdir(parents=True, exist_ok=True)
        flags = ("--prefix", str(target), "--before", day, "--ignore-scripts", "--silent")
        if subprocess.run([*page.npm(), "install", *flags, package], check=False).returncode:
            raise SystemExit(f"npm cannot install {package}")
        done.touch()
    return target / "node_modules"
