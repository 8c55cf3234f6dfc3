"""`rum500 analyse`: what each decision of a record cost, and why; each seat's play and luck in numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rum500.cards import card_text
from rum500.cli import _console
from rum500.cli._inputs import RecordFile, check_range, read_record, record_problems, shown
from rum500.cli.user_error import UserError, one_line
from rum500.intervals import Z
from rum500.record import Record
from rum500.review.breakdown import (
    DealBreakdown,
    MatchBreakdown,
    breakdown_of_match,
    deal_breakdowns,
)
from rum500.review.deal_line import GAMES, SEED
from rum500.review.deal_line import whole as to_whole
from rum500.review.deal_review import (
    FEWEST,
    Reviewed,
    SeatSummary,
    annotated,
    review,
    summary,
    worst_first,
)
from rum500.review.judge import Judge
from rum500.review.loss_words import with_half
from rum500.review.match_chances import match_chances
from rum500.review.stakes import deviation
from rum500.review.verdict import BOUNDS, Budget, Mark, Verdict
from rum500.rules.english import counted

_KNOWN = {
    "bot": "{name} is a bot and counts as {kind}.",
    "play": "{name} counts as {kind}: the other deals resemble it more.",
    "assumed": "{name} counts as {kind}: there is nothing else to judge by.",
}
_DISPUTED = "With other assumptions about the others, the play comes out better."
_STYLES = {Mark.BLUNDER: "bold red", Mark.MISTAKE: "red", Mark.DOUBTFUL: "yellow"}


def command(
    record: RecordFile,
    /,
    *,
    seat: Annotated[int | None, Parameter(help="The decisions of this seat only, 0 for the first.")] = None,
    deal: Annotated[int | None, Parameter(help="This deal only, 1 for the first.")] = None,
    budget: Annotated[
        str, Parameter(help="quick, usual or deep, or the most worlds for each decision.")
    ] = "usual",
    threads: _console.Threads = None,
    as_json: Annotated[bool, Parameter(name="--json", help="The review as JSON.")] = False,
    out: Annotated[
        Path | None, Parameter(help="Write the record with remarks at the marked plays to this file.")
    ] = None,
) -> None:
    """Print what each decision of a record cost, judged by what its seat could know, and why.

    It also prints how well each seat played, compared with the bot club, and how lucky the seat's cards were.

    Losses are in points at the start of a match: near its end the same points count for more. The result is
    the same for any number of threads. Ctrl-C keeps what was reviewed until then.
    """
    game = read_record(record)
    if problems := record_problems(game):
        raise UserError(f"{shown(record)}: {one_line(problems[0])}")
    deals = _deals(game, deal, shown(record))
    check_range("--seat", seat, 0, game.players - 1)
    workers = _console.checked_threads(threads)
    if out is not None:
        _check_out(out)
    try:
        judge = Judge(Budget.of(budget), workers)
    except ValueError as error:
        raise UserError(f"--budget: {error}") from None
    parts: list[DealBreakdown] = []
    reviewed: list[Reviewed] = []
    deals_to_measure = range(1, len(game.deals) + 1) if deal is None else [deal]
    seats = range(game.players) if seat is None else [seat]
    plays = sum(len(game.deals[number - 1].plays) for number in deals)
    stopped = False
    try:
        _measure(game, deals_to_measure, seats, workers, parts)
        _review(game, judge, deals, seat, reviewed)
    except KeyboardInterrupt:
        stopped = True
        if not parts:
            raise
    whole = breakdown_of_match(parts, game.rules, game.players)
    summaries = summary(reviewed, seats)
    if as_json:
        print(json.dumps(_as_dict(game, judge, reviewed, summaries, whole, stopped=stopped), indent=2))
    else:
        _print(game, judge, reviewed, summaries, whole, len(deals))
    if out is not None:
        out.write_text(annotated(game, reviewed).to_text(sealed=game.seal != "none"), encoding="utf-8")
    if stopped:
        _print_stopped(len(reviewed), plays, len(parts), len(deals))
        raise KeyboardInterrupt


def _measure(
    game: Record, deals: Sequence[int], seats: Sequence[int], threads: int, into: list[DealBreakdown]
) -> None:
    with _console.bar(Console(stderr=True)) as bar:
        task = bar.add_task("Play and luck", total=len(deals))
        for part in deal_breakdowns(game, deals, threads=threads, lines=seats):
            into.append(part)
            bar.advance(task)


def _review(game: Record, judge: Judge, deals: Sequence[int], seat: int | None, into: list[Reviewed]) -> None:
    plays = {number: len(game.deals[number - 1].plays) for number in deals}
    with _console.bar(Console(stderr=True)) as bar:
        task = bar.add_task(f"Deal {deals[0]}" if deals else "", total=sum(plays.values()))
        for play in review(game, judge, deals, seat):
            into.append(play)
            done = sum(plays[other] for other in deals if other < play.deal) + play.step
            bar.update(task, completed=done, description=f"Deal {play.deal}")


def _print_stopped(reviewed: int, plays: int, measured: int, deals: int) -> None:
    text = f"Stopped: {reviewed} of {counted(plays, 'play')} reviewed, play and luck measured in "
    text += f"{measured} of {counted(deals, 'deal')}. These are kept."
    Console(stderr=True).print(text, highlight=False, soft_wrap=True)


def _check_out(out: Path) -> None:
    """Raise `UserError` or `OSError` if the output file cannot be written, before any work is done."""
    if out.is_dir():
        raise UserError(f"{out}: is a directory; --out names the record")
    if not out.parent.is_dir():
        raise UserError(f"{out}: there is no directory {out.parent}")
    new = not out.exists()
    out.open("ab").close()  # only opening the file shows whether it can be written
    if new:
        out.unlink()


def _deals(game: Record, deal: int | None, name: str) -> list[int]:
    """Return the numbers of the deals to review. Raises `UserError` for an unknown or unfinished deal."""
    if not game.deals:
        raise UserError(f"{name}: there is no deal in it")
    check_range("--deal", deal, 1, len(game.deals))
    deals = list(range(1, len(game.deals) + 1)) if deal is None else [deal]
    for number in deals:
        if game.deals[number - 1].outcome is None:
            other = "; --deal names a finished one" if number > 1 else ""
            raise UserError(
                f"{name}: deal {number} is unfinished, and only finished ones are reviewed{other}"
            )
    return deals


def _as_dict(
    game: Record,
    judge: Judge,
    reviewed: Sequence[Reviewed],
    summaries: Sequence[SeatSummary],
    whole: MatchBreakdown,
    *,
    stopped: bool,
) -> dict[str, Any]:
    return {
        "judge": judge.identity(game.rules, game.players).as_dict(),
        "profile": game.rules.name,
        "players": game.players,
        "deviation": round(deviation(game.rules, game.players), 3),
        "complete": not stopped,
        "deals": [_deal_dict(game, part) for part in whole.deals],
        "decisions": [play.verdict.as_dict() for play in reviewed if play.verdict is not None],
        "seats": [
            {"name": game.names[one.seat], **one.as_dict(), **_parts_of(whole, one.seat)} for one in summaries
        ],
    }


def _deal_dict(game: Record, part: DealBreakdown) -> dict[str, Any]:
    """Return a deal as the review's page shows it: a line of figures by seat, and the chances to win."""
    match = match_chances(game.final(part.deal)) if part.seats else None
    return {
        "deal": part.deal,
        "company": [one.as_dict() for one in part.company],
        "lines": [line.as_dict() for line in part.lines],
        "match": None if match is None else match.as_dict(),
    }


