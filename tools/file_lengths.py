"""Check that no file that people write is too long for a newcomer to read: at most 600 lines."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 600
FOLDERS = ("src", "tests", "tools", "bench", "examples", "web/src", "web/plugins")
KINDS = (".py", ".ts", ".svelte")
# Longer files that are allowed, and why.
LONGER = {
    "src/rum500/rules/engine/core.py": "its functions are inlined into one another, in one module only",
    "src/rum500/ai/policy.py": "its methods are inlined into one another, in one module only",
}


def lengths() -> dict[str, int]:
    """Return the number of lines of each file that people write."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in KINDS]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    return {
        name: text.count("\n")
        for name, text in texts.items()
        if "ritten by tools/" not in text[:200] and "/paraglide/" not in name
    }


def main() -> int:
    """Print files that are too long, and exceptions that are not needed; return the exit code."""
    found = lengths()
    wrong = [
        f"{name} has {lines} lines, and at most {MOST_LINES} are allowed: divide it by subject"
        for name, lines in sorted(found.items())
        if lines > MOST_LINES and name not in LONGER
    ]
    wrong += [f"{name} is short now: remove it from LONGER" for name in LONGER if found[name] <= MOST_LINES]
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
