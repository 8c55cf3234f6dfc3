"""RBI: rum500's engine answers as the page says, and other engines are checked and faulty ones refused."""

from __future__ import annotations

import io
import pickle
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import rum500
from rum500 import bots
from rum500.bots import StoppableChoice
from rum500.bots.search_bot import expert
from rum500.external_bots import EngineBot, EngineError, check_bot, serve_engine
from rum500.external_bots.engine_conformance import breaches
from rum500.external_bots.rbi_text import legal_code, read_view, view_block
from rum500.rng import Rng
from rum500.rules.notation import play_text
from rum500.view import View
from tests.support.depth import depth
from tests.support.waiting import PATIENCE, until

OURS = shlex.join([sys.executable, "-m", "rum500", "engine", "--bot", "greedy"])

GOOD = """
import sys
legal = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "rbi":
        print("id name {name}\\nrbiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word in ("rules", "view"):
        while sys.stdin.readline().strip() != "end":
            pass
        if word == "rules":
            print({rules!r}, flush=True)
    elif word == "legal":
        legal = rest.split("; ")
    elif word == "go":
        {go}
    elif word == "quit":
        break
"""


def engine(folder: Path, text: str) -> str:
    """The command of an engine with this source."""
    file = folder / "engine.py"
    file.write_text(text)
    return shlex.join([sys.executable, str(file)])


def good(folder: Path, go: str = 'print("bestplay", legal[-1], flush=True)', rules: str = "rulesok") -> str:
    return engine(folder, GOOD.format(name="test", rules=rules, go=go))


def a_view(seed: int = 3) -> View:
    return rum500.deal(rum500.ruleset("500-rum"), players=2, seed=seed).view(1)


def views(profile: str, seed: int) -> Iterator[View]:
    """What the actors of a deal see."""
    rules = rum500.ruleset(profile)
    state = rum500.deal(rules, players=rules.players[-1], seed=seed)
    rng = Rng(seed)
    while not state.is_over:
        view = state.view(state.actor)
        yield view
        chosen = bots.get("greedy").choose_int(view, rng)
        assert isinstance(chosen, int)
        state.apply_int(chosen)


@pytest.mark.sample(3)
@pytest.mark.parametrize("profile", rum500.profile_names())
def test_a_view_goes_through_the_text_unharmed(profile: str):
    for view in views(profile, 5):
        lines = view_block(view)
        end = lines.index("end")
        past = next(line for line in lines if line.startswith("past ")).split()[1:]
        assert read_view(lines[1:end], past) == view
        plays = lines[-1].removeprefix("legal ").split("; ")
        assert tuple(legal_code(play, view) for play in plays) == view.legal


def test_an_engine_plays_as_its_bot_does():
    one = EngineBot(OURS)
    try:
        for number, view in enumerate(views("rummy-500", 7)):
            assert one.choose_int(view, Rng(number)) == bots.get("greedy").choose_int(view, Rng(number))
        assert one.name == "rum500 greedy"
        again = pickle.loads(pickle.dumps(one))
        assert again.choose_int(view, Rng(1)) == bots.get("greedy").choose_int(view, Rng(1))
        again.close()
    finally:
        one.close()


def test_an_engine_in_another_process_is_fit_to_play(tmp_path: Path):
    command = good(tmp_path)
    check = check_bot(lambda: EngineBot(command), deals=1, profiles=["persian-rummy"])
    assert check.passed and check.bot == "test", check.findings


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("go", "said"),
    [
        ("print('bestplay fly', flush=True)", "bestplay fly: that is no legal play here"),
        ("print('bestplay discard KD', flush=True)", "that is no legal play here"),
        ("print('I think so', flush=True)", "it said 'I think so'; expected bestplay or info"),
        ("print('\\0\\xff' * 400, flush=True)", "expected bestplay or info"),
        ("pass", "it did not answer within 0.2 s; expected bestplay"),
        ("sys.exit('I give up')", "it ended, exit code 1 (on stderr: I give up)"),
        ("sys.stdout.close(); import os; os.close(1); import time; time.sleep(600)", "it closed its output"),
        ("[print('info', n) for n in range(20000)]", "more than 10000 lines"),
    ],
)
def test_faulty_engine_is_named_and_ended(tmp_path: Path, go: str, said: str):
    one, view = EngineBot(good(tmp_path, go)), a_view()
    one.present(view)
    if go == "pass":
        one.patience = 0.2
    with pytest.raises(EngineError) as error:
        one.choose_int(view, Rng(1))
    assert said in str(error.value) and "\n" not in str(error.value)
    assert one._process is None


