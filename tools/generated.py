"""The end of a tool that generates files: they are written, or compared with those that are there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def write_or_check(about: str | None, files: Mapping[Path, str]) -> int:
    """Write the files whose text is another, or with `--check` on the command line name them.

    `about` is the docstring of the tool; its first line is the help. Returns the exit status: 1 if a checked
    file is stale.
    """
    options = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    options.add_argument("--check", action="store_true", help="write nothing; fail if a file is stale")
    check = options.parse_args().check
    stale = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    if check:
        for path in stale:
            sys.stderr.write(f"stale: {path.relative_to(ROOT)}; write it again with make generate\n")
        return int(bool(stale))
    for path in stale:
        path.write_text(files[path], encoding="utf-8")
    return 0
