"""The stored parts of a deal's review, and the version of the reviewer that made them."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files

import msgspec
from msgspec import Struct

from rum500.ai.heuristic_levels import unfolded
from rum500.review import breakdown, judge, open_hands
from rum500.review.play_value import Score
from rum500.server.messages.review import DealBreakdownInfo, PlayScore, ReviewJudge, ReviewVerdict
from rum500.state import position_from_text, view_to_text
from rum500.view import View

BREAKDOWN_ROW = "account"
"""The kind of rows with the breakdown of a deal; databases have them by this name."""
_FORMAT = 4
"""Raised with every change of what is stored, so that older rows are measured again."""
_MEASURES = ("rum500.ai", "rum500.bots", "rum500.review")


class Decision(Struct, frozen=True, array_like=True):
    """A play of a deal with more than one legal choice."""

    step: int
    """The number of the play in the deal, from 1."""
    frame: int
    """The index of its first frame in the replay."""
    seat: int
    gain: float
    """What it brought compared with `club`'s choice, in points; 0 for the same choice."""
    half: float
    """Half the width of the gain's 95 % interval."""


class StoredBreakdown(Struct, frozen=True):
    """The breakdown of a deal, and what its verdicts need."""

    judge: ReviewJudge
    """The judge of the deal's decisions."""
    players: tuple[int, ...]
    """The player at each seat."""
    guests: tuple[str | None, ...]
    """By seat, the guest whose seat it was."""
    names: tuple[str, ...]
    """By seat."""
    leads: tuple[int, ...]
    """By seat, how much more often it did as `casual` than as `club`; see `PlayedDeal.kinds`."""
    kinds: tuple[str, ...]
    """The kinds of players by which luck was measured, as the match's other deals showed them."""
    levels: dict[str, tuple[float, float]]
    """The play values of the levels of bots in this game, with their standard errors."""
    errors: tuple[float, ...]
    """By seat, the standard error of its play value."""
    decisions: tuple[Decision, ...]
    """In the order of play."""
    info: DealBreakdownInfo


class StoredPosition(Struct, frozen=True):
    """What the seat that decides knows, with the course of the deal. No other card is stored."""

    position: str
    """The view as a position file."""
    course: tuple[int, ...]
    """The codes of the plays until then."""

    @classmethod
    def of(cls, view: View) -> StoredPosition:
        """Return the position of a view."""
        return cls(view_to_text(view), view.past)

    def view(self) -> View:
        """Return the view."""
        return msgspec.structs.replace(position_from_text(self.position).view, past=self.course)


class StoredMistake(Struct, frozen=True):
    """A decision that was judged a mistake or a blunder."""

    names: tuple[str, ...]
    """The names of the players, by seat."""
    position: StoredPosition
    """What the seat knew."""
    verdict: ReviewVerdict
    """What was played, and what would have been better."""


class StoredVerdicts(Struct, frozen=True):
    """The verdicts of a deal, in the order in which they were found."""

    verdicts: list[ReviewVerdict]


read_breakdown = msgspec.json.Decoder(StoredBreakdown).decode
read_mistake = msgspec.json.Decoder(StoredMistake).decode
read_positions = msgspec.json.Decoder(list[StoredPosition]).decode
read_verdict = msgspec.json.Decoder(ReviewVerdict).decode
read_verdicts = msgspec.json.Decoder(StoredVerdicts).decode
write = msgspec.json.Encoder().encode


def score_info(score: Score | None) -> PlayScore | None:
    """Return a score in the form of the protocol; None where it shows nothing."""
    if score is None or not score.sure:
        return None
    return PlayScore(round(score.a_deal, 2), round(score.high - score.a_deal, 2), list(score.level))


@cache
def judge_key() -> str:
    """Return a digest of everything that reviews are measured with; results with the same one agree."""
    seen = blake2b(digest_size=8)
    seen.update(repr((_FORMAT, breakdown.VERSION, judge.VERSION, open_hands.VERSION)).encode())
    for package in _MEASURES:
        for folder, form in ((files(package), str), (files(package) / "weights", unfolded)):
            found = list(folder.iterdir()) if folder.is_dir() else []
            for file in sorted(found, key=lambda file: file.name):
                if file.name.endswith(".toml"):
                    seen.update(form(file.read_text(encoding="utf-8")).encode())
    return seen.hexdigest()
