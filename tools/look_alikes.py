"""Write server/live/log/look_alikes.toml: characters that look alike, by the Unicode standard (TR 39).

The data are those of the package confusable_homoglyphs. Only characters that a name can contain are kept.
"""

from __future__ import annotations

import json
import unicodedata
from importlib import resources
from pathlib import Path

from tools.generate import ROOT

TARGET = ROOT / "src" / "rum500" / "server" / "live" / "log" / "look_alikes.toml"
_HEADING = "# Written by tools/look_alikes.py: characters, and the one, or ones, that they look like.\n"


def files() -> dict[Path, str]:
    """Return the file."""
    by_target: dict[str, list[str]] = {}
    for source, target in sorted(_targets().items()):
        by_target.setdefault(target, []).append(source)
    lines = (
        f"{json.dumps(target, ensure_ascii=False)} = {json.dumps(''.join(sources), ensure_ascii=False)}\n"
        for target, sources in sorted(by_target.items())
    )
    return {TARGET: _HEADING + "".join(lines)}


def _targets() -> dict[str, str]:
    """Return what each character looks like. The package lists every pair in both directions."""
    text = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    known: dict[str, list[str]] = {
        char: [one["c"] for one in likes] for char, likes in json.loads(text).items()
    }
    found = {}
    for char, likes in known.items():
        if len(char) != 1 or len(likes) != 1 or not _in_names(char):
            continue
        (target,) = likes
        stands_for_it = len(target) > 1 or len(known[target]) > 1 or target < char
        if stands_for_it and all(map(_in_names, target)):
            found[char] = target
    return found


def _in_names(char: str) -> bool:
    return unicodedata.normalize("NFKC", char) == char and unicodedata.category(char)[0] not in "CZ"
