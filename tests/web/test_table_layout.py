"""The table's sizes in the windows that the design names, and that nothing moves which was not played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support import situations
from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import changed, meld, sets, table_of
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.players import Mouse
from tests.support.rare_situations import Situation, lay_out
from tests.support.table_page import TablePage

Boxes = dict[str, list[float]]
Moves = dict[str, tuple[list[float], list[float]]]

MELDS = [
    meld(0, 2, "JC QC KC"),
    meld(1, 0, "QS QH QD"),
    meld(2, 1, "10S 10H 10C"),
    meld(3, 3, "4S 5S 6S"),
    meld(4, 2, "7S 7H 7D"),
    meld(5, 0, "6C 7C 8C 9C", {3: 2}),
    meld(6, 1, "3D 4D 5D 6D", {0: 2, 3: 0}),
    meld(7, 0, "2S 2H 2C"),
    meld(8, 3, "KS KH KD"),
    meld(9, 0, "8D 9D 10D JD"),
    meld(10, 3, "AS AH AD"),
]
MIDDLE = table_of(MELDS[:9], "3C 8S 6H JS 9H 4C 2D AS 9S", "8D 9D 10D JD 3H 4H 5H AH")
LATE = table_of(MELDS, "3C 8S 9S 6H 2D JS", "4H 5H 8H AC")
FULL = table_of(sets(16, 4), "10C JC QC KC 9C 8C", "4H 5H 8H AC")

#: Widths of a card of the hand, a card of a meld and a strip; and the least distance from hand to actions.
SIZES = """() => {
    const box = selector => document.querySelector(selector).getBoundingClientRect()
    const hand = box('[data-key]')
    return {
        hand: hand.width, meld: box('.meld .card').width, strip: box('.strip').width,
        gap: hand.top - box('.act').bottom, tray: innerHeight - box('.tray').top,
        stage: box('.felt').width, left: box('.felt').left, right: innerWidth - box('.felt').right,
    }
}"""

#: How many times of clocks, and facts beside one's own, lie over a card, the stock or the pile.
CLOCKS = """() => {
    const boxes = selector => [...document.querySelectorAll(selector)].map(it => it.getBoundingClientRect())
    const over = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom
    const things = boxes('[data-key], .stock, .pile, .meld, .tools')
    const times = boxes('.clock, .clock > *, .me .meta > *')
    return times.filter(it => things.some(thing => over(it, thing))).length
}"""

#: What of captions and cards of melds is cut off, or covered by another meld, the pile or the window's edge.
CUT = """() => {
    const found = [], melds = [...document.querySelectorAll('.meld')]
    const pile = document.querySelector('.below').getBoundingClientRect()
    const area = document.querySelector('.melds')
    if (area.scrollHeight > area.clientHeight + 1) found.push('the melds scroll')
    const boxes = melds.map(it => it.getBoundingClientRect())
    melds.forEach((it, at) => {
        const caption = it.querySelector('figcaption')
        for (const part of [caption, ...caption.querySelectorAll('b')])
            if (part.scrollWidth > part.clientWidth + 1) found.push('caption ' + caption.textContent)
        for (const card of it.querySelectorAll('.card')) {
            const box = card.getBoundingClientRect()
            const out = box.bottom > pile.top || box.right > innerWidth || box.left < 0
            if (out) found.push('card ' + at)
            const seen = document.elementFromPoint(box.left + 3, box.top + 8)
            if (!card.contains(seen)) found.push('index ' + at)
        }
        boxes.slice(at + 1).forEach((other, k) => {
            const one = boxes[at]
            if (one.left < other.right - 1 && other.left < one.right - 1 &&
                one.top < other.bottom - 1 && other.top < one.bottom - 1) found.push(`${at} on ${at + 1 + k}`)
        })
    })
    return found
}"""

#: Which of these words have too little room.
CUT_WORDS = "all => all.filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.textContent)"

#: How far the status reaches over the stock and over the newest discard, in pixels.
OVER_PILE = """() => {
    const status = document.querySelector('.status > *').getBoundingClientRect()
    return [...document.querySelectorAll('.stock, .strip')].map(it => it.getBoundingClientRect())
        .filter(box => box.left < status.right && status.left < box.right)
        .map(box => box.bottom - status.top).filter(over => over > 0)
}"""

#: Where all cards and the table's parts lie: by name, left, top, width and height.
PLACES = """() => {
    const all = {}
    const keep = (name, it) => {
        const { left, top, width, height } = it.getBoundingClientRect()
        all[name] = [left, top, width, height].map(number => Math.round(number * 2) / 2)
    }
    for (const it of document.querySelectorAll('[data-fly]')) keep(it.dataset.fly, it)
    for (const it of document.querySelectorAll('.meld')) keep(`meld ${it.dataset.meld}`, it.parentElement)
    for (const it of document.querySelectorAll('.seat .who'))
        keep(`seat ${it.parentElement.dataset.seat}`, it)
    for (const name of ['.felt', '.status-slot', '.act', '.stock', '.tray', 'header'])
        for (const it of document.querySelectorAll(name)) keep(name, it)
    return all
}"""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}
BOTH = pytest.mark.parametrize(
    "size", depth([PHONE], [PHONE, DESKTOP]), ids=lambda size: "phone" if size is PHONE else "desktop"
)


@pytest.fixture(scope="module")
def four(server: LiveServer) -> tuple[Guest, str]:
    """A table of four at which this guest is to draw."""
    guest = Guest(server, "Nora")
    name = guest.new_table("500-rum", players=4, level="greedy", start=True)
    with guest.at(name) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    return guest, name


def shown(new_page, four: tuple[Guest, str], change: Any, **options: Any) -> TablePage:
    """This table with other cards on it."""
    guest, name = four
    page = new_page(guest, **options)
    changed(page.page, change)
    page.at(name)
    settled(page.page)
    return page


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "height", "hand", "meld_width", "strip"),
    [
        (1440, 900, 108, 60, 58),
        (768, 1024, 84, 44, 44),
        *depth([], [(1280, 720, 84, 44, 44), (1024, 768, 84, 44, 44), (2560, 1440, 160, 90, 80)]),
    ],
)
def test_a_desktop_is_filled(width, height, hand, meld_width, strip, four, new_page) -> None:
    page = shown(new_page, four, MIDDLE, viewport={"width": width, "height": height})
    sizes = page.page.evaluate(SIZES)
    assert sizes["hand"] >= hand and sizes["meld"] >= meld_width and sizes["strip"] >= strip, sizes
    assert 0 <= sizes["gap"] <= 24, sizes
    assert abs(sizes["left"] - sizes["right"]) <= 1 and sizes["left"] >= 0, sizes
    assert page.page.evaluate(CUT) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("width", "height", "change", "least"),
    [
        (360, 740, LATE, 44),
        (360, 740, FULL, 34),
        *depth([], [(390, 844, LATE, 44), (360, 640, LATE, 28)]),
    ],
)
def test_on_a_phone_every_meld_is_read_at_once(width, height, change, least, four, new_page) -> None:
    page = shown(new_page, four, change, **{**PHONE, "viewport": {"width": width, "height": height}})
    sizes = page.page.evaluate(SIZES)
    assert sizes["meld"] >= least, sizes
    if height == 740:
        assert sizes["tray"] <= 200, sizes
    assert page.page.evaluate(CUT) == []
    small = page.page.eval_on_selector_all(
        ".act button, header nav button",
        "all => all.map(it => it.getBoundingClientRect())"
        ".filter(b => b.width && Math.min(b.width, b.height) < 44).length",
    )
    assert small == 0


@pytest.mark.whole
@BOTH
def test_points_and_totals_of_everybody_are_in_sight(size: dict[str, Any], server, new_page) -> None:
    for players in depth((2, 8), (2, 3, 4, 5, 6, 7, 8)):
        guest = Guest(server, "Nora")
        name = guest.new_table("rummy-500", players=players, level="greedy", start=True)
        with guest.at(name) as seat:
            play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))

        def points(message: dict[str, Any], count: int = players) -> None:
            message["shared"]["totals"] = [100 + seat for seat in range(count)]
            message["shared"]["laid"] = [10 + seat for seat in range(count)]

        page = new_page(guest, **size)
        changed(page.page, points)
        page.at(name)
        settled(page.page)
        own = page.facts["seat"]
        for seat in range(players):
            where = page.page.locator("header" if seat == own else f'[data-seat="{seat}"]')
            for text in (f"{100 + seat}", f"+{10 + seat}"):
                words = where.get_by_text(text, exact=True).first
                expect(words).to_be_in_viewport(ratio=1)
                assert words.evaluate("it => it.scrollWidth <= it.clientWidth + 1 || it.clientWidth === 0")
        assert page.page.locator(".seat .name b").evaluate_all(CUT_WORDS) == []
        marks = page.page.locator(".seat .mark")
        assert len(set(marks.evaluate_all("all => all.map(it => it.dataset.mark)"))) == players - 1


@pytest.mark.whole
@pytest.mark.parametrize("size", depth([(1280, 720)], [(1280, 720), (1440, 900)]), ids=str)
def test_where_sides_play_a_long_turn_and_a_doubled_set_have_their_room(size, server, new_page) -> None:
    guest = Guest(server, "Nora")
    name = guest.new_table("persian-rummy", level="greedy", start=True)
    with guest.at(name) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))

    def long_turn(message: dict[str, Any]) -> None:
        partner = (message["you"]["seat"] + 2) % 4
        laid = [{"card": card, "place": None} for card in ("8H", "8C", "8D", "8S")]
        plays: list[dict[str, Any]] = [
            {"kind": "take", "cards": ["9C", "8H", "7D", "KS"], "count": 4},
            {"kind": "meld", "meld": 0, "laid": laid, "points": 20},
            {"kind": "discard", "card": "AS"},
        ]
        message["missed"] += [{"number": message["number"], "seat": partner, **play} for play in plays]
        message["shared"]["melds"][1] = {**meld(1, partner, "8H 8C 8D 8S"), "at_once": True}

    page = new_page(guest, viewport={"width": size[0], "height": size[1]})
    changed(page.page, MIDDLE, long_turn)
    page.at(name)
    settled(page.page)
    turn = page.page.locator(".top .last").bounding_box()
    they = page.page.locator(".felt h2.end").bounding_box()
    assert turn and they and turn["x"] + turn["width"] <= they["x"]
    expect(page.page.locator('[data-meld="1"] figcaption')).to_contain_text("×2")
    assert page.page.evaluate(CUT) == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("situation", "size"),
    depth(
        [("LONG_PILE", (768, 1024))],
        [("LONG_PILE", (768, 1024)), ("CLAIMS", (768, 1024)), ("LONG_PILE", (360, 740))],
    ),
    ids=str,
)
def test_what_the_status_says_covers_no_card_of_the_pile(situation, size, server, new_page) -> None:
    guest = Guest(server, "Nora")
    page = new_page(guest, viewport={"width": size[0], "height": size[1]}).at(
        lay_out(server, getattr(situations, situation), guest)
    )
    page.state(mine="true")
    page.advised()
    expect(page.page.locator(".banner.look, .claim")).to_be_visible()
    settled(page.page)
    assert page.page.evaluate(OVER_PILE) == []


@pytest.mark.whole
@pytest.mark.parametrize("locale", depth(["de-DE"], ["en-GB", "de-DE", "es-ES", "fr-FR", "fa-IR"]))
def test_why_a_take_is_refused_leaves_the_pile_in_sight(locale: str, server, new_page) -> None:
    """On a phone more cards can be looked at while the reason stands there."""
    guest = Guest(server, "Nora")
    page = new_page(guest, locale=locale, **PHONE).at(lay_out(server, situations.LONG_PILE, guest))
    page.state(mine="true")
    page.advised()
    page.page.locator('.strip[data-card="AC"]').tap(position={"x": 8, "y": 8})
    expect(page.page.locator(".banner.refused a")).to_be_visible()
    settled(page.page)
    strip = page.page.locator(".strip").first.bounding_box()
    assert strip and max(page.page.evaluate(OVER_PILE), default=0) < strip["height"] / 2


@pytest.mark.whole
def test_known_cards_cover_no_name_on_a_tablet(four, new_page) -> None:
    def taken(message: dict[str, Any]) -> None:
        shared = message["shared"]
        shared["hand_sizes"] = [9] * 4
        shared["known"] = [["2S", "3S", "5H", "7D", "9C", "JC"]] * 4
        shared["totals"], shared["laid"] = [-105] * 4, [115] * 4

    page = shown(new_page, four, taken, viewport={"width": 768, "height": 1024})
    seats = page.page.locator(".seat").all()
    assert len(seats) == 3
    for seat in seats:
        words, cards = seat.locator("small > *").last.bounding_box(), seat.locator(".fan").bounding_box()
        assert words and cards and words["x"] + words["width"] <= cards["x"]


# --- nothing moves that was not played -------------------------------------------------------------------


def seated(server: LiveServer, new_page, situation: Situation, size: dict[str, Any]) -> Mouse:
    """Somebody at a table in this situation."""
    guest = Guest(server, "Nora")
    page = new_page(guest, **size).at(lay_out(server, situation, guest))
    page.state(mine="true")
    page.advised()
    return Mouse(page, touch=size is PHONE)


def places(page: TablePage) -> Boxes:
    """Where everything lies, once it lies still."""
    settled(page.page)
    found: Boxes = page.page.evaluate(PLACES)
    assert {".felt", ".status-slot", ".stock", ".tray", "header"} <= found.keys()
    return found


def moved(before: Boxes, after: Boxes, *played: str) -> Moves:
    """What does not lie where it lay, but for what was `played`; raised cards stay in their row."""

    def at(name: str, box: list[float]) -> list[float]:
        return [box[0], *box[2:]] if name.startswith("hand:") else box

    return {
        name: (box, after[name])
        for name, box in before.items()
        if name in after and not name.startswith(played) and at(name, box) != at(name, after[name])
    }


@pytest.mark.whole
@BOTH
def test_a_refusal_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    page = player.page
    before = places(page)
    page.action("discard").click(force=True)
    expect(page.page.get_by_role("alert").filter(has_text=re.compile(r"\w{3}")).first).to_be_visible()
    after = places(page)
    assert before.keys() == after.keys()
    assert not moved(before, after)
    # Words that need more than the slot has grow over the felt.
    page.page.evaluate("document.querySelector('.banner p').append(' and more words'.repeat(12))")
    assert not moved(before, places(page))


@BOTH
@pytest.mark.whole
def test_choosing_between_plays_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.TWO_TARGETS, size)
    player.select("QD")
    before = places(player.page)
    player.do("lay")
    expect(player.page.page.get_by_role("group", name="On which meld?")).to_be_visible()
    assert not moved(before, places(player.page))


@pytest.mark.whole
@BOTH
def test_a_suggestion_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    page = seated(server, new_page, situations.OUT, size).page
    page.page.evaluate("localStorage.setItem('rum500.settings', '{\"suggestions\": false}')")
    page.page.reload()
    page.state(mine="true")
    page.advised()
    before = places(page)
    page.button("Menu").click()
    page.page.get_by_role("switch", name="Show the most points now").check()
    page.page.keyboard.press("Escape")
    expect(page.action("meld")).to_have_class(re.compile("primary"))
    assert not moved(before, places(page))


@BOTH
def test_a_claim_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    nora, bo = Guest(server, "Nora"), Guest(server, "Bo")
    table = lay_out(server, situations.CLAIMS, nora, bo)
    with bo.at(table) as other:
        page = new_page(nora, **size).at(table)
        page.state(waiting="claim", mine="true")
        page.advised()
        expect(page.page.get_by_role("region", name="Rummy!")).to_be_visible()
        claimed = places(page)
        page.action("let_go").click()
        assert other.say("say", asked=other.facts["asked"], text="let go")["type"] == "update"
        page.state(waiting="play", mine="true", phase="draw")
        page.advised()
        after = places(page)
    assert claimed.keys() == after.keys()
    assert not moved(claimed, after)


@pytest.mark.whole
@BOTH
def test_a_vote_moves_nothing(size: dict[str, Any], server: LiveServer, new_page) -> None:
    ada, ben = Guest(server, "Ada"), Guest(server, "Ben")
    table = lay_out(server, situations.CLOCKED, ada, ben)
    with ben.at(table) as other:
        page = new_page(ada, **size).at(table)
        page.state(mine="true")
        page.advised()
        before = places(page)
        other.say("vote", on="pause")
        expect(page.page.get_by_text("Pause wanted by Ben")).to_be_visible()
        after = places(page)
    assert before.keys() == after.keys()
    assert not moved(before, after)


@BOTH
def test_a_meld_and_a_lay_off_move_only_what_is_played(
    size: dict[str, Any], server: LiveServer, new_page
) -> None:
    player = seated(server, new_page, situations.OUT, size)
    page = player.page
    states = [places(page)]
    for _ in range(2):
        number = page.number
        player.do("meld")
        page.moved_on(number)
        page.advised()
        states.append(places(page))
    first, second, third = states
    assert "meld 0" in second and "meld 1" in third
    assert not moved(first, second, "hand:")
    assert not moved(second, third, "hand:")

    player = seated(server, new_page, situations.TWO_TARGETS, size)
    page = player.page
    before = places(page)
    number = page.number
    player.select("QD")
    player.press(page.button(re.compile("Lay off here: Carl’s run")))
    page.moved_on(number)
    page.advised()
    # A growing run closes up within its place; its first card stays.
    assert not moved(before, places(page), "hand:", "meld:0:1", "meld:0:2")


@BOTH
@pytest.mark.whole
def test_a_draw_and_a_take_move_no_meld(size: dict[str, Any], server: LiveServer, new_page) -> None:
    player = seated(server, new_page, situations.LAY_TAKEN, size)
    page = player.page
    before = places(page)
    player.look("7S")
    player.do("take")
    page.state(phase="use")
    page.advised()
    assert not moved(before, places(page), "hand:")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("locale", "size"),
    depth(
        [("de-DE", (844, 390)), ("fa-IR", (1024, 768))],
        [
            (locale, size)
            for locale in ("de-DE", "fa-IR")
            for size in ((640, 360), (844, 390), (390, 844), (768, 1024), (1024, 768), (1440, 900))
        ],
    ),
    ids=str,
)
def test_clocks_of_days_lie_over_nothing(
    locale: str, size: tuple[int, int], server: LiveServer, new_page
) -> None:
    """The time of the turn and of every bank; with as many cards in hand as leave least room beside it."""
    guest = Guest(server, "Ada")
    table = guest.new_table("500-rum", level="greedy", start=True, players=3, turn_s=86_400, bank_s=172_800)
    page = new_page(guest, locale=locale, viewport={"width": size[0], "height": size[1]})
    hand = " ".join(rank + suit for suit in "SH" for rank in "A23456789JQK")
    changed(page.page, table_of([], "3C", hand))
    page.at(table).state(mine="true")
    expect(page.page.locator(".clock.running").first).to_be_visible()
    settled(page.page)
    assert page.page.evaluate(CLOCKS) == 0
