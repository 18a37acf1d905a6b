"""`rubicon dice serve --help`, and what the page about hosting says of it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from click.testing import CliRunner

from rubicon.cli.dice import DEFAULTS, MEANINGS, command
from rubicon.dice_server.games import DiceServerSettings
from rubicon.server.settings import ServerSettings

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")


def test_every_setting_is_an_option_with_the_same_default() -> None:
    defaults = DiceServerSettings()
    assert [field.name for field in fields(defaults)] == list(DEFAULTS) == list(MEANINGS)
    shown = {name: str(getattr(defaults, name)) for name in DEFAULTS if name != "tokens"}
    assert shown == {name: str(value) for name, value in DEFAULTS.items() if name != "tokens"}


def test_the_help_names_every_option_and_its_variable() -> None:
    told = CliRunner().invoke(command, ["serve", "--help"], terminal_width=200).output
    for name in DEFAULTS:
        assert f"--{name.replace('_', '-')}" in told
        assert f"RUBICON_DICE_{name.upper()}" in told


def test_the_page_about_hosting_names_settings_that_exist() -> None:
    named = set(re.findall(r"RUBICON_(DICE_\w+)", PAGE))
    there = {f"DICE_{name.upper()}" for name in DEFAULTS}
    there |= {field.name.upper() for field in fields(ServerSettings)}
    assert {"DICE_SERVER", "DICE_SERVER_KEY", "DICE_SERVER_TOKEN", "DICE_TOKENS"} <= named <= there


def test_a_bad_number_is_refused() -> None:
    result = CliRunner().invoke(command, ["serve", "--request-timeout", "0"])
    assert result.exit_code == 2
    assert "0 is not in the range" in result.output
