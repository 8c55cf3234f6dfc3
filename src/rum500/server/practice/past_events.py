"""The public events of a deal up to now, made from a view, in the form of the protocol."""

from __future__ import annotations

from typing import Any

from rum500.ai.card_odds import opening
from rum500.ai.clues import ClueTracker
from rum500.rules.action_codes import (
    action_kind,
    discarded_card,
    is_run,
    laid_cards,
    lays_cards,
    opens_meld,
    taken_count,
    target_meld,
)
from rum500.rules.actions import ActionKind
from rum500.server.messages import TableEvent
from rum500.server.messages.render import TEXT, Doubled, placed, texts
from rum500.view import View, meld_views

_PLAIN = {ActionKind.PASS: "pass", ActionKind.END: "end", ActionKind.LET_GO: "let_go"}


class PastEvents:
    """The public events of the deal in a view."""

    def __init__(self, view: View) -> None:
        """Replay the view's past actions; if these are unknown, there are no events."""
        self.events: list[TableEvent] = []
        """The events, in order."""
        self.doubled: Doubled = {}
        """By number of the meld, the places of the cards that count double."""
        if not view.past:
            return
        tracker = ClueTracker(opening(view))
        self._table, self._rules = tracker.table, view.rules
        upcard = TEXT[self._table.pile_cards()[-1]]
        self._add("deal", view.dealer, dealer=view.dealer, card=upcard, count=view.number)
        for code in view.past[1:]:
            self._before(code)
            tracker.run((code,))
            self._after(code)

    def _add(self, kind: str, seat: int, **fields: Any) -> None:
        self.events.append(TableEvent(len(self.events) + 1, kind, seat, **fields))

    def _before(self, code: int) -> None:
        """Add the event of an action, with the fields that follow from the table before the action."""
        core, kind, seat = self._table, action_kind(code), self._table.actor
        if kind is ActionKind.DRAW:
            if core.stock_next == core.stock_end:
                self._add("restock", seat, cards=texts(sorted(core.pile_cards()[:-1])))
            self._add("draw", seat)
        elif kind in (ActionKind.TAKE, ActionKind.CALL):
            name = "take" if kind is ActionKind.TAKE else "call"
            self._add(name, seat, cards=texts(core.pile_cards()[-taken_count(code) :]))
        elif kind is ActionKind.DISCARD:
            self._add("discard", seat, card=TEXT[discarded_card(code)])
        elif lays_cards(code):
            self._lay(code, seat)
        else:
            self._add(_PLAIN[kind], seat)

    def _lay(self, code: int, seat: int) -> None:
        core, new, cards = self._table, opens_meld(code), laid_cards(code)
        number, twice = core.meld_n if new else target_meld(code), bool(core.doubled(code))
        if twice:
            self.doubled = {**self.doubled, number: frozenset(laid.place for laid in cards)}
        self._add(
            "meld" if new else "lay",
            seat,
            meld=number,
            laid=placed(self._rules, cards, seat, run=is_run(code), doubled=twice),
            points=core.points(code),
            doubled=twice or None,
            owner=None if new else meld_views(core)[number].owner,
        )

    def _after(self, code: int) -> None:
        """Complete the event with the fields that follow from the table after the action."""
        core, event = self._table, self.events[-1]
        if event.kind == "draw":
            event.stock = core.stock_end - core.stock_next
        elif event.kind in ("take", "call"):
            event.must_use = TEXT[core.must] if core.must >= 0 else None
        elif event.meld is not None:
            event.meld_kind = meld_views(core)[event.meld].kind
            if event.seat is not None and core.hn[event.seat] == 0:
                self._add("float", event.seat)
