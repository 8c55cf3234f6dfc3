"""A bot of one's own: the template can play at once, and the check finds faults of a bot."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from rum500 import Take, bots
from rum500.bots.policy_bots import Random
from rum500.cli import main
from rum500.external_bots import BotSpecError, check_bot, files_of, open_bot, write_template
from rum500.external_bots.bot_check import tables
from rum500.external_bots.bot_names import split_names
from rum500.external_bots.template import TemplateError
from rum500.rng import Rng
from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profile_names, ruleset
from rum500.view import View
from tests.support.depth import depth
from tests.support.processes import started
from tests.support.waiting import PATIENCE

GREEDY = bots.get("greedy")


class Honest:
    """Plays as greedy does."""

    name = "honest"

    def choose(self, view: View, rng: Rng) -> object:
        return GREEDY.choose(view, rng)


class Raising(Honest):
    """Fails at tables of four."""

    def choose(self, view: View, rng: Rng) -> object:
        if view.players == 4:
            raise IndexError("no such\ncard")
        return super().choose(view, rng)


class Unsteady(Honest):
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.count = 0

    def choose(self, view: View, rng: Rng) -> object:
        self.count += 1
        return view.legal[self.count % len(view.legal)]


class Remembering(Honest):
    """Plays by the first hand that it was ever shown."""

    def __init__(self) -> None:
        self.first: tuple[int, ...] | None = None

    def choose(self, view: View, rng: Rng) -> object:
        self.first = self.first or view.hand
        return view.legal[hash(self.first) % len(view.legal)]


class Slow(Honest):
    """Takes its time."""

    def choose(self, view: View, rng: Rng) -> object:
        sum(range(20_000))
        return super().choose(view, rng)


def unlike(**changed: object) -> type[Honest]:
    """Return a bot with another name or another way to choose."""
    return type("Unlike", (Honest,), changed)


def playing(play: object) -> type[Honest]:
    return unlike(choose=lambda self, view, rng: play)


def test_the_levels_are_fit_to_play_everywhere():
    for number, level in enumerate(("random", "greedy", "casual", "club")):
        names = depth(profile_names()[number::4], profile_names())
        check = check_bot(lambda level=level: bots.get(level), deals=1, profiles=names)  # type: ignore[misc]
        assert check.passed, check.findings
        assert check.deals == check.tables == sum(rules.name in names for rules, _ in tables())
        assert check.asked_again > depth(50, 300)


@pytest.mark.parametrize(
    ("bot", "kind", "said"),
    [
        (playing(1 << 60), "illegal", "which is not legal"),
        (
            playing(None),
            "illegal",
            "it played None, which is not a play: choose returns one of view.legal_actions()",
        ),
        (
            playing(Take(40)),
            "illegal",
            "it played take 40 cards, which is not legal: the pile holds one card",
        ),
        (Raising, "failed", "IndexError: no such card"),
        (Unsteady, "unsteady", "from the same view and seed it played"),
        (Remembering, "hidden", "with its hidden cards dealt again: it played"),
        (unlike(name=" "), "name", "its name is empty"),
        (unlike(name="Club"), "name", "there is a level called 'Club'"),
    ],
)
def test_what_is_wrong_with_a_bot_is_found(bot: type[Honest], kind: str, said: str):
    names = depth(["500-rum", "persian-rummy"], ())
    check = check_bot(bot, deals=1, profiles=names)  # type: ignore[arg-type]
    assert {finding.kind for finding in check.findings} == {kind}
    first = check.findings[0]
    assert said in first.message
    if kind != "name":
        assert first.table and first.seed is not None and first.position.startswith("rum500 position 1")


@pytest.mark.parametrize("deals", [1, 2])
def test_it_plays_among_players_at_random_too(deals: int, monkeypatch: pytest.MonkeyPatch):
    """At every second table where there is one deal at each, so that half a check is not the whole of it."""
    asked: list[View] = []
    monkeypatch.setattr(Random, "choose", lambda _self, view, rng: asked.append(view) or view.legal[0])
    check = check_bot(Honest, deals=deals, profiles=["michigan-rum"])  # type: ignore[arg-type]
    tables_met = {view.rules for view in asked}
    assert check.passed and len(tables_met) >= check.tables // 3


def test_repeated_failure_is_reported_once():
    """And a bot that fails again and again is not asked for ever."""

    class Broken(Honest):
        asked = 0

        def choose(self, view: View, rng: Rng) -> object:
            Broken.asked += 1
            raise ValueError("no")

    check = check_bot(Broken, deals=1)  # type: ignore[arg-type]
    assert [finding.kind for finding in check.findings] == ["failed"]
    assert 3 <= Broken.asked <= 5


def test_a_slow_bot_is_found():
    check = check_bot(Slow, seconds=0.00005, deals=1, profiles=["michigan-rum"])  # type: ignore[arg-type]
    assert [finding.kind for finding in check.findings] == ["slow"]
    assert check.p50_ms <= check.p95_ms <= check.most_ms


HANGING = """
import time

