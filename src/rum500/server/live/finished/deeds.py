"""The deeds of a match, each a name, a condition in a sentence, and a function that looks for its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from rum500.cards import JOKER
from rum500.match import callable_counts, claimants
from rum500.match.scores import is_due
from rum500.rules.action_codes import laid_cards, opens_meld
from rum500.rules.actions import ActionKind
from rum500.server.live.finished.deal_replay import finished_deal
from rum500.server.live.finished.match_results import results_of
from rum500.server.live.finished.played_match import PlayedMatch, Proof, guests_of, played_match
from rum500.server.live.log.table_state import TableState
from rum500.store import Achievement, DealPoints, StoredEntry
from rum500.view import Event

DEEDS_VERSION = 1
"""The version of the deeds in this file: after a change, all matches are examined again."""
PILE = 10
"""The cards of a whole pile."""
HAND = 7
"""The cards from which one goes out all at once, and those of a long run."""
BEHIND = 150
"""The points from which one comes back from far behind."""
JOKERS = 4

Finder = Callable[[PlayedMatch, int], Proof | None]


class Deed(NamedTuple):
    """A deed of a single match."""

    name: str
    condition: str
    """The condition, in one sentence."""
    find: Finder
    """Returns the proof that a player did it in a match; None if the player did not."""


DEEDS: list[Deed] = []
"""The deeds of a single match, in the order in which they are shown."""


def deed(name: str, condition: str) -> Callable[[Finder], Finder]:
    """Return a decorator that declares a function as a deed."""

    def declare(find: Finder) -> Finder:
        DEEDS.append(Deed(name, condition, find))
        return find

    return declare


@deed("whole_pile", "Took ten cards or more and still ended the deal above zero.")
def whole_pile(match: PlayedMatch, player: int) -> Proof | None:
    """Find a take of at least `PILE` cards in a deal with more than 0 points."""
    for deal, seat in match.seats(player):
        for play, event in deal.of(seat, "take"):
            if len(event.public["cards"]) >= PILE and deal.points[deal.account(seat)] > 0:
                return Proof(deal.number, play)
    return None


@deed("bait", "Threw a card of your own meld and took it back with the pile.")
def bait(match: PlayedMatch, player: int) -> Proof | None:
    """Find a take with a card that the player had discarded although it made a meld with the hand."""
    for deal, seat in match.seats(player):
        thrown: dict[int, int] = {}
        for play, event in deal.of(seat, "discard", "take"):
            if event.kind == "discard":
                thrown[event.public["card"]] = play
                continue
            for card in event.public["cards"]:
                if card in thrown and _could_meld(deal.before(thrown[card]).legal_ints(), card):
                    return Proof(deal.number, play)
    return None


def _could_meld(legal: Iterable[int], card: int) -> bool:
    """Return whether one of the legal actions opens a meld with this card."""
    return any(opens_meld(code) and card in [laid.card for laid in laid_cards(code)] for code in legal)


@deed("all_at_once", "Went out from a hand of seven or more in one turn.")
def all_at_once(match: PlayedMatch, player: int) -> Proof | None:
    """Find a deal that the player ended by going out, with at least `HAND` cards before that turn."""
    for deal, seat in match.seats(player):
        last = deal.happenings[-1]
        if _goes_out(last.events, seat) and last.held >= HAND and last.play not in deal.stand_ins:
            return Proof(deal.number, last.play)
    return None


def _goes_out(events: Iterable[Event], seat: int) -> bool:
    ends = [event.public for event in events if event.kind == "over"]
    return any(end["reason"] == "out" and end["out"] == seat for end in ends)


@deed("far_behind", "Won a match after being 150 behind.")
def far_behind(match: PlayedMatch, player: int) -> Proof | None:
    """Find a won match in which the player was `BEHIND` points behind; the last play proves it."""
    if player in match.winners and any(deal.behind(seat) >= BEHIND for deal, seat in match.seats(player)):
        return _end(match)
    return None


def _end(match: PlayedMatch) -> Proof:
    last = match.deals[-1]
    return Proof(last.number, len(last.plays) - 1)


@deed("good_partner", "Your meld took the card with which your partner went out.")
def good_partner(match: PlayedMatch, player: int) -> Proof | None:
    """Find a deal that the partner ended by a lay-off on a meld of the player."""
    if not match.rules.sides:
        return None
    for deal, seat in match.seats(player):
        last = deal.happenings[-1]
        partner = last.seat != seat and deal.account(last.seat) == deal.account(seat)
        if not (partner and _goes_out(last.events, last.seat)):
            continue
        for event in last.events:
            if event.kind == "lay" and deal.before(last.play).melds[event.public["meld"]].owner == seat:
                return Proof(deal.number, last.play)
    return None


@deed("seven_high", "Laid a run of seven or more with your own cards.")
def seven_high(match: PlayedMatch, player: int) -> Proof | None:
    """Find a run that has at least `HAND` cards of the player, laid in one play or several."""
    for deal, seat in match.seats(player):
        laid = Counter[int]()
        for play, event in deal.of(seat, "meld", "lay"):
            number = event.public["meld"]
            laid[number] += len(event.public["cards"])
            if laid[number] >= HAND and deal.before(play + 1).melds[number].kind == "run":
                return Proof(deal.number, play)
    return None


@deed("deciding_deal", "Won a match that went past 500 level.")
def deciding_deal(match: PlayedMatch, player: int) -> Proof | None:
    """Find a won match whose last deal was played because the match was due to end before it."""
    if player not in match.winners or len(match.deals) < 2:
        return None
    last = match.deals[-1]
    return _end(match) if is_due(match.rules, last.totals, last.number - 1) else None


@deed("rummy", "Called a card that nobody else had seen.")
def rummy(match: PlayedMatch, player: int) -> Proof | None:
    """Find a call of a card that another player could have called too (H6)."""
    for deal, seat in match.seats(player):
        for play, _ in deal.of(seat, "call"):
            asked = play
            while asked and deal.happenings[asked - 1].kind is ActionKind.LET_GO:
                asked -= 1
            others = [one for one in claimants(deal.before(asked)) if one.seat != seat]
            if any(callable_counts(one.state) for one in others):
                return Proof(deal.number, play)
    return None


@deed("four_jokers", "Laid all four at once, for 160.")
def four_jokers(match: PlayedMatch, player: int) -> Proof | None:
    """Find a meld of four jokers in one play that counts double."""
    for deal, seat in match.seats(player):
        for play, event in deal.of(seat, "meld"):
            jokers = [laid for laid in event.public["cards"] if laid.card == JOKER]
            if len(jokers) == JOKERS and event.public["doubled"]:
                return Proof(deal.number, play)
    return None


class Examined(Struct, frozen=True):
    """What the log of an ended match holds of one guest."""

    guest: str
    by_deal: list[DealPoints]
    """The points of each deal that the guest finished, in order."""
    reached: list[Achievement]
    """The guest's deeds in this match."""


def examined(table: str, entries: Sequence[StoredEntry]) -> list[Examined]:
    """Return what the log of an ended match holds of each guest who has a result in it."""
    state, ended = TableState(table, keep_deals=True), 0
    for entry in entries:
        state.read(entry)
        if state.ended and not ended:
            ended = entry.at  # later entries are chat and votes
    if not results_of(state):
        return []
    match, rules = played_match(state), state.rules

    def reached(guest: str, name: str, proof: Proof) -> Achievement:
        finished = finished_deal(table, entries, proof.deal)
        assert finished is not None
        return Achievement(
            guest_id=guest,
            name=name,
            at=ended,
            profile=rules.name,
            title=rules.title,
            table_id=table,
            deal=proof.deal,
            frame=finished.frames[proof.play],
        )

    found = []
    for guest, player in guests_of(state).items():
        proofs = [(one.name, one.find(match, player)) for one in DEEDS] if match.deals else []
        deeds = [reached(guest, name, proof) for name, proof in proofs if proof is not None]
        found.append(Examined(guest, [deal.result(seat) for deal, seat in match.seats(player)], deeds))
    return found