def test_an_answer_that_nobody_asked_for_is_none_to_the_next_question(tmp_path: Path):
    bot = EngineBot(good(tmp_path, 'print("bestplay", legal[-1] + "\\nbestplay " + legal[0], flush=True)'))
    view = a_view()
    assert bot.choose_int(view, Rng(1)) == view.legal[-1]
    until(lambda: not bot._lines.empty())
    with pytest.raises(EngineError, match=r"it said 'bestplay .*' unasked"):
        bot.choose_int(view, Rng(1))


SIMULATE, ARENA = "simulate --deals 20", "arena --pairs 10 --unit deal"
DEAF = "import os, time\nopen(f'{{os.getpid()}}.pid', 'w').close()" + GOOD + "time.sleep(3600)\n"
"""Ignores `quit` and the end of its input."""


@pytest.mark.sample(1)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("words", "workers"),
    [
        (SIMULATE, "2"),
        (ARENA, "1"),
        *depth([], [(SIMULATE, "1"), (ARENA, "2")]),
    ],
)
def test_no_engine_outlives_who_asked_it(tmp_path: Path, words: str, workers: str):
    play = 'print("bestplay", legal[0], flush=True)'
    command = engine(tmp_path, DEAF.format(name="deaf", rules="rulesok", go=play))
    asked = [sys.executable, "-m", "rum500", *words.split(), "--workers", workers]
    subprocess.run([*asked, "--bots", f"cmd:{command},greedy"], check=True, cwd=tmp_path, timeout=PATIENCE)
    processes = [file.stem for file in tmp_path.glob("*.pid")]
    assert processes and not [pid for pid in processes if (Path("/proc") / pid).exists()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it ended, exit code 0"),
        ("print('hello')", "it said 'hello'; expected id, option, rbiok, rbino or info"),
        ("print('rbino only rbi 2')", "it does not speak rbi 1: only rbi 2"),
        ("print('rbiok'); print('what?')", "it said 'what?'; expected readyok or info"),
        ("syntax error", "SyntaxError"),
    ],
)
def test_engine_without_a_handshake_is_refused(tmp_path: Path, text: str, said: str):
    with pytest.raises(EngineError) as error:
        EngineBot(engine(tmp_path, text)).choose_int(a_view(), Rng(1))
    assert said in str(error.value)


def test_an_engine_may_decline_rules(tmp_path: Path):
    one = EngineBot(good(tmp_path, rules="rulesno only bridge"))
    with pytest.raises(EngineError, match="it does not play 500 Rum: only bridge"):
        one.choose_int(a_view(), Rng(1))


def test_a_command_that_cannot_be_started():
    with pytest.raises(EngineError, match="/no/such/engine: cannot be started: No such file"):
        EngineBot("/no/such/engine").choose_int(a_view(), Rng(1))


def conversing(folder: Path, more: str = "", go: str = "", greeting: str = "") -> str:
    """An engine that does something else, or besides, when it hears what a deal does not ask."""
    go = go or 'print("bestplay", legal[-1], flush=True)'
    text = GOOD.format(name="test" + greeting, rules="rulesok", go=go)
    return engine(folder, text.replace('    elif word == "quit"', f'{more}    elif word == "quit"'))


MIDWAY = """line = sys.stdin.readline() if "movetime 300" in rest else ""
        {before}
        print("bestplay", legal[-1], flush=True)
        {after}"""
"""Reads its next input while it thinks."""


def midway(before: str = "pass", after: str = "pass") -> dict[str, str]:
    return {"go": MIDWAY.format(before=before, after=after)}


READY = '"isready" in line and print("readyok", flush=True)'
AGAIN = '"go" in line and print("bestplay", legal[0], flush=True)'