def _parts_of(whole: MatchBreakdown, seat: int) -> dict[str, Any]:
    """Return a dict with the parts of a seat's margin, which add up to the margin, and `score` if known."""
    parts, play = whole.seats[seat].as_dict(), whole.play[seat].as_dict()
    found = {
        "margin": parts["margin"],
        "luck": parts["cards"],
        "play_value": parts["own_play"],
        "interval": play["interval"],
        "others_play": parts["other_play"],
        "unexplained": parts["unexplained"],
    }
    return found if play["score"] is None else found | {"score": play["score"]}


# --- tables -----------------------------------------------------------------------------------------


def _print(
    game: Record,
    judge: Judge,
    reviewed: Sequence[Reviewed],
    summaries: Sequence[SeatSummary],
    whole: MatchBreakdown,
    deals: int,
) -> None:
    console = Console(highlight=False, markup=False)
    for number in sorted({play.deal for play in reviewed}):
        plays = [play for play in reviewed if play.deal == number]
        _print_deal(game, number, plays, console)
    for deal in whole.deals:
        _print_lines(game, deal, console)
    console.print(_summary_table(game, summaries))
    identity = judge.identity(game.rules, game.players)
    bounds = ", ".join(f"{bound * deviation(game.rules, game.players):.0f}" for bound in BOUNDS)
    console.print(
        f"Judge {identity.version} ({identity.digest}), {identity.budget}. Losses are in points at the start "
        f"of a match, reasons in points of the deal; ?! ? ?? begin at {bounds}. Losses do not add up to "
        "points given away."
    )
    if any(one.total.mean_loss is None for one in summaries):
        console.print(f"A mean loss takes {FEWEST} counted decisions.")
    known = len(whole.deals)
    part = "" if known == deals else f" in {known} of {deals} deals"
    _print_breakdown(game, [one.seat for one in summaries], whole, part, console)


