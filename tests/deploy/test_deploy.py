"""What is in deploy/: the unit, the container file and the settings are what the program takes."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from configparser import ConfigParser
from dataclasses import fields
from pathlib import Path

import pytest

from rubicon.cli.main import group
from rubicon.server.settings import PREFIX, ServerSettings, read_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "rubicon.service").read_text("utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")


def test_the_settings_are_read() -> None:
    chosen = read_settings(DEPLOY / "rubicon.toml", {}, {})
    assert chosen.trusted_proxy == chosen.address
    assert chosen.store.startswith("sqlite:////var/lib/rubicon/")


def unit() -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT)
    return parser


def test_the_unit_starts_what_there_is_and_owns_what_the_settings_name() -> None:
    service = unit()["Service"]
    program, command, *options = shlex.split(service["ExecStart"])
    assert Path(program).name == "rubicon"
    assert command in group.list_commands(None)  # type: ignore[arg-type]
    assert options[0] == "--settings"
    store = read_settings(DEPLOY / "rubicon.toml", {}, {}).store
    assert Path(store.removeprefix("sqlite:///")).parent.name == service["StateDirectory"]
    assert service["DynamicUser"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["KillMode"] == "mixed"  # or the bots' processes die before their host


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed on this machine"
)
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path) -> None:
    file = tmp_path / "rubicon.service"
    file.write_text(UNIT.replace("/opt/rubicon/.venv/bin/rubicon", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def instructions(name: str) -> list[str]:
    """The arguments of every instruction of a kind."""
    return re.findall(rf"^{name} +(.*)$", CONTAINER, re.MULTILINE)


def test_the_container_file_names_images_by_plain_names_and_copies_what_there_is() -> None:
    for image in instructions("FROM"):
        assert re.fullmatch(r"python:[\d.]+-slim( AS build)?", image)
    for copied in instructions("COPY"):
        parts = [part for part in copied.split() if not part.startswith("--")]
        if "--from=build" not in copied:
            assert all((ROOT / part).exists() for part in parts[:-1]), copied
    assert "-r requirements.lock" in CONTAINER
    assert "//" not in CONTAINER.replace("http://127.0.0.1:8042/healthz", "").replace(
        "sqlite:////var", ""
    )


def test_the_container_runs_without_root_and_with_settings_that_exist() -> None:
    assert instructions("USER")[-1] == "rubicon"
    names = {field.name for field in fields(ServerSettings)}
    given = dict(re.findall(rf"{PREFIX}(\w+)=(\S+)", " ".join(instructions("ENV"))))
    assert {name.lower() for name in given} <= names
    environment = {PREFIX + name: value for name, value in given.items()}
    chosen = read_settings(None, environment, {})
    assert str(chosen.port) in instructions("EXPOSE")
    assert Path(chosen.store.removeprefix("sqlite:///")).parent == Path(instructions("VOLUME")[0])
    (entry,), (command,) = instructions("ENTRYPOINT"), instructions("CMD")
    assert [*json.loads(entry), *json.loads(command)] == ["rubicon", "serve"]
    health = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
    compile(health[-1], "healthcheck", "exec")
    assert health[:2] == ["python", "-c"]
