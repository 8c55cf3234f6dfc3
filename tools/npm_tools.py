"""Programs from npm that only measurements need, installed by their locks into build/ with PyPI's Node."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools import page

ROOT = Path(__file__).resolve().parent.parent


def node() -> str:
    """Return the Node from the locked dependencies."""
    return page.node()[0]


def installed(source: Path) -> Path:
    """Return the folder in build/ with the installed packages of `source` (package.json, its lock, files)."""
    target = ROOT / "build" / source.name
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.is_file():
            shutil.copy(file, target / file.name)
    lock, done = source / "package-lock.json", target / "installed-lock.json"
    if not done.exists() or done.read_bytes() != lock.read_bytes():
        print(f"Installing {source.name} into {target.relative_to(ROOT)}", file=sys.stderr, flush=True)
        if subprocess.run(
            [*page.npm(), "ci", "--ignore-scripts", "--silent"], cwd=target, check=False
        ).returncode:
            raise SystemExit(f"npm ci failed in {target.relative_to(ROOT)}")
        shutil.copy(lock, done)
    return target
