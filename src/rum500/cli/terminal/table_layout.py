"""The table as one seat sees it, as lines of text, drawn only from a `View`.

There are five parts, the most important nearest to the prompt: the other players, the melds, the pile, the
hand, and what the player has to do. On a low screen, blank lines are left out first, then older lines of the
log, then suggestions. What the other players did since the player's last turn is always shown: beside their
names if the log has no room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from rum500.cli.terminal.narration import is_blind, whose
from rum500.cli.terminal.style import CELL, QUIET, WE, YOURS, Style, styled, wrapped
from rum500.match import groups
from rum500.rules.actions import Call, Take
from rum500.view import MeldView, Phase, Placed, View

RAIL = 112
"""From this many columns on, the log has its own column at the right."""
BOARD = 80
_INDENT = 4
"""How many columns the lines of a seat's turn are indented more than other wrapped lines."""
_FILL = 12
"""The largest number of blank lines between melds and pile on a high screen."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the screen except the prompt."""

    view: View
    """The deal as the seat sees it."""
    names: Sequence[str]
    """The names by seat."""
    look: Style
    """The style of the terminal."""
    title: str = ""
    """The title line."""
    order: str = "suit"
    """The order of the hand, `suit` or `rank`."""
    in_front: bool = False
    """Whether laid-off cards are shown in front of the player who laid them, not at the meld (R-LAY-3)."""
    accounts: Sequence[int] = ()
    """The totals by side, or by seat without sides."""
    log: Sequence[Text] = ()
    """The lines of the log up to the end of the player's last turn."""
    recent: Sequence[Text] = ()
    """The lines of the log since the player's last turn."""
    turns: Mapping[int, Text] = field(default_factory=dict)
    """What each seat did since the player's last turn, by seat."""
    notes: Sequence[Text] = ()
    """The answers to the last input."""
    choices: Sequence[Text] = ()
    """The numbered suggestions."""
    banner: Text = field(default_factory=Text)
    """The prompt, which says what the player has to do."""


def draw(scene: Scene, width: int, height: int) -> list[Text]:
    """Return the lines of the table for a screen of this size, with the prompt's line left free."""
    rail = width >= RAIL
    board = BOARD if rail else min(width, 100)
    above: list[Text] = []
    below: list[Text] = []
    for room in _ROOMS:
        above, below = _board(scene, board, room, with_log=not rail)
        if len(above) + len(below) < height:
            break
    filled = [*above, *[Text()] * min(_FILL, height - 1 - len(above) - len(below)), *below]
    return _beside(filled, scene, board, width) if rail else filled


@dataclass(frozen=True, slots=True)
class _Room:
    gaps: int
    log: int
    """The number of lines for the log. Recent lines are always shown, unless the seats show them."""
    choices: int
    labels: bool = True
    beside: bool = False
    """Whether what the other players did is shown beside their names instead of in the log."""


_ROOMS = (
    _Room(6, 14, 9),
    _Room(6, 8, 8),
    _Room(6, 6, 6),
    _Room(6, 4, 5),
    _Room(5, 4, 5),
    _Room(4, 4, 4),
    _Room(3, 4, 4),
    _Room(2, 4, 4),
    _Room(1, 4, 4),
    _Room(0, 4, 4),
    _Room(0, 3, 3),
    _Room(0, 2, 3),
    _Room(0, 0, 3),
    _Room(1, 0, 4, beside=True),
    _Room(0, 0, 3, beside=True),
    _Room(0, 0, 2, labels=False, beside=True),
    _Room(0, 0, 0, labels=False, beside=True),
)


def _board(scene: Scene, width: int, room: _Room, *, with_log: bool) -> tuple[list[Text], list[Text]]:
    """Return the upper part (other players and melds) and the lower part (the pile and all below it)."""
    log = _log(scene, room, width - 3) if with_log and not room.beside else []
    above = [[_header(scene, width)], _seats(scene, width, beside=room.beside), _melds(scene, width)]
    below = [
        _pile(scene, width, labels=room.labels),
        [Text("   ").append_text(line) for line in log],
        _hand(scene, width),
        [*wrapped(scene.notes, width), _banner(scene), *_last_cropped(scene, room, width)],
    ]
    below = [block for block in below if block]
    gaps = room.gaps - len(below)
    return _stacked(above, gaps), [*([Text()] if gaps >= 0 else []), *_stacked(below, room.gaps)]


