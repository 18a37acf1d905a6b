"""Settings from a file, the environment and arguments; invalid ones are refused by name."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from rubicon.cli.serve import command
from rubicon.errors import RubiconError
from rubicon.server.settings import MEANINGS, ServerSettings, read_settings


def test_every_setting_has_a_meaning() -> None:
    assert [field.name for field in fields(ServerSettings)] == list(MEANINGS)


def test_the_page_about_hosting_has_the_right_limits() -> None:
    page = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| ([\d,]+)[ ,|]", page, re.MULTILINE))
    limits = {name: number.replace(",", "") for name, number in told.items()}
    assert {"requests_per_minute", "request_timeout", "tables_per_account"} <= set(limits)
    assert limits == {name: str(getattr(ServerSettings(), name)) for name in limits}


def test_arguments_override_the_environment_and_the_file(tmp_path: Path) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text('port = 1\naddress = "0.0.0.0"\nbot_processes = 3\n')
    environment = {"RUBICON_PORT": "2", "RUBICON_BOT_PROCESSES": "4", "OTHER": "x"}
    arguments = {"port": 5, "store": None}
    read = read_settings(file, environment, arguments)
    assert (read.port, read.bot_processes, read.address) == (5, 4, "0.0.0.0")
    assert read.store == ServerSettings().store


@pytest.mark.parametrize(
    "text", ["port = 'x'", "port = -1", "port = 70000", "prot = 1", "port =", "\0"]
)
def test_invalid_settings_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text(text)
    with pytest.raises(RubiconError) as caught:
        read_settings(file, {}, {})
    assert caught.value.code == "serve/settings"


def test_a_missing_settings_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RubiconError, match=r"nowhere\.toml"):
        read_settings(tmp_path / "nowhere.toml", {}, {})


def test_switches_and_choices(tmp_path: Path) -> None:
    file = tmp_path / "rubicon.toml"
    file.write_text('access_log = true\nlog_format = "json"\n')
    assert read_settings(file, {}, {}).access_log is True
    assert read_settings(file, {"RUBICON_ACCESS_LOG": "No"}, {}).access_log is False
    assert read_settings(file, {"RUBICON_LOG_FORMAT": "text"}, {}).log_format == "text"


@pytest.mark.parametrize(
    "text",
    ["access_log = 'perhaps'", "log_format = 'xml'", "port = true", "bot_processes = 0"],
)
def test_invalid_choices_are_refused(tmp_path: Path, text: str) -> None:
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


@pytest.mark.parametrize(
    ("variable", "suggestion"),
    [
        ("RUBICON_PROT", "Did you mean 'RUBICON_PORT'?"),
        ("RUBICON_MAILSERVER", "Did you mean 'RUBICON_MAIL_SERVER'?"),
        ("RUBICON_XYZZY_QQQ_123", "`rubicon serve --help` lists the settings."),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_setting(
    variable: str, suggestion: str
) -> None:
    with pytest.raises(RubiconError) as caught:
        read_settings(None, {variable: "8042", "RUBICON_PORT": "1"}, {})
    assert (caught.value.code, caught.value.suggestion) == ("serve/settings", suggestion)
    assert variable in caught.value.message


def test_variables_that_are_no_settings_are_accepted() -> None:
    variables = {"RUBICON_SETTINGS": "x", "RUBICON_TRACEBACK": "1", "RUBICON": "x", "PORT": "2"}
    assert read_settings(None, variables, {}) == ServerSettings()
