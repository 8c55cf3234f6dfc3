"""Check a page with axe, the checker of accessibility."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def settled(page: Page) -> None:
    """Wait until colours, cards and sizes on the page have stopped changing.

    One size follows from another, each measured a frame later, so three equal frames in a row count as the
    end.
    """
    page.evaluate(
        """async () => {
            const frame = () => new Promise(done => requestAnimationFrame(done))
            const moving = () => document.getAnimations().some(
                it => it.playState === 'running' && it.effect.getComputedTiming().endTime !== Infinity)
            const sizes = () => [...document.querySelectorAll('body, body *')].map(it => {
                const {x, y, width, height} = it.getBoundingClientRect()
                return [x, y, width, height, it.scrollWidth, it.scrollHeight, it.tabIndex]
            }).join()
            const end = performance.now() + 10000
            let [before, alike] = ['', 0]
            while (alike < 3 && performance.now() < end) {
                await frame()
                const now = sizes()
                alike = now === before && !moving() ? alike + 1 : 0
                before = now
            }
        }"""
    )


def violations(page: Page, inside: str | None = None) -> list[str]:
    """Return what axe finds wrong on the page, or inside this part of it: one line for each element.

    A target that is partly covered by something at the window's edge is checked again where nothing covers
    it.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate(
        """async ([part, tags]) => {
            const {violations} = await axe.run(part ?? document, {runOnly: tags, resultTypes: ['violations']})
            const targets = violations.find(it => it.id === 'target-size')
            const stays = []
            for (const node of targets?.nodes ?? []) {
                document.querySelector(node.target[0]).scrollIntoView({block: 'center'})
                const again = await axe.run(node.target[0], {runOnly: ['target-size']})
                if (again.violations.length) stays.push(node)
            }
            if (targets) targets.nodes = stays
            return {violations}
        }""",
        [inside, RULES],
    )
    return [
        f"{each['id']}: {node['html'][:160]} ({' '.join(node.get('failureSummary', '').split())[21:200]})"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def assert_sound(page: Page) -> None:
    """Assert that axe finds nothing, and that nothing reaches over the window's side."""
    settled(page)
    found = violations(page)
    assert not found, "\n".join(found)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
