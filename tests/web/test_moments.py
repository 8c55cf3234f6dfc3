"""Four at once, going out and a match won are shown for a moment, which blocks nothing and hides no play."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse
from tests.support.rare_situations import Situation, lay_out
from tests.support.table_page import TablePage

ONE_DEAL = dataclasses.replace(situations.OUT_MELDING, options={"deals": 1})
"""A match of one deal, which is won by going out."""
TIMING = ("offset", "computedOffset", "easing", "composite")
"""What the frames of an animation have beside the style."""
EIGHTS, NINES, RUN = "8S 8H 8D 8C", "9S 9H 9D 9C", "4S 5S 6S 7S"

#: Keeps of each moment what it says, hides, blocks and moves, and presses.
WATCH = """
window.moments = []
const seen = new Set()
new MutationObserver(() => {
    const shown = document.querySelector('[data-moment]')
    if (!shown || seen.has(shown.dataset.moment)) return
    seen.add(shown.dataset.moment)
    requestAnimationFrame(() => requestAnimationFrame(() => {
        const box = shown.getBoundingClientRect()
        const hides = (it) => {
            const other = it.getBoundingClientRect()
            const beside = box.left >= other.right || box.right <= other.left
            return !beside && box.top < other.bottom && box.bottom > other.top
        }
        const last = [...document.querySelectorAll('.meld:has(.fresh), .pile [role=option]:last-of-type')]
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        const moving = document.getAnimations().filter(it => it instanceof CSSAnimation)
        const moves = moving.flatMap(it => it.effect.getKeyframes().flatMap(Object.keys))
        const kept = {
            kind: shown.dataset.moment, text: shown.textContent.trim().replace(/\\s+/g, ' '),
            spoken: !shown.closest('[aria-hidden=true]'),
            hidden: last.filter(hides).length, blocks: shown.contains(hit),
            inside: box.left >= 0 && box.right <= innerWidth,
            animations: document.getAnimations().length,
            moves: [...new Set(moves)],
        }
        dispatchEvent(new PointerEvent('pointerdown'))
        requestAnimationFrame(() => {
            kept.after = document.querySelectorAll(`[data-moment=${kept.kind}]`).length
            window.moments.push(kept)
        })
    }))
}).observe(document, {subtree: true, childList: true})
"""


def moment(page: TablePage, kind: str) -> dict[str, Any]:
    """Wait for a moment; what was seen of it."""
    found = page.page.wait_for_function(
        "kind => window.moments.find(it => it.kind === kind)", arg=kind
    ).json_value()
    assert isinstance(found, dict)
    return found


def play(server: LiveServer, new_page, situation: Situation, *melds: str, **options: Any) -> TablePage:
    """A page on which Nora has laid these melds."""
    nora = Guest(server, "Nora")
    page: TablePage = new_page(nora, **options)
    page.page.add_init_script(WATCH)
    page.at(lay_out(server, situation, nora))
    page.state(mine="true")
    player = Mouse(page)
    for meld in melds:
        page.advised()
        before = page.number
        for card in meld.split():
            player.select(card)
        expect(page.action("meld")).to_be_enabled()
        page.action("meld").click()
        page.moved_on(before)
    return page


BOTH = ["no-preference", "reduce"]
SIZES = pytest.mark.parametrize(
    "size", depth([(390, 844)], [(360, 640), (390, 844), (844, 390), (1280, 720)]), ids=str
)


def assert_calm(seen: dict[str, Any], motion: str) -> None:
    """A moment hides and blocks nothing, ends by a press, and moves by opacity and transform alone."""
    assert (seen["hidden"], seen["blocks"], seen["after"], seen["spoken"]) == (0, False, 0, False)
    assert seen["inside"]
    if motion == "reduce":
        assert seen["animations"] == 0
    else:
        assert set(seen["moves"]) <= {"opacity", "transform", *TIMING}


@pytest.mark.parametrize("motion", BOTH)
@SIZES
def test_four_at_once_has_a_ribbon_and_stays_marked_as_doubled(
    size: tuple[int, int], motion: str, server: LiveServer, new_page
) -> None:
    view = {"width": size[0], "height": size[1]}
    page = play(server, new_page, situations.FOUR, EIGHTS, viewport=view, reduced_motion=motion)
    seen = moment(page, "four")
    assert seen["text"] == "Four eights at once: 2 × 32 = +64"
    assert_calm(seen, motion)
    expect(page.page.locator("[data-meld='0'] figcaption")).to_contain_text("64×2")
    expect(page.log.first).to_contain_text("Four at once: doubled. 64 points")
    assert str(page.log.first.text_content()).count("Four at once") == 1


@pytest.mark.parametrize("motion", depth(BOTH[:1], BOTH))
@SIZES
def test_going_out_and_a_won_match_lead_to_rematch_and_review(
    size: tuple[int, int], motion: str, server: LiveServer, new_page
) -> None:
    view = {"width": size[0], "height": size[1]}
    page = play(server, new_page, ONE_DEAL, NINES, RUN, viewport=view, reduced_motion=motion)
    seen = moment(page, "out")
    assert seen["text"] == "Y You go out +58 now · 58 this deal · the others count"
    assert_calm(seen, motion)
    result = page.page.get_by_role("region", name="You win")
    expect(result.get_by_role("link", name="Review")).to_be_visible()
    seen = moment(page, "won")
    assert (seen["blocks"], seen["after"], seen["spoken"]) == (False, 0, False)
    assert seen["animations"] == 0 or motion == "no-preference"
    assert str(page.log.first.text_content()).count("you won") == 1
    assert_sound(page.page)
    ended = page.page.url
    result.get_by_role("button", name="Rematch").click()
    expect(page.page).not_to_have_url(ended)
    page.state(status="playing")