_STANDING = {
    "below": "less",
    "as_good": "as good",
    "above": "more",
}


def _print_lines(game: Record, part: DealBreakdown, console: Console) -> None:
    """Print a line of figures for each seat of a deal, and the chances to win the match."""
    if not part.lines:
        return
    console.print(f"On one line: deal {part.deal}, points compared with {_rivals(game)}.")
    table = _console.plain_table(
        "Seat", ">Average", ">Cards", ">Club here", ">Above club", ">Result", ">Half of the games"
    )
    table.add_column("")
    for line in part.lines:
        figures = (line.average, line.cards, line.club, line.play, line.you)
        games = f"{line.low:+} to {line.high:+}"
        shown = [f"{figure:+}" for figure in figures]
        table.add_row(game.names[line.seat], *shown, games, _STANDING[line.standing])
    console.print(table)
    console.print(
        f"Club here: the mean of {GAMES} games of club from this seat, in which all drew the same cards in "
        f"another order (seed {SEED}). A result within half of these games is as good, as far as one deal "
        "can tell. Above club has three causes: the play, the order of the cards, and the other seats."
    )
    for seat, one in enumerate(part.company):
        console.print(_KNOWN[one.known].format(name=game.names[seat], kind=one.kind))
    if match := match_chances(game.final(part.deal)):
        sides = range(len(match.before))
        names = [" and ".join(game.names[side :: len(sides)]) for side in sides]
        changes = zip(names, match.before, match.after, strict=True)
        chances = ", ".join(f"{name} {before} → {after} %" for name, before, after in changes)
        console.print(f"Chance to win the match by the score: {chances}.")
    console.print()


def _print_breakdown(
    game: Record, seats: Sequence[int], whole: MatchBreakdown, part: str, console: Console
) -> None:
    """Print for each seat the parts of its margin, its play score, and its luckiest and unluckiest draw."""
    table = _console.plain_table(
        "Seat", ">Margin", ">All cards", ">Own play", ">Others' play", ">Not explained"
    )
    for seat in seats:
        found = _parts_of(whole, seat)
        margin, *parts = (
            to_whole(Fraction(found[part])) for part in ("margin", "luck", "play_value", "others_play")
        )
        # The last part is what is left of the shown numbers, so that these add up.
        figures = (margin, *parts, margin - sum(parts))
        table.add_row(game.names[seat], *(f"{figure:+}" for figure in figures))
    console.print()
    console.print(f"Where the points came from{part}, compared with {_rivals(game)}:")
    console.print(table)
    console.print(
        "All cards: the hands and draws of all seats, in the order that they came. Own play is valued by "
        "what the seat could know."
    )
    for seat in seats:
        if parts_of_seat := [*_scored(whole, seat), *_draws(whole, seat)]:
            console.print(f"{game.names[seat]}: {', '.join(parts_of_seat)}.")


def _rivals(game: Record) -> str:
    if game.rules.sides:
        return "the other side"
    return "the opponent" if game.players == 2 else "the others' mean"


