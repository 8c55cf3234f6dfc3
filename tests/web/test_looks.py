"""The colours of the table: all texts on them can be read in both themes."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.depth import depth
from tests.web.conftest import Sit

#: The least contrast of text, small text, saffron and owners' marks, by the rounded figures of the design;
#: of other texts it is that of small text.
LEAST = {"ink": 7.1, "mut": 5.2, "acc": 4.6, "mark": 4.85}

THEMES = pytest.mark.parametrize("theme", ["light", "dark"])
FELTS = pytest.mark.parametrize("felt", depth(["sage", "claret"], ["sage", "baize", "claret", "night"]))

#: The least contrast of each text on the felt, and of the tokens of inks, with the colours as computed.
CONTRASTS = """() => {
    const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
    const rgba = (colour) => {
        pen.clearRect(0, 0, 1, 1)
        pen.fillStyle = colour
        pen.fillRect(0, 0, 1, 1)
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data
        return [r, g, b, a / 255]
    }
    const over = ([r, g, b, a], below) => [r, g, b].map((it, i) => it * a + below[i] * (1 - a))
    const light = (colour) => {
        const linear = (it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4
        const [r, g, b] = colour.map(it => linear(it / 255))
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b)
        return (high + 0.05) / (low + 0.05)
    }
    const felt = document.querySelector('.felt')
    const probe = felt.appendChild(document.createElement('i'))
    const token = (name) => {
        probe.style.color = `var(--${name})`
        return rgba(getComputedStyle(probe).color)
    }
    const cloth = [token('felt'), token('felt2')]
    const grounds = [...cloth, over(token('lamp'), cloth[0]), over(token('lamp'), cloth[1])]
    const found = {}
    const measure = (what, ink, below) => {
        for (const ground of below)
            found[what] = Math.min(found[what] ?? 21, contrast(over(ink, ground), ground))
    }
    for (const name of ['ink', 'mut', 'acc']) measure(name, token(name), grounds)
    for (const owner of [0, 1, 2, 3]) {
        const mark = token(`owner-${owner}`)
        measure('mark', mark, grounds)
        measure('mark', token(`onowner-${owner}`), [mark])
    }
    probe.remove()
    const groundsOf = (element) => {
        if (element === felt) return grounds
        const colour = rgba(getComputedStyle(element).backgroundColor)
        return colour[3] === 0 ? groundsOf(element.parentElement)
            : groundsOf(element.parentElement).map(below => over(colour, below))
    }
    const texts = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const {textContent, parentElement: at} = texts.currentNode
        if (!textContent.trim() || at.closest('.spoken, svg') || !at.checkVisibility()) continue
        measure(`“${textContent.trim()}”`, rgba(getComputedStyle(at).color), groundsOf(at))
    }
    return found
}"""


@THEMES
@FELTS
def test_texts_on_every_felt_have_contrast(felt: str, theme: str, sit: Sit) -> None:
    player = sit(situations.TWO_TARGETS)
    page = player.page.page
    kept = json.dumps({"felt": felt, "theme": theme})
    page.evaluate("kept => localStorage.setItem('rum500.settings', kept)", kept)
    page.reload()
    player.page.state(mine="true")
    assert page.evaluate("document.documentElement.dataset.felt") == felt
    player.select("QD")
    expect(page.locator("[data-drop=pile]").get_by_text("Discard Q♦")).to_be_visible()
    contrasts: dict[str, float] = page.evaluate(CONTRASTS)
    assert {*LEAST, "“Discard Q♦”", "“Emmy”"} <= contrasts.keys()
    assert {what: value for what, value in contrasts.items() if value < LEAST.get(what, LEAST["mut"])} == {}
