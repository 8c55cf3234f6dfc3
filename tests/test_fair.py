"""Fair shuffles: the order that follows from the seeds, and records that are checked against it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from rum500 import Ruleset, ruleset
from rum500.cards import card_text, cards_from_text, cards_text
from rum500.record import DealRecord, Outcome, Record, RecordedPlay, fair
from rum500.record._format import sealed_text
from rum500.record.fair import FairError, FairShuffle, cut_deck, cut_from_per_mille, fair_below, fair_order
from rum500.rules.actions import Draw
from rum500.state import State
from tests.test_cli_records import Runner, run  # noqa: F401 - a fixture
from tools.fair_vectors import vectors

FILE = Path(__file__).parent / "fair_vectors.json"
VECTORS: dict[str, Any] = json.loads(FILE.read_text())
SEED = bytes(range(32))


# --- the algorithm, written once more from its description -----------------------------------------------


def described_order(seed: str, seats: Sequence[str], context: str, cards: Sequence[str]) -> list[str]:
    """The order as the description says, with nothing of the project's."""
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    place = {rank + suit: i for i, (suit, rank) in enumerate((s, r) for s in "SHDC" for r in ranks)}
    order = sorted(cards, key=lambda card: place.get(card, 99))
    text = f"rum500 fair 1\n{context}\n{len(seats)}\n" + "".join(f"{value}\n" for value in seats)
    stream = b"".join(
        hmac.new(bytes.fromhex(seed), f"{text}{block}\n".encode(), hashlib.sha256).digest()
        for block in range(40)
    )
    for i in range(len(order) - 1, 0, -1):
        value = 65536
        while value >= 65536 // (i + 1) * (i + 1):
            value, stream = stream[0] * 256 + stream[1], stream[2:]
        j = value % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize("vector", VECTORS["orders"], ids=lambda vector: vector["context"])
def test_order_is_as_described(vector: dict[str, Any]) -> None:
    found = described_order(vector["seed"], vector["seats"], vector["context"], vector["cards"])
    assert found == vector["order"]
    cards = cards_from_text(" ".join(vector["cards"]))
    order = fair_order(bytes.fromhex(vector["seed"]), vector["seats"], vector["context"], reversed(cards))
    assert [card_text(card) for card in order] == vector["order"]


def test_vectors_are_fresh_and_complete() -> None:
    assert vectors() == VECTORS
    for vector in VECTORS["commitments"]:
        assert hashlib.sha256(bytes.fromhex(vector["seed"])).hexdigest() == vector["commitment"]
    assert len(VECTORS["orders"]) == len({tuple(vector["order"]) for vector in VECTORS["orders"]})
    thrown = next(vector for vector in VECTORS["numbers"] if vector["bound"] == 40_000)
    kept = next(vector for vector in VECTORS["numbers"] if vector["bound"] == 65_536)
    assert kept["number"] >= 40_000
    assert thrown["number"] != kept["number"] % 40_000


def test_message_is_unambiguous() -> None:
    """Whatever differs in context or seats makes another order."""
    cards = range(52)
    orders = {
        fair_order(SEED, seats, context, cards)
        for context in (
            "t/1/deal",
            "t/1/draw",
            "t/1/cut",
            "t/1/restock/1",
            "t/1/restock/2",
            "t/2/deal",
            "u/1/deal",
        )
        for seats in (("00", "", ""), ("", "00", ""), ("00", ""), ("0000", ""), ("00", "00"), ("", ""), ())
    }
    assert len(orders) == 7 * 7
    assert fair_order(bytes(32), ("", ""), "t/1/deal", cards) not in orders


@pytest.mark.parametrize(
    ("seed", "seats", "context", "code"),
    [
        (SEED[:-1], (), "t/1/deal", "fair.seed"),
        (SEED, ("0",), "t/1/deal", "fair.seat"),
        (SEED, ("0G",), "t/1/deal", "fair.seat"),
        (SEED, ("AA",), "t/1/deal", "fair.seat"),
        (SEED, ("00\n11",), "t/1/deal", "fair.seat"),
        (SEED, ("00" * 33,), "t/1/deal", "fair.seat"),
        (SEED, (), "t/1/deal\n2", "fair.context"),
        (SEED, (), "t/1/restock", "fair.context"),
        (SEED, (), "t/1/deal/1", "fair.context"),
        (SEED, (), "/1/deal", "fair.context"),
        (SEED, (), "t/x/deal", "fair.context"),
    ],
)
def test_invalid_order_is_refused(seed: bytes, seats: tuple[str, ...], context: str, code: str) -> None:
    with pytest.raises(FairError) as caught:
        fair_order(seed, seats, context, [1])
    assert caught.value.code == code


