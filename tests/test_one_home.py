"""Each fact is declared in one place, and everything else follows from that declaration."""

from __future__ import annotations

import pytest

from rum500.bots import endings
from rum500.external_bots import engine_client
from rum500.review import judge
from rum500.server import messages
from rum500.server.live.turn import requests
from tests.support.changed_source import observed
from tools.doc_tables import DOCS

# --- the wire ---------------------------------------------------------------------------------------------


def test_every_message_of_a_client_has_a_handler() -> None:
    answered_by_the_table = {messages.Join, messages.Ask, messages.Look, messages.Ping}
    assert set(messages.CLIENT_MESSAGES) == answered_by_the_table | set(requests._HANDLERS)


WIRE_CHANGES = {
    "rum500.server.messages.options": {
        "= 8\n": "= 9\n",
        "le=60": "le=59",
        "DAY_S)] = 0\n": "DAY_S)] = 61\n",
        'HintLimit = "none"': 'HintLimit = "reason"',
        'Level = "greedy"': 'Level = "casual"',
        "USUAL_BANK_S = 120": "USUAL_BANK_S = 121",
    },
}


OLD_TABLE = b'{"options":{"profile":"500-rum"},"host":"a","secret":"00","rules":"","version":"1"}'
"""A stored entry of a time when options that were not chosen were left out."""


def observe_wire() -> dict[str, str]:
    """Return the options of a table, the schema of a request, the page's constants and the document."""
    from rum500.server.live.log.entries import Created, from_stored, to_stored
    from rum500.server.live.log.table_options import rules_for, table_info
    from rum500.server.messages.options import TableOptions
    from rum500.store import StoredEntry
    from tools import page_sources, protocol

    options = TableOptions(profile="500-rum")
    info = table_info(options, *rules_for(options))
    schema = protocol.schema()["$defs"]["NewTable"]["properties"]
    return {
        "table": f"{info.claim_s} {info.leaver_s} {info.hints} {info.level} {info.bank_s}",
        "schema": f"{schema['claim_s']} {schema['leaver_s']} {schema['hints']} {schema['level']}",
        "page": page_sources.types(),
        "protocol.md": protocol.page(),
        "old table": str(from_stored(StoredEntry(1, 0, "created", OLD_TABLE))),
        "new table": to_stored(1, 0, Created(options, "a", "00", "", ""), None, None).data.decode(),
    }


@pytest.fixture(scope="module")
def changed_wire() -> dict[str, str]:
    return observed(WIRE_CHANGES, observe_wire)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("table", "9 61 reason casual 121"),
        ("schema", "'default': 9"),
        ("schema", "'maximum': 59"),
        ("schema", "'default': 61"),
        ("schema", "'default': 'reason'"),
        ("schema", "'default': 'casual'"),
        ("page", "USUAL_BANK_S = 121;"),
        ("page", '"claim_s": {"usual": 9, "least": 1, "most": 59}'),
        ("page", '"leaver_s": {"usual": 61,'),
        ("page", '"hints": {"usual": "reason"}'),
        ("page", '"level": {"usual": "casual",'),
        ("old table", "bank_s=120, claim_s=8, level='greedy', seats_drawn=None, leaver_s=60, hints='none'"),
        ("new table", '"claim_s":9,"level":"casual","seats_drawn":null,"leaver_s":61,"hints":"reason"'),
        ("protocol.md", "| `claim_s` | integer (1 to 59) or null | by default `9` |"),
        ("protocol.md", "| `leaver_s` | integer (0 to 86400) or null | by default `61` |"),
    ],
)
def test_changed_option_of_tables_is_seen_everywhere(
    changed_wire: dict[str, str], place: str, text: str
) -> None:
    assert text in changed_wire[place]


# --- library, commands and pages --------------------------------------------------------------------------

