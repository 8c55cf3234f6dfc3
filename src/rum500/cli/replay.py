"""`rum500 replay`: a record step by step, or its verification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from cyclopts import Parameter

from rum500.cards import card_text, cards_text
from rum500.cli._inputs import RecordFile, check_range, read_record, record_problems, shown
from rum500.cli.user_error import UserError, one_line
from rum500.record import DealRecord, Outcome, Record, ReplayStep
from rum500.rules.actions import LetGo
from rum500.rules.english import amount, counted
from rum500.rules.notation import play_text
from rum500.rules.problems import Problem
from rum500.state import State, view_to_text

_REASONS = {
    "out": "{} goes out",
    "target": "{} reaches the target",
    "stock": "the stock is empty",
    "passes": "all have passed",
    "no_progress": "no progress",
}


def command(
    record: RecordFile,
    /,
    *,
    verify: Annotated[
        bool, Parameter(help="Only say whether all in it is right; exit code 1 if not.")
    ] = False,
    seat: Annotated[int | None, Parameter(help="As this seat sees it, 0 for the first.")] = None,
    deal: Annotated[int | None, Parameter(help="This deal only, 1 for the first.")] = None,
    step: Annotated[int | None, Parameter(help="The position after this many plays of a deal.")] = None,
) -> None:
    """Step through a game record, or verify it.

    A fault in the record ends the stepping with exit code 2, and so does an unreadable file. With --seat,
    free lines and remarks are left out, because they may reveal hidden cards.
    """
    game = read_record(record)
    if verify:
        _verify(game, record)
        return
    check_range("--seat", seat, 0, game.players - 1)
    check_range("--deal", deal, 1, len(game.deals))
    if step is not None:
        print(_position(game, deal or 1, step, seat), end="")
        return
    for line in _lines(game, seat, deal):
        print(line)
    problems = record_problems(game)
    if problems:
        raise UserError(f"{shown(record)}: {_wrong(problems[0], seat)}")


# --- verifying -------------------------------------------------------------------------------------


def _wrong(problem: Problem, seat: int | None) -> str:
    """Return a problem as text; for one seat only its line number, since the rest may reveal cards."""
    if seat is None:
        return one_line(problem)
    where = "" if problem.line is None else f"line {problem.line}: "
    return f"{where}the record is not right; --verify says why"


def _verify(game: Record, file: str) -> None:
    problems = record_problems(game)
    for problem in problems:
        print(f"{shown(file)}: {one_line(problem)}")
    if problems:
        raise SystemExit(1)
    plays = sum(len(entry.plays) for entry in game.deals)
    text = f"{counted(len(game.deals), 'deal')}, {counted(plays, 'play')}"
    unfinished = ", unfinished" if game.deals and game.deals[-1].outcome is None else ""
    if game.seal == "none":
        print(f"legal, not sealed (checksum: none): {text}{unfinished}")
    else:
        print(f"right: {text}{unfinished}")
    if fair := _fair(game):
        print(fair)


def _fair(game: Record) -> str:
    checked = game.fairness()
    if not checked.stated:
        return ""
    parts = [
        counted(number, word)
        for number, word in (
            (checked.draws, "spread pack"),
            (checked.decks, "deck"),
            (checked.restocks, "new stock"),
        )
        if number
    ]
    secret = (
        f"{counted(checked.waiting, 'deal')} unfinished, the seed still secret" if checked.waiting else ""
    )
    text = f"the order of {' and '.join(parts)} follows from the seeds that were promised" if parts else ""
    return "fair: " + "; ".join(filter(None, (text, secret)))


# --- stepping --------------------------------------------------------------------------------------


def _position(game: Record, deal: int, step: int, seat: int | None) -> str:
    check_range("--deal", deal, 1, len(game.deals))
    _followed(game.deals[deal - 1], seat)
    check_range("--step", step, 0, len(game.deals[deal - 1].plays))
    if step == 0:
        state = game.begin(deal)
    else:
        *_, last = (one for one in game.replay(deal) if one.number <= step)
        state = last.state
        state.apply(last.action)
    return state.to_text() if seat is None else view_to_text(state.view(seat))


def _followed(entry: DealRecord, seat: int | None) -> None:
    """Raise `UserError` if the deck of a deal is invalid, so that it cannot be dealt."""
    if entry.fault is not None and entry.fault.code == "record.deck":
        raise UserError(_wrong(entry.fault, seat))


def _free(tags: list[tuple[str, str]], seat: int | None, indent: str = "") -> Iterator[str]:
    """Yield the record's lines with free names; none for one seat, because a seed reveals all cards (D21)."""
    if seat is None:
        yield from (f"{indent}{name}: {value}" for name, value in tags)


def _lines(game: Record, seat: int | None, deal: int | None) -> Iterator[str]:
    rules, names = game.rules, game.names
    house = f" with {', '.join(rules.changes)}" if rules.changes else ""
    yield f"{rules.title or rules.name}{house}: {', '.join(names)}"
    yield from _free(game.tags, seat)
    for number, entry in enumerate(game.deals, 1):
        if deal in (None, number):
            _followed(entry, seat)
            yield from _deal(game, number, entry, seat)


def _deal(game: Record, number: int, entry: DealRecord, seat: int | None) -> Iterator[str]:
    state = game.begin(number)
    yield ""
    yield f"Deal {number}: {game.names[entry.dealer]} deals, the upcard is {card_text(state.pile[-1])}"
    yield from _free(entry.tags, seat, "  ")
    for one in range(game.players):
        if seat in (None, one):
            yield f"  {game.names[one]} holds {cards_text(state.hands[one])}"
    width = max(map(len, game.names))
    for step in game.replay(number):
        if isinstance(step.action, LetGo):
            continue
        actor = step.state.actor
        comment = entry.comments.get(step.number - 1) if seat is None else None
        remark = f" {{{comment}}}" if comment else ""
        yield f"  {step.number:>4} {game.names[actor]:<{width}}  {_words(step, actor, seat)}{remark}"
    yield from _ending(game, entry, seat)


def _words(step: ReplayStep, actor: int, seat: int | None) -> str:
    """Return a play as `seat` sees it; if None, as the player sees it, plus the order of a new stock."""
    state: State = step.state
    words = play_text(step.action, state)
    for event in step.events:
        seen = event.seen_by(actor if seat is None else seat)
        if event.kind == "restock":
            shown = cards_text(step.restock) if seat is None else f"{len(step.restock)} cards"
            words = f"new stock of {shown}; {words}"
        elif event.kind == "draw" and "card" in seen:
            words += f" ({card_text(seen['card'])})"
        elif event.kind in ("meld", "lay"):
            doubled = ", doubled" if seen["doubled"] else ""
            words += f"  [{amount(seen['points'])}{doubled}]"
    return words


def _ending(game: Record, entry: DealRecord, seat: int | None) -> Iterator[str]:
    outcome: Outcome | None = entry.outcome
    if entry.fault is not None:
        return
    if outcome is None:
        yield "  The deal is unfinished."
    else:
        who = "" if outcome.out is None else game.names[outcome.out]
        points = ", ".join(f"{name} {n}" for name, n in zip(game.names, outcome.points, strict=True))
        yield f"  End: {_REASONS[outcome.reason].format(who)}. Points: {points}"
    yield from _free(entry.end_tags, seat, "  ")
