"""What two rule sets differ in, said so that a player understands it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rum500.rules.english import amount, counted, number_word, numbers
from rum500.rules.options import RULE_FIELDS

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

__all__ = ["Difference", "differences"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One option that two rule sets differ in: both values, and a sentence."""

    field: str
    ours: object
    theirs: object
    text: str


def differences(ours: Ruleset, theirs: Ruleset) -> tuple[Difference, ...]:
    """Every rule that differs, in the order of the options."""
    return tuple(
        _difference(field, ours, theirs)
        for field in RULE_FIELDS
        if getattr(ours, field) != getattr(theirs, field)
    )


def _difference(field: str, ours: Ruleset, theirs: Ruleset) -> Difference:
    here, there = getattr(ours, field), getattr(theirs, field)
    topic, say = _CLAUSES[field]
    return Difference(field, here, there, f"{topic}: here {say(here)}; there {say(there)}.")


_Clause = tuple[str, Callable[..., str]]


def _either(topic: str, **clauses: str) -> _Clause:
    return topic, clauses.__getitem__


def _switch(topic: str, on: str, off: str) -> _Clause:
    return topic, lambda value: on if value else off


_CLAUSES: dict[str, _Clause] = {
    "players": ("Number of players", numbers),
    "sides": _switch("Sides", "two play against two", "all play for themselves"),
    "second_pack_from": (
        "Second pack",
        lambda value: f"from {counted(value, 'player')} on" if value else "never",
    ),
    "jokers": ("Jokers in each pack", lambda value: number_word(value) if value else "none"),
    "joker_kind": _either(
        "Kind of jokers",
        none="none",
        wild="wild, standing for any card",
        rank="a rank of their own, melded only with one another",
    ),
    "hand": ("Cards dealt", lambda value: counted(value, "card")),
    "hand_two": ("Cards dealt to two players", lambda value: counted(value, "card")),
    "ace": _either("The ace in runs", both="low or high", high="high only"),
    "same_suit_in_sets": _switch(
        "Sets with two packs", "a suit may come as often as there are packs", "all suits differ"
    ),
    "unnamed_jokers": _switch(
        "Two jokers in a set of three (H3)", "they are not named", "each is named as one card"
    ),
    "top_must_meld": _switch(
        "The top discard taken alone", "it must be melded at once", "it may go to the hand"
    ),
    "keep_upcard": _switch(
        "Discarding the top discard just taken alone (H4)", "not in the same turn", "no rule forbids it"
    ),
    "claim": _switch('Calling "Rummy!" (H6)', "allowed", "not part of the game"),
    "go_out": _either(
        "Going out",
        either="by melding or discarding the last card",
        meld="by melding the last card only",
        discard="by a discard only, and who melds the last card floats (H2)",
    ),
    "stock_out": (
        "Stock empty",
        {
            "end": "a player who takes nothing from the pile ends the deal",
            "pass": "a player may pass",
        }.__getitem__,
    ),
    "restock": _switch("A new stock from the pile (H5)", "made when the stock is empty", "never made"),
    "upcard_free_when_stock_empty": _switch(
        "The top discard once the stock is empty", "free to keep", "taken only to be melded"
    ),
    "restock_limit": (
        "New stocks with no card laid since the first",
        lambda value: f"{number_word(value)} at most",
    ),
    "no_progress_rounds": (
        "A deal nobody moves on ends after",
        lambda value: counted(value, "round"),
    ),
    "low_cards": _either("Cards from 2 to 9", pips="they count their pips", five="they count 5 each"),
    "ace_low": (
        "The worth of a low ace",
        lambda value: amount(value) if value else "none, as the ace is high",
    ),
    "joker_points": ("The worth of a joker", lambda value: amount(value) if value else "none"),
    "doubles": _either(
        "Four cards laid at once",
        none="they count once",
        sets="a set of four counts double",
        melds="a set or run of four counts double",
    ),
    "count": _either("Points are counted", deal_end="when the deal ends", as_laid="as cards are laid"),
    "going_out_bonus": ("Bonus for going out", lambda value: amount(value) if value else "none"),
    "hands": _either(
        "Cards held at the end",
        holder="they are subtracted from their holder",
        winner="they are credited to the player who went out, and not subtracted",
    ),
    "match": _either("The match", target="to a target", deals="over a number of deals"),
    "target": ("The target of a match", amount),
    "deals": ("The length of a match by deals", lambda value: counted(value, "deal")),
    "max_deals": (
        "The most deals in a match to a target",
        lambda value: number_word(value) if value else "no limit",
    ),
    "match_end": _either(
        "Target reached in mid-deal", deal="the deal is played out", at_once="deal and match end at once"
    ),
    "ties": _either("Equal highest totals", deciding="deciding deals are played", drawn="the match is drawn"),
    "match_bonus": ("Bonus for the match", lambda value: amount(value) if value else "none"),
    "settlement": _either(
        "Settlement",
        difference="the winner collects the difference",
        totals="the highest total wins and nothing is paid",
        none="totals and margins are told and nothing is paid",
    ),
    "draw_for_deal": _either(
        "Draw for deal",
        low="the lowest card deals first",
        partners="the two lowest are partners, the lowest deals",
    ),
    "dealer_keeps_score": _switch("Keeping score", "the first dealer does", "anyone may"),
}