# --- unbiased --------------------------------------------------------------------------------------------


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[key] - expected) ** 2 / expected for key in counts) + expected * (kinds - len(counts))


def test_every_order_is_equally_likely() -> None:
    """24 orders of four cards, 12,000 shuffles: chi-square of 23 degrees is below 49.7 in 999 of 1,000."""
    counts = Counter(fair_order(SEED, (f"{i:08x}",), f"t/{i}/deal", range(4)) for i in range(12_000))
    assert len(counts) == 24
    assert chi_square(counts, 24) < 49.7


def test_every_card_lies_everywhere_equally_often() -> None:
    """Each card's place, and each place's card, over 3,000 packs: 51 degrees, below 87.97 in 999 of 1,000.

    Of 104 such figures a few are above; were the shuffle biased, as one without rejection or one that swaps
    with any place is, most would be.
    """
    orders = [fair_order(SEED, ("",), f"t/{i}/deal", range(52)) for i in range(3_000)]
    places = [Counter(order.index(card) for order in orders) for card in range(52)]
    lying = [Counter(order[place] for order in orders) for place in range(52)]
    figures = [chi_square(counts, 52) for counts in (*places, *lying)]
    assert sum(figure > 87.97 for figure in figures) <= 3
    assert 49 < sum(figures) / len(figures) < 53


def test_rejection_keeps_numbers_even() -> None:
    """Two bytes modulo 40,000 without rejection would make 0 to 25,535 twice as likely as the rest."""
    low = sum(fair_below(SEED, (), f"t/{i}/cut", 40_000) < 25_536 for i in range(6_000))
    assert abs(low / 6_000 - 0.6384) < 0.02


# --- the cut ---------------------------------------------------------------------------------------------


def test_cuts() -> None:
    assert cut_deck((1, 2, 3, 4, 5), 2) == (3, 4, 5, 1, 2)
    for cards in (52, 54, 56, 108):
        cuts = [cut_from_per_mille(per_mille, cards) for per_mille in range(1001)]
        assert (cuts[0], cuts[1000]) == (1, cards - 1)
        assert cuts == sorted(cuts)
        assert set(cuts) == set(range(1, cards))
        assert fair.middle_cut(cards) == cards // 2
    found = {fair.fair_cut(SEED, (), f"t/{i}/cut", 52) for i in range(2_000)}
    assert found == set(range(1, 52))


# --- the proof -------------------------------------------------------------------------------------------


def test_shuffle_is_read_back_from_its_tags() -> None:
    shuffle = FairShuffle.begin("table", 3, SEED).given(("00" * 16, "", "ff" * 32))
    for one in (
        shuffle,
        shuffle.sealed(),
        shuffle.with_cut(20, "seat"),
        shuffle.with_cut(26, "middle").sealed(),
    ):
        assert FairShuffle.from_tags([("Date", "today"), *one.tags()]) == one
    assert FairShuffle.from_tags([("Seed", "7"), ("Cut", "20")]) is None
    assert SEED.hex() not in str(shuffle.sealed().tags())
    with pytest.raises(FairError, match="not known"):
        shuffle.sealed().order(range(52))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("Fair shuffle", "table"), "fair.context"),
        (("Fair shuffle", "table/01"), "fair.context"),
        (("Fair commitment", "ff"), "fair.commitment"),
        (("Fair seed", "AA" * 32), "fair.seed"),
        (("Fair seats", "00 zz"), "fair.seat"),
        (("Fair cut", "0 by seat"), "fair.cut"),
        (("Fair cut", "20 by hand"), "fair.cut"),
        (("Fair luck", "good"), "fair.line"),
    ],
)
def test_lines_that_say_nothing(change: tuple[str, str], code: str) -> None:
    tags = dict(FairShuffle.begin("table", 3, SEED).given(("00", "")).with_cut(20, "seat").tags())
    with pytest.raises(FairError) as caught:
        FairShuffle.from_tags((tags | dict([change])).items())
    assert caught.value.code == code
    with pytest.raises(FairError, match="twice"):
        FairShuffle.from_tags([*tags.items(), ("Fair cut", "20 by seat")])


# --- records ---------------------------------------------------------------------------------------------


def play_on(state: State, deal: DealRecord, shuffle: FairShuffle) -> None:
    """Draw and discard until the deal is over, new stocks by the seeds."""
    count = 0
    while not state.is_over:
        restock: tuple[int, ...] = ()
        if state.is_legal(Draw()) and not state.stock:
            count += 1
            restock = shuffle.restock(count, state.pile[:-1])
            state.restock_order(restock)
        action = state.legal_actions()[0]
        state.apply(action)
        deal.plays.append(RecordedPlay(action, restock))
    assert state.result is not None
    deal.outcome = Outcome.of(state.result)


