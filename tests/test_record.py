"""Records: written as on a score sheet, replayed, verified, interrupted and continued."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import Discard, Draw, IllegalPlay, Phase, decode, ruleset
from rum500.cards import cards_from_text, pack
from rum500.record import DealRecorder, Record, RecordError, RecordWriter, resume
from rum500.record._format import checksum
from rum500.rules.notation import parse_play
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.support.records import random_record

HAND_WRITTEN = """\
rum500 record 1
# An evening in May, as the score sheet has it.
Place: the kitchen
profile: 500-rum
option hand_two: 4
name 0: Ann
name 1: Bob

deal: 1
dealer: Ann
deck:
| 8C 2H 9C 3H 10C QS 7S 4H
| KD 5S 6S JC
| AS 2S 3S 4S 8S 9S 10S JS KS
| AH 5H 6H 7H 8H 9H 10H JH QH KH
| AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD
| AC 2C 3C 4C 5C 6C 7C QC KC
1 Bob: d; m 8c-10c; x 5s       {Bob melds 27 points}
2 Ann: draw; discard 3h # nothing yet
3 Bob: draw; lay JC; discard 7S
result: out by Bob; points -22 37
checksum: none
"""


def sealed(text: str) -> str:
    body = text.partition("checksum:")[0]
    return f"{body}checksum: {checksum(body)}\n"


def codes(text: str) -> list[str]:
    return [problem.code for problem in Record.from_text(text).verify()]


# --- reading and writing -----------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_record_comes_back_and_replays(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    lines: list[str] = []
    stop = chance.choice((None, None, 0, 1, 7, 30))
    record = random_record(
        rules, random_players(rules, chance), seed, deals=chance.choice((1, 2)), stop=stop, write=lines.append
    )
    text = record.to_text()
    back = Record.from_text(text)
    assert back == record
    assert back.to_text() == text
    assert (back.seal, back.verify()) == ("right", [])
    steps = list(back.replay())
    assert [step.action for step in steps] == [play.action for deal in record.deals for play in deal.plays]
    assert all(step.state.is_legal(step.action) for step in steps)
    live = Record.from_text("".join(lines))
    assert live == record
    assert (live.seal, live.verify()) == ("right", [])


def test_written_by_hand() -> None:
    record = Record.from_text(HAND_WRITTEN)
    assert (record.seal, record.verify()) == ("none", [])
    assert record.names == ("Ann", "Bob")
    assert record.tags == [("Place", "the kitchen")]
    deal = record.deals[0]
    assert (deal.dealer, deal.comments, len(deal.plays)) == (0, {2: "Bob melds 27 points"}, 8)
    assert record.final(1).result is not None
    assert [event.kind for step in record.replay(1) for event in step.events] == (
        ["draw", "meld", "discard", "draw", "discard", "draw", "lay", "discard", "over"]
    )


def test_plays_of_stand_ins_have_a_line() -> None:
    record = Record.from_text(HAND_WRITTEN)
    assert record.deals[0].stand_ins == frozenset()
    record.deals[0].note_stand_ins([])
    assert record.deals[0].end_tags == []
    record.deals[0].note_stand_ins([5, 4])
    text = record.to_text()
    assert "\nStand-ins: 4 5\n" in text
    back = Record.from_text(text)
    assert (back, back.verify(), back.deals[0].stand_ins) == (record, [], {4, 5})
    back.deals[0].tags.append(("Stand-ins", "1, about -2 ² 8"))
    assert back.deals[0].stand_ins == {4, 5, 8}


def test_the_canonical_text() -> None:
    record = Record.from_text(HAND_WRITTEN)
    assert record.to_text(sealed=False).splitlines() == [
        "rum500 record 1",
        "Place: the kitchen",
        "profile: 500-rum",
        "option hand_two: 4",
        f"digest: {record.digest}",
        "players: 2",
        "name 0: Ann",
        "name 1: Bob",
        "",
        "deal: 1",
        "dealer: 0",
        "deck:",
        "| 8C 2H 9C 3H 10C QS 7S 4H KD 5S 6S JC AS",
        "| 2S 3S 4S 8S 9S 10S JS KS AH 5H 6H 7H 8H",
        "| 9H 10H JH QH KH AD 2D 3D 4D 5D 6D 7D 8D",
        "| 9D 10D JD QD AC 2C 3C 4C 5C 6C 7C QC KC",
        "1 Bob: draw; meld 8C 9C 10C; discard 5S {Bob melds 27 points}",
        "2 Ann: draw; discard 3H",
        "3 Bob: draw; lay JC on 1; discard 7S",
        "result: out by Bob; points -22 37",
        "checksum: none",
    ]
    text = record.to_text()
    assert text.endswith(f"checksum: {checksum(text[: text.index('checksum:')])}\n")


def test_h5_the_order_of_a_new_stock_is_kept() -> None:
    rules = ruleset("500-rum", ("H5",), hand_two=3)
    record = Record(rules, 2, ("Ann", "Bob"))
    recorder = DealRecorder(record, rules.deck(2), restock_seed=3)
    while recorder.state.stock or recorder.state.phase is not Phase.DRAW:
        action = Draw() if recorder.state.phase is Phase.DRAW else decode(recorder.state.legal_ints()[-1])
        recorder.apply(action)
    before = sorted(recorder.state.pile[:-1])
    recorder.apply(Draw())
    play = recorder.deal.plays[-1]
    assert sorted(play.restock) == before
    text = record.to_text()
    assert text[text.index("restock") :].partition("\n")[0].endswith("; draw")
    back = Record.from_text(text)
    assert back.deals[0].plays[-1].restock == play.restock
    assert back.final(1).stock == recorder.state.stock
    bare = sealed(text.replace(text[text.index("restock") : text.index("; draw\nresult") + 2], ""))
    assert codes(bare) == ["record.restock"]


def test_h6_letting_go_follows_from_the_next_play() -> None:
    rules = ruleset("500-rum", ("H6",), hand=3)
    deck = cards_from_text("3C KD QD 4C KH QH 5C KS QS 6C") + [
        card for card in pack() if card not in cards_from_text("3C KD QD 4C KH QH 5C KS QS 6C")
    ]
    record = Record(rules, 3, ("Ann", "Bob", "Cy"))
    recorder = DealRecorder(record, deck, dealer=2)
    for text in ("draw", "meld 3C 4C 5C", "discard AS"):
        recorder.apply(parse_play(text, recorder.state))
    assert recorder.state.phase is Phase.OVER
    assert record.to_text(sealed=False).splitlines()[-3] == "1 Ann: draw; meld 3C 4C 5C; discard AS"
    rules = ruleset("500-rum", ("H6",), hand=4)
    first = "3C KD QD 4C KH QH 5C KS QS 9S 10S 9H 6C"
    deck = cards_from_text(first) + [card for card in pack() if card not in cards_from_text(first)]
    record = Record(rules, 3, ("Ann", "Bob", "Cy"))
    recorder = DealRecorder(record, deck, dealer=2)
    for text in ("draw", "meld 3C 4C 5C", "discard AS", "let go", "call 6C", "lay 6C on 1", "discard QD"):
        recorder.apply(parse_play(text, recorder.state))
    lines = record.to_text(sealed=False).splitlines()
    assert lines[-4:-2] == [
        "1 Ann: draw; meld 3C 4C 5C; discard AS",
        "2 Cy: call 6C; lay 6C on 1; discard QD",
    ]
    back = Record.from_text(record.to_text())
    assert back == record
    assert len(back.deals[0].plays) == 7


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a\tb", "contains a tab"),
        ("a\nb", "contains a line break"),
        ("a\rb", "contains a line break"),
        ("a\0b", "contains the control character U+0000"),
        ("a\ud800b", "contains half a character, U+D800"),
        (" a", "begins or ends with a blank"),
        ("a\t", "begins or ends with a blank"),
        ("a #b", "contains #"),
        ("a{b", "contains {"),
        ("a:b", "contains :"),
        ("", "is empty"),
    ],
)
def test_text_that_cannot_be_written_is_refused_with_the_cause(text: str, fault: str) -> None:
    rules, place = ruleset("500-rum"), re.escape(f": it {fault}") + "$"
    with pytest.raises(ValueError, match=place):
        Record(rules, 2, ("A", text))
    recorder = DealRecorder(Record(rules, 2), rules.deck(2))
    recorder.apply(Draw())
    for write, allowed in (
        (lambda: Record(rules, 2, tags=[("Place", text)]), "{:"),
        (lambda: recorder.comment(text), "#:"),
    ):
        if text and not set(text) & set(allowed):
            with pytest.raises(ValueError, match=place):
                write()


def test_names_and_tags_that_are_none_are_refused() -> None:
    for names, fault in ((("A", "a"), "the same name"), (("A",), "1 names")):
        with pytest.raises(ValueError, match=fault):
            Record("500-rum", 2, names)
    for tag in ("place", "Pla:ce", "Place ", "A  b"):
        with pytest.raises(ValueError, match="is not a tag: it begins with a capital letter"):
            Record("500-rum", 2, tags=[(tag, "x")])


# --- errors ------------------------------------------------------------------------------------------

REFUSED = [
    ("", "line 1, column 1: the text is empty, expected 'rum500 record 1'"),
    ("rum500 position 1\n", "line 1, column 1: this is a position, expected a record"),
    ("rum500 record 7\n", "line 1, column 1: this is record format 7, which this rum500 cannot read"),
    ("profile: 500-rum > profile: 500-run", "line 4, column 10: there is no profile '500-run'"),
    ("name 1: Bob > name 1: Ann", "line 6, column 9: two players have the same name"),
    ("name 1: Bob > nome 1: Bob", "line 7, column 1: found key 'nome 1'; did you mean 'name N'?"),
    ("name 1: Bob > players: 9\nname 1: Bob", "line 7, column 10: 500 Rum is for"),
    ("deal: 1 > deal: 2", "line 9, column 7: found '2', expected 1"),
    ("dealer: Ann > dealer: Cy", "line 10, column 9: found 'Cy', expected a player: Ann, Bob"),
    ("dealer: Ann > totals: 1", "line 10, column 9: found '1', expected 2 numbers, one a seat"),
    ("dealer: Ann > dalers: Ann", "line 10, column 1: found key 'dalers'; did you mean 'dealer'?"),
    ("8C 2H 9C > 8C 2X 9C", "line 12, column 6: found '2X', expected a card such as QD, 10S or JK"),
    ("1 Bob: > 2 Bob:", "line 18, column 1: found turn 2, expected turn 1"),
    ("1 Bob: > 1 Rob:", "line 18, column 3: found 'Rob', expected a player: Ann, Bob"),
    ("1 Bob: > 1:", "line 18, column 1: expected a turn, such as '3 East: draw; discard KD'"),
    ("m 8c-10c > mm 8c", "line 18, column 11: found 'mm', expected a play: draw, take"),
    ("x 5s > x 5", "line 18, column 23: found '5', expected a card such as QD"),
    ("points} > points", "line 18, column 32: this comment is not closed"),
    ("3 Bob: draw; lay JC; discard 7S > 3 Bob:", "line 20, column 7: expected a play such as 'draw'"),
    ("out by Bob > won by Bob", "line 21, column 9: found 'won by Bob"),
    ("out by Bob > out by Rob", "line 21, column 16: found 'Rob', expected a player"),
    ("; points > ; pints", "line 21, column 21: expected '; points' and a number for each seat"),
    ("-22 37 > -22", "found '-22', expected 2 numbers, one a seat"),
    ("checksum: none > checksum: none\nx", "line 23, column 1: nothing may follow the checksum"),
    ("1 Bob: > ; draw\n1 Bob:", "line 18, column 1: found '; draw', expected 'key: value'"),
]
FAULTS = [
    ("8C 2H > 8C 8C", "record.deck", "line 11, column 1: the deck of 52 cards is not 500 Rum's 52"),
    ("m 8c-10c > m 8c-jc", "record.illegal", "line 18, column 11: "),
    ("x 5s > x 4d", "record.illegal", "line 18, column 21: you do not hold 4♦"),
    ("d; m > take AH; m", "record.notation.not_in_pile", "line 18, column 13: A♥ is not in the pile"),
    ("2 Ann: > 2 Bob:", "record.illegal", "line 19, column 8: it is not Bob's turn but Ann's (R-TURN-2)"),
    ("discard 7S > discard 7S\n4 Ann: draw", "record.illegal", "line 21, column 8: the deal is over"),
    ("out by Bob > out by Ann", "record.result", "found the result out by seat 0, expected out by seat 1"),
    ("-22 37 > -22 38", "record.points", "column 1: found points -22 38, expected -22 37 (R-SCORE-1)"),
    ("result: out by Bob; points -22 37 > result: unfinished", "record.no_result", "the deal is over"),
    ("3 Bob: draw; lay JC; discard 7S > # lost", "record.result", "there is a result, but the deal goes on"),
]  # fmt: skip


def edited(change: str) -> str:
    if " > " not in change:
        return change
    old, _, new = change.partition(" > ")
    assert old in HAND_WRITTEN
    return HAND_WRITTEN.replace(old, new, 1)


@pytest.mark.parametrize(("change", "said"), REFUSED)
def test_what_cannot_be_read_is_refused_with_its_place(change: str, said: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.from_text(edited(change))
    assert said in str(caught.value)
    assert f"line {caught.value.line}, column {caught.value.column}: " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "code", "said"), FAULTS)
def test_what_is_not_so_is_found_by_verify(change: str, code: str, said: str) -> None:
    record = Record.from_text(edited(change))
    found = record.verify()
    assert [problem.code for problem in found] == [code]
    assert said in str(found[0])
    if record.deals[0].fault:
        again = Record.from_text(record.to_text(sealed=False))
        assert [problem.code for problem in again.verify()] == [code]


def test_other_rules_than_the_record_was_played_by() -> None:
    text = Record.from_text(HAND_WRITTEN).to_text(sealed=False)
    assert codes(text.replace("digest: ", "digest: 0")) == ["record.digest"]


def test_totals_follow_from_the_deals_before() -> None:
    record = random_record(ruleset("partnership-500-rum"), 4, 3, deals=3)
    assert record.verify() == []
    third = record.deals[2]
    third.totals = (third.totals[0] + 1, *third.totals[1:])
    (problem,) = Record.from_text(record.to_text()).verify()
    line = record.to_text().splitlines().index(f"totals: {' '.join(map(str, third.totals))}") + 1
    wanted = " ".join(map(str, record.totals_after(2)))
    assert problem.code == "record.totals"
    assert str(problem).startswith(f"line {line}, column 1: deal 3: found totals ")
    assert str(problem).endswith(f", expected {wanted}: the totals after the deal before (R-MATCH-1)")
    third.totals = (0, 0, 0, 0)
    (problem,) = record.verify()
    assert str(problem).startswith("deal 3: found totals 0 0 0 0, expected ")
    assert Record.from_text(record.to_text()) == record


@pytest.mark.parametrize("name", ["500-rum", "partnership-500-rum", "michigan-rum"])
def test_dealer_and_totals_follow_if_left_out(name: str) -> None:
    """D15, R-MATCH-1: in Python, in a record that is written live, and in the text."""
    rules, lines = ruleset(name), list[str]()
    players = rules.players[0]
    record, chance = Record(rules, players), random.Random(1)
    writer = RecordWriter(Record(rules, players), lines.append)
    for _ in range(3):
        deck = rules.deck(players)
        chance.shuffle(deck)
        recorder = DealRecorder(record, deck)
        writer.begin_deal(deck)
        while not recorder.state.is_over:
            action = chance.choice(recorder.state.legal_actions())
            recorder.apply(action)
            writer.play(action)
    writer.close()
    assert (record.verify(), [deal.dealer for deal in record.deals]) == ([], [0, 1, 2 % players])
    assert any(record.deals[2].totals) and record.deals[2].totals == record.totals_after(2)
    text = "".join(lines)
    assert Record.from_text(text) == record
    bare = "".join(line for line in text.splitlines(True) if not line.startswith(("totals", "dealer")))
    assert Record.from_text(sealed(bare)) == record
    assert codes(sealed(bare)) == []


def test_a_deal_knows_its_number_in_the_match() -> None:
    """As far as the record tells it, where that begins in mid-match."""
    record = random_record(ruleset("500-rum"), 2, 3, deals=3)
    for first, totals in ((1, (0, 0)), (2, (100, 90))):
        record.deals[0].totals = totals
        assert [record.begin(deal).number for deal in (1, 2, 3)] == [first, first + 1, first + 2]


def test_a_deal_that_cannot_be_begun_is_not_in_the_record() -> None:
    record = Record(ruleset("500-rum"), 2)
    deck = record.rules.deck(2)
    for wrong, fault in (
        ((deck[1:],), "lacks"),
        ((deck, 2), "seat 2"),
        ((deck, 0, (1,)), "1 seats"),
        ((deck, 0, (), [("date", "lower case")]), "not a tag"),
    ):
        with pytest.raises(ValueError, match=fault):
            record.add(*wrong)
        assert record.deals == []
    assert record.add(deck).number == 1


def test_d15_the_deal_passes_to_the_left() -> None:
    record = random_record(ruleset("500-rum"), 3, 3, deals=2)
    first, second = record.deals
    second.plays, second.outcome = [], None
    assert codes(record.to_text()) == []
    for dealer in (first.dealer, (first.dealer - 1) % 3):
        second.dealer = dealer
        (problem,) = Record.from_text(record.to_text()).verify()
        assert (problem.code, problem.rule) == ("record.dealer", "D15")
        assert problem.message.startswith(f"seat {dealer} deals, but")
        lines = record.to_text().splitlines()
        assert problem.line == lines.index(f"dealer: {dealer}", lines.index("deal: 2")) + 1


def test_an_unfinished_deal_is_the_last() -> None:
    record = random_record(ruleset("500-rum"), 2, 3, deals=2)
    del record.deals[0].plays[5:]
    record.deals[0].outcome = None
    assert codes(record.to_text()) == ["record.unfinished"]


# --- tampering ---------------------------------------------------------------------------------------


def is_refused(text: str) -> bool:
    try:
        return bool(Record.from_text(text).verify())
    except RecordError as error:
        return error.line >= 1 and error.column >= 1


def test_a_record_cut_short_anywhere_is_refused() -> None:
    text = sealed(HAND_WRITTEN)
    assert not is_refused(text)
    assert all(is_refused(text[:end]) for end in range(len(text)))


def test_a_record_changed_in_any_one_character_is_refused() -> None:
    text = sealed(HAND_WRITTEN)
    for i in range(0, len(text), depth(4, 1)):
        char = text[i]
        for other in {"0", " ", "\n", "A", char.swapcase()} - {char}:
            assert is_refused(text[:i] + other + text[i + 1 :]), (i, other)
        assert is_refused(text[:i] + text[i + 1 :]), i
        assert is_refused(text[:i] + "#" + text[i:]), i
    for more in (" ", "\n", "x", "# end\n"):
        assert is_refused(text + more)


def test_written_by_hand_is_not_taken_for_changed() -> None:
    assert Record.from_text(HAND_WRITTEN).seal == "none"
    assert Record.from_text(sealed(HAND_WRITTEN)).seal == "right"
    assert Record.from_text(sealed(HAND_WRITTEN).replace("kitchen", "cellar")).seal == "wrong"
    cut = HAND_WRITTEN.replace("checksum: none\n", "")
    assert (Record.from_text(cut).seal, codes(cut)) == ("missing", ["record.truncated"])


# --- writing as it is played -------------------------------------------------------------------------


def go_on(text: str, plays: int, seed: int) -> str:
    """Resume, play on at random, close; the whole text."""
    chance, lines = random.Random(seed), list[str]()
    found = resume(text)
    writer = RecordWriter(found.record, lines.append, kept=found.text)
    for _ in range(plays):
        if writer.state is None:
            break
        action, order = decode(chance.choice(writer.state.legal_ints())), list[int]()
        if isinstance(action, Draw) and not writer.state.stock:
            order = list(writer.state.pile[:-1])
            chance.shuffle(order)
        writer.play(action, order)
    writer.close()
    assert Record.from_text(found.text + "".join(lines)) == found.record
    return found.text + "".join(lines)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_an_interrupted_record_is_gone_on_with(seed: int) -> None:
    chance = random.Random(seed)
    rules, lines = random_rules(chance), list[str]()
    record = random_record(
        rules, random_players(rules, chance), seed, stop=chance.randrange(60), write=lines.append
    )
    closed = "".join(lines)
    assert resume(closed).notice == ""
    assert resume(closed).record.deals[0].plays == record.deals[0].plays
    crashed = closed[: chance.randrange(closed.index("\n\n") + 2, len(closed))]
    for text in (closed, crashed):
        whole = Record.from_text(go_on(text, chance.randrange(20), seed))
        assert (whole.seal, whole.verify()) == ("right", [])


def test_resuming_says_what_it_drops() -> None:
    lines: list[str] = []
    random_record(ruleset("500-rum"), 2, 5, deals=2, stop=9, write=lines.append)
    text = "".join(lines)
    assert resume(text).notice == ""
    at = text.rindex("\nresult") - 4
    last = text[text.rindex("\n", 0, at) + 1 : at]
    assert resume(text[:at]).notice == f"the last line was cut short, and is dropped: {last!r}"
    in_deck = text.rindex("deck:") + 20
    dropped = resume(text[:in_deck])
    assert len(dropped.record.deals) == 1
    assert dropped.text.endswith(text[text.index("result") : text.index("\n", text.index("result")) + 1])


def test_a_changed_record_is_not_gone_on_with() -> None:
    with pytest.raises(RecordError, match="the checksum does not fit"):
        resume(sealed(HAND_WRITTEN).replace("kitchen", "cellar"))
    with pytest.raises(RecordError, match="expected -22 37"):
        resume(edited("-22 37 > -17 37"))


def test_undo_takes_back_plays_of_the_open_turn() -> None:
    lines: list[str] = []
    record = Record.from_text(HAND_WRITTEN)
    writer = RecordWriter(Record(record.rules, 2, record.names), lines.append)
    writer.begin_deal(record.deals[0].deck)
    draw, meld, discard = (play.action for play in record.deals[0].plays[:3])
    writer.play(draw)
    writer.play(meld)
    writer.undo()
    assert writer.state is not None and writer.state.melds == ()
    with pytest.raises(ValueError, match="the open turn holds 1 plays"):
        writer.undo(2)
    writer.play(meld)
    writer.play(discard, comment="at last")
    assert lines[-1] == "1 Bob: draw; meld 8C 9C 10C; discard 5S {at last}\n"
    with pytest.raises(ValueError, match="the open turn holds 0 plays"):
        writer.undo()
    with pytest.raises(IllegalPlay):
        writer.play(Discard(card=0))
    writer.tag("Note", "a pause")
    writer.close()
    whole = Record.from_text("".join(lines))
    assert (whole.seal, whole.deals[0].end_tags, whole.deals[0].comments) == (
        "right",
        [("Note", "a pause")],
        {2: "at last"},
    )
    with pytest.raises(ValueError, match="closed"):
        writer.play(Draw())


@pytest.mark.parametrize(
    "refused",
    [
        lambda writer: writer.play(Draw(), comment="one line\nand another"),
        lambda writer: writer.play(Discard(card=0)),
        lambda writer: writer.tag("deal", "not a free name"),
        lambda writer: writer.begin_deal(writer.record.deals[0].deck),
        lambda writer: (writer.close(), writer.tag("Note", "too late")),
        lambda writer: (writer.close(), writer.play(Draw())),
    ],
)
def test_refused_call_changes_nothing_in_the_record(refused: Callable[[RecordWriter], object]) -> None:
    record = Record.from_text(HAND_WRITTEN)
    writer = RecordWriter(Record(record.rules, 2, record.names), lambda _: None)
    writer.begin_deal(record.deals[0].deck)
    before, state = writer.record.to_text(sealed=False), writer.state
    assert state is not None
    hand = state.view(1)
    with pytest.raises((ValueError, IllegalPlay)):
        refused(writer)
    assert writer.record.to_text(sealed=False) == before
    assert writer.state is not None and writer.state.view(1) == hand


def test_closed_record_gets_no_further_deal() -> None:
    record = Record.from_text(HAND_WRITTEN)
    writer = RecordWriter(Record(record.rules, 2, record.names), lambda _: None)
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.begin_deal(record.deals[0].deck)
    assert writer.record.deals == []