CHANGES = {
    "rum500.bots.search_bot": {
        "worlds=512": "worlds=77",
        "worlds=2048, seconds=1.0": "worlds=78, seconds=1.5",
        "MORE = 4": "MORE = 3",
        "MOST_THREADS = 64": "MOST_THREADS = 63",
    },
    "rum500.rules.profiles": {'STANDARD = "500-rum"': 'STANDARD = "michigan-rum"'},
    "rum500.cli.simulate": {"] = 1000": "] = 1001"},
    "rum500.sim.simulation": {
        'seed: int = 0,\n    bots: Sequence[str | Bot] = ("random",),\n    workers': (
            'seed: int = 3,\n    bots: Sequence[str | Bot] = ("club",),\n    workers'
        ),
    },
    "rum500.sim.arena.run_arena": {
        "pairs: int = 200": "pairs: int = 17",
        'unit: str = "match",\n    seating: str = "alternate"': (
            'unit: str = "deal",\n    seating: str = "lone"'
        ),
    },
    "rum500.sim.arena.sprt": {"(0, 20), (0, 4), 0.05": "(0, 21), (0, 5), 0.06"},
    "rum500.external_bots.bot_check": {"SECONDS = 1.0": "SECONDS = 1.5", "DEALS = 2": "DEALS = 3"},
    "rum500.server.config": {
        "NICENESS = 5": "NICENESS = 6",
        '10_000, "The largest number of connections': '10_001, "The largest number of connections',
        '"fcm.googleapis.com"': '"push.example"',
    },
    "rum500.review.verdict": {'Budget("quick", 1_024)': 'Budget("quick", 1_025)'},
    "rum500.sim.study.study_definition": {
        "_DEALS, _SEED, _LUCK_ORDERS = 1000": "_DEALS, _SEED, _LUCK_ORDERS = 1001"
    },
}
"""By module, declarations with their new text."""


def observe() -> dict[str, str]:
    """Return what the library does, what commands print as their help, and the generated pages."""
    import io
    from contextlib import redirect_stdout

    from rum500.bots import get
    from rum500.cli import main
    from rum500.review.verdict import Budget
    from rum500.sim import study
    from rum500.sim.arena import bounds
    from tools import doc_tables

    def help_of(*words: str) -> str:
        with redirect_stdout(io.StringIO()) as printed:
            main([*words, "--help"])
        return " ".join(printed.getvalue().replace("│", " ").split())

    bot, test = get("strong"), bounds("match")
    return {
        "strong": f"{bot.worlds}",
        "bounds": f"{test.lower:g} {test.upper:g} {test.alpha:g}",
        "points": f"{bounds('deal').upper:g}",
        "quick": f"{Budget.of('quick').worlds}",
        "study": f"{study.Study.from_text('').deals} {study.Study.from_text('').factors['profile'][0]}",
        **{
            " ".join(words): help_of(*words)
            for words in (("play",), ("simulate",), ("arena",), ("bot", "test"), ("analyse",), ("serve",))
        },
        **{path.name: text for path, text in doc_tables.files().items()},
    }


