"""The container files cannot be run everywhere; what can be checked of them without an engine is checked here."""

import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

import main
from launch.settings import SECTIONS
from memory.shards import ALL, Shards, shards_without_process

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


@pytest.fixture(scope="module")
def dockerfile() -> list[list[str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [shlex.split(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def test_the_image_holds_every_package_and_file_that_runs(dockerfile: list[list[str]]) -> None:
    copied = {
        source.rstrip("/")
        for line in dockerfile
        if line[0] == "COPY" and not line[1].startswith("--from")
        for source in line[1:-1]
    }
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert packages | {"main.py", "schema.sql", "requirements.lock"} <= copied
    allowed = {line.lstrip("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == allowed
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_installs_locked_hashes_and_runs_as_nobody_special(dockerfile: list[list[str]]) -> None:
    installs = [line for line in dockerfile if line[0] == "RUN" and any(word.endswith("pip") for word in line)]
    assert installs
    assert all("--require-hashes" in line for line in installs)
    assert all("@sha256:" in line[1] for line in dockerfile if line[0] == "ARG" and line[1].startswith("PYTHON="))
    users = [line[1] for line in dockerfile if line[0] == "USER"]
    assert users
    assert int(users[-1].partition(":")[0]) > 0, "a cluster that wants nobody to be root looks at the number"
    assert dockerfile.index(["USER", users[-1]]) > max(dockerfile.index(line) for line in installs)
    check = next(line for line in dockerfile if line[0] == "HEALTHCHECK")
    command = " ".join(check[check.index("CMD") + 1 :]).strip("[]").split(", ")
    assert main._parser().parse_args(command[2:]).command == "alive"


def test_every_service_is_checked_and_comes_back_and_only_the_web_process_is_exposed(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"bot", "bot-0", "bot-1", "web", "postgres"}
    for name, service in compose["services"].items():
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"]
        ports = service.get("ports", [])
        assert bool(ports) == (name == "web")
        assert all(port.startswith("127.0.0.1:") for port in ports)


def test_together_the_bots_of_the_profile_have_every_shard(compose: dict[str, Any]) -> None:
    bots = [service for service in compose["services"].values() if service.get("profiles") == ["shards"]]
    given = [main._parser().parse_args(service["command"]) for service in bots]
    assert shards_without_process(Shards.parse(one.shards, one.of).process for one in given) is None


@pytest.mark.parametrize("name", ["bot", "bot-0", "bot-1", "web"])
def test_our_services_are_confined_and_use_commands_and_settings_that_exist(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["depends_on"]["postgres"]["condition"] == "service_healthy"
    parser = main._parser()
    given = parser.parse_args(service["command"])
    process = "web" if name == "web" else (Shards.parse(given.shards, given.of) if given.of else ALL).process
    assert given.command == process.partition(" ")[0]
    assert service["healthcheck"]["test"][:3] == ["CMD", "python", "main.py"]
    alive = parser.parse_args(service["healthcheck"]["test"][3:])
    assert (alive.command, alive.process) == ("alive", process)
    known = {field.validation_alias for options in SECTIONS.values() for field in options.model_fields.values()}
    assert set(service["environment"]) <= known | {"PGPASSWORD"}


def test_volumes_are_declared_and_no_secret_is_written_down(compose: dict[str, Any]) -> None:
    used = {mount.split(":")[0] for service in compose["services"].values() for mount in service["volumes"]}
    assert used == set(compose["volumes"])
    for service in compose["services"].values():
        for variable, value in service["environment"].items():
            if re.search("TOKEN|PASSWORD", variable):
                assert "${" in value, f"{variable} should come from .env"
            if variable == "DATABASE_URL":
                assert urlsplit(value).password is None, "a / in it would end the address"