def _log(scene: Scene, room: _Room, width: int) -> list[Text]:
    """Return the recent lines of the log, and as many older ones as fit into the room."""
    recent = wrapped(scene.recent, width)
    older = [_cropped(scene, line, width) for line in scene.log]
    return [*older[len(older) - max(0, room.log - len(recent)) :], *recent]


def _stacked(blocks: Sequence[list[Text]], gaps: int) -> list[Text]:
    lines: list[Text] = []
    for number, block in enumerate(blocks):
        if number and len(blocks) - number <= gaps:
            lines.append(Text())
        lines += block
    return lines


def _last_cropped(scene: Scene, room: _Room, width: int) -> list[Text]:
    return [_cropped(scene, choice, width) for choice in scene.choices[: room.choices]]


def _cropped(scene: Scene, line: Text, width: int) -> Text:
    short = line.copy()
    if short.cell_len > width:
        short.truncate(
            width - (0 if scene.look.symbols else 3), overflow="ellipsis" if scene.look.symbols else "crop"
        )
        short.append("" if scene.look.symbols else "...")
    return short


def _beside(lines: list[Text], scene: Scene, board: int, width: int) -> list[Text]:
    """Return the lines of the table, `board` columns wide, with the log at their right, latest line last."""
    column = width - board - 3
    log = wrapped([*scene.log, *scene.recent], column)[-(len(lines) - 2) :]
    right = [styled("Plays", "bold"), Text(), *log] if log else []
    out = []
    for number, line in enumerate(lines):
        left = line.copy()
        left.truncate(board)
        left.pad_right(board - left.cell_len + 3)
        out.append(left.append_text(right[number]) if number < len(right) else left)
    return out


# --- heading and seats -----------------------------------------------------------------------------


def _header(scene: Scene, width: int) -> Text:
    left = styled("rum500", "bold").append_text(scene.look.say(f" · {scene.title}", QUIET))
    right = _standing(scene)
    left.truncate(max(0, width - right.cell_len - 2))
    return left.append(" " * max(1, width - left.cell_len - right.cell_len - 1)).append_text(right)


def _standing(scene: Scene) -> Text:
    view, out = scene.view, Text()
    if view.rules.sides:
        mine = view.rules.side(view.seat or 0)
        for name, side in (("We", mine), ("They", 1 - mine)):
            laid = sum(view.laid[side :: view.rules.sides])
            out.append(f"{name} ").append(scene.look.points(scene.accounts[side]), style="bold").append(
                f" +{laid}  "
            )
        return out
    out.append(f"to {view.rules.target}" if view.rules.match == "target" else "")
    return out


def _seats(scene: Scene, width: int, *, beside: bool) -> list[Text]:
    view = scene.view
    first = 0 if view.seat is None else view.seat + 1
    seats = [(first + step) % view.players for step in range(view.players - (view.seat is not None))]
    if beside:
        return [line for seat in seats for line in _seat_with_turn(scene, seat, width)]
    return [_cropped(scene, _seat(scene, seat), width) for seat in seats]


def _seat_with_turn(scene: Scene, seat: int, width: int) -> list[Text]:
    """Return the lines of a seat, with its plays since the player's last turn."""
    view, look = scene.view, scene.look
    line = _named(scene, seat).append(f"{view.hand_sizes[seat]:>2} cards +{view.laid[seat]:<4}")
    if not view.rules.sides:
        line.append(f"{look.points(scene.accounts[seat]):<5}")
    did = scene.turns.get(seat)
    if did is not None:
        line.append_text(did).append(";" if view.known[seat] else "")
    first, *more = wrapped([_holding(scene, seat, line)], width - _INDENT)
    return [first, *(Text(" " * _INDENT).append_text(part) for part in more)]


def _seat(scene: Scene, seat: int) -> Text:
    line = _named(scene, seat).append(f"{counted_short(scene.view.hand_sizes[seat]):<9}")
    return _holding(scene, seat, line.append_text(_score(scene, seat)))