def said_to(word: str, answer: str = "bestplay draw") -> str:
    return f"    elif word == {word!r}:\n        print({answer!r}, flush=True)\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("wrong", "kind", "said"),
    [
        ({"more": said_to("stop")}, "failed", "it said 'bestplay draw'; expected readyok or info"),
        ({"more": said_to("setoption", "what?")}, "failed", "(asked: its options)"),
        ({"more": said_to("no-such-command", "error")}, "failed", "(asked: a command that there is not)"),
        (
            {"go": 'print("bestplay", legal[-1] if rest.count(" ") < 2 else "none", flush=True)'},
            "failed",
            "bestplay none: that is no legal play here (asked: go seed 1 movetime 100)",
        ),
        (
            {"go": 'asked = globals().get("asked", 0) + 1; print("bestplay", legal[-asked % 3], flush=True)'},
            "unsteady",
            "twice asked to go seed 1 worlds 8 it did not play the same",
        ),
        (midway(), "failed", "expected readyok (asked: go, then isready)"),
        (midway(READY, READY), "failed", "it said 'readyok'"),
        (midway(READY), "failed", "expected bestplay (asked: go, then go)"),
        (
            {"greeting": "\\noption name depth type number default 9 min 0 max 5"},
            "failed",
            "it announces 'option name depth type number default 9 min 0 max 5', which is neither",
        ),
    ][:: depth(3, 1)],
)
def test_conformance_check_finds_wrong_answers_that_no_deal_asks_for(
    tmp_path: Path, wrong: dict[str, str], kind: str, said: str
):
    command = conversing(tmp_path, **wrong)
    patience = 3.0 if said.startswith("expected") else PATIENCE
    check = check_bot(lambda: EngineBot(command, patience=patience), deals=1, profiles=["michigan-rum"])
    assert (check.findings[0].kind, check.findings[0].table) == (kind, "michigan-rum, 2 players")
    assert said in check.findings[0].message


@pytest.mark.parametrize("way", [midway(READY, AGAIN), midway(after=f"{READY}; {AGAIN}")])
def test_an_engine_may_be_ready_before_it_plays_or_after(tmp_path: Path, way: dict[str, str]):
    one = EngineBot(conversing(tmp_path, **way))
    try:
        assert breaches(one, a_view()) == []
    finally:
        one.close()


def test_an_engine_may_say_info_at_any_time(tmp_path: Path):
    one = EngineBot(conversing(tmp_path).replace("engine.py", "chatty.py"))
    text = (tmp_path / "engine.py").read_text().replace('print("readyok"', 'print("info\\nreadyok"')
    (tmp_path / "chatty.py").write_text(text.replace("print('rulesok'", "print('info string hm\\nrulesok'"))
    try:
        assert one.choose_int(a_view(), Rng(1)) == a_view().legal[-1]
    finally:
        one.close()


def test_engine_gets_its_options_and_stop(tmp_path: Path):
    """It notes what it hears, and may pass over what it likes."""
    greeting = (
        "\\noption name seed type number default 7 min 0 max 9\\noption name my style type text default so so"
    )
    text = GOOD.format(name="test" + greeting, rules="rulesok", go='print("bestplay", legal[-1], flush=True)')
    noted = "    with open(__file__ + '.heard', 'a') as file:\n        file.write(line)\n    word,"
    one = EngineBot(engine(tmp_path, text.replace("    word,", noted)))
    state = rum500.deal(rum500.ruleset("500-rum"), players=2, seed=3)
    try:
        assert breaches(one, state.view(state.actor)) == []
    finally:
        one.close()
    heard = (tmp_path / "engine.py.heard").read_text().splitlines()
    for line in ("name seed value 7", "name my style value so so", "name no-such-option value 1"):
        assert f"setoption {line}" in heard
    goes = [heard[at : at + 2] for at, line in enumerate(heard) if line.startswith("go")]
    assert ["go seed 1 movetime 2000", "stop"] in goes
    assert ["go seed 1 worlds 1", "isready"] in goes and ["go", "isready"] in goes
    assert "no-such-command 1" in heard and heard[heard.index("stop") + 1] == "isready"


@pytest.mark.parametrize("level", ["random", "expert:worlds=64:seconds=60"])
def test_our_own_engine_does_its_part(level: str):
    one = EngineBot(shlex.join([*shlex.split(OURS)[:-1], level]))
    try:
        assert breaches(one, next(view for view in views("500-rum", 3) if len(view.legal) > 6)) == []
    finally:
        one.close()


