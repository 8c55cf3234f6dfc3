"""The player's choices about the screen, kept for later matches in a file beside the saved matches."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from rum500.file_reading import NoTextError, read_text

FILE = "preferences.json"
_MOST = 4096


class Preferences:
    """What the player has chosen about the screen."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the choices kept in this folder, if there are any; without a folder, keep none."""
        self.folder = folder
        self.in_front = bool(_kept(folder).get("in_front"))
        """Whether laid-off cards are shown in front of their player, and not at the meld (R-LAY-3)."""

    def switch_lays(self) -> None:
        """Switch where laid-off cards are shown. A choice that cannot be stored holds for this match only."""
        self.in_front = not self.in_front
        if self.folder is not None:
            with suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True)
                text = json.dumps({"in_front": self.in_front})
                (self.folder / FILE).write_text(f"{text}\n", encoding="utf-8")


def _kept(folder: Path | None) -> dict[str, object]:
    """Return the content of the file; empty if it is missing or unreadable."""
    if folder is not None:
        with suppress(OSError, NoTextError, ValueError, RecursionError):
            found = json.loads(read_text(folder / FILE, _MOST))
            if isinstance(found, dict):
                return found
    return {}
