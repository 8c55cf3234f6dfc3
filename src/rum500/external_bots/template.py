"""A template for a new bot: a file with a bot that plays, its tests, and a hint on the next steps."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

from rum500 import bots

_USED = ("Discard", "LayOff", "Meld", "Take")
_BOT = '''"""{title}: a bot for 500 Rum and its family."""

from rum500 import {used}
from rum500.cards import rank_of, suit_of


class {title}:
    name = "{name}"

    def choose(self, view, rng):
        """One of the legal plays; `view` is all that this seat may know, `rng` all the chance there is."""
        actions = view.legal_actions()
        plays = [action for action in actions if isinstance(action, Meld | LayOff)]
        if plays:
            return max(plays, key=lambda play: len(play.cards))
        takes = [action for action in actions if isinstance(action, Take) and action.count <= 3]
        if takes:
            return takes[0]
        discards = [action for action in actions if isinstance(action, Discard)]
        if discards:
            return max(discards, key=lambda action: self.spare(action.card, view))
        return actions[0]

    def spare(self, card, view):
        """How gladly a card is thrown: high ones first, those with company last."""
        company = sum(
            rank_of(other) == rank_of(card) or (suit_of(other) == suit_of(card) and abs(other - card) <= 2)
            for other in view.hand
            if other != card
        )
        return rank_of(card) - 8 * company
'''

_SEARCH = '''"""{title}: a bot that searches, for 500 Rum and its family."""

from rum500.search import rollouts


class {title}:
    name = "{name}"
    worlds = 32
    """The number of deals in which all plays are tried. The better half is then tried in twice as many."""

    def choose(self, view, rng):
        """Return the play with the best results in deals that this seat cannot tell from the true one."""
        plays, worlds = view.candidates(), self.worlds
        while len(plays) > 1:
            deals = view.worlds(rng, worlds)
            results = {{play: self.mean_result(deals, play, view.seat) for play in plays}}
            plays = sorted(plays, key=results.get, reverse=True)[: len(plays) // 2]
            worlds *= 2
        return plays[0]

    def mean_result(self, deals, play, seat):
        """Return the mean points ahead of the others if all go on like the level club after this play."""
        results = rollouts(deals, "club", after=play, kind="margin")
        return sum(result[seat] for result in results) / len(results)
'''

_TEST = '''"""Whether {title} is fit to play, and better than chance."""

import rum500
from rum500.external_bots import check_bot
from rum500.sim import simulate

from {name} import {title}


def test_it_is_fit_to_play_everywhere():
    check = check_bot({check})
    assert check.passed, check.findings


def test_it_beats_chance():
    rules = rum500.ruleset("500-rum")
    ahead = simulate(rules, players=2, deals={deals}, seed=1, bots=[{title}(), "random"])
    behind = simulate(rules, players=2, deals={deals}, seed=1, bots=["random", {title}()])
    points = ahead.mean_points[0] - ahead.mean_points[1] + behind.mean_points[1] - behind.mean_points[0]
    assert points / 2 > 5
'''

_README = (
    "`{name}.py` is a bot: `rum500 bot test {name}.py` checks it, "
    "`python -m pytest` runs its tests (`pip install pytest` first), "
    "`rum500 simulate --bots {name}.py,greedy` plays deals, "
    "`rum500 arena --bots {name}.py,greedy --pairs 100` measures which is better, and "
    "`rum500 bot join URL TOKEN {name}.py` plays a seat of a live table.\n"
)


class TemplateError(ValueError):
    """A template that cannot be written. The message says why."""

    code = "bot.template"


def write_template(name: str, folder: Path, *, search: bool = False) -> list[Path]:
    """Write the files of a new bot with this name and return their paths. With `search` the bot searches.

    Raises `TemplateError` if one of the files exists.
    """
    word = name.strip().lower().replace("-", "_").replace(" ", "_")
    title = "".join(part.capitalize() for part in word.split("_"))
    if not word.isidentifier() or not word.isascii() or not word[0].isalpha():
        raise TemplateError(f"{name!r}: a name begins with a letter; letters (a to z), digits and _ make it")
    if keyword.iskeyword(word) or keyword.iskeyword(title):
        raise TemplateError(f"{name!r}: that is a word of Python; take another")
    if title in _USED:
        raise TemplateError(f"{name!r}: rum500 has a {title}, which the bot uses; take another")
    if word in bots.names():
        raise TemplateError(f"{name!r}: there is a level of that name; take another")
    if word in sys.stdlib_module_names or word == "rum500":
        raise TemplateError(f"{name!r}: Python has a module of that name; take another")
    files = {f"{word}.py": _SEARCH if search else _BOT, f"test_{word}.py": _TEST, "README.md": _README}
    paths = {folder / file: text for file, text in files.items()}
    for path in paths:
        if path.exists():
            other = "folder" if path.name == "README.md" else "name or another folder"
            raise TemplateError(f"{path} is there already; take another {other}")
    folder.mkdir(parents=True, exist_ok=True)
    deals, check = (2, f'{title}, deals=1, profiles=["michigan-rum"], most=50') if search else (60, title)
    for path, text in paths.items():
        filled = text.format(name=word, title=title, used=", ".join(_USED), deals=deals, check=check)
        path.write_text(filled, encoding="utf-8")
    return list(paths)