def _scored(whole: MatchBreakdown, seat: int) -> Iterator[str]:
    """Yield a phrase on how well a seat played; nothing if it made too few decisions.

    If the interval of the score is too wide (`sure` is false), the phrase states only the value of these
    decisions.
    """
    value, score = whole.play[seat].whole, whole.play[seat].score
    if score is not None and not score.sure:
        reach = f" ± {Z * value.error:.0f}" if Z * value.error >= 0.5 else ""
        worth = f"play worth {float(value.value):+z.0f}{reach} points against club"
        yield f"{worth} (too few deals to name a level)"
    elif score is not None:
        about = f" (about {' or '.join(score.levels)})" if score.levels else ""
        spread = (score.high - score.low) / 2
        reach = f" ± {spread:.0f}" if spread >= 0.5 else ""
        yield f"play worth {score.a_deal:+z.0f}{reach} points a deal against club{about}"


_GAIN_SIGNS = {"only": 0, "luckiest": 1, "unluckiest": -1}
"""The sign of the gain that a draw of this name has."""


def _draws(whole: MatchBreakdown, seat: int) -> Iterator[str]:
    best = [(deal.deal, draw) for deal in whole.deals if (draw := deal.luck.luckiest(seat))]
    worst = [(deal.deal, draw) for deal in whole.deals if (draw := deal.luck.unluckiest(seat))]
    if best and worst:
        lucky = max(best, key=lambda one: one[1].gains[seat])
        unlucky = min(worst, key=lambda one: one[1].gains[seat])
        both = (("only", lucky),) if lucky == unlucky else (("luckiest", lucky), ("unluckiest", unlucky))
        for name, (deal, draw) in both:
            gain = float(draw.gains[seat])
            if gain * _GAIN_SIGNS[name] < 0:
                continue  # the luckiest draw was no luck, or the unluckiest no misfortune
            yield f"{name} draw {card_text(draw.card)} on turn {draw.turn} of deal {deal} ({gain:+z.0f})"


def _print_deal(game: Record, number: int, plays: Sequence[Reviewed], console: Console) -> None:
    verdicts = [play.verdict for play in plays if play.verdict is not None]
    marked = [verdict for verdict in worst_first(verdicts) if verdict.mark.sign]
    stand_ins = len(game.deals[number - 1].stand_ins)
    forced, decided = len(plays) - len(verdicts), sum(not verdict.counted for verdict in verdicts)
    text = f"Deal {number}: {counted(len(verdicts) - decided, 'decision')}, {len(marked)} marked"
    text += f", {forced} forced" if forced else ""
    text += f", {stand_ins} by stand-ins" if stand_ins else ""
    text += f", {decided} that no longer mattered" if decided else ""
    console.print(text)
    if marked:
        table = _console.plain_table(">Play", "Seat", "", ">Loss")
        table.add_column("Played")
        table.add_column("Better")
        for verdict in marked:
            sign = Text(verdict.mark.sign, _STYLES[verdict.mark])
            row = (
                str(verdict.step),
                game.names[verdict.seat],
                sign,
                with_half(verdict.loss, verdict.half, 1),
            )
            table.add_row(*row, verdict.played, verdict.best)
        console.print(table)
        for text in _explanations(marked):
            console.print(text)
    console.print()


def _explanations(marked: Sequence[Verdict]) -> Iterator[str]:
    """Yield the explanation of each verdict. A story appears once for each seat.

    The decisions of a turn often have the same story; the first verdict, with the largest loss, has it.
    """
    stories: set[tuple[int, str]] = set()
    for verdict in marked:
        again = (verdict.seat, verdict.story) in stories
        stories.add((verdict.seat, verdict.story))
        why = verdict.why.sentence if again and verdict.why else verdict.explained
        says = (why, verdict.condition, _DISPUTED if verdict.disputed else "")
        yield f"Play {verdict.step}: {' '.join(filter(None, says))}"


def _summary_table(game: Record, summaries: Sequence[SeatSummary]) -> Table:
    table = _console.plain_table("Seat", ">Counted", ">Good", ">?!", ">?", ">??", ">Mean loss")
    table.add_column("By kind: counted, marked")
    for one in summaries:
        mean = one.total.mean_loss
        kinds = ", ".join(
            f"{kind.replace('_', ' ')} {tally.counted} {sum(tally.marks[1:])}" for kind, tally in one.kinds
        )
        marks = map(str, one.total.marks)
        shown_mean = "" if mean is None else f"{mean:.1f}"
        table.add_row(game.names[one.seat], str(one.total.counted), *marks, shown_mean, kinds)
    return table