def _named(scene: Scene, seat: int) -> Text:
    view = scene.view
    acting = seat == view.actor and not view.is_over
    line = Text(scene.look.words(" ▸ ") if acting else "   ")
    line.append(f"{scene.names[seat]:<8.8} ", style="bold")
    line.append_text(_tag(scene, seat))
    return line.append("D " if seat == view.dealer else "  ", style="bold")


def _holding(scene: Scene, seat: int, line: Text) -> Text:
    """Return a seat's line, extended by the cards that everybody knows the seat to hold."""
    known = scene.view.known[seat]
    if known:
        line.append(" holds ", style=QUIET).append_text(scene.look.chips(known))
    return line


def counted_short(cards: int) -> str:
    """Return a number of cards in digits, with its noun."""
    return f"{cards} card{'' if cards == 1 else 's'}"


def _tag(scene: Scene, seat: int) -> Text:
    rules = scene.view.rules
    if not rules.sides:
        return Text()
    own = rules.side(seat) == rules.side(scene.view.seat or 0)
    return Text().append(" We " if own else "They", style=WE if own and scene.look.colour else "").append(" ")


def _score(scene: Scene, seat: int) -> Text:
    laid = styled("table ", QUIET).append(f"{scene.view.laid[seat]:<4}")
    if scene.view.rules.sides:
        return laid
    return laid.append("total ", style=QUIET).append(f"{scene.look.points(scene.accounts[seat]):<5}")


# --- melds -----------------------------------------------------------------------------------------


def _melds(scene: Scene, width: int) -> list[Text]:
    view = scene.view
    if not view.melds:
        return [styled("   Nothing melded yet.", QUIET)]
    lines: list[Text] = []
    first = view.seat or 0
    for seat in ((first + step) % view.players for step in range(view.players)):
        groups_of_seat = [_meld(scene, meld) for meld in view.melds if meld.owner == seat]
        if scene.in_front:
            groups_of_seat += _laid_off(scene, seat)
        if groups_of_seat:
            label = styled(f"   {scene.names[seat]:<8.8}", "bold")
            lines += _flow(label, groups_of_seat, width)
    return lines


def _meld(scene: Scene, meld: MeldView) -> list[Text]:
    """Return a meld's number and cards; a card laid by another player is marked with the name."""
    head = styled(f"{meld.number + 1} ", QUIET)
    if meld.at_once and scene.view.rules.doubles != "none":
        head.append("x2 ", style=QUIET)
    cards = [placed for placed in meld.cards if placed.seat == meld.owner or not scene.in_front]
    first, *more = (_placed(scene, placed, meld, shade) for shade, placed in enumerate(cards))
    return [head.append_text(first), *more]


def _laid_off(scene: Scene, seat: int) -> list[list[Text]]:
    """Return the cards that a seat laid off on others' melds, each group with words for its meld."""
    found = []
    for meld in scene.view.melds:
        cards = [placed for placed in meld.cards if placed.seat == seat != meld.owner]
        if cards:
            where = f" on {meld.number + 1} ({whose(scene.names[meld.owner])} {meld.kind})"
            found.append([scene.look.chips(cards).append_text(scene.look.say(where, QUIET))])
    return found


def _placed(scene: Scene, placed: Placed, meld: MeldView, shade: int) -> Text:
    look, view = scene.look, scene.view
    card = styled(" ", look.ink(placed.card, shade)) if look.colour else Text("" if shade == 0 else " ")
    card.append_text(look.chip(placed.card, placed.place, shade))
    if placed.seat != meld.owner:
        own = view.rules.side(placed.seat) == view.rules.side(view.seat or 0)
        card.append(f"({scene.names[placed.seat][:6]})", style=WE if own and look.colour else "")
    return card


def _flow(label: Text, melds: Sequence[list[Text]], width: int) -> list[Text]:
    lines, indent = [label.copy()], label.cell_len
    for cards in melds:
        started = lines[-1].cell_len > indent
        if started and lines[-1].cell_len + 2 + sum(card.cell_len for card in cards) > width:
            lines.append(Text(" " * indent))
        elif started:
            lines[-1].append("  ")
        for card in cards:
            if lines[-1].cell_len + card.cell_len > width:
                lines.append(Text(" " * (indent + 2)))
            lines[-1].append_text(card)
    return lines


