"""What axe, the checker of accessibility, finds on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def settled(page: Page) -> None:
    """Wait until colours and cards have come to rest."""
    page.evaluate(
        """async () => {
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
            const moving = () => document.getAnimations().filter(
                it => it.playState === 'running' && it.effect.getComputedTiming().endTime !== Infinity)
            const end = performance.now() + 10000
            while (moving().length && performance.now() < end) {
                await Promise.race([Promise.allSettled(moving().map(it => it.finished)),
                    new Promise(done => setTimeout(done, 1000))])
            }
        }"""
    )


def violations(page: Page, inside: str | None = None) -> list[str]:
    """What axe finds wrong on the page, or inside this part of it: one line for each element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(
        "([part, tags]) => axe.run(part ?? document, {runOnly: tags, resultTypes: ['violations']})",
        [inside, RULES],
    )
    return [
        f"{each['id']}: {node['html'][:160]} ({' '.join(node.get('failureSummary', '').split())[21:200]})"
        for each in found["violations"]
        for node in each["nodes"]
    ]
