"""A selected card is played by a tap on its target, by a double tap, and by dragging."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.axe import assert_sound, settled
from tests.support.depth import depth
from tests.support.laid_table import Message, changed
from tests.support.live_server import Guest, LiveServer
from tests.support.players import Mouse, Pointer
from tests.support.rare_situations import lay_out
from tests.web.conftest import Sit

POINTERS = pytest.mark.parametrize("how", depth(["finger"], ["mouse", "finger", "keys"]))
DRAGGERS = pytest.mark.parametrize("how", depth(["mouse"], ["mouse", "finger"]))

#: The points of the dragged card at which something else would be hit: a grid on the tilted card.
COVERED = """ghost => {
    const card = ghost.querySelector('.card'), {offsetWidth: wide, offsetHeight: high} = card
    const {left, top, width, height} = card.getBoundingClientRect()
    const turn = parseFloat(getComputedStyle(ghost).rotate) * Math.PI / 180
    const parts = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95]
    const points = parts.flatMap(x => parts.map(y => {
        const [right, down] = [(x - 0.5) * wide, (y - 0.5) * high]
        return [left + width / 2 + right * Math.cos(turn) - down * Math.sin(turn),
            top + height / 2 + right * Math.sin(turn) + down * Math.cos(turn)]
    })).filter(([x, y]) => x > 0 && y > 0 && x < innerWidth && y < innerHeight)
    return points.length && points.filter(([x, y]) => !ghost.contains(document.elementFromPoint(x, y)))
}"""


def press(player: Pointer, name: str) -> None:
    """Press a frame round what takes the chosen card."""
    button = player.page.page.get_by_role("button", name=re.compile(name))
    expect(button).to_be_visible()
    if isinstance(player, Mouse):
        player.press(button)
    else:
        button.press("Enter")


def logged(player: Pointer, words: str) -> None:
    """Wait until the log says this."""
    expect(player.page.log.first).to_contain_text(re.compile(words))


@POINTERS
def test_chosen_card_goes_to_the_meld_or_pile_that_is_pressed(how: str, sit: Sit) -> None:
    player = sit(situations.TWO_TARGETS, how)
    page = player.page.page
    player.select("QD")
    status = page.get_by_role("status").filter(has_text=re.compile("queen of diamonds.* chosen: tap a meld"))
    expect(status).to_be_attached()
    expect(page.locator("[data-drop=pile]").get_by_text("Discard Q♦")).to_be_visible()
    expect(page.locator("[data-drop='meld:0']").get_by_text("+10").last).to_be_visible()
    assert_sound(page)
    press(player, "^Lay off here: Carl’s set.*10$")
    logged(player, "laid off queen of diamonds on Carl’s set")
    player.page.advised()
    player.select("2S")
    press(player, "^Pile: discard 2 of spades")
    logged(player, "You discarded 2 of spades")


@pytest.mark.parametrize("locale", depth(["de-DE"], ["de-DE", "es-ES", "fa-IR", "fr-FR"]))
def test_word_of_a_frame_covers_neither_name_nor_count_of_the_pile(
    locale: str, server: LiveServer, new_page
) -> None:
    nora = Guest(server, "Nora")
    page = new_page(nora, locale=locale, viewport={"width": 390, "height": 844})
    page.at(lay_out(server, situations.TWO_TARGETS, nora))
    page.state(mine="true")
    page.advised()
    Mouse(page).select("QD")
    word, name = (page.page.locator(f".pile {it}").bounding_box() for it in (".target b", "h2 .name"))
    assert word and name
    assert word["x"] >= name["x"] + name["width"] or word["x"] + word["width"] <= name["x"]


def test_one_tap_on_a_card_or_on_the_pile_plays_nothing(sit: Sit) -> None:
    player = sit(situations.TWO_TARGETS)
    held, number = player.page.cards(), player.page.number
    for card in held:
        player.select(card)
        player.page.page.keyboard.press("Escape")
    assert isinstance(player, Mouse)
    player.press(player.page.drop("pile"))
    player.page.page.keyboard.press("x")
    expect(player.page.page.get_by_role("alert")).to_contain_text("Select the card to discard first.")
    assert (player.page.cards(), player.page.number) == (held, number)


@DRAGGERS
def test_double_tap_lays_off_before_it_discards_and_asks_between_two_melds(how: str, sit: Sit) -> None:
    player = sit(situations.TWO_TARGETS, how)
    assert isinstance(player, Mouse)
    player.double_tap("QD")
    choice = player.page.page.get_by_role("group", name=re.compile("^On Carl’s .+ or Carl’s three queens"))
    expect(choice).to_be_visible()
    player.choose(0)
    logged(player, "laid off queen of diamonds on Carl’s run")
    player.page.advised()
    player.double_tap("KD")
    logged(player, "laid off king of diamonds on Carl’s run")
    player.page.advised()
    player.double_tap("2S")
    logged(player, "You discarded 2 of spades")


@pytest.mark.parametrize(
    "size", depth([(390, 844)], [(360, 640), (390, 844), (844, 390), (1280, 720)]), ids=str
)
def test_dragged_card_is_above_everything_and_returns_where_nothing_takes_it(
    size: tuple[int, int], sit: Sit
) -> None:
    player = sit(situations.TWO_TARGETS)
    page = player.page.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settled(page)
    fro = player.page.in_hand("QD").bounding_box()
    assert fro is not None
    mouse = page.mouse
    mouse.move(fro["x"] + 8, fro["y"] + 14)
    mouse.down()
    ghost = page.locator("[data-ghost]")
    for where in ("meld:1", "pile", "melds", "hand"):
        box = player.page.drop(where).bounding_box()
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        assert ghost.evaluate(COVERED) == [], where
    expect(page.locator("[data-drop=pile]").get_by_text("Discard Q♦")).to_be_visible()
    mouse.move(4, 4, steps=4)
    mouse.up()
    expect(ghost).to_have_count(0)
    expect(player.page.in_hand("QD")).to_be_visible()


#: Where the status slot and the actions lie, and whether the sentence keeps to its slot. A page that scrolls
#: grows with its melds and the lines above them: there it is where they lie in the player’s area.
SLOTS = """() => {
    const from = document.querySelector('.tiny .tray')?.getBoundingClientRect().top ?? -scrollY
    const box = (it) => {
        const {x, y, width, height} = it.getBoundingClientRect()
        return [x, y - from, width, height].map(Math.round)
    }
    const slot = document.querySelector('.status-slot')
    const banner = document.querySelector('.banner') ?? slot
    const [outer, inner] = [slot, banner].map(it => it.getBoundingClientRect())
    return {
        slot: box(slot), actions: box(document.querySelector('.actions-place')),
        inside: inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
    }
}"""


#: The fields of a player who waits while seat 1 plays.
WAITS: Message = {"may": [], "plays": {}, "discards": {}, "takes": {}, "undo": 0}
AWAY: Message = {"kind": "person", "here": False, "nudge_in_ms": 0, "replace_in_ms": 0}

#: States that the server brings about, one after another: what it sends, and what the page shows then.
SENT: dict[str, tuple[Message, Message, str]] = {
    "vote": ({"votes": {"pause": [1]}}, {}, ".vote"),
    "bots": ({"votes": {}, "actor": 1, "turn": 1, "speed": "normal"}, WAITS, ".pace"),
    "others": ({"speed": None}, WAITS, "[data-action]"),
    "away": ({}, WAITS, "[data-action=nudge]"),
    "pause": ({"status": "paused"}, WAITS, ".vote"),
}


@pytest.mark.parametrize("text", depth([200], [100, 200]))
@pytest.mark.parametrize(
    "size", depth([(390, 844), (1280, 720)], [(360, 640), (390, 844), (844, 390), (1280, 720)]), ids=str
)
def test_status_and_actions_keep_their_boxes_in_all_states(
    size: tuple[int, int], text: int, server: LiveServer, new_page
) -> None:
    nora = Guest(server, "Nora")
    page = new_page(nora, viewport={"width": size[0], "height": size[1]})
    page.page.add_init_script(f"localStorage.setItem('rum500.settings', '{{\"textSize\": {text}}}')")
    send = changed(shown := page.page)
    page.at(lay_out(server, situations.TWO_TARGETS, nora))
    page.state(mine="true")
    page.advised()
    player = Mouse(page)
    found = {"play": shown.evaluate(SLOTS)}
    shown.keyboard.press("x")
    expect(shown.get_by_role("alert")).to_contain_text("Select the card to discard first.")
    found["refused"] = shown.evaluate(SLOTS)
    shown.evaluate("document.querySelector('.banner p > span').append(' and more words'.repeat(12))")
    page.button("The whole sentence").click()
    expect(shown.get_by_role("dialog")).to_contain_text("Select the card to discard first.")
    found["long"] = shown.evaluate(SLOTS)
    shown.keyboard.press("Escape")
    player.select("QD")
    expect(shown.get_by_role("status").filter(has_text="chosen")).to_be_attached()
    found["chosen"] = shown.evaluate(SLOTS)
    page.action("lay").click()
    expect(player.offered.first).to_be_visible()
    found["choice"] = shown.evaluate(SLOTS)
    shown.keyboard.press("Escape")
    player.select("2S")
    found["two"] = shown.evaluate(SLOTS)
    player.select("QD")
    before = page.number
    page.action("discard").click()
    page.moved_on(before)
    page.turn_comes()
    page.advised()
    found["draw"] = shown.evaluate(SLOTS)
    absent = [plate | (AWAY if at == 1 else {}) for at, plate in enumerate(page.facts["seats"])]
    for state, (shared, you, selector) in SENT.items():
        seats = {"seats": absent} if state == "away" else {}
        changes = {"shared": shared | seats, "you": you, "events": []}
        send({"type": "update", "number": page.number + 1, **changes})
        expect(shown.locator(f".tray {selector}").first).to_be_visible()
        found[state] = shown.evaluate(SLOTS)
    assert {state: slots for state, slots in found.items() if slots != found["play"]} == {}
    assert found["play"]["inside"]