# --- stock and pile --------------------------------------------------------------------------------


def _pile(scene: Scene, width: int, *, labels: bool) -> list[Text]:
    view, look = scene.view, scene.look
    heading = styled(f"   Stock {view.stock}", "bold")
    pile = f" · Pile {len(view.pile)}" + (", oldest first" if len(view.pile) > 1 else "")
    heading.append_text(look.say(pile, "bold"))
    wanted = _takeable(view)
    if wanted:
        takes = "c NUMBER calls" if view.phase is Phase.CLAIM else "t NUMBER takes"
        heading.append_text(look.say(f" · {takes} that card and all after it", QUIET))
    if not view.pile:
        return [heading.append_text(look.say(" · empty", QUIET))]
    return [heading, *_fan(scene, wanted, width, labels=labels)]


def _takeable(view: View) -> frozenset[int]:
    """Return the numbers of cards that the player may take or call for now; in a blind claim, all numbers."""
    if is_blind(view):
        return frozenset(range(1, len(view.pile) + 1))
    return frozenset(a.count for a in view.legal_actions() if isinstance(a, Take | Call))


def _fan(scene: Scene, wanted: frozenset[int], width: int, *, labels: bool) -> list[Text]:
    view = scene.view
    a_row = max(1, (width - 3) // CELL)
    lines = []
    for start in range(0, len(view.pile), a_row):
        row = view.pile[start : start + a_row]
        counts = [len(view.pile) - start - at for at in range(len(row))]
        cards = Text("   ")
        for at, (card, count) in enumerate(zip(row, counts, strict=True)):
            cards.append_text(scene.look.cell(card, start + at, yours=count in wanted))
        lines.append(cards)
        if labels and wanted.intersection(counts):
            lines.append(Text("   " + "".join(f" {count if count in wanted else '':<3}" for count in counts)))
    return lines


# --- the hand --------------------------------------------------------------------------------------


def _hand(scene: Scene, width: int) -> list[Text]:
    view = scene.view
    if view.seat is None:
        return []
    heading = styled("   Your hand", "bold").append_text(scene.look.say(_of_hand(scene), QUIET))
    cells = _cells(scene)
    rows: list[tuple[Text, Text]] = [(Text("   "), Text("   "))]
    for card, number in cells:
        if rows[-1][0].cell_len + card.cell_len > width:
            rows.append((Text("   "), Text("   ")))
        rows[-1][0].append_text(card)
        rows[-1][1].append_text(number)
    return [heading, *(line for row in rows if cells for line in row)]


def _of_hand(scene: Scene) -> str:
    view = scene.view
    seat = view.seat or 0
    parts = [f": {counted_short(len(view.hand))}"]
    if seat == view.dealer:
        parts.append("you dealt")
    parts.append(f"on the table {view.laid[seat]}")
    if not view.rules.sides:
        parts.append(f"total {scene.look.points(scene.accounts[seat])}")
    if view.known[seat]:
        parts.append("° known to all")
    return " · ".join(parts)


def _cells(scene: Scene) -> list[tuple[Text, Text]]:
    """Return each card of the hand with its number, and a blank after each group."""
    view, look = scene.view, scene.look
    known = list[int](view.known[view.seat or 0])
    cells, number = [], 0
    for group in groups(view.hand, scene.order):
        for card in group:
            number += 1
            seen = card in known
            if seen:
                known.remove(card)
            label = f" {str(number) + (look.words('°') if seen else ''):<3}"
            cells.append((look.cell(card, number, yours=_concerns(view, card)), styled(label, QUIET)))
        cells.append((Text(" "), Text(" ")))
    return cells


def _concerns(view: View, card: int) -> bool:
    return view.phase is Phase.USE and view.actor == view.seat and card == view.must_use


def _banner(scene: Scene) -> Text:
    if not scene.banner:
        return Text()
    style = YOURS if scene.look.colour else "bold"
    return Text(" ").append_text(styled(f" {scene.banner.plain} ", style))
