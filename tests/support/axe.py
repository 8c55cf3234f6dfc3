"""What axe, the checker of accessibility, finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """What axe finds wrong, one line for each element."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(
        "tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", RULES
    )
    return [
        f"{each['id']}: {node['html'][:160]} ({' '.join(node.get('failureSummary', '').split())[21:200]})"
        for each in found["violations"]
        for node in each["nodes"]
    ]
