"""The command of `docs/strength.md` is executed; its tables are those that were measured."""

import importlib.util
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from rubicon.cli.main import main
from rubicon.players.characters import policy_of

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```\n(rubicon .*?)\n```", TEXT, re.DOTALL)


def benchmark(name: str) -> Any:
    """A program of `benchmarks/`, as a module."""
    path = ROOT / "benchmarks" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def results() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((ROOT / "benchmarks/strength.json").read_text())
    return read


def test_the_command_plays(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = COMMANDS
    assert main(shlex.split(command)[1:]) == 0
    assert "4 games in 2 blocks" in capsys.readouterr().out


def test_every_match_was_measured_by_its_command() -> None:
    strength = benchmark("strength")
    commands = {one.name: one.command(strength.seed_of(one)) for one in strength.MEASUREMENTS}
    assert len(results()) > 30
    for one in results():
        assert one["command"] == commands[one["name"]]


def test_the_page_shows_what_was_measured() -> None:
    tables = benchmark("strength").tables()
    assert len(tables) == 4
    for table in tables:
        assert table in TEXT


def test_the_page_names_the_targets_that_were_missed() -> None:
    aimed = [one for one in results() if one["target"] is not None]
    missed = {one["label"] for one in aimed if one["win_share"] < one["target"]}
    told = TEXT.partition("### Targets that were missed")[2].partition("\n#")[0]
    assert {one["label"] for one in aimed if one["label"] in told} == missed


def test_every_decision_that_was_checked_is_counted() -> None:
    checked = sum(one["checked_decisions"] for one in results())
    assert checked > 0
    assert f"{checked:,}" in TEXT


def test_scripted_bots_that_are_named_are_bots() -> None:
    for one in benchmark("strength").MEASUREMENTS:
        for player in one.match(0).players:
            assert policy_of(player) is not None


def test_the_pictures_are_drawn_from_what_was_measured() -> None:
    plots = benchmark("strength_plots")
    shares = plots.shares_picture(results())
    assert (ROOT / "docs/images/strength.svg").read_text(encoding="utf-8") == shares
    assert shares.count('class="bar"') == len({one["name"] for one in results()} & {*plots.SHOWN})
