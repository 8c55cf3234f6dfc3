"""The cards of a table are as large as the design says, and nothing covers, cuts or scrolls anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.axe import settled
from tests.support.depth import depth
from tests.support.laid_table import Change, Message, changed, meld, table_of
from tests.support.live_server import Guest, LiveServer, play_on

SIZES = [(360, 640), (390, 844), (844, 390), (820, 1180), (1280, 720), (1440, 900), (1920, 1080)]

#: The least widths of cards of melds, pile and hand, by scene, in the windows of `SIZES`.
WIDTHS = {
    "middle": [(32, 40, 60), (48, 56, 66), (40, 56, 72), (90, 96, 100), (52, 60, 88), (78, 90, 116),
               (112, 120, 139)],
    "long": [(32, 32, 54), (48, 52, 64), (40, 48, 72), (96, 96, 100), (72, 84, 88), (84, 104, 116),
             (112, 120, 139)],
    "eight": [(32, 32, 54), (36, 44, 66), (36, 56, 72), (68, 78, 100), (44, 44, 88), (68, 78, 116),
              (104, 104, 139)],
    "early": [(68, 68, 54), (78, 78, 64), (68, 68, 72), (96, 96, 100), (84, 84, 88), (112, 112, 116),
              (120, 120, 139)],
}  # fmt: skip

MIDDLE = [
    meld(0, 2, "JC QC KC"),
    meld(1, 0, "QS QH QD"),
    meld(2, 1, "10S 10H 10C"),
    meld(3, 3, "4S 5S 6S"),
    meld(4, 2, "7S 7H 7D"),
    meld(5, 0, "6C 7C 8C 9C", {3: 1}),
    meld(6, 1, "3D 4D 5D 6D", {3: 3}),
    meld(7, 0, "2S 2H 2C"),
    meld(8, 2, "KS KH KD"),
]
EIGHT = [
    meld(0, 1, "AH 2H 3H 4H 5H", {4: 7}),
    meld(1, 2, "6C 7C 8C 9C 10C JC QC", {6: 0}),
    meld(2, 4, "7S 7H 7D"),
    meld(3, 2, "9S 10S JS QS KS"),
    meld(4, 6, "3S 3H 3D 3C", {3: 3}),
    meld(5, 6, "6S 6H 6D 6C", {3: 4}),
    meld(6, 2, "KS KH KC"),
    meld(7, 4, "2S 2D 2C 2H", {3: 6}),
    meld(8, 7, "8D 9D 10D"),
    meld(9, 5, "4S 5S 6S"),
    meld(10, 3, "AS AD AC"),
]
EARLY = [meld(0, 1, "7S 7H 7D")]
LONG = "3C 8S 6H JS 9H 4C 2D AS 9S 5D 10H KH 8C QD 3H 7C JD 10D 2H 5S KC 6D"


def played(
    seat: int, discard: str, *, took: str = "", melds: Message | None = None, lay: Message | None = None
) -> Iterator[Message]:
    """The events of a turn: a draw or a take, a meld, a lay-off of a meld's last card, a discard."""
    yield {"kind": "take", "seat": seat, "cards": took.split()} if took else {"kind": "draw", "seat": seat}
    if melds is not None:
        yield {
            "kind": "meld",
            "seat": seat,
            "meld": melds["number"],
            "meld_kind": melds["kind"],
            "laid": melds["cards"],
        }
    if lay is not None:
        card = lay["cards"][-1]
        yield {"kind": "lay", "seat": seat, "meld": lay["number"], "owner": lay["owner"], "laid": [card]}
    yield {"kind": "discard", "seat": seat, "card": discard}


#: By scene the players, the melds, the pile, the hand and the turns of the others.
SCENES: dict[str, tuple[int, list[Message], str, str, list[Any]]] = {
    "middle": (
        4, MIDDLE, "3C 8S 6H JS 9H 4C 2D AS 9S", "8D 9D 10D JD 3H 4H 5H AH",
        [
            *played(1, "2D", took="9C 8H", lay=MIDDLE[5]),
            *played(2, "AS", melds=MIDDLE[8]),
            *played(3, "9S", lay=MIDDLE[6]),
        ],
    ),
    "long": (
        4, MIDDLE[:5], LONG, "8D 9D JC AC 3H 4H 5H AH 2S 6C 7D KD QC",
        [*played(1, "5S"), *played(2, "KC"), *played(3, "6D", melds=MIDDLE[3])],
    ),
    "eight": (
        8, EIGHT, "3C 7D 4D 2H 10C 8D QH", "10H JH 2C 9C AD 3D 4D",
        [
            *played(1, "7D"),
            *played(2, "4D", took="KS KH KC 5D 6D QC", melds=EIGHT[6]),
            *played(3, "2H", lay=EIGHT[4]),
            *played(4, "6S", lay=EIGHT[5]),
            *played(5, "10C", took="6S", melds=EIGHT[9]),
            *played(6, "8D", lay=EIGHT[7]),
            *played(7, "QH", lay=EIGHT[0]),
        ],
    ),
    "early": (
        2, EARLY, "KC", "AS 2S 4H 5H 6H 9C 10C QC QD KD 3D 5D 6S JS",
        [*played(1, "KC", took="7H", melds=EARLY[0])],
    ),
}  # fmt: skip

