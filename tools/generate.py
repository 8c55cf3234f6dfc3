"""Write the files that follow from others, or report (`--check`) which are stale.

    python -m tools.generate [NAME ...] [--check]

Each generator is a module of this folder. Its `files()` returns the texts of its files; `faults()` returns
what is stale besides them, and `write()` writes files that are not text.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
GENERATORS = (
    "engine_stub",
    "option_types",
    "profile_pages",
    "doc_tables",
    "equity",
    "picture",
    "protocol",
    "icons",
    "card_faces",
    "study_pages",
    "search_figures",
    "fair_vectors",
    "scoring_rules",
    "referee_vectors",
    "look_alikes",
    "notebook",
)
CHECKED = ("luck_factors", "studies")
"""Generators that take hours: `make train` and `make studies` run them; this program only checks them."""


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("names", nargs="*", help="all if none is named")
    options.add_argument("--check", action="store_true", help="write nothing; fail if a file is stale")
    chosen = options.parse_args()
    everything = (*GENERATORS, *CHECKED) if chosen.check else GENERATORS
    modules = [import_module(f"tools.{name}") for name in chosen.names or everything]
    faults = [fault for module in modules for fault in (check(module) if chosen.check else write(module))]
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


def check(module: ModuleType) -> list[str]:
    """Return a line for each stale file of a generator."""
    found = [f"stale: {path.relative_to(ROOT)} (make generate)" for path in stale(module)]
    return found + (module.faults() if hasattr(module, "faults") else [])


def write(module: ModuleType) -> list[str]:
    """Write the stale files of a generator; return what else is stale."""
    for path, text in stale(module).items():
        path.write_text(text, encoding="utf-8")
    if hasattr(module, "write"):
        module.write()
    return module.faults() if hasattr(module, "faults") else []


def stale(module: ModuleType) -> dict[Path, str]:
    """Return the texts of the files that are missing or have another text."""
    texts: dict[Path, str] = module.files() if hasattr(module, "files") else {}
    return {
        path: text
        for path, text in texts.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }


if __name__ == "__main__":
    sys.exit(main())