def spoken(*lines: str, bot: str = "greedy") -> list[str]:
    """What our engine answers."""
    out = io.StringIO()
    serve_engine(bots.get(bot), "us", io.StringIO("\n".join(lines) + "\n"), out)
    return out.getvalue().splitlines()


def test_our_engine_answers_as_the_page_says():
    view = a_view()
    chosen = bots.get("greedy").choose_int(view, Rng(9))
    shown = spoken("rbi 1", "isready", *view_block(view), "go seed 9", "stop", "quit")
    assert shown[0] == "id name rum500 greedy" and shown[1] == "id author us"
    assert shown[3:] == ["rbiok", "readyok", f"bestplay {play_text(chosen, view)}"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["rbi 2"], ["rbino this is rbi 1"]),
        (["what"], ["info string there is no command 'what'"]),
        (["rules", "profile: 500-rum", "house rules: H6", "end"], ["rulesok"]),
        (["rules", "profile: nothing", "end"], ["rulesno there is no profile 'nothing'"]),
        (["rules", *(line for line in ("ruleset:", "| nonsense")), "end"], ["rulesno "]),
        (["go"], ["info string ", "bestplay none"]),
        (["view", "rum500 position 1", "end", "go"], ["info string ", "bestplay none"]),
        ([*view_block(a_view()), "go worlds 0"], ["info string go worlds takes a whole", "bestplay none"]),
        ([*view_block(a_view()), "go movetime"], ["info string go movetime takes a", "bestplay none"]),
        ([*view_block(a_view()), "go depth 3 seed 5"], ["bestplay draw"]),
        (["setoption name nothing value 1"], ["info string the option is: name seed value NUMBER"]),
        (["", "  ", "stop"], []),
        (["x" * (1 << 20), "isready"], ["info string a line has at most 1,048,576 characters", "readyok"]),
        (
            ["view", *["x"] * 10_001, "end", "go"],
            ["info string a block has at most 10,000 lines", "info string ", "bestplay none"],
        ),
    ],
)
def test_our_engine_bears_what_is_wrong(lines: list[str], said: list[str]):
    shown = spoken(*lines)
    assert len(shown) == len(said)
    for line, begun in zip(shown, said, strict=True):
        assert line.startswith(begun)


@pytest.mark.parametrize(
    "past", ["6 68 68 68", "9999999999999999999999 0", "6 18446744073709551615", "7 0", "x"]
)
def test_our_engine_bears_a_course_that_is_not_this_deals(past: str):
    """It would have believed it, and looked for cards where none are."""
    view = next(view for view in views("500-rum", 3) if len(view.legal) > 6)
    position = [line for line in view_block(view) if not line.startswith("past ")]
    shown = spoken(*position, f"past {past}", "go worlds 8", "stop", "isready", bot="expert")
    assert shown[0].startswith("info string ") and shown[1:] == ["bestplay none", "readyok"]


def test_the_seed_can_be_set_once_for_all():
    view = next(view for view in views("500-rum", 5) if len(view.legal) > 5)
    by_option = spoken("setoption name seed value 41", *view_block(view), "go", bot="random")
    assert by_option == spoken(*view_block(view), "go seed 41", bot="random")
    others = {spoken(*view_block(view), f"go seed {seed}", bot="random")[0] for seed in range(20)}
    assert len(others) > 1


class Noting:
    """Notes what it was given for each choice."""

    name = "noting"

    def __init__(self, **given: float) -> None:
        self.noted: list[tuple[object, object]] = []
        vars(self).update(given)

    def choose(self, view: View, rng: Rng) -> int:
        self.noted.append((getattr(self, "worlds", None), getattr(self, "seconds", None)))
        return view.legal[0]


GIVEN = ["movetime 20", "", "worlds 9", "", "worlds 7 movetime 3000", "seed 4"]


@pytest.mark.parametrize(
    ("bot", "noted"),
    [
        (
            Noting(worlds=512, seconds=0.25),
            [(512, 0.02), (512, 0.25), (9, 0), (512, 0.25), (7, 3.0), (512, 0.25)],
        ),
        (Noting(seconds=2), [(None, 0.02), (None, 2), (None, 2), (None, 2), (None, 3.0), (None, 2)]),
        (Noting(worlds=5), [(5, None), (5, None), (9, None), (5, None), (7, None), (5, None)]),
        (Noting(), [(None, None)] * 6),
    ],
)
def test_a_budget_holds_for_one_choice_and_worlds_alone_have_no_clock(bot: Noting, noted: list[object]):
    asked = [line for said in GIVEN for line in (f"go {said}", "stop")]
    serve_engine(bot, "us", io.StringIO("\n".join([*view_block(a_view()), *asked]) + "\n"), io.StringIO())
    assert bot.noted == noted


