"""The score pad: a deal in few taps, corrections, the ends of games, and what is kept in the browser."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.axe import assert_sound
from tests.support.depth import depth
from tests.support.live_server import LiveServer
from tests.support.waiting import until

NAMES = ("Nora", "Dana", "Elif", "Finn")
SMALL = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
#: Buttons, names and fields for names whose text reaches over their edges.
BURST = """() => [...document.querySelectorAll('main button, .row-cell b, .nm input')]
    .filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.textContent || it.value)"""
LARGE = {"viewport": {"width": 1280, "height": 800}}


def begin(page: Page, profile: str = "500-rum", dealer: str = "Dana") -> None:
    """Begin a sheet for four, from the form."""
    page.get_by_role("combobox", name="Game").select_option(profile)
    for number, name in enumerate(NAMES, 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_role("button", name=f"{dealer} deals first").click()
    page.get_by_role("button", name="Start the sheet").click()


def type_number(page: Page, points: int) -> int:
    """Tap a number on the keys; return the taps."""
    if points < 0:
        page.get_by_role("button", name="Minus").click()
    tens, ones = divmod(abs(points), 10)
    page.get_by_role("button", name=str(10 * tens), exact=True).click()
    page.get_by_role("button", name=f"+{ones}", exact=True).click()
    return 2 + (points < 0)


def enter_totals(page: Page, number: int, *points: int) -> int:
    """Enter a deal by totals; return the taps without that which opens the entry."""
    page.get_by_role("button", name=f"Enter deal {number}").click()
    taps = sum(type_number(page, each) for each in points)
    page.get_by_role("button", name=f"Save deal {number}").click()
    return taps + 1


def enter_a_match(page: Page) -> None:
    """Enter a match of Persian Rummy, which has two deals, and read who wins and who pays."""
    begin(page, "persian-rummy")
    for number, points in ((1, (148, -22)), (2, (31, 158))):
        page.get_by_role("button", name=f"Enter deal {number}").click()
        page.get_by_role("group", name="Who went out?").get_by_role("button", name="Nora").click()
        for each in points:
            if each >= 140:
                page.get_by_role("button", name="more", exact=True).click()
            type_number(page, each)
            if each >= 140:
                page.get_by_role("button", name="more", exact=True).click(click_count=2)
        page.get_by_role("button", name=re.compile("^Save")).click()
    expect(page.get_by_role("heading", name="Nora, Elif win, 93 ahead")).to_be_visible()
    expect(page.get_by_text(re.compile("Dana, Finn. pays .Nora, Elif. 93"))).to_be_visible()


def row(page: Page, number: int) -> list[str]:
    """Return the numbers of a deal on the sheet: for each account total and points."""
    cells = page.get_by_role("table").get_by_role("row").nth(number).get_by_role("cell")
    return [" ".join(re.findall(r"[−+]?\d+", text)) for text in cells.all_inner_texts()]


def test_a_deal_of_four_takes_twelve_taps_and_any_deal_can_be_changed(new_page) -> None:
    opened = new_page(**SMALL).open("/pad")
    page = opened.page
    begin(page)
    expect(page.get_by_text(re.compile("Dana. deals, .Elif. plays first"))).to_be_visible()
    assert enter_totals(page, 1, 61, -12, -5, -8) == 12
    until(lambda: row(page, 1) == ["61 +61", "−12 −12", "−5 −5", "−8 −8"])
    enter_totals(page, 2, 37, 62, 130, 40)
    until(lambda: row(page, 2) == ["98 +37", "50 +62", "125 +130", "32 +40"])
    expect(page.get_by_text(re.compile("Elif. leads, 375 to go"))).to_be_visible()
    page.get_by_role("button", name="Change deal 1").click()
    page.get_by_role("button", name="Dana now 0 −12").click()
    type_number(page, 12)
    expect(page.get_by_text(re.compile("Dana.: 74 instead of 50"))).to_be_visible()
    page.get_by_role("button", name="Change it").click()
    until(lambda: row(page, 2)[1:2] == ["74 +62"])
    for expected in ("50 +62", None):
        page.get_by_role("button", name="Undo").click()
        if expected:
            until(lambda expected=expected: row(page, 2)[1:2] == [expected])
    expect(page.get_by_role("button", name="Enter deal 2")).to_be_visible()


def test_a_reload_in_mid_entry_loses_nothing_and_two_tabs_agree(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page)
    page.get_by_role("button", name="Enter deal 1").click()
    type_number(page, 61)
    page.get_by_role("button", name="20", exact=True).click()
    page.reload()
    expect(page.get_by_role("button", name="Nora now 0 61")).to_be_visible()
    expect(page.get_by_role("button", name="20", exact=True)).to_have_attribute("aria-pressed", "true")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="+4", exact=True).click()
    expect(page.get_by_role("button", name="Dana now 0 24")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(other.get_by_role("button", name="Dana now 0 20…")).to_be_visible()


def test_a_reload_before_the_sheet_begins_keeps_what_was_filled_in(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    page.get_by_role("combobox", name="Game").select_option("michigan-rum")
    page.get_by_label("Name of player 2").fill("Dana")
    page.get_by_role("button", name="Dana deals first").click()
    page.reload()
    expect(page.get_by_label("Name of player 2")).to_have_value("Dana")
    expect(page.get_by_role("button", name="Dana deals first")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("combobox", name="Game")).to_have_value("michigan-rum")


def test_the_players_and_nobody_are_in_one_line_on_a_phone(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page)
    page.get_by_role("button", name="Enter deal 1").click()
    group = page.get_by_role("group", name="Who went out?").get_by_role("button")
    expect(group).to_have_count(5)
    assert len({box["y"] for one in group.all() if (box := one.bounding_box())}) == 1


def test_the_title_stays_in_view_on_a_phone_on_its_side(new_page) -> None:
    page = new_page(viewport={"width": 844, "height": 390}).open("/pad").page
    for _ in range(2):
        page.locator(".scroll").evaluate("it => it.scrollTo(0, it.scrollHeight)")
        assert page.locator(".scroll").evaluate("it => it.scrollTop") > 0
        expect(page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)
        if page.get_by_role("button", name="Start the sheet").count():
            begin(page)
            page.get_by_role("button", name="Enter deal 1").click()


@pytest.mark.parametrize("language", depth(["de"], ["de", "fa", "fr"]))
def test_with_large_text_nothing_is_cut(language: str, new_page) -> None:
    opened = new_page(**SMALL, locale=language)
    opened.page.add_init_script("localStorage.setItem('rum500.settings', '{\"textSize\": 200}')")
    page = opened.open("/pad").page

    def assert_whole() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["viewport"]["width"]
        assert page.evaluate(BURST) == []

    for at, name in enumerate(NAMES):
        page.locator("#pad-start .nm input").nth(at).fill(name)
    assert_whole()
    page.locator(".foot .primary").click()
    assert_whole()
    page.locator(".foot .primary").click()
    for way in range(3):
        page.locator(".segments button").nth(way).click()
        assert_whole()


def enter_cards_left(page: Page, number: int) -> None:
    """Enter a deal of Michigan Rum by the cards left in each hand: 78, 22, 0 and 15 points."""
    page.get_by_role("button", name=f"Enter deal {number}").click()
    page.get_by_role("button", name="Cards left").click()
    page.get_by_role("group", name="Who went out?").get_by_role("button", name="Nora").click()
    for name, cards, laid in (
        ("Nora", "", "46"),
        ("Dana", "KA", "22"),
        ("Elif", "7", "0"),
        ("Finn", "", "15"),
    ):
        expect(
            page.get_by_role("heading", name=re.compile(f"{name}.: cards left in the hand"))
        ).to_be_visible()
        for card in cards:
            page.get_by_role(
                "button", name=re.compile(rf"^{ {'K': 'king', 'A': 'ace', '7': '7'}[card] }, \d")
            ).click()
        for digit in laid:
            page.get_by_role("button", name=digit, exact=True).click()
        if name != "Finn":
            page.get_by_role("button", name="Next:").click()
    expect(page.get_by_text(re.compile(r"25 \+ 7 \+ 0 = 32 go to .Nora"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Save")).click()


def test_cards_left_are_counted_by_the_rules_and_michigan_pays_the_player_who_is_out(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page, "michigan-rum")
    enter_cards_left(page, 1)
    until(lambda: row(page, 1) == ["78 +78", "22 +22", "0 0", "15 +15"])


def test_persian_rummy_ends_after_two_deals_with_bonus_and_settlement(new_page) -> None:
    page = new_page(**LARGE).open("/pad").page
    enter_a_match(page)
    page.get_by_role("button", name="Play again").click()
    expect(page.get_by_label("Name of player 1")).to_have_value("Nora")


def test_a_count_that_is_short_by_an_ace_is_explained_and_never_a_barrier(new_page) -> None:
    page = new_page(**LARGE).open("/pad").page
    begin(page)
    page.get_by_role("button", name="Enter deal 1").click()
    page.get_by_role("button", name="Laid, held").click()
    page.get_by_role("group", name="Who went out?").get_by_role("button", name="Nora").click()
    for points in (90, 80, 12, 70, 20, 40, 10):
        type_number(page, points)
    page.get_by_role("button", name=re.compile("^Stock and pile")).click()
    type_number(page, 60)
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.get_by_text("Deal 1: 14 less than the pack’s 396.")).to_be_visible()
    expect(page.get_by_text("1 × an ace laid low explains it: each counts 1, not 15.")).to_be_visible()
    page.get_by_role("button", name="It is right").click()
    expect(page.get_by_text("14 short")).to_have_count(0)
    until(lambda: row(page, 1) == ["90 +90", "68 +68", "50 +50", "30 +30"])


_FULL = """() => {
  Storage.prototype.setItem = () => { throw new DOMException('no space', 'QuotaExceededError'); };
}"""


def test_a_full_or_damaged_storage_is_said_in_a_sentence_and_nothing_is_lost(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page)
    enter_totals(page, 1, 61, 12, 5, 8)
    page.evaluate(_FULL)
    enter_totals(page, 2, 10, 20, 30, 40)
    expect(page.get_by_role("alert")).to_contain_text("Not saved: no space left.")
    until(lambda: row(page, 2)[:1] == ["71 +10"])
    page.reload()
    until(lambda: row(page, 1)[:1] == ["61 +61"])
    page.evaluate("localStorage.setItem('rum500.pad', '{\"version\":1,\"sheet\":{}}')")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("It is kept aside")
    assert page.evaluate("localStorage.getItem('rum500.pad.damaged')") == '{"version":1,"sheet":{}}'


def test_a_link_holds_the_sheet_and_a_broken_one_changes_nothing(new_page) -> None:
    page = new_page(**LARGE).open("/pad").page
    begin(page)
    enter_totals(page, 1, 61, 12, 5, 8)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share the sheet").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="As text").click()
    until(lambda: "Deal 1: Nora 61 (+61), Dana 12" in page.evaluate("navigator.clipboard.readText()"))
    for name, file in (("As a table (CSV)", "rum500.csv"), ("As a picture", "rum500.png")):
        with page.expect_download() as loaded:
            page.get_by_role("button", name=name).click()
        assert loaded.value.suggested_filename == file
    other = new_page(**LARGE).open("/pad").page
    begin(other, dealer="Finn")
    other.goto(link[:-40])
    other.reload()
    expect(other.get_by_text("no complete score sheet")).to_be_visible()
    other.goto(link)
    other.reload()
    watched = ["61 +61", "12 +12", "5 +5", "8 +8"]
    until(lambda: row(other, 1) == watched)
    for name in ("Enter deal 2", "Change deal 1", "Undo"):
        expect(other.get_by_role("button", name=name)).to_be_hidden()
    other.get_by_role("button", name="Cancel").click()
    expect(other.get_by_text(re.compile("Finn. deals, .Nora. plays first"))).to_be_visible()
    other.goto(link)
    other.reload()
    other.get_by_role("button", name="Open it").click()
    expect(other.get_by_role("button", name="Enter deal 2")).to_be_visible()
    until(lambda: row(other, 1) == watched)


JSQR = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "jsqr" / "dist" / "jsQR.js"
_DECODED = """async png => {
  const bytes = Uint8Array.from(atob(png), char => char.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const { width, height } = picture;
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  pen.drawImage(picture, 0, 0);
  return jsQR(pen.getImageData(0, 0, width, height).data, width, height)?.data;
}"""


def test_a_camera_reads_the_link_in_the_qr_code_until_it_is_too_long(new_page) -> None:
    page = new_page(**SMALL, device_scale_factor=2).open("/pad").page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin(page)
    page.evaluate(JSQR.read_text())
    links = []
    for number in range(1, 4):
        enter_totals(page, number, 61 + number, 12, 5 * number, 8)
        page.get_by_role("button", name="Share the sheet").click()
        page.get_by_role("button", name="Copy link").click()
        links.append(page.evaluate("navigator.clipboard.readText()"))
        code = page.get_by_role("img", name="QR code of the link")
        picture = b64encode(code.screenshot()).decode()
        assert page.evaluate(_DECODED, picture) == links[-1]
        assert_sound(page)
    assert len(set(links)) == 3
    page.evaluate("""() => {
        const stored = JSON.parse(localStorage.getItem('rum500.pad'));
        const any = () => Math.floor(2000 * Math.random());
        stored.sheet.saved = Array.from({ length: 300 }, (_, at) =>
            ({ at, deal: { ...stored.sheet.saved[0].deal, points: [any(), any(), -any(), -any()] } }));
        localStorage.setItem('rum500.pad', JSON.stringify(stored));
    }""")
    page.reload()
    page.get_by_role("button", name="Share the sheet").click()
    expect(page.get_by_text("too long for a QR code")).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the link")).to_have_count(0)


def test_others_watch_a_sheet_deal_by_deal_until_the_writer_ends_it(new_page) -> None:
    page = new_page(**LARGE, offline=True).open("/pad").page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    begin(page)
    enter_totals(page, 1, 61, 12, 5, 8)
    page.get_by_role("button", name="Share the sheet").click()
    page.get_by_role("button", name="Let others watch").click()
    expect(page.get_by_text("others can watch")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"/pad#live-[\w-]{22}$", link)
    assert_sound(page)

    other = new_page(**SMALL).page
    other.goto(link)
    expect(other.get_by_text(f"You are watching: {', '.join(NAMES)}.")).to_be_visible()
    until(lambda: row(other, 1) == ["61 +61", "12 +12", "5 +5", "8 +8"])
    expect(other.get_by_role("button", name="Enter deal 2")).to_be_hidden()
    assert_sound(other)
    enter_totals(page, 2, 37, 62, 130, 40)
    seen = ["98 +37", "74 +62", "135 +130", "48 +40"]
    until(lambda: row(other, 2) == seen)

    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("not sent to the others yet")).to_be_visible()
    assert row(other, 2) == seen
    page.context.set_offline(False)
    expect(page.get_by_text("others can watch")).to_be_visible()
    until(lambda: row(other, 2) != seen)

    page.get_by_role("button", name="Share the sheet").click()
    page.get_by_role("button", name="Stop letting others watch").click()
    expect(other.get_by_text("This sheet can no longer be watched.")).to_be_visible()
    until(lambda: row(other, 1) == ["61 +61", "12 +12", "5 +5", "8 +8"])
    other.get_by_role("button", name="Cancel").click()
    expect(other.get_by_label("Name of player 1")).to_be_visible()


def test_a_new_sheet_is_not_shown_to_those_who_watched_the_last_one(new_page) -> None:
    page = new_page(**LARGE).open("/pad").page
    begin(page)
    page.get_by_role("button", name="Share the sheet").click()
    page.get_by_role("button", name="Let others watch").click()
    expect(page.get_by_text("others can watch")).to_be_visible()
    page.reload()
    expect(page.get_by_text("others can watch")).to_be_visible()
    page.get_by_role("button", name="New sheet").click()
    begin(page, dealer="Finn")
    expect(page.get_by_text("saved on this device")).to_be_visible()
    expect(page.get_by_text("others can watch")).to_have_count(0)


def test_the_referee_answers_beside_the_sheet_by_its_game(new_page) -> None:
    page = new_page(**LARGE).open("/pad").page
    begin(page, "persian-rummy")
    referee = page.get_by_role("complementary", name="May I?")
    sheet = page.get_by_role("table").bounding_box()
    beside = referee.bounding_box()
    assert sheet is not None
    assert beside is not None
    assert beside["x"] > sheet["x"] + sheet["width"]
    for rank, suit in (("queen", "spades"), ("king", "spades"), ("ace", "spades")):
        referee.get_by_role("button", name=rank, exact=True).click()
        referee.get_by_role("button", name=suit, exact=True).click()
    expect(referee.locator(".answer")).to_contain_text(re.compile(r"Yes\s+Persian Rummy"))
    assert_sound(page)
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(referee).to_have_count(0)


def test_the_draw_gives_the_deal_to_the_lowest_card(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    for number, name in enumerate(NAMES, 1):
        page.get_by_label(f"Name of player {number}").fill(name)
    page.get_by_role("button", name="Draw for it here").click()
    drawn = page.locator(".drawn > span")
    expect(drawn).to_have_count(4)
    box = drawn.first.get_by_role("img").first.bounding_box()
    assert box is not None
    assert box["height"] < 32, "a card drawn is as large as a button"
    ranks = ["ace", *map(str, range(2, 11)), "jack", "queen", "king"]
    first = [
        ranks.index(drawn.nth(at).get_by_role("img").first.get_attribute("aria-label").split()[0])
        for at in range(4)
    ]
    dealers = [
        at
        for at, name in enumerate(NAMES)
        if page.get_by_role("button", name=f"{name} deals first").get_attribute("aria-pressed") == "true"
    ]
    assert len(dealers) == 1
    assert first[dealers[0]] == min(first)


def test_an_earlier_sheet_can_be_opened_and_deleted_and_brought_back(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page)
    enter_totals(page, 1, 61, 12, 5, 8)
    page.get_by_role("button", name="New sheet").click()
    names = ", ".join(NAMES)
    page.get_by_role("button", name=f"Delete: {names}").click()
    expect(page.get_by_role("button", name=f"{names} 500 Rum · Deals: 1")).to_have_count(0)
    page.reload()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Deals: 1")).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name=f"{names} 500 Rum · Deals: 1").click()
    until(lambda: row(page, 1) == ["61 +61", "12 +12", "5 +5", "8 +8"])


def test_one_damaged_sheet_does_not_lose_the_others(new_page) -> None:
    page = new_page(**SMALL).open("/pad").page
    begin(page)
    enter_totals(page, 1, 61, 12, 5, 8)
    page.get_by_role("button", name="New sheet").click()
    page.evaluate("""() => {
        const stored = JSON.parse(localStorage.getItem('rum500.pad'));
        stored.earlier.push({ setup: { profile: 'no game' }, saved: [] });
        stored.sheet = { setup: {}, saved: 1 };
        localStorage.setItem('rum500.pad', JSON.stringify(stored));
    }""")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("It is kept aside")
    page.get_by_role("button", name=f"{', '.join(NAMES)} 500 Rum · Deals: 1").click()
    until(lambda: row(page, 1) == ["61 +61", "12 +12", "5 +5", "8 +8"])
    assert "no game" in page.evaluate("localStorage.getItem('rum500.pad.damaged')")
    page.evaluate("localStorage.setItem('rum500.pad', 'damaged again')")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("It is kept aside")
    assert "no game" in page.evaluate("localStorage.getItem('rum500.pad.damaged')")
    assert page.evaluate("localStorage.getItem('rum500.pad.damaged.2')") == "damaged again"


def test_a_damaged_sheet_stays_where_it_is_while_there_is_no_space_aside(new_page) -> None:
    opened = new_page(**SMALL)
    opened.page.add_init_script("""
        localStorage.setItem('rum500.pad', 'damaged');
        const store = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, text) {
            if (key.includes('damaged')) throw new DOMException('no space', 'QuotaExceededError');
            store.call(this, key, text);
        };
    """)
    page = opened.open("/pad").page
    begin(page)
    expect(page.get_by_role("alert")).to_contain_text("Not saved: no space left.")
    assert page.evaluate("localStorage.getItem('rum500.pad')") == "damaged"


@pytest.mark.parametrize("size", depth([SMALL], [SMALL, LARGE, {"viewport": {"width": 844, "height": 390}}]))
def test_keys_are_large_enough_in_view_and_sound(size: dict[str, object], new_page) -> None:
    page = new_page(**size).open("/pad").page
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert_sound(page)
    begin(page)
    page.get_by_role("button", name="Enter deal 1").click()
    for way in ("Laid, held", "Cards left", "Totals"):
        page.get_by_role("button", name=way).click()
        assert_sound(page)
    keys = page.locator(".keys button")
    for at in range(keys.count()):
        box = keys.nth(at).bounding_box()
        assert box is not None
        assert min(box["height"], box["width"]) >= 44
        if size is SMALL:
            assert box["y"] + box["height"] <= 740
    for each in (61, 12, 5, 8):
        type_number(page, each)
    page.get_by_role("button", name="Save deal 1").click()
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert_sound(page)


def test_the_pad_works_without_a_server_once_visited(browser, own_server: LiveServer) -> None:
    """Michigan Rum, twelve deals, with neither network nor server from before the first."""
    context = browser.new_context(locale="en-GB")
    try:
        page = context.new_page()
        page.goto(own_server.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.goto(f"{own_server.url}/pad")
        expect(page.get_by_role("button", name="Start the sheet")).to_be_visible()
        until(lambda: page.evaluate("caches.match('/').then(Boolean)"))
        own_server.kill()
        context.set_offline(True)
        page.reload()
        begin(page, "michigan-rum")
        for number in range(1, 12):
            enter_totals(page, number, 40, 31, -7, 5 * (number % 3))
            if number == 6:
                page.reload()
        until(lambda: row(page, 11) == ["440 +40", "341 +31", "−77 −7", "60 +10"])
        expect(page.get_by_text(re.compile("Nora. leads, 60 to go"))).to_be_visible()
        enter_cards_left(page, 12)
        expect(page.get_by_role("heading", name="Nora wins, 155 ahead")).to_be_visible()
        assert row(page, 12) == ["518 +78", "363 +22", "−77 0", "75 +15"]
    finally:
        context.close()