@pytest.fixture(scope="module")
def changed() -> dict[str, str]:
    return observed(CHANGES, observe)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("strong", "77"),
        ("play", "strong: Tries its choices in up to 77 deals"),
        ("play", "with three and more players in 231"),
        ("play", "expert: Tries its choices in up to 78 deals, with three and more players in 234"),
        ("strong.md", "in up to 77 deals"),
        ("README.md", "`worlds=77`"),
        ("README.md", "`worlds=78`, `seconds=1.5`"),
        ("simulate", "How many deals. [default: 1001]"),
        ("simulate", "[default: club]"),
        ("simulate", "The same seed, the same deals. [default: 3]"),
        ("analyse", "at most 63"),
        ("arena", "in every seating; 17 if left out"),
        ("arena", "[default: michigan-rum]"),
        ("arena", "[default: deal]"),
        ("arena", "[default: lone]"),
        ("commands.md", "17 if left out"),
        ("study", "1001 michigan-rum"),
        ("studies.md", "1001 if left out"),
        ("bounds", "0 21 0.06"),
        ("points", "5"),
        ("arena", "hypothesis in Elo; 21 if left out"),
        ("arena", "in points a deal; 5 if left out"),
        ("arena", "0.06 if left out"),
        ("bot test", "[default: 1.5]"),
        ("bot test", "[default: 3]"),
        ("commands.md", "*[default: 1.5]*"),
        ("serve", "bots have 6. Default: 6."),
        ("serve", "Default: 10001."),
        ("hosting.md", "a whole number from 1 to 1000000; 10001 |"),
        ("hosting.md", "bots have 6. | a whole number from 0 to 19; 6 |"),
        ("hosting.md", "push.example"),
        ("quick", "1025"),
        ("review.md", "| `quick` | 1,025 |"),
    ],
)
def test_changed_default_is_seen_everywhere(changed: dict[str, str], place: str, text: str) -> None:
    assert text in changed[place]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("engine-protocol.md", f"does not answer within {engine_client.CHOICE_S:g} seconds after"),
        ("engine-protocol.md", f"finish the handshake within {engine_client.HANDSHAKE_S:g} seconds"),
        ("levels/strong.md", f"more than {endings.POSITIONS:,} positions"),
        ("review.md", f"in {judge.SECOND_OPINION:,} worlds drawn the other way"),
    ],
)
def test_page_says_the_number_that_is_declared(page: str, text: str) -> None:
    assert text in " ".join((DOCS / page).read_text("utf-8").split())


# --- the server's configuration ---------------------------------------------------------------------------

SERVER_CHANGES = {
    "rum500.server.config": {
        "NICENESS = 5": "NICENESS = 6",
        "integer(0, 65535), 8500": "integer(0, 65534), 8501",
        '"100 per 5 second"': '"101 per 5 second"',
    },
    "rum500.server.config_types": {"= 700, 10_000": "= 701, 10_001"},
}


def observe_server() -> dict[str, str]:
    """Return how the server is configured, what refuses a value, and what the help and the page say."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    from msgspec import convert

    from rum500.cli import main
    from rum500.server.config import Config
    from rum500.server.limits import Limits
    from rum500.server.messages.options import TableOptions
    from tools import doc_tables

    found, limits = {}, Limits(Config())
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()) as refused:
        main(["config"])
        found["config"] = printed.getvalue()
        main(["serve", "--help"])
        main(["config", "--port", "65535"])
        main(["config", "--bot-pause-ms", "10002"])
    table = convert({"profile": "500-rum", "bot_pause_ms": 10_001}, TableOptions)
    return found | {
        "help": " ".join(printed.getvalue().replace("│", " ").split()),
        "refused": refused.getvalue(),
        "messages": str(sum(limits.within("messages", "ann") for _ in range(200))),
        "table": f"{TableOptions(profile='500-rum').bot_pause_ms} {table.bot_pause_ms}",
        "hosting.md": doc_tables.files()[doc_tables.DOCS / "hosting.md"],
    }


@pytest.fixture(scope="module")
def changed_server() -> dict[str, str]:
    return observed(SERVER_CHANGES, observe_server)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("config", "port = 8501"),
        ("config", "review_niceness = 6"),
        ("help", "Default: 8501."),
        ("help", "bots have 6. Default: 6."),
        ("help", 'Default: "101 per 5 second".'),
        ("refused", "expected a whole number from 0 to 65534"),
        ("refused", "expected a whole number from 0 to 10001"),
        ("messages", "101"),
        ("table", "701 10001"),
        ("hosting.md", "from 0 to 10001; 701 |"),
        ("hosting.md", "bots have 6. | a whole number from 0 to 19; 6 |"),
    ],
)
def test_changed_default_of_the_server_is_seen_everywhere(
    changed_server: dict[str, str], place: str, text: str
) -> None:
    assert text in changed_server[place]