class Hanging:
    name = "hanging"

    def choose(self, view, rng):
        while len(view.melds) > 0:
            {wait}
        return view.legal[0]
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("wait", ["pass", "time.sleep(3600)"])
def test_bot_that_never_answers_is_reported_and_the_program_ends(tmp_path: Path, wait: str):
    (tmp_path / "hanging.py").write_text(HANGING.format(wait=wait))
    asked = [sys.executable, "-m", "rum500", "bot", "test", "hanging.py", "--seconds", "1"]
    done = subprocess.run(
        [*asked, "--patience", "0.5", "--json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1, done.stderr
    (found,) = json.loads(done.stdout)["findings"]
    assert found["kind"] == "hung"
    assert found["message"].startswith("it had not answered after 1.5 s (hanging.py:")
    assert found["table"] and found["seed"] and found["position"].startswith("rum500 position 1")


class Interrupted(Honest):
    """Ends as by Ctrl-C."""

    def choose(self, view: View, rng: Rng) -> object:
        raise KeyboardInterrupt


def test_what_is_no_fault_of_the_bot_goes_through_the_check():
    with pytest.raises(KeyboardInterrupt):
        check_bot(Interrupted, deals=1)  # type: ignore[arg-type]


def test_every_profile_house_rule_and_number_of_players_is_tried():
    tried = list(tables())
    for name in profile_names():
        of_it = [(rules, players) for rules, players in tried if rules.name == name]
        assert {players for _, players in of_it} == set(ruleset(name).players)
    assert {rule for rules, _ in tried for rule in rules.house_rules} == set(HOUSE_RULES)


def test_the_template_plays_at_once_and_its_tests_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "my-bot"]) == 0
    folder = tmp_path / "my_bot"
    assert {path.name for path in folder.iterdir()} == {"my_bot.py", "test_my_bot.py", "README.md"}
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # of which the template needs none
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    reported = (folder / "README.md").read_text()
    assert all(f"`rum500 {word} " in reported for word in ("bot test", "simulate", "arena", "bot join"))
    code = (folder / "my_bot.py").read_text()
    assert len([line for line in code.splitlines() if line.strip()]) <= 32
    for name in (str(folder / "my_bot.py"), f"{folder / 'my_bot.py'}:MyBot", "my_bot:MyBot"):
        made = open_bot(name)
        assert made.name == "my_bot" and pickle.loads(pickle.dumps(made)).name == "my_bot"
    with pytest.raises(SystemExit):
        main(
            ["bot", "test", str(folder / "my_bot.py"), "--seconds", "0.0000001", "--profile", "michigan-rum"]
        )
    capsys.readouterr()
    assert main(["bot", "new", "my-bot"]) == 2, "nothing is written over"
    assert "bot: my_bot/my_bot.py is there already; take another name" in capsys.readouterr().err