def fair_record(rules: Ruleset, players: int, deals: int = 2) -> Record:
    """A match of fair deals, with the draw before it."""
    draw = FairShuffle.begin("a table", 1, hashlib.sha256(b"draw").digest()).given(["0a" * 8] * players)
    spread = draw.order(rules.deck(players), "draw")
    drawn = [(place, spread[place]) for place in range(3, 3 + players)]
    record = Record(rules, players, tags=[("Place", "here"), *fair.fair_draw_tags(draw, drawn)])
    totals, dealer = (0,) * players, 0
    for number in range(2, 2 + deals):
        seats = [f"{seat + number:02x}" * 16 if seat else "" for seat in range(players)]
        shuffle = FairShuffle.begin("a table", number, hashlib.sha256(bytes([number])).digest()).given(seats)
        shuffle = (
            shuffle.with_cut(shuffle.stream_cut(52), "stream") if number % 2 else shuffle.with_cut(19, "seat")
        )
        deck = shuffle.deck(rules.deck(players))
        deal = DealRecord(deck, dealer, totals, shuffle.tags())
        record.deals.append(deal)
        play_on(State.new(rules, players, deck, dealer, totals), deal, shuffle)
        assert deal.outcome is not None
        totals = tuple(a + b for a, b in zip(totals, deal.outcome.points, strict=True))
        dealer = (dealer + 1) % players
    return record


RULES = ruleset("500-rum", house_rules=("H5",))
RECORD = fair_record(RULES, 3)
TEXT = RECORD.to_text()


def test_fair_record_is_right(run: Runner) -> None:  # noqa: F811
    assert Record.from_text(TEXT).verify() == []
    checked = RECORD.fairness()
    assert checked[:5] == (True, 2, 5, 1, 0)
    ran = run("replay", "--verify", "FILE", file=TEXT)
    assert ran.code == 0
    told = "fair: the order of one spread pack and two decks and five new stocks follows"
    assert ran.out.splitlines()[1] == f"{told} from the seeds that were promised"


def test_nothing_is_said_of_other_records(run: Runner) -> None:  # noqa: F811
    plain = "\n".join(line for line in TEXT.splitlines() if not line.startswith(("Fair", "checksum"))) + "\n"
    ran = run("replay", "--verify", "FILE", file=sealed_text(plain))
    assert ran.code == 0
    assert "fair" not in ran.out
    assert not Record.from_text(plain).fairness().stated


def test_an_unfinished_deal_keeps_its_secret(run: Runner) -> None:  # noqa: F811
    record = Record.from_text(TEXT)
    deal = record.deals[-1]
    shuffle = FairShuffle.from_tags(deal.tags)
    assert shuffle is not None
    deal.tags, deal.outcome = shuffle.sealed().tags(), None
    del deal.plays[4:]
    ran = run("replay", "--verify", "FILE", file=record.to_text())
    assert ran.code == 0
    assert ran.out.splitlines()[1].endswith("; one deal unfinished, the seed still secret")


def swapped_deck(text: str) -> str:
    """Two cards of the second deal's stock changed places: they are drawn in another order, all legal."""
    record = Record.from_text(text)
    deck = list(record.deals[1].deck)
    deck[-1], deck[-2] = deck[-2], deck[-1]
    last = cards_text(record.deals[1].deck[-13:])
    return text.replace("| " + last, "| " + cards_text(deck[-13:]))


def swapped_restock(text: str) -> str:
    """Two cards of a new stock changed places."""
    found = re.search(r"restock (\S+ \S+)((?: \S+)*?) (\S+) (\S+);", text)
    assert found is not None
    return text.replace(found[0], f"restock {found[1]}{found[2]} {found[4]} {found[3]};")


def changed(name: str, deal: int, old: str, new: str) -> Callable[[str], str]:
    """The line of this name in a deal, 0 the header, with another value."""

    def change(text: str) -> str:
        lines = text.splitlines()
        start = 0 if deal == 0 else lines.index(f"deal: {deal}")
        at = next(i for i, line in enumerate(lines) if i >= start and line.startswith(f"{name}: "))
        assert re.search(old, lines[at])
        lines[at] = re.sub(old, new, lines[at], count=1)
        return "\n".join(lines) + "\n"

    return change


def dropped(name: str, deal: int) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = text.splitlines()
        at = next(i for i in range(lines.index(f"deal: {deal}"), len(lines)) if lines[i].startswith(name))
        del lines[at]
        return "\n".join(lines) + "\n"

    return change


