"""Words for events and actions, from the point of view of one seat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.text import Text

from rum500.cards import CardError, card_from_text, card_symbol
from rum500.cli.terminal.style import QUIET, Style, styled
from rum500.match import Suggestion
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import (
    Action,
    ActionKind,
    Call,
    Draw,
    EndDeal,
    LayOff,
    Pass,
    Take,
)
from rum500.rules.english import counted
from rum500.rules.notation import play_text
from rum500.rules.notation_tokens import CardReader
from rum500.view import Event, Phase, View

YOU = "You"


@dataclass(frozen=True, slots=True)
class Narrator:
    """Puts events into words for one seat."""

    look: Style
    """The style of the terminal."""
    names: Sequence[str]
    """Per seat, the name; the viewer's own is "You"."""
    seat: int | None
    """The viewer's seat; None for a spectator."""
    drew: Sequence[str] = ()
    """The names by seat at the draw for deal: partners may have moved since."""

    def log(self, events: Iterable[Event]) -> list[Text]:
        """Return one line for each turn, and for each event between turns."""
        lines: list[Text] = []
        last: tuple[int, bool] | None = None
        for event in events:
            seen = event.seen_by(self.seat)
            phrase = self.phrase(seen)
            if phrase is None:
                continue
            key = (event.seat, event.kind in _OF_A_TURN)
            if key == last and key[1] and event.kind not in ("draw", "take", "call", "pass", "end"):
                lines[-1].append(", ").append_text(phrase)
            else:
                lines.append(self._opened(seen, phrase))
            last = key
        return lines

    def since_turn(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events after the viewer's last turn, or after dealing if there was none."""
        for at in range(len(events), 0, -1):
            event = events[at - 1]
            if event.kind == "deal" or (event.seat == self.seat and event.kind in _ENDS_TURN):
                return events[at:]
        return events

    def turns(self, events: Iterable[Event]) -> dict[int, Text]:
        """Return, by seat, the seat's plays in these events in words without name: `drew, discarded 2♦`."""
        found: dict[int, Text] = {}
        for event in events:
            phrase = self.phrase(event.seen_by(self.seat)) if event.kind in _OF_A_TURN else None
            if phrase is not None:
                line = found.setdefault(event.seat, Text())
                line.append(", " if line else "").append_text(phrase)
        return found

    def phrase(self, seen: Mapping[str, Any]) -> Text | None:
        """Return an event in words without the player: `melded 6♠ 7♠ 8♠ (+21)`; None for some events."""
        if seen["kind"] not in _SAID:
            say = self._PHRASES.get(seen["kind"])
            return say(self, seen) if say else None
        words, field = _SAID[seen["kind"]]
        line = self.look.say(words)
        if field in seen:
            line.append(" ").append_text(self.look.chips(seen[field] if field == "cards" else [seen[field]]))
        return line

    def _opened(self, seen: Mapping[str, Any], phrase: Text) -> Text:
        if seen["kind"] in _WHOLE:
            return phrase
        names = self.drew if seen["kind"] == "draw_for_deal" else self.names
        return Text().append(names[seen["seat"]], style="bold").append(" ").append_text(phrase)

    # --- one kind of event each ---------------------------------------------------------------------

    def _restock(self, seen: Mapping[str, Any]) -> Text:
        return self.look.say(f"shuffled {counted(len(seen['cards']), 'card')} of the pile into a new stock")

    def _meld(self, seen: Mapping[str, Any]) -> Text:
        return self._laid("melded ", seen)

    def _lay(self, seen: Mapping[str, Any]) -> Text:
        return self._laid("laid ", seen, f" on meld {seen['meld'] + 1}")

    def _laid(self, verb: str, seen: Mapping[str, Any], where: str = "") -> Text:
        doubled = ", doubled" if seen["doubled"] else ""
        line = self.look.say(verb).append_text(self.look.chips(seen["cards"]))
        return line.append(f"{where} (+{seen['points']}{doubled})")

    def _over(self, seen: Mapping[str, Any]) -> Text:
        return self.look.say(ended(seen["reason"], seen["out"], self.names), "bold")

    def _drawn(self, seen: Mapping[str, Any]) -> Text:
        return self.look.say("drew ").append_text(self.look.chip(seen["card"])).append(" for deal")

    def _again(self, seen: Mapping[str, Any]) -> Text:
        return self.look.say(
            f"{listed([self.drew[seat] for seat in seen['seats']])} drew alike and draw again."
        )

    def _seated(self, seen: Mapping[str, Any]) -> Text:
        first = self.names[seen["dealer"]]
        return self.look.say(f"{first} {'deal' if first == YOU else 'deals'} first.")

    def _cut(self, seen: Mapping[str, Any]) -> Text:
        return self.look.say(f"cut {counted(seen['position'], 'card')}")

    _PHRASES: ClassVar[dict[str, Callable[[Narrator, Mapping[str, Any]], Text]]] = {
        "restock": _restock,
        "meld": _meld,
        "lay": _lay,
        "over": _over,
        "draw_for_deal": _drawn,
        "draw_again": _again,
        "seated": _seated,
        "cut": _cut,
    }


_SAID = {
    "draw": ("drew", "card"),
    "take": ("took", "cards"),
    "call": ("called “Rummy!” and took", "cards"),
    "discard": ("discarded", "card"),
    "pass": ("passed", ""),
    "end": ("ended the deal instead of drawing", ""),
    "float": ("floats, with no card left", ""),
    "deal": ("dealt and turned up", "upcard"),
}
"""For each kind of event, the verb, and the field with the cards that follow it."""
_OF_A_TURN = frozenset({"draw", "take", "call", "meld", "lay", "discard", "float", "pass", "end"})
_ENDS_TURN = frozenset({"discard", "end", "float", "pass"})
_WHOLE = frozenset({"over", "draw_again", "seated"})
"""Events whose phrase is a whole sentence, without a name before it."""


def ended(reason: str, out: int | None, names: Sequence[str]) -> str:
    """Return a sentence that says how a deal ended."""
    who = names[out] if out is not None else ""
    return {
        "out": f"{who} went out.",
        "target": f"{who} reached the target.",
        "stock": "The stock was empty, and the deal ended.",
        "passes": "Everybody passed, and the deal ended.",
        "no_progress": "Nobody had drawn or laid a card for too long, and the deal ended (D7).",
    }[reason]


def listed(names: Sequence[str]) -> str:
    """Return names joined as in a sentence."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


# --- possible plays --------------------------------------------------------------------------------


def action_words(look: Style, action: Action, view: View, names: Sequence[str]) -> Text:
    """Return an action as it can be typed, with a remark in brackets: `lay 9♠ on 2 (Ada’s run)`."""
    line = Text()
    for part in _PARTS.split(play_text(action, view)):
        try:
            line.append_text(look.chip(card_from_text(part)))
        except CardError:
            line.append_text(_low_ace(look, part) or look.say(part))
    match action:
        case LayOff(number, _, _):
            meld = view.melds[number]
            line.append_text(look.say(f" ({whose(names[meld.owner])} {meld.kind})"))
        case Take(count) | Call(count) if count > 1:
            line.append(f" ({count} cards)")
    return line


_PARTS = re.compile("([ =:])")


def _low_ace(look: Style, part: str) -> Text | None:
    """Return a low ace, `1S` in notation, as `1♠` on a terminal with symbols; None for another text."""
    ace = CardReader.low_ace(part)
    return None if ace is None else styled(look.name(ace).replace("A", "1"), look.ink(ace))


def numbered(look: Style, choices: Iterable[Suggestion], view: View, names: Sequence[str]) -> list[Text]:
    """Return a line for each suggestion, with the number that selects it."""
    return [
        styled(f"  {number:>2} ", "bold").append_text(_choice_words(look, choice, view, names))
        for number, choice in enumerate(choices, 1)
    ]


def _choice_words(look: Style, choice: Suggestion, view: View, names: Sequence[str]) -> Text:
    """Return a suggestion with its points; if it is a take, with the best play that follows."""
    line = action_words(look, choice.action, view, names)
    if choice.then is not None:
        line.append(", then ").append_text(action_words(look, choice.then.action, view, names))
    line.append(f"  +{choice.points}", style="bold")
    if choice.doubled:
        line.append_text(look.say(" four at once: doubled", QUIET))
    return line


def whose(name: str) -> str:
    """Return a name in the possessive."""
    return "your" if name == YOU else f"{name}’s"


def decision_sentence(view: View, look: Style) -> str:
    """Return a sentence that says what the view's seat has to decide; empty if it has nothing to decide."""
    if view.seat is None or view.actor != view.seat or view.is_over:
        return ""
    return look.words(_DUTIES[view.phase](view))


def is_blind(view: View) -> bool:
    """Return whether a seat has to call "Rummy!" or decline without knowing if a call is possible (H6)."""
    return view.phase is Phase.CLAIM and view.rules.blind_claims


def _draw(view: View) -> str:
    kinds = {type(action) for action in view.legal_actions()}
    ways = ["d draws" if view.stock else "d makes the pile a new stock and draws"] if Draw in kinds else []
    ways += ["t NUMBER takes from the pile"] if Take in kinds else []
    ways += ["p passes"] if Pass in kinds else []
    ways += ["end ends the deal"] if EndDeal in kinds else []
    empty = "" if view.stock or Draw in kinds else "The stock is empty. "
    opening = "You have no cards: " if view.floater else "Your turn: "
    return f"{empty}{opening}{', '.join(ways)}"


def _use(view: View) -> str:
    assert view.must_use is not None
    how = "with cards of pile and table alone" if view.only_taken else "meld it or lay it off"
    return f"You must use {card_symbol(view.must_use)} now: {how}"


def _play(view: View) -> str:
    if not any(action_kind(code) is ActionKind.DISCARD for code in view.legal):
        return "You float, and your card fits: you must lay it off" if view.floater else "m melds, l lays off"
    banned = "" if view.banned is None else f" (not {card_symbol(view.banned)})"
    return f"m melds, l lays off, x CARD discards{banned} and ends your turn"


def _claim(view: View) -> str:
    blind = "; it stays hidden whether a card can be called" if is_blind(view) else ""
    return f"“Rummy!”: c NUMBER calls and takes from the pile, g lets it go{blind}"


_DUTIES = {Phase.DRAW: _draw, Phase.USE: _use, Phase.PLAY: _play, Phase.CLAIM: _claim}
