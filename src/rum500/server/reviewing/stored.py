"""The stored parts of a deal's review, and the key of the method that made them."""

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
_FORMAT = 5
"""The version of what is stored, increased with every change, so that older rows are measured again."""
_MEASURES = ("rum500.ai", "rum500.bots", "rum500.review")


class Decision(Struct, frozen=True, array_like=True):
    """A play of a deal that had a legal alternative."""

    step: int
    """The number of the play in the deal, from 1."""
    frame: int
    """The index of its first frame in the replay."""
    seat: int
    gain: float
    """The gain compared with `club`'s choice, in points; 0 if the choices are the same."""
    half: float
    """Half the width of the gain's 95 % interval."""


class StoredBreakdown(Struct, frozen=True):
    """The breakdown of a deal, and the data that the deal's verdicts need."""

    judge: ReviewJudge
    """The judge of the deal's decisions."""
    players: tuple[int, ...]
    """The player at each seat."""
    guests: tuple[str | None, ...]
    """By seat, the guest to whom the seat belonged; None for bots."""
    names: tuple[str, ...]
    """The names of the players, by seat."""
    leads: tuple[int, ...]
    """By seat, how much more often the seat chose like `casual` than like `club`; see `PlayedDeal.kinds`."""
    kinds: tuple[str, ...]
    """By seat, the kind of player that the match's other deals show; empty where they show none."""
    levels: dict[str, tuple[float, float]]
    """The play value of each level in this game, with its standard error."""
    errors: tuple[float, ...]
    """By seat, the standard error of its play value."""
    decisions: tuple[Decision, ...]
    """The decisions of the deal, in the order of play."""
    info: DealBreakdownInfo


class StoredPosition(Struct, frozen=True):
    """What the deciding seat knows, with the past actions. No other card is stored."""

    position: str
    """The view as a position file."""
    course: tuple[int, ...]
    """The codes of the past actions."""

    @classmethod
    def of(cls, view: View) -> StoredPosition:
        """Return the position of a view."""
        return cls(view_to_text(view), view.past)

    def view(self) -> View:
        """Return the view."""
        return msgspec.structs.replace(position_from_text(self.position).view, past=self.course)


class StoredMistake(Struct, frozen=True):
    """A decision that the judge called a mistake or a blunder."""

    names: tuple[str, ...]
    """The names of the players, by seat."""
    position: StoredPosition
    """The position, as the seat saw it."""
    verdict: ReviewVerdict
    """The verdict, with the played action and the better one."""


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
    """Return a score in the form of the protocol; None if there is no score, or it is too uncertain."""
    if score is None or not score.sure:
        return None
    return PlayScore(round(score.a_deal, 2), round(score.high - score.a_deal, 2), list(score.levels))


@cache
def judge_key() -> str:
    """Return a digest of all that affects reviews. Results with the same digest can be combined."""
    seen = blake2b(digest_size=8)
    seen.update(repr((_FORMAT, breakdown.VERSION, judge.VERSION, open_hands.VERSION)).encode())
    for package in _MEASURES:
        for folder, form in ((files(package), str), (files(package) / "weights", unfolded)):
            found = list(folder.iterdir()) if folder.is_dir() else []
            for file in sorted(found, key=lambda file: file.name):
                if file.name.endswith(".toml"):
                    seen.update(form(file.read_text(encoding="utf-8")).encode())
    return seen.hexdigest()
