"""Every screen: no violation of accessibility in either theme and at double text size, no small text.

Nor does any scroll sideways, or have a button that a finger may miss.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support import situations
from tests.support.axe import settled, violations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.rare_situations import lay_out
from tests.support.screens import Scene, screens
from tests.support.table_page import TablePage

PHONE = {"width": 360, "height": 640}
LANDSCAPE = {"width": 640, "height": 360}
DESKTOP = {"width": 1280, "height": 800}

#: All windows that the screens are made for.
PHONES = [(360, 640), (360, 740), (390, 844)]
LARGER = [(768, 1024), (1280, 800), (1440, 900), (2560, 1440)]


def sideways(page: Page) -> list[str]:
    """Elements that reach beyond the window's edge, where the page would scroll sideways."""
    if page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"):
        return []
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .map(it => [it, it.getBoundingClientRect()])
            .filter(([it, box]) => box.right > document.documentElement.clientWidth + 1 || box.left < -1)
            .map(([it]) => it.outerHTML.slice(0, 120))"""
    )
    return found[:6] or ["the page itself"]


def small_text(page: Page) -> list[str]:
    """Words below 12 px, and sentences below 14 px on a phone; the letters in pictures are left out."""
    found: list[str] = page.evaluate(
        """() => {
            const found = []
            const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
            while (words.nextNode()) {
                const it = words.currentNode.parentElement, text = words.currentNode.textContent.trim()
                const range = document.createRange()
                range.selectNodeContents(words.currentNode)
                const {width, height} = range.getBoundingClientRect()
                if (!text || width < 2 || height < 2 || it.closest('svg')) continue
                const whole = it.closest('p, li, dd, td')?.textContent.trim() ?? text
                const sentence = innerWidth < 600 && /[.!?]$/.test(whole) && whole.split(/\\s+/).length > 4
                const size = parseFloat(getComputedStyle(it).fontSize)
                if (size < (sentence ? 14 : 12)) found.push(`${size} px: ${text.slice(0, 60)}`)
            }
            return found
        }"""
    )
    return found


def small_targets(page: Page) -> list[str]:
    """Buttons of a phone that a finger of 44 px may miss.

    Not those that do nothing now: what is said of a duty may lie over the stock. The newest play's line does
    what the clock does.
    """
    found: list[str] = page.evaluate(
        """() => innerWidth >= 600 ? [] : [...document.querySelectorAll('button, a.button, header nav a')]
            .filter(it => !it.matches('[role=option], .felt .last, [aria-disabled=true]'))
            .filter(it => {
                it.scrollIntoView({block: 'center', inline: 'nearest'})  // from behind what stays at the edge
                const {x, y, width, height} = it.getBoundingClientRect()
                const hit = (right, down) => {
                    const [left, top] = [x + width / 2 + right, y + height / 2 + down]
                    if (left < 0 || top < 0 || left >= innerWidth || top >= innerHeight) return true
                    return it.contains(document.elementFromPoint(left, top))
                }
                return hit(0, 0) && ![[-21, 0], [21, 0], [0, -21], [0, 21]].every(by => hit(...by))
            })
            .map(it => `${it.getAttribute('aria-label') ?? it.textContent.trim()}`)"""
    )
    return found


def covered_headings(page: Page) -> list[str]:
    """Words of headings whose beginning or end another element covers, but for words for readers alone."""
    found: list[str] = page.evaluate(
        """() => {
            const found = []
            const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
            while (words.nextNode()) {
                const it = words.currentNode.parentElement, heading = it.closest('main :is(h1, h2, h3)')
                if (!heading || Math.min(it.clientWidth || 9, heading.clientWidth) < 8) continue
                heading.scrollIntoView({block: 'center', inline: 'nearest'})
                const range = document.createRange()
                range.selectNodeContents(words.currentNode)
                const covered = (x, y) => {
                    const top = document.elementFromPoint(x, y)
                    return top && !heading.contains(top) && !top.contains(heading)
                }
                if ([...range.getClientRects()].some(({left, right, top, height}) =>
                    covered(left + 4, top + height / 2) || covered(right - 4, top + height / 2)))
                    found.push(words.currentNode.textContent.trim())
            }
            return found
        }"""
    )
    return found


def shown(page: TablePage, scene: Scene) -> Page:
    """Go to the scene."""
    scene.before(page.page)
    page.open(scene.path)
    scene.after(page)
    return page.page


#: Of the other screens parts are looked at in other tests.
QUICK = ["lobby", "new-table", "middle", "sheet"]


@pytest.mark.parametrize("name", depth(QUICK, list(screens())))
def test_no_violation_and_no_sideways_scroll(name: str, server: LiveServer, new_page) -> None:
    found: dict[str, list[str]] = {}

    def look(page: Page, where: str) -> None:
        faults = violations(page) + [f"sideways scroll: {it}" for it in sideways(page)]
        faults += [f"small text: {it}" for it in small_text(page)]
        faults += [f"small target: {it}" for it in small_targets(page)]
        faults += [f"covered heading: {it}" for it in covered_headings(page)]
        for fault in faults:
            found.setdefault(fault, []).append(where)

    looks = (("dark", DESKTOP), ("light", PHONE))
    for theme, size in depth((looks[len(name) % 2],), looks):
        options = {"has_touch": True, "is_mobile": True} if size is PHONE else {}
        scene = screens()[name](server)  # made again, because some scenes change by themselves
        page = shown(new_page(scene.guest, color_scheme=theme, viewport=size, **options), scene)
        other = "light" if theme == "dark" else "dark"
        for width, height in depth([(size["width"], size["height"])], PHONES if size is PHONE else LARGER):
            page.set_viewport_size({"width": width, "height": height})
            for colours in depth([theme], [theme, other]):
                page.emulate_media(color_scheme=colours)
                settled(page)
                look(page, f"{width} px {colours}")
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=other)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        settled(page)
        look(page, f"{size['width']} px {other} at 200 %")
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size(LANDSCAPE)
        settled(page)
        for fault in sideways(page):
            found.setdefault(f"sideways scroll: {fault}", []).append("landscape")
    assert not found, "\n".join(f"{fault}: {', '.join(where)}" for fault, where in found.items())


def in_both_themes(page: Page, where: str, inside: str | None = None) -> list[str]:
    """What is wrong with this screen, or this part of it, as it stands, in either theme."""
    found = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        settled(page)
        found += [f"{where}, {theme}: {it}" for it in [*violations(page, inside), *sideways(page)]]
    return found


@pytest.mark.whole
def test_no_violation_on_the_quieter_pages(own_server: LiveServer, new_page) -> None:
    """The lobby of somebody with tables of their own, and what it is all about."""
    nora = Guest(own_server, "Nora")
    nora.new_table("persian-rummy", level="greedy", start=True)
    nora.host()
    Guest(own_server, "Cy").host("michigan-rum")
    page = new_page(nora, at=own_server, viewport=PHONE, has_touch=True, is_mobile=True)
    found = []
    for path, heading in (
        ("/", re.compile("^Your (tables|turn)")),
        ("/about", "About rum500"),
        ("/tips", "Go where the draws lead"),
    ):
        page.open(path)
        expect(page.page.get_by_role("heading", name=heading)).to_be_visible()
        found += in_both_themes(page.page, path)
    assert not found, "\n".join(found)


@pytest.mark.whole
def test_no_violation_in_the_panels_of_a_table_nor_in_a_pause(server: LiveServer, new_page) -> None:
    """With chat, and with a vote under way."""
    ada, ben = Guest(server, "Ada"), Guest(server, "Ben")
    table = lay_out(server, situations.CLOCKED, ada, ben)
    found = []
    with ben.at(table) as other:
        page = new_page(ada, viewport=DESKTOP).at(table)
        dialog = page.page.get_by_role("dialog")

        def look(where: str) -> None:
            expect(dialog).to_be_visible()
            found.extend(in_both_themes(page.page, where, "dialog"))

        page.button("Rules of this game").click()
        expect(dialog.get_by_role("heading", name="The turn")).to_be_visible()
        look("rules at the table")
        page.page.keyboard.press("Escape")
        page.page.set_viewport_size({"width": 1280, "height": 240})
        page.button("Last plays").click()
        look("plays, more than the window holds")
        page.page.keyboard.press("Escape")
        page.page.set_viewport_size(DESKTOP)
        page.page.keyboard.press("?")
        expect(dialog).to_contain_text("Walk through hand or pile")
        look("keys")
        page.page.keyboard.press("Escape")
        other.say("chat", text="Good luck to all of you.")
        other.say("reaction", reaction="hello")
        page.button("Reactions and chat").first.click()
        page.button("Show chat").click()
        expect(dialog).to_contain_text("Good luck to all of you.")
        look("chat")
        page.page.keyboard.press("Escape")
        other.say("vote", on="pause")
        expect(page.page.get_by_text("Pause wanted by Ben")).to_be_visible()
        page.button("Menu").click()
        page.button("Resign").click()
        look("menu")
        page.page.keyboard.press("Escape")
        found += in_both_themes(page.page, "a vote")
        page.button("Agree").click()
        page.state(status="paused")
        found += in_both_themes(page.page, "a pause")
    assert not found, "\n".join(found)


@pytest.mark.whole
def test_no_violation_for_a_spectator(server: LiveServer, new_page) -> None:
    ada, cy = Guest(server, "Ada"), Guest(server, "Cy")
    page = new_page(cy, viewport=DESKTOP).at(lay_out(server, situations.CLOCKED, ada))
    found = in_both_themes(page.page, "desktop")
    page.page.set_viewport_size(PHONE)
    found += in_both_themes(page.page, "phone")
    assert not found, "\n".join(found)


@pytest.mark.whole
def test_signs_stay_where_colours_are_forced(server: LiveServer, new_page) -> None:
    """The newest discard, the card just drawn and the one selected: shadows and backgrounds are gone."""
    scene = screens()["middle"](server)
    page = new_page(scene.guest, viewport=DESKTOP, forced_colors="active")
    shown(page, scene)
    line, ground = page.pile.get_by_role("option").last.evaluate(
        "it => [getComputedStyle(it, '::before'), getComputedStyle(document.body)].map(x=>x.backgroundColor)"
    )
    assert line != ground
    first = page.hand.get_by_role("option").first
    first.click()
    expect(first).to_have_attribute("aria-selected", "true")
    expect(first).to_have_css("outline-style", "solid")


def test_persian_is_written_from_right_to_left(server: LiveServer, new_page) -> None:
    scene = screens()["middle"](server)
    page = new_page(scene.guest, viewport=PHONE, locale="fa-IR")
    shown(page, scene)
    root = page.page.locator("html")
    expect(root).to_have_attribute("lang", "fa")
    expect(root).to_have_attribute("dir", "rtl")
    assert not sideways(page.page)
    # Cards and the pile run as they do everywhere: the oldest discard stands left of the newest in a row.
    first, second = (page.page.locator(f'[data-fly="pile:{index}"]').bounding_box() for index in (0, 1))
    assert first is not None and second is not None and first["x"] < second["x"]
    assert not violations(page.page)


@pytest.mark.parametrize("locale", depth(["de-DE"], ["de-DE", "es-ES", "fr-FR"]))
def test_other_languages(locale: str, server: LiveServer, new_page) -> None:
    scene = screens()["middle"](server)
    page = new_page(scene.guest, viewport=PHONE, locale=locale)
    shown(page, scene)
    expect(page.page.locator("html")).to_have_attribute("lang", locale[:2])
    assert not sideways(page.page)