class Outgoing(io.StringIO):
    """Where an engine writes; `shown` is set when it has played."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = threading.Event()

    def write(self, text: str) -> int:
        done = super().write(text)
        if text.startswith("bestplay"):
            self.shown.set()
        return done


def unhurried(bot: bots.Bot, *lines: str) -> str:
    """What our engine plays, with all the time that it takes."""
    out = Outgoing()

    class Incoming(io.StringIO):
        def readline(self, size: int = -1, /) -> str:
            return super().readline(size) or ("" if out.shown.wait(PATIENCE) else "no answer\n")

    serve_engine(bot, "us", Incoming("\n".join(lines) + "\n"), out)
    return out.getvalue()


@pytest.mark.compiled
def test_in_worlds_an_engine_plays_the_same_however_little_time_it_usually_takes():
    """Without time it would play as club does, and at this choice club plays otherwise."""
    view = next(view for turn, view in enumerate(views("500-rum", 3)) if turn == 7)
    chosen = expert(worlds=2048).choose_int(view, Rng(1))
    assert chosen != bots.get("club").choose_int(view, Rng(1))
    shown = unhurried(expert(seconds=0.0001), *view_block(view), "go seed 1 worlds 2048")
    assert shown == f"bestplay {play_text(chosen, view)}\n"


@pytest.mark.parametrize("between", [[], ["isready"]])
def test_a_search_is_stopped_at_once(between: list[str]):
    """However close the stop follows, also in one write with go, and to the second search as to the first."""
    words = [sys.executable, "-m", "rum500", "engine", "--bot", "expert:worlds=16777216:seconds=0"]  # hours
    view = next(view for view in views("500-rum", 3) if len(view.legal) > 6)
    asked = [*view_block(view), "go seed 1", *between, "stop"]
    said = "\n".join([*asked, "stop", *asked, "quit"]) + "\n"
    done = subprocess.run(words, input=said, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE)
    lines = [line for line in done.stdout.splitlines() if line != "readyok"]
    assert len(lines) == 2 and all(line.startswith("bestplay ") for line in lines)


class Deaf:
    """Thinks until it is stopped; what stopped it before it began it forgets, as a simple bot does."""

    name = "deaf"

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def choose(self, view: View, rng: Rng) -> int:
        self.stopped.clear()
        assert self.stopped.wait(PATIENCE)
        return view.legal[0]

    def stop(self) -> None:
        self.stopped.set()


def test_our_engine_is_ready_while_it_thinks_and_gives_each_go_an_answer():
    """A go that comes before the last one's answer ends that choice, and begins its own."""
    out = io.StringIO()
    said = [*view_block(a_view()), "go", "isready", "go", "isready", "go depth x", "go worlds 0", "isready"]
    serve_engine(Deaf(), "us", io.StringIO("\n".join(said) + "\n"), out)
    play = f"bestplay {play_text(a_view().legal[0], a_view())}"
    shown = [line for line in out.getvalue().splitlines() if not line.startswith("info")]
    assert shown == ["readyok", play, "readyok", play, play, "bestplay none", "readyok"]


def test_a_stop_before_the_bot_begins_reaches_it():
    view, choice = a_view(), StoppableChoice(Deaf(), a_view(), Rng(1))
    stopping = threading.Thread(target=choice.stop)
    stopping.start()  # nothing has begun, and it waits
    assert choice.make() == view.legal[0]
    stopping.join(PATIENCE)
    assert not stopping.is_alive()


def test_a_stop_that_comes_late_is_for_no_other_choice():
    bot = Deaf()
    first = StoppableChoice(bot, a_view(), Rng(1))
    threading.Thread(target=first.stop).start()
    first.make()
    bot.stopped.clear()
    first.stop()
    assert not bot.stopped.is_set()


def test_who_cannot_be_stopped_is_not_waited_for():
    choice = StoppableChoice(bots.get("greedy"), a_view(), Rng(1))
    choice.stop()
    assert choice.make() in a_view().legal
