"""The ids of docs/rulebook.md."""

from __future__ import annotations

import re
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2] / "docs" / "rulebook.md"


def rule_ids() -> list[str]:
    """Return the ids of all rules, house rules and decisions, in the order of the rulebook."""
    return re.findall(r"^\| (R-[A-Z]+-\d+|[DH]\d+[ab]?) \|", BOOK.read_text(encoding="utf-8"), re.MULTILINE)
