"""A terminal game shows the dice and the items of an award to those whom the rules name."""

from __future__ import annotations

import re

import pytest

from rubicon.cli.main import main

BATTLE = re.compile(r"^\w+ \w+.* -> .*\(\w+\):.*$", re.MULTILINE)
DICE = re.compile(r"\d v \d")
BOARD = ("--board", "skerries", "--seed", "1", "--watch", "--plain")


def watched(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What a game of bots prints."""
    assert main(["play", "classic", *BOARD, *options]) == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def folder(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are saved in a folder that is thrown away."""
    monkeypatch.chdir(str(tmp_path))


def test_a_spectator_sees_dice_that_all_players_see(capsys: pytest.CaptureFixture[str]) -> None:
    text = watched(capsys)
    assert DICE.search(text)
    assert "armies: territories" not in text


def test_a_spectator_does_not_see_the_dice_of_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    text = watched(capsys, "-o", "dice.recipients=gm")
    assert BATTLE.search(text)
    assert not DICE.search(text)


def test_notices_tell_a_spectator_the_items(capsys: pytest.CaptureFixture[str]) -> None:
    assert "armies: territories" in watched(capsys, "-o", "gm.notices=true")