TAMPERINGS: dict[str, tuple[Callable[[str], str], str, str]] = {
    "seed": (
        changed("Fair seed", 2, r"[0-9a-f]$", "x"),
        "record.fair_line",
        "'Fair seed' is 32 bytes",
    ),
    "another seed": (
        changed("Fair seed", 2, r": [0-9a-f]{4}", ": 0000"),
        "record.fair_commitment",
        "deal 2: the server's seed is not the one that it was bound to",
    ),
    "commitment": (
        changed("Fair commitment", 1, r": [0-9a-f]{4}", ": 0000"),
        "record.fair_commitment",
        "deal 1: the server's seed is not the one that it was bound to",
    ),
    "seat's seed": (
        changed("Fair seats", 1, r"03", "05"),
        "record.fair_deck",
        "deal 1: the deck does not follow from the seeds and the cut: card 1 is",
    ),
    "seat's seed left out": (
        changed("Fair seats", 1, r"[0-9a-f]{32}", "-"),
        "record.fair_deck",
        "deal 1: the deck does not follow from the seeds and the cut",
    ),
    "a seat too few": (
        changed("Fair seats", 1, r"- ", ""),
        "record.fair_seats",
        "seeds are given for 2 seats, of 3",
    ),
    "cut": (changed("Fair cut", 1, "19", "20"), "record.fair_deck", "deal 1: the deck does not follow"),
    "a bot's cut": (
        changed("Fair cut", 2, r"\d+", "1"),
        "record.fair_cut",
        "the cut by stream lifts",
    ),
    "cut by nobody": (
        changed("Fair cut", 1, "by seat", "by middle"),
        "record.fair_cut",
        "deal 1: the cut by middle lifts 26 cards by the seeds, not 19",
    ),
    "no cut": (dropped("Fair cut", 1), "record.fair_cut", "deal 1: no cut is stated"),
    "seed not told": (
        dropped("Fair seed", 1),
        "record.fair_seed",
        "deal 1 is over, and the server's seed is not stated",
    ),
    "context": (
        changed("Fair shuffle", 2, r"/3$", "/2"),
        "record.fair_context",
        "/2 does not follow upon",
    ),
    "another table": (
        changed("Fair shuffle", 1, r": \w{4}", ": 0000"),
        "record.fair_context",
        "does not follow",
    ),
    "deck": (
        swapped_deck,
        "record.fair_deck",
        "deal 2: the deck does not follow from the seeds and the cut: card 51",
    ),
    "restock": (
        swapped_restock,
        "record.fair_restock",
        "deal 1: the order of new stock 1 does not follow from the seeds",
    ),
    "draw": (changed("Fair drawn", 0, r"4 (\w+)", "5 \\1"), "record.fair_draw", "the draw: at place 5"),
    "draw's seed": (changed("Fair seats", 0, "0a", "0b"), "record.fair_draw", "the draw: at place"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found(name: str, run: Runner) -> None:  # noqa: F811
    """Each change is sealed anew, so that the checksum gives none of them away."""
    change, code, message = TAMPERINGS[name]
    text = change("\n".join(TEXT.splitlines()[:-1]) + "\n")
    assert text not in TEXT
    text = sealed_text(text)
    problems = {problem.code: problem for problem in Record.from_text(text).verify()}
    assert code in problems, problems
    assert message in problems[code].message
    ran = run("replay", "--verify", "FILE", file=text)
    assert ran.code == 1
    assert message in ran.out
    assert "fair: " not in ran.out
    assert "right" not in ran.out


def test_a_deal_without_its_lines_among_others() -> None:
    record = Record.from_text(TEXT)
    record.deals[1].tags.clear()
    assert [problem.code for problem in record.verify()] == ["record.fair_missing"]


def test_more_may_have_drawn_than_are_left() -> None:
    """Who resigns after the draw leaves no seat: the others' deals are a record with the draw of all."""
    record = fair_record(RULES, 3, deals=1)
    draw = FairShuffle.begin("a table", 1, hashlib.sha256(b"draw").digest()).given(["0a" * 8] * 5)
    spread = draw.order(RULES.deck(5), "draw")
    record.tags = fair.fair_draw_tags(draw, [(place, spread[place]) for place in range(5)])
    assert record.verify() == []
    record.tags = fair.fair_draw_tags(draw.given(["0a" * 8] * 9), [])
    assert [problem.code for problem in record.verify()] == ["record.fair_line"]


def test_a_seed_is_used_once() -> None:
    record = fair_record(RULES, 2, deals=1)
    again = FairShuffle.begin("a table", 1, hashlib.sha256(b"\x02").digest()).given(["", ""])
    record.tags = fair.fair_draw_tags(again, [])
    assert [problem.code for problem in record.verify()] == ["record.fair_commitment"]
    assert "was used before" in record.verify()[0].message
