"""Settings: a file, then the environment, then arguments; what cannot be is refused by name."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from rubicon.cli.serve import command
from rubicon.host.settings import MEANINGS, HostSettings, read_settings
from rubicon.rules.errors import RubiconError


def test_every_setting_has_a_meaning() -> None:
    assert [field.name for field in fields(HostSettings)] == list(MEANINGS)


def test_the_page_of_a_house_tells_the_limits_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| ([\d,]+)[ ,|]", page, re.MULTILINE))
    limits = {name: number.replace(",", "") for name, number in told.items()}
    assert {"requests_per_minute", "patience", "tables_per_account"} <= set(limits)
    assert limits == {name: str(getattr(HostSettings(), name)) for name in limits}


def test_the_last_word_counts(tmp_path: Path) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text('port = 1\naddress = "0.0.0.0"\nbot_processes = 3\n')
    environment = {"RUBICON_PORT": "2", "RUBICON_BOT_PROCESSES": "4", "OTHER": "x"}
    arguments = {"port": 5, "store": None}
    read = read_settings(file, environment, arguments)
    assert (read.port, read.bot_processes, read.address) == (5, 4, "0.0.0.0")
    assert read.store == HostSettings().store


@pytest.mark.parametrize(
    "text", ["port = 'x'", "port = -1", "port = 70000", "prot = 1", "port =", "\0"]
)
def test_what_cannot_be_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text(text)
    with pytest.raises(RubiconError) as caught:
        read_settings(file, {}, {})
    assert caught.value.code == "serve/settings"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RubiconError, match=r"nowhere\.toml"):
        read_settings(tmp_path / "nowhere.toml", {}, {})


def test_switches_and_choices(tmp_path: Path) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text('log_requests = true\nlog_format = "json"\n')
    assert read_settings(file, {}, {}).log_requests is True
    assert read_settings(file, {"RUBICON_LOG_REQUESTS": "No"}, {}).log_requests is False
    assert read_settings(file, {"RUBICON_LOG_FORMAT": "text"}, {}).log_format == "text"


@pytest.mark.parametrize(
    "text",
    ["log_requests = 'perhaps'", "log_format = 'xml'", "port = true", "bot_processes = 0"],
)
def test_what_cannot_be_chosen_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text(text)
    with pytest.raises(RubiconError) as caught:
        read_settings(file, {}, {})
    assert caught.value.code == "serve/settings"
    assert caught.value.suggestion


def test_the_help_of_serve_explains_every_setting() -> None:
    help_text = CliRunner().invoke(command, ["--help"]).output
    for name, meaning in MEANINGS.items():
        assert f"RUBICON_{name.upper()}" in help_text
        assert meaning.split(".")[0] in " ".join(help_text.split())
