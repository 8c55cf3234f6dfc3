"""Words are whole on every screen, in every language, on a small phone and with large text."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.screens import Scene, screens, study_screens

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
LANGUAGES = depth(["de"], ["de", "en", "es", "fa", "fr"])

#: Pages that look the same to everybody.
PAGES = [
    "/new", "/new?step=table", "/rules/500-rum", "/tips", "/lessons", "/about", "/settings",
    "/practice/drills", "/practice/mistakes", "/practice/puzzles", "/practice/drills/count/500-rum/3",
    "/devices", "/here", "/back", "/words", "/data", "/people", "/day", "/progress/deeds",
    "/pad", "/pad/may-i",
]  # fmt: skip

SCREENS = [
    "sheet", "middle", "lobby", "invite", "invited", "obligation", "claim", "match-end", "replay", "history",
    "guide", "practice", "puzzle", "hint", "review", "match-review",
]  # fmt: skip

#: A button that shows more of a page, and what appears then.
MORE = {"/words": ("main button.primary", ".paper li")}

#: What is opened at a table, by what is pressed.
PANELS = {"menu": "header nav button:last-child", "plays": "header nav button:first-child"}

#: Words that a box cuts off, that another element covers or that burst their button; controls that a finger
#: misses, and places that scroll and show little.
FAULTS = """() => {
    const found = [], root = document.documentElement, box = it => it.getBoundingClientRect()
    const say = (kind, it, text) =>
        found.push(`${kind}: "${text.trim().slice(0, 40)}" ${it.cloneNode().outerHTML.slice(0, 90)}`)
    const visible = it => it.checkVisibility({visibilityProperty: true, opacityProperty: true})
    if (root.scrollWidth > root.clientWidth)
        say('sideways', [...document.querySelectorAll('body *')].find(it =>
            box(it).right > root.clientWidth + 1 || box(it).left < -1) ?? root, '')
    const clips = it => /hidden|clip/.test(getComputedStyle(it).overflowX + getComputedStyle(it).overflowY)
    // What lies under an open dialog is not looked at.
    const dialogs = [...document.querySelectorAll('dialog:modal')], dialog = dialogs.at(-1)
    const outside = it => dialog && !dialog.contains(it)
    const unseen = it => {
        for (; it; it = it.parentElement) {
            const {width, height} = box(it)
            if (width && height && (width <= 1 || height <= 1)) return true
        }
        return false
    }
    const clear = it => {
        for (; it; it = it.parentElement) {
            const style = getComputedStyle(it)
            if (style.backgroundImage !== 'none') return false
            if (!/, 0\\)$|transparent/.test(style.backgroundColor)) return false
            if (it.tagName === 'BUTTON' || it.tagName === 'LABEL' || it.tagName === 'INPUT') return true
        }
        return true
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = []
    while (words.nextNode()) texts.push(words.currentNode)
    for (const node of texts) {
        const it = node.parentElement, text = node.textContent
        if (!text.trim() || it.closest('svg, .spoken, .skip, script, style, [hidden], option')) continue
        if (outside(it) || unseen(it) || !visible(it)) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const rects = () => [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1)
        if (!rects().length || getComputedStyle(it).pointerEvents === 'none') continue
        const control = it.closest('button:not(.back), a.button, select, summary, [role=tab]')
        const burst = (r, {left, right, top, bottom}) =>
            r.right > right + 1 || r.left < left - 1 || r.bottom > bottom + 2 || r.top < top - 2
        if (control && rects().some(r => burst(r, box(control)))) say('bursts its button', it, text)
        if (it.closest('[dir=auto], bdi') && it.scrollWidth > it.clientWidth) continue  // a long name
        it.scrollIntoView({block: 'center', inline: 'nearest'})
        const name = it.closest('[dir=auto], bdi')
        if (!name) for (let up = it; up && up !== document.body; up = up.parentElement) {
            if (!clips(up)) continue
            const {left, right, top, bottom} = box(up), style = getComputedStyle(up)
            const [across, down] = [/hidden|clip/.test(style.overflowX), /hidden|clip/.test(style.overflowY)]
            if (rects().some(r => across && (r.right > right + 1.5 || r.left < left - 1.5) ||
                down && (r.bottom > bottom + 4 || r.top < top - 4))) say('cut', it, text)
        }
        for (const r of rects()) {
            const y = r.top + r.height / 2
            const hidden = [r.left + 2, r.right - 2].some(x => {
                if (x < 0 || x >= innerWidth || y < 0 || y >= innerHeight) return false
                const top = document.elementFromPoint(x, y)
                const related = !top || it.contains(top) || top.contains(it) || top.closest('[role=dialog]')
                return !related && !clear(top)
            })
            if (hidden) say('covered', it, text)
            if (r.right > innerWidth + 1 || r.left < -1) say('beyond the window', it, text)
        }
    }
    for (const it of document.querySelectorAll('button, a, select, summary, [role=tab], input')) {
        if (!visible(it) || outside(it) || it.matches('.skip, .spoken')) continue
        const style = getComputedStyle(it), target = it.closest('label') ?? it
        // In a line of text, and along a slider, 24 px are enough.
        const inline = style.display === 'inline', need = inline ? 10 : it.type === 'range' ? 12 : 21
        target.scrollIntoView({block: 'center', inline: 'nearest'})
        const {left, top, width, height} = box(target)
        if (width < 3 || height < 3) continue
        const hit = (right, down) => {
            const [x, y] = [left + width / 2 + right, top + height / 2 + down]
            if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return true
            const seen = document.elementFromPoint(x, y)
            return target.contains(seen) || inline
        }
        if (hit(0, 0) && ![[-need, 0], [need, 0], [0, -need], [0, need]].every(by => hit(...by)))
            say(`small ${Math.round(width)}x${Math.round(height)}`, it, it.ariaLabel ?? it.textContent)
    }
    for (const it of document.querySelectorAll('main *, dialog *')) {
        const {clientHeight: high, scrollHeight: all} = it
        const scrolls = /auto|scroll/.test(getComputedStyle(it).overflowY) && all > high + 1
        if (scrolls && high && high < innerHeight * 0.4 && !outside(it) && !it.matches('.felt *'))
            say(`shows ${high} of ${all}`, it, it.textContent)
    }
    scrollTo(0, 0)
    return [...new Set(found)]
}"""


def faults(page: Page, where: str) -> dict[str, str]:
    """What is wrong on this page, with text of the usual size and twice as large."""
    found: dict[str, str] = {}
    for size in ("100%", "200%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", size)
        settled(page)
        found |= dict.fromkeys(page.evaluate(FAULTS), f"{where} at {size}")
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found


def shown(new_page, guest: Guest, language: str, path: str, scene: Scene | None = None) -> Page:
    """This address in this language, once all of it is loaded."""
    page = new_page(guest, **PHONE)
    page.page.add_init_script(f"localStorage.setItem('rum500.locale', '{language}')")
    if scene is not None:
        scene.before(page.page)
    page.open(path)
    page.page.wait_for_load_state("networkidle")
    settled(page.page)
    return page.page


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_pages_are_whole(language: str, server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    wrong: dict[str, str] = {}
    for path in depth([*PAGES[:2], "/words"], PAGES):
        page = shown(new_page, guest, language, path)
        wrong |= faults(page, path)
        if path in MORE:
            opener, opened = MORE[path]
            page.locator(opener).click()
            page.locator(opened).first.wait_for()
            wrong |= faults(page, f"{path} opened")
    assert not wrong, "\n".join(f"{where}: {fault}" for fault, where in wrong.items())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", depth(SCREENS[:1], SCREENS))
def test_words_of_screens_are_whole(name: str, language: str, server: LiveServer, new_page) -> None:
    scene = (screens() | study_screens())[name](server)
    page = shown(new_page, scene.guest, language, scene.path, scene)
    if name == "hint":
        page.keyboard.press("i")
        page.locator("[data-hint], .said").first.wait_for()
    wrong = faults(page, name)
    for panel, opener in PANELS.items() if name == "middle" else ():
        page.locator(opener).click()
        page.locator("dialog[open]").wait_for()
        wrong |= faults(page, panel)
        page.keyboard.press("Escape")
    if name == "middle":
        page.keyboard.press("?")
        page.locator("dialog[open]").wait_for()
        wrong |= faults(page, "keys")
    assert not wrong, "\n".join(f"{where}: {fault}" for fault, where in wrong.items())
