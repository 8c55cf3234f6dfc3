"""The document of the server's API, and whether the server agrees with it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from rum500.rules.options import OPTIONS
from rum500.server.http.endpoint import Endpoint
from rum500.server.messages import TableChoices, TableInfo
from rum500.server.messages.http import Profile
from rum500.server.metrics import Metrics
from rum500.server.work_scheduler import Light, Work
from tests.support.depth import depth
from tests.support.serving import Running
from tests.test_history import play_out
from tools.protocol import ENDPOINTS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("document")) as running:
        yield running


def test_the_document_describes_what_the_server_does(server: Running) -> None:
    with server.client() as client:
        document = client.get("/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert document["components"]["schemas"]["NewTable"]["additionalProperties"] is False
    operations = [each for methods in document["paths"].values() for each in methods.values()]
    names = {each["operationId"] for each in operations}
    assert len(names) == len(operations)
    assert "make_table" in names
    assert json.dumps(document).count("#/components/schemas/Failure") > 20


def test_every_endpoint_has_a_class_of_work_or_says_why_it_needs_none() -> None:
    """One without is refused when it is declared; one that reads a log or searches must not be light."""
    with pytest.raises(TypeError, match="work"):
        Endpoint(method="GET", path="/api/new", meaning="", handler=operations, answers=dict)  # type: ignore[call-arg,arg-type]
    classes = {endpoint.handler.__name__: endpoint.work for endpoint in ENDPOINTS}
    assert {type(work) for work in classes.values()} == {Work, Light}
    assert {work for work in classes.values() if isinstance(work, Work)} == set(Work) - {
        Work.BOT, Work.HINT, Work.PUSH,
    }  # fmt: skip


FIRST = "2026-01-01"


def test_expensive_requests_are_scheduled_as_their_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Running(tmp_path) as server, server.guest("Ada") as ada:
        table, cookie = play_out(ada), ada.cookie
        league = ada.http.post("/api/leagues", json={"name": "Kitchen"}).json()["id"]
    done = Counter[str]()
    monkeypatch.setattr(Metrics, "worked", lambda _, work, waited, spent: done.update([work]))
    with Running(tmp_path) as server, server.client(headers={"cookie": cookie}) as client:
        paths = {
            endpoint.path.format(
                table=table, deal=1, profile="500-rum", league=league, day=FIRST
            ): endpoint.work
            for endpoint in ENDPOINTS
            if endpoint.method == "GET" and endpoint.work in (Work.READ, Work.EXPORT)
        }
        del paths["/api/day-deals/today"]  # lets bots play in the background
        assert len(paths) == 21
        for path, work in paths.items():
            done.clear()
            assert client.get(path).status_code == 200, path
            # Others have read the log, or there is none to be read.
            known = path.endswith(("/mine", "/review", "/500-rum", "/deeds", "/people", league))
            # All pictures are the plain one, which is drawn once.
            known |= path != "/api/link.png" and path.endswith("/link.png")
            assert done[work] or known, path
        assert server.application._scheduler is not None
        assert not server.application._scheduler.waiting()
        done.clear()
        client.post(f"/api/tables/{table}/bots", json={"seat": 0, "name": "Bot"})
        assert done["load"] == 1


def operations(url: str) -> list[schemathesis.APIOperation]:
    """All operations of the server's own document; who asks has the cookie that it speaks of."""
    document = httpx.get(f"{url}/api/openapi.json").json()
    del document["components"]["securitySchemes"]
    for methods in document["paths"].values():
        for operation in methods.values():
            operation.pop("security", None)
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=url)
    # What does not fit the schema may also be refused for its length alone.
    wrong = schema.config.checks.negative_data_rejection
    wrong.expected_statuses = [*wrong.expected_statuses, "413"]
    return [found.ok() for found in schema.get_all_operations()]


def written(value: object) -> Any:
    """The body as browsers write it: to a schema 5.0 is a whole number, to the server only 5 is."""
    if isinstance(value, dict):
        return {name: written(part) for name, part in value.items()}
    if isinstance(value, list):
        return [written(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


#: What fits the schema and is still refused, as no schema can express it, and with which codes: which rules,
#: numbers and targets go together follows from the rules of the game, the levels from the server's bots, and
#: what a name may hold from the forms and kinds of Unicode's characters.
BEYOND = {
    "PUT /api/me": {"guest"},
    "POST /api/tables/{table}/bots": {"guest"},
    "POST /api/tables": {"option", "bot"},
    "GET /api/rules/{profile}": {"rules"},
    "GET /api/choices/{profile}": {"rules"},
    "GET /api/levels/{profile}": {"rules"},
}


@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode), ids=lambda mode: str(mode.value))
def test_the_server_keeps_to_its_document_whatever_it_is_asked(
    server: Running, mode: schemathesis.GenerationMode
) -> None:
    """What schemathesis makes from the document, right and wrong, is answered as the document says."""
    asked: Counter[int] = Counter()
    with server.guest("Ada") as ada:
        table = ada.table()
        for operation in operations(server.url):
            if mode.is_negative and not (list(operation.iter_parameters()) or operation.body):
                continue  # nothing to be wrong about

            @settings(max_examples=depth(1, 15), suppress_health_check=list(HealthCheck), database=None)
            @given(operation.as_strategy(generation_mode=mode), st.booleans())
            def keeps(case: schemathesis.Case, ours: bool) -> None:
                if ours and not mode.is_negative and "table" in case.path_parameters:
                    case.path_parameters["table"] = table
                if case.operation.body:
                    case.body = written(case.body)
                answer = case.call(headers={"cookie": ada.cookie})
                known = answer.status_code == 422 and answer.json()["code"].partition(".")[0]
                beyond = known in BEYOND.get(case.operation.label, ())
                case.validate_response(answer, excluded_checks=[positive_data_acceptance] if beyond else [])
                asked[answer.status_code] += 1

            keeps()
    assert not asked.keys() & {500, 503}
    assert asked[404]
    assert asked[422 if mode.is_negative else 200]


def test_the_messages_that_state_options_have_a_field_for_each():
    """The structs are written out for the types of the page; what fills them is declared with the options."""
    own = {
        "profile": (Profile, {"players_usual", "house_rules", "differs"}),
        "table": (
            TableInfo,
            {*TableChoices.__struct_fields__, "tried"},
        ),
    }
    for message, (struct, others) in own.items():
        stated = [spec.wire[message] for spec in OPTIONS if message in spec.wire]
        assert len(stated) == len(set(stated))
        assert {*stated} | others == {*struct.__struct_fields__}