def test_the_searching_template_is_short_and_its_tests_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "seeker", "--search"]) == 0
    folder = tmp_path / "seeker"
    assert len((folder / "seeker.py").read_text().splitlines()) <= 40
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", [*bots.names(), "Club", "answers", "sees-hands", " sees-stock "])
def test_a_name_that_a_bot_has_already_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Its results could not be distinguished from those of the level, or the reference, of that name."""
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", name]) == 2
    reported = capsys.readouterr().err
    assert "of that name; take another" in reported and (
        "level" in reported or "arena has a player" in reported
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["1st", "class", "None", "_", "take", "lay-off", "json", "a b!", "rum500", ""]
)
def test_a_name_that_can_be_no_module_is_refused(name: str, tmp_path: Path):
    with pytest.raises(TemplateError):
        write_template(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_report_as_json(capsys: pytest.CaptureFixture[str]):
    assert main(["bot", "test", "greedy", "--deals", "1", "--profile", "500-rum", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["passed"] is True and reported["bot"] == "greedy" and reported["findings"] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gredy", "did you mean greedy?"),
        ("tests/support", "there is no bot 'tests/support'"),
        ("grandmaster", "there is no bot 'grandmaster'; there are "),
        ("nowhere.py", "nowhere.py: there is no such file"),
        ("json:Nothing", "json: there is no Nothing in it"),
        ("json:JSONDecoder", "is no bot: it has no name (a text) and no choose(view, rng)"),
        ("no_such_module:Bot", "ModuleNotFoundError"),
        ("cmd:", "needs the command"),
        ("cmd:./nowhere --fast", "there is no program './nowhere'"),
        ("cmd:'", "No closing quotation"),
        ("expert:worlds=many", "'worlds=many' is no option; write name:option=number"),
        ("expert:seconds=nan", "'seconds=nan' is no option"),
        ("greedy:worlds=3", "worlds"),
    ],
)
def test_name_of_no_bot_is_refused_in_one_line(name: str, said: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(BotSpecError) as error:
        open_bot(name)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert main(["bot", "test", name]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys\nfor line in sys.stdin:\n    print(line)", "found none (a program is called by cmd:"),
        (
            "class Mine:\n    def choose(self, view, rng): ...",
            "some_program.py: Mine is no bot: it has no name (a text)\n",
        ),
        ("import sys\nsys.exit(3)", "cannot be read: SystemExit: 3 (some_program.py:2)"),
        (
            "class Bot\n",
            "some_program.py: cannot be read: SyntaxError: expected ':' (some_program.py, line 1)\n",
        ),
        (
            "class One:\n    name = 'a'\n    choose = len\n\nclass Two(One): ...",
            "found One, Two: write some_program.py:One\n",
        ),
        ("class A:\n    name = 'a'\n    choose = 1 / 0", "ZeroDivisionError: division by zero (some_program"),
    ],
)
def test_a_program_is_no_module_and_reads_nothing(tmp_path: Path, text: str, said: str):
    (tmp_path / "some_program.py").write_text(text)
    command = [sys.executable, "-m", "rum500", "bot", "test", "some_program.py"]
    with started(command, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.wait(PATIENCE) == 2  # stdin is never closed
        reported = process.stderr.read()
    assert said in reported and reported.count("\n") == 1


def test_files_of_an_external_bot_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("engine_of_mine.py").touch()
    program, script = files_of(f"cmd:{sys.executable} engine_of_mine.py --fast")
    assert (program, script.name) == (Path(sys.executable), "engine_of_mine.py")
    assert [path.name for path in files_of("engine_of_mine.py")] == ["engine_of_mine.py"]
    assert files_of("expert:worlds=512") == files_of("greedy") == []


def test_names_in_a_list():
    assert split_names("club:worlds=3,cmd:./a b, x.py") == ["club:worlds=3", "cmd:./a b", "x.py"]
    assert split_names("my folder/x.py,club") == ["my folder/x.py", "club"]
    assert split_names("greedy x.py") == ["greedy", "x.py"]
    assert split_names("x.py greedy") == ["x.py", "greedy"]


@pytest.mark.parametrize(
    ("folder", "does", "line"),
    [
        ("", "().index(0)", 4),
        ("rum500_thrifty", "().index(0)", 4),
        ("", "from rum500.ai.policy import Policy; Policy([0] * 999)", 4),
        ("", "import json; json.loads('{')", 4),
    ],
    ids=["its own", "a package named like ours", "our compiled core", "Python's"],
)
def test_an_errors_line_is_the_bots_own(
    folder: str, does: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Not that of the library that raised it."""
    (tmp_path / folder).mkdir(exist_ok=True)
    file = tmp_path / folder / f"failing_{abs(hash((folder, does)))}.py"
    file.write_text(
        f"class Failing:\n    name = 'failing'\n    def choose(self, view, rng):\n        {does}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    module = f"{folder}.{file.stem}" if folder else file.stem
    check = check_bot(lambda: open_bot(f"{module}:Failing"), deals=1, profiles=["michigan-rum"])
    assert f"({file.name}:{line})" in check.findings[0].message


ONCE = """
import multiprocessing, os, time
class Once:
    name = "once"
    def choose(self, view, rng):
        return view.legal[0]
if multiprocessing.parent_process():
    {does}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("does", "said"),
    [
        (
            "raise OSError('the port is taken')",
            "could not be had: once.py: cannot be read: OSError: the port",
        ),
        ("os._exit(3)", "could not be had: "),
        ("Once.choose = lambda self, view, rng: 1 / 0", "ZeroDivisionError"),
        ("Once.choose = lambda self, view, rng: view.legal[-1]", "in another process it played otherwise"),
        ("Once.choose = lambda self, view, rng: time.sleep(3600)", "it had not answered after 1.2 s"),
    ],
)
def test_failure_in_a_worker_process_alone_is_reported(tmp_path: Path, does: str, said: str):
    """And a bot that takes long is given the same time there."""
    (tmp_path / "once.py").write_text(ONCE.format(does=does))
    words = ["once.py", "--deals", "1", "--profile", "michigan-rum"]
    limits = ["--seconds", "1", "--patience", "0.2"] if "1.2 s" in said else []
    command = [sys.executable, "-m", "rum500", "bot", "test", *words, *limits]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 1 and said in done.stdout, done
    assert "Traceback" not in done.stderr


def test_what_hangs_on_the_order_of_a_set_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "by_order.py").write_text(
        "class ByOrder:\n    name = 'by order'\n"
        "    def choose(self, view, rng):\n        return min(view.legal, key=lambda code: hash(str(code)))\n"
    )
    with pytest.raises(SystemExit):
        main(["bot", "test", str(tmp_path / "by_order.py"), "--deals", "1", "--profile", "michigan-rum"])
    assert "in another process it played otherwise" in capsys.readouterr().out


def test_a_folder_is_taken_for_the_file_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write_template("thrifty", tmp_path / "thrifty")
    with pytest.raises(BotSpecError, match=r"did you mean thrifty/thrifty\.py\? or name a file\.py"):
        open_bot("thrifty")