#: What is wrong with a table as it lies.
FAULTS = """() => {
    const found = [], all = selector => [...document.querySelectorAll(selector)]
    const box = it => it.getBoundingClientRect(), middle = it => it.outerHTML.slice(0, 120)
    const apart = (one, other) => one.left >= other.right - 1 || other.left >= one.right - 1 ||
        one.top >= other.bottom - 1 || other.top >= one.bottom - 1
    const union = (name, items) => {
        const boxes = items.map(box).filter(it => it.width), of = side => boxes.map(it => it[side])
        return {name, left: Math.min(...of('left')), right: Math.max(...of('right')),
            top: Math.min(...of('top')), bottom: Math.max(...of('bottom'))}
    }
    const parts = [
        ...all('.meld').map((it, at) =>
            union(`meld ${at}`, [...it.querySelectorAll('figcaption > *, .card')])),
        union('pile', all('.pile h2, .pile [role=option], .pile .gap, .pile .by')),
        union('stock', all('.stock')),
        ...all('.seat').map((it, at) => union(`seat ${at}`, [it])),
        ...all('.under').map(it => union('strip', [it])),
    ]
    parts.forEach((one, at) => parts.slice(at + 1).forEach(other => {
        if (!apart(one, other)) found.push(`${one.name} lies on ${other.name}`)
    }))
    for (const it of [document.documentElement, ...all('.felt, .felt *, .tray, .hand')]) {
        const scrolls = it === document.documentElement || /auto|scroll/.test(getComputedStyle(it).overflow)
        if (scrolls && (it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1))
            found.push('scrolls: ' + middle(it))
    }
    for (const home of all(':is(.seat, .strip) :is([data-recap], .icons)')) {
        const room = box(home.closest('.seat, .strip'))
        for (const it of [home, ...home.querySelectorAll('p, span, svg')]) {
            const {left, right, bottom, width} = box(it), style = getComputedStyle(it)
            const out = left < room.left - 1 || right > room.right + 1 || bottom > room.bottom + 2
            if (width && (out || style.textOverflow === 'ellipsis')) found.push('cut: ' + middle(it))
        }
    }
    const seen = (it, right, down) =>
        it.contains(document.elementFromPoint(box(it).left + right, box(it).top + down))
    const pile = all('.pile [role=option]'), newest = pile.at(-1), {width, height} = box(newest)
    for (const [right, down] of [[3, 3], [width - 3, 3], [3, height - 3], [width - 3, height - 3]])
        if (!seen(newest, right, down)) found.push('the newest card is covered')
    const tops = all('.pile :is([role=option], .gap)').map(it => Math.round(box(it).top))
    const rows = [...new Set(tops)].map(top => tops.filter(it => it === top).length)
    if (rows.length > 2 || Math.abs(rows[0] - rows.at(-1)) > 1) found.push(`rows of the pile: ${rows}`)
    for (const it of all('[data-key]'))
        for (let part = 0.05; part < 0.7; part += 0.08)
            if (!seen(it, 4, box(it).height * part)) found.push(`hand: ${it.dataset.card} at ${part}`)
    return {found, widths: [all('.meld .card')[0], newest, all('[data-key]')[0]].map(it => box(it).width)}
}"""


def scene(name: str) -> Change:
    """A table as it is in this scene, on one's turn."""
    _, melds, pile, hand, events = SCENES[name]
    lay = table_of(melds, pile, hand)

    def change(message: Message) -> None:
        lay(message)
        message["missed"] = [{"number": at + 1, **event} for at, event in enumerate(events)]

    return change


@pytest.mark.parametrize("name", list(SCENES))
def test_cards_are_as_large_as_the_design_says(name: str, server: LiveServer, new_page) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("rummy-500", players=SCENES[name][0], level="greedy", start=True)
    with guest.at(table) as seat:
        play_on([seat], lambda facts: facts.get("phase") == "draw" and bool(facts.get("may")))
    page = new_page(guest)
    changed(page.page, scene(name))
    page.at(table)
    wrong: dict[str, Any] = {}
    for (width, height), least in zip(SIZES, WIDTHS[name], strict=True):
        if (width, height) not in depth([(360, 640), (844, 390)], SIZES):
            continue
        page.page.set_viewport_size({"width": width, "height": height})
        settled(page.page)
        measured = page.page.evaluate(FAULTS)
        widths = measured["widths"]
        faults = measured["found"]
        if widths[1] < widths[0] or any(it < wanted for it, wanted in zip(widths, least, strict=True)):
            faults.append(f"widths {widths}, at least {least}")
        if faults:
            wrong[f"{width}×{height}"] = faults[:6]
    assert not wrong, wrong


@pytest.mark.parametrize("players", depth([4], [2, 3, 4]))
def test_names_of_bots_are_whole_on_a_phone_at_the_turn_of_the_dealer(
    players: int, server: LiveServer, new_page
) -> None:
    guest = Guest(server, "Nora")
    table = guest.new_table("500-rum", players=players, level="greedy", start=True)
    for width, height in [(360, 640), (390, 844)]:
        for seat in range(1, players):
            page = new_page(guest, viewport={"width": width, "height": height})
            changed(page.page, _dealer_to_play(seat))
            page.open(f"/t/{table}")
            expect(page.page.locator(f"[data-seat='{seat}'].turn")).to_be_visible()
            names = page.page.locator("[data-seat] .name > b")
            cut = names.evaluate_all(
                "all => all.filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"
            )
            assert not cut, (width, seat)


def _dealer_to_play(seat: int) -> Change:
    """The turn of the dealer at this seat, with thirteen cards in each hand."""

    def change(message: Message) -> None:
        shared = message["shared"]
        shared.update(dealer=seat, actor=seat, turn=seat, hand_sizes=[13] * len(shared["hand_sizes"]))
        message["you"]["may"] = []

    return change
