"""The files for servers and releases work: units of systemd, containers, and workflows of GitHub."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import rum500
from rum500.cli import main
from rum500.server.config import keys, settle

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
UNIT = (DOCS / "deployment" / "rum500@.service").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((DOCS / "deployment" / "compose.yaml").read_text())
IMAGE = (ROOT / "Containerfile").read_text()
VARIABLES = {key.variable for key in keys()}


def commands(name: str) -> list[list[str]]:
    """The words of our own commands that a line of the unit runs, after the program."""
    lines = re.findall(rf"^{name}=-?/opt/rum500/bin/rum500 (.*)$", UNIT, re.MULTILINE)
    return [shlex.split(line.replace("%S", "/var/lib").replace("%i", "one")) for line in lines]


def taken(words: list[str], environment: dict[str, str], folder: Path) -> dict[str, Any]:
    """The configuration to which `serve` comes with these words and variables."""
    assert words[0] == "serve"
    options = dict(zip(words[1::2], words[2::2], strict=True))
    (folder / "rum500.toml").write_text('public_url = "https://cards.example.org"\n')
    file = folder / "rum500.toml" if options.pop("--config", None) else None
    flags = {name.removeprefix("--").replace("-", "_"): value for name, value in options.items()}
    found = settle(flags, environment, file).config
    return {
        "db": found.database,
        "url": found.node_url,
        "name": found.node_name,
        "proxy": found.trusted_proxies,
    }


@pytest.mark.parametrize("name", ["rum500.service", "rum500@.service", "rum500-backup.service"])
def test_systemd_accepts_the_unit(name: str, tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("NOT VERIFIED BY SYSTEMD: there is no systemd-analyze")
    program = tmp_path / "rum500"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / name.replace("@", "@one")
    text = (DOCS / "deployment" / name).read_text()
    unit.write_text(re.sub(r"/opt/rum500/(?:current/)?bin/rum500", str(program), text))
    done = subprocess.run([verify, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_starts_and_drains_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (serve,), (drain,) = commands("ExecStart"), commands("ExecStop")
    environment = {
        "RUM500_DB": "postgresql://rum500@10.0.0.5/rum500",
        "RUM500_NODE_URL": "http://10.0.0.11:8500",
    }
    assert set(re.findall(r"RUM500_\w+", UNIT)) <= VARIABLES
    assert taken(serve, environment, tmp_path) == {
        "db": environment["RUM500_DB"], "url": (environment["RUM500_NODE_URL"],), "name": "one", "proxy": (),
    }  # fmt: skip
    (tmp_path / "rum500.toml").write_text('db = "postgresql://nobody@127.0.0.1:1/none"\n')
    words = [str(tmp_path / "rum500.toml") if word == "/etc/rum500/rum500.toml" else word for word in drain]
    assert main(words) == 2
    assert "127.0.0.1:1/none" in capsys.readouterr().err  # all that it lacks is the database


def test_the_image_runs_a_server_that_may_write_only_its_data(tmp_path: Path) -> None:
    last = IMAGE.rpartition("\nFROM ")[2]
    settings = dict(re.findall(r"\b(RUM500_\w+)=(\S+)", last))
    assert set(settings) <= VARIABLES
    found = settle({}, settings, None).config
    (address,) = re.findall(r"http://127\.0\.0\.1:(\d+)/healthz", last)
    assert (found.host, str(found.port)) == ("0.0.0.0", address)
    assert str(found.data) == "/data" and "\nVOLUME /data\n" in last
    assert re.findall(r"^(?:USER|CMD) (.*)$", last, re.MULTILINE) == ["rum500", '["rum500", "serve"]']
    for service in ("one", "two"):
        each = COMPOSE["services"][service]
        assert (DOCS / "deployment" / each["build"]["context"] / each["build"]["dockerfile"]).samefile(
            ROOT / "Containerfile"
        )
        assert each["read_only"] is True
        assert any(volume.endswith(":/data") for volume in each["volumes"])


def test_the_containers_are_servers_that_find_each_other(tmp_path: Path) -> None:
    services = COMPOSE["services"]
    database = services["database"]["environment"]
    assert [name for name, each in services.items() if each.get("command", [""])[0] == "rum500"] == [
        "one",
        "two",
    ]
    address = COMPOSE["services"]["proxy"]["networks"]["default"]["ipv4_address"]
    site = COMPOSE["configs"]["caddy"]["content"]
    for name in ("one", "two"):
        service = services[name]
        assert set(service["environment"]) <= VARIABLES
        environment = {
            key: value.replace("${POSTGRES_PASSWORD:?}", "secret").replace("${SITE:?}", "cards.example.org")
            for key, value in service["environment"].items()
        }
        assert taken(service["command"][1:], environment, tmp_path) == {
            "db": f"postgresql://{database['POSTGRES_USER']}:secret@database/{database['POSTGRES_USER']}",
            "url": (f"http://{name}:8500",),
            "name": name,
            "proxy": (address,),
        }
        assert f" {name}:8500" in site
        assert service["depends_on"]["database"] == {"condition": "service_healthy"}
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(COMPOSE["volumes"])


def test_the_proxy_of_the_containers_is_the_documented_one() -> None:
    documented = (DOCS / "deployment" / "Caddyfile").read_text()
    documented = re.sub(r"^ *#.*\n", "", documented, flags=re.MULTILINE)
    site = COMPOSE["configs"]["caddy"]["content"]
    assert (
        site.replace("${SITE:?}", "cards.example.org").replace("one:8500 two:8500", "127.0.0.1:8500")
        == documented
    )


WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))


def test_workflows_follow_the_published_schema() -> None:
    assert WORKFLOWS
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, *WORKFLOWS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_workflows_name_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in WORKFLOWS:
        text = path.read_text()
        assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets, path
        for name in re.findall(r"(?:uses: \./|file: |run: sudo \S+ )(\S+)", text):
            assert (ROOT / name.rstrip(",")).exists(), (path, name)
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}, path


def test_a_release_begins_with_its_version_in_the_changelog(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["version"]["steps"]
    checks = [step["run"] for step in steps if "run" in step]
    (tmp_path / "src" / "rum500").mkdir(parents=True)
    shutil.copy(ROOT / "src/rum500/__init__.py", tmp_path / "src/rum500")
    (tmp_path / "CHANGELOG.md").write_text(f"## [{rum500.__version__}] - 2026-12-01\n")

    def passes(tag: str) -> bool:
        each = (
            subprocess.run(["sh", "-c", step], cwd=tmp_path, env={"GITHUB_REF_NAME": tag}, check=False)
            for step in checks
        )
        return all(done.returncode == 0 for done in each)

    assert passes(f"v{rum500.__version__}")
    assert not passes("v99.0.0")
