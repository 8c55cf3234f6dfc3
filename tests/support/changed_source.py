"""A Python process with changed source lines, as if somebody had edited a file."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src"


class ChangedSource(importlib.abc.MetaPathFinder):
    """Loads the changed modules. The text to replace must occur once in each."""

    def __init__(self, changes: dict[str, dict[str, str]]) -> None:
        """Set the replacements, by module."""
        self.changes = changes

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        if name not in self.changes:
            return None
        file = SOURCE / (name.replace(".", "/") + ".py")
        return importlib.util.spec_from_file_location(
            name, file, loader=_Loader(self.changes[name], name, file)
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, replacements: dict[str, str], name: str, file: Path) -> None:
        super().__init__(name, str(file))
        self.replacements = replacements

    def get_code(self, fullname: str) -> CodeType:
        text = self.get_data(self.path).decode()
        for old, new in self.replacements.items():
            assert text.count(old) == 1, f"{fullname}: {old!r} stands {text.count(old)} times"
            text = text.replace(old, new)
        return compile(text, self.path, "exec")


def observed(changes: dict[str, dict[str, str]], observe: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Return what a function of a test module reports in a process with changed sources."""
    program = (
        "import json, sys; from tests.support.changed_source import ChangedSource; "
        "sys.meta_path.insert(0, ChangedSource(json.loads(sys.argv[1]))); "
        f"from {observe.__module__} import {observe.__name__} as observe; print(json.dumps(observe()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps(changes)],
        capture_output=True, text=True, cwd=SOURCE.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found
