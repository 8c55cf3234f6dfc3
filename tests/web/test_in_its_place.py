"""What lies where: frames and tags at the melds, the header's points, controls and buttons that stay put."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support import situations
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.rare_situations import Situation, lay_out
from tests.support.screens import screens

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SIZES = pytest.mark.parametrize(
    "size", depth([PHONE], [PHONE, DESKTOP]), ids=lambda it: "phone" if it is PHONE else "desktop"
)
LOCALES = depth(("de-DE",), ("en-GB", "de-DE", "es-ES", "fr-FR", "fa-IR"))

Box = dict[str, float]

#: An element with its ring, where that reaches beyond what it scrolls with.
CUT_OFF = """it => {
    const style = getComputedStyle(it), box = it.getBoundingClientRect()
    const ring = Math.max(0, parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth))
    const beyond = []
    for (let place = it.closest('[data-more]'); place; place = place.parentElement.closest('[data-more]')) {
        const room = place.getBoundingClientRect()
        if (box.left - ring < room.left || box.top - ring < room.top || box.right + ring > room.right)
            beyond.push(place.className)
    }
    return beyond
}"""

#: Keep all heights that the felt has from now on.
FELT = """() => {
    window.heights = []
    const felt = document.querySelector('.felt')
    new ResizeObserver(() => window.heights.push(felt.getBoundingClientRect().height)).observe(felt)
}"""


def seated(server: LiveServer, new_page, situation: Situation, size: dict[str, Any], **more: Any) -> Mouse:
    """Somebody at a table in this situation."""
    guest = Guest(server, "Nora")
    page = new_page(guest, **size, **more).at(lay_out(server, situation, guest))
    page.state(mine="true")
    page.advised()
    return Mouse(page, touch=size is PHONE)


def box(item: Locator) -> Box:
    """Where something lies."""
    found = item.bounding_box()
    assert found is not None
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}  # type: ignore[dict-item]


def apart(one: Box, other: Box) -> bool:
    """Whether two things cover nothing of one another."""
    beside = one["right"] <= other["x"] or other["right"] <= one["x"]
    return beside or one["bottom"] <= other["y"] or other["bottom"] <= one["y"]


def lay_off(player: Mouse, card: str, on: str) -> None:
    """Lay a card off on the meld that is pointed at."""
    number = player.page.number
    player.select(card)
    player.press(player.page.button(re.compile(f"Lay off here: {on}")))
    player.page.moved_on(number)
    player.page.advised()


@pytest.mark.whole
@SIZES
def test_no_frame_of_a_meld_is_cut_off(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    player.select("QD")
    targets = player.page.page.locator(".target")
    expect(targets).to_have_count(2)
    player.page.page.keyboard.press("Tab")  # from here on the focus is shown
    for target in targets.all():
        target.focus()
        assert target.evaluate("it => it.matches(':focus-visible')")
        # It is scrolled into sight, which may take a moment.
        player.page.page.wait_for_function(f"() => !({CUT_OFF})(document.activeElement).length")
    assert apart(box(targets.nth(0)), box(targets.nth(1)))


@pytest.mark.whole
@SIZES
def test_points_to_be_had_cover_no_name(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    lay_off(player, "QD", "Carl’s run")
    player.select("KD")
    meld = player.page.page.locator('[data-meld="0"]')
    points = box(meld.locator(".plus"))
    for name in meld.locator(".by, figcaption").all():
        assert apart(points, box(name))


@pytest.mark.whole
@SIZES
@pytest.mark.parametrize(("on", "number"), depth([("run", 0)], [("run", 0), ("set", 1)]))
def test_the_mark_of_who_laid_off_lies_on_the_card(
    on: str, number: int, size: dict[str, Any], server: LiveServer, new_page
) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    lay_off(player, "QD", f"Carl’s {on}")
    meld = player.page.page.locator(f'[data-meld="{number}"]')
    mark, card = box(meld.locator(".laid .mark")), box(meld.locator(".laid"))
    cards = [box(each)["x"] for each in meld.locator(".card").all()]
    seen_to = min([x for x in cards if x > card["x"] + 1], default=card["right"])
    assert card["x"] <= mark["x"] and mark["right"] <= seen_to + 1
    assert card["y"] + card["height"] / 2 <= mark["y"] and mark["bottom"] <= card["bottom"]
    expect(meld.locator(".laid .mark")).to_have_attribute("data-mark", "disc")
    expect(meld.locator("figcaption .by")).to_have_text(re.compile(r"\+Y10"))


@pytest.mark.whole
@SIZES
def test_the_header_shows_the_points_of_this_deal(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    lay_off(player, "QD", "Carl’s run")
    header = player.page.page.locator("header")
    points = header.locator("em").first
    expect(points).to_be_visible()
    expect(points).to_have_text("+10")
    around = box(header)
    parts = [
        box(each) for each in header.locator(".name, .side b, em, .goal, nav").all() if each.is_visible()
    ]
    for at, part in enumerate(parts):
        assert around["y"] <= part["y"] and part["bottom"] <= around["bottom"]
        assert all(apart(part, other) for other in parts[at + 1 :])


@pytest.mark.parametrize(
    ("size", "locale"),
    [*((PHONE, locale) for locale in LOCALES), *depth([], [(DESKTOP, "de-DE"), (DESKTOP, "fa-IR")])],
    ids=lambda it: it if isinstance(it, str) else "phone" if it is PHONE else "desktop",
)
def test_the_table_stays_where_it_is_while_cards_are_selected(
    size: dict[str, Any], locale: str, server: LiveServer, new_page
) -> None:
    for situation in depth((situations.BANNED,), (situations.TWO_TARGETS, situations.BANNED)):
        player = seated(server, new_page, situation, size, locale=locale)
        page, cards = player.page.page, player.page.cards()
        page.evaluate(FELT)
        for card in cards:
            player.select(card)
            player.select(card)
        banner = page.locator(".banner")
        before = banner.inner_text()
        for card in cards[:2]:
            player.select(card)
        expect(banner).not_to_have_text(before)
        assert len(set(page.evaluate("heights"))) == 1


@pytest.mark.whole
@SIZES
def test_the_table_stays_where_it_is_from_the_draw_to_the_play(
    size: dict[str, Any], server: LiveServer, new_page
) -> None:
    player = seated(server, new_page, situations.LAY_TAKEN, size)
    player.page.page.evaluate(FELT)
    player.look("7S")
    player.do("take")
    player.page.state(phase="use")
    player.page.advised()
    assert len(set(player.page.page.evaluate("heights"))) == 1


def test_the_controls_of_a_replay_stay_where_they_are(server: LiveServer, new_page) -> None:
    scene = screens()["replay"](server)
    page = new_page(scene.guest, **PHONE).open(scene.path).page
    forward, foot = page.get_by_role("button", name="Turn forward"), page.locator(".foot")
    places = []

    def look() -> None:
        """Only what is told above the controls may take another line."""
        assert round(box(foot)["bottom"]) == 640
        places.append((box(page.locator(".timeline")), box(forward)))

    for _ in range(12):
        look()
        assert box(page.locator(".scene"))["height"] >= 352
        forward.click()
    page.locator(".scroll").evaluate("it => it.scrollTo(0, it.scrollHeight)")
    look()
    assert all(each == places[0] for each in places), places


@pytest.mark.whole
def test_a_large_hand_in_a_replay_stays_on_the_page(server: LiveServer, new_page) -> None:
    scene = screens()["replay"](server)
    page = new_page(scene.guest, **PHONE)

    def enlarge(route: Route) -> None:
        answer = route.fetch()
        replay = answer.json()
        for frame in replay["frames"]:
            frame["hands"][0] = [rank + suit for suit in "SHDC" for rank in "23456789"]
        route.fulfill(response=answer, json=replay)

    page.page.route("**/api/tables/*/deals/*", enlarge)
    page.open(scene.path).page.get_by_label("Seen from").select_option(index=0)
    hand = page.page.locator(".fan [data-key]")
    expect(hand).to_have_count(32)
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert all(each["right"] <= 360 for each in map(box, hand.all()))


@pytest.mark.whole
@pytest.mark.parametrize("locale", LOCALES)
def test_the_pages_are_named_on_one_line(locale: str, server: LiveServer, new_page) -> None:
    page = new_page(Guest(server, "Nora"), **PHONE, locale=locale).open("/").page
    links = page.locator("header :is(a, summary)").filter(visible=True)
    expect(links).to_have_count(5)
    boxes = [box(each) for each in links.all()]
    middles = [each["y"] + each["height"] / 2 for each in boxes]
    assert max(middles) - min(middles) < 4
    along = sorted(boxes, key=lambda each: each["x"])
    assert all(one["right"] <= other["x"] for one, other in pairwise(along))
    assert along[0]["x"] >= 0 and along[-1]["right"] <= 360


@pytest.mark.whole
def test_all_checkboxes_look_alike(server: LiveServer, new_page) -> None:
    looks = """all => all.map(it => [it.offsetWidth, it.offsetHeight, it.checked,
        ...['appearance', 'borderRadius', 'backgroundColor'].map(name => getComputedStyle(it)[name])])"""

    def look(page: Page) -> set[tuple[Any, ...]]:
        boxes = page.locator("input[type=checkbox]")
        expect(boxes.first).to_be_visible()
        return {tuple(each) for each in boxes.evaluate_all(looks)}

    scene = screens()["turn"](server)
    page = new_page(scene.guest, **PHONE)
    found = look(page.open("/settings").page)
    page.open(scene.path)
    scene.after(page)
    page.button("Menu").click()
    found |= look(page.page)
    assert len(found) == 2  # checked or not
    assert all(each[3] == "none" for each in found)


@pytest.mark.whole
def test_a_hand_of_two_rows_has_brackets_on_both(server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.LONG_PILE, PHONE)
    page = player.page.page
    cards = [box(each) for each in player.page.hand.get_by_role("option").all()]
    rows = sorted({round(each["y"]) for each in cards})
    assert len(rows) == 2
    bracket = page.locator(".bracket").first
    expect(bracket).to_contain_text("+12")
    lies = box(bracket)
    assert rows[0] < lies["y"] and lies["bottom"] <= rows[1] + 1
    assert lies["y"] > cards[0]["y"] + 0.6 * cards[0]["height"]  # below index and suit


@pytest.mark.whole
def test_the_newest_card_of_the_pile_is_marked(server: LiveServer, new_page) -> None:
    marks = "all => all.map(it => getComputedStyle(it, '::before').content !== 'none')"
    for situation in (situations.LONG_PILE, situations.TWO_TARGETS):
        strips = seated(server, new_page, situation, PHONE).page.pile.get_by_role("option")
        marked = strips.evaluate_all(marks)
        assert marked == [False] * (len(marked) - 1) + [True]


@pytest.mark.whole
def test_the_bots_to_choose_from_say_how_they_play(server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    page = new_page(guest, **PHONE).at(guest.new_table("500-rum", players=3))
    page.button("Seat a bot: Seat 2").tap()
    bots = page.page.get_by_role("list", name="Seat a bot").get_by_role("button")
    levels = guest.me["levels"]
    expect(bots).to_have_count(len(levels) + 1)
    for bot in bots.all()[: len(levels)]:
        assert len(bot.locator(".line").inner_text()) > 30
        assert box(bot)["height"] >= 44
    page.page.keyboard.press("Tab")
    page.page.keyboard.press("Escape")
    expect(bots).to_have_count(0)
    expect(page.button("Seat a bot: Seat 2")).to_be_focused()
    page.button("Seat a bot: Seat 2").tap()
    page.button(re.compile("^Steady")).tap()
    expect(page.page.locator(".plate").nth(1)).to_contain_text("Bot, Steady")
    expect(page.button("Remove bot: Seat 2")).to_be_focused()
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.whole
def test_the_end_of_a_match_ranks_the_players(server: LiveServer, new_page) -> None:
    scene = screens()["match-end"](server)
    page = new_page(scene.guest, **PHONE).open(scene.path)
    scene.after(page)
    ranks = page.page.locator(".ranks li")
    points = [int(text.replace("\u2212", "-")) for text in ranks.locator(".big").all_inner_texts()]
    assert points == sorted(points, reverse=True)
    expect(ranks.first).to_contain_text("Place 1")
    if points[0] != points[1]:
        expect(ranks.nth(1)).to_contain_text("Place 2")
